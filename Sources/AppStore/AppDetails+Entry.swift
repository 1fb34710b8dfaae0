import RankKit

extension AppDetails {
    /// Everything that is kept of an entry, which `AnswerReader` has found to be well-formed JSON.
    init(entry: ArraySlice<UInt8>) {
        self.init()
        var scanner = JSONScanner(Array(entry))
        // The entry was scanned whole before, so nothing can be thrown here; were it, what was read stays.
        do { try read(with: &scanner) } catch {}
    }

    private mutating func read(with scanner: inout JSONScanner) throws(JSONScanner.Malformed) {
        var details = self
        try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            try details.readMember(key, with: &scanner)
        }
        self = details
    }

    private mutating func readMember(
        _ key: JSONScanner.RawString, with scanner: inout JSONScanner
    ) throws(JSONScanner.Malformed) {
        if scanner.isKey(key, "trackName") {
            name = try scanner.optionalText()
        } else if scanner.isKey(key, "artistName") {
            developer = try scanner.optionalText()
        } else if scanner.isKey(key, "sellerName") {
            seller = try scanner.optionalText()
        } else if scanner.isKey(key, "version") {
            version = try scanner.optionalText()
        } else if scanner.isKey(key, "releaseDate") {
            releasedAt = try scanner.optionalText().flatMap(Timestamp.init(iso8601:))
        } else if scanner.isKey(key, "currentVersionReleaseDate") {
            versionReleasedAt = try scanner.optionalText().flatMap(Timestamp.init(iso8601:))
        } else if scanner.isKey(key, "price") {
            price = try scanner.optionalDouble()
        } else if scanner.isKey(key, "currency") {
            currency = try scanner.optionalText()
        } else if scanner.isKey(key, "averageUserRating") {
            rating = try scanner.optionalDouble()
        } else if scanner.isKey(key, "userRatingCount") {
            ratingCount = try scanner.optionalInteger()
        } else if scanner.isKey(key, "primaryGenreName") {
            genre = try scanner.optionalText()
        } else if scanner.isKey(key, "artworkUrl512") {
            iconURL = try scanner.optionalText()
        } else if scanner.isKey(key, "trackViewUrl") {
            storeURL = try scanner.optionalText()
        } else if scanner.isKey(key, "screenshotUrls"), scanner.peek() == UInt8(ascii: "[") {
            var urls: [String] = []
            try scanner.array { (scanner: inout JSONScanner) throws(JSONScanner.Malformed) in
                if let url = try scanner.optionalText() { urls.append(url) }
            }
            screenshotURLs = urls
        } else {
            try scanner.skipValue(depth: 1)
        }
    }
}
