import RankKit

extension SyntheticApp {
    /// How much of an entry is written.
    enum EntrySize: Hashable, Sendable {
        /// About 1.5 kB: what trackers keep, and little else.
        case lean
        /// About 9.6 kB, as Apple sends them.
        case full
    }

    /// The app as an element of `results`. Some fields are missing, as they are in some real entries.
    func entry(_ edition: Edition, storefront: Storefront, isMac: Bool, size: EntrySize) -> [UInt8] {
        let isFull = size == .full
        var json = JSONText(capacity: isFull ? 10_500 : 2_000)
        let locale = storefront.code
        let edits = edits(after: edition)
        let name = edits.lazy.compactMap(\.formerName).first ?? name
        let icon = Self.former("icon", edits.count(where: \.hasNewIcon))
        let screen = Self.former("screen", edits.count(where: \.hasNewScreenshots))
        json.open()
        json.field("screenshotUrls", imageURLs(screen, count: isFull ? 4 : 3, ending: "392x696bb.png"))
        if isFull {
            json.field("ipadScreenshotUrls", isMac ? [] : imageURLs("ipad", count: 3, ending: "576x768bb.png"))
            json.field("appletvScreenshotUrls", [])
            json.field("artworkUrl60", imageURL(icon, ending: "60x60bb.jpg"))
            json.field("artworkUrl100", imageURL(icon, ending: "100x100bb.jpg"))
            json.field("artistViewUrl", "https://apps.apple.com/\(locale)/developer/id\(artistID)?uo=4")
            json.field("isGameCenterEnabled", genre.id == 6014)
            json.field("features", isMac ? [] : ["iosUniversal"])
            if !isMac { json.raw("supportedDevices", DeviceList.json) }
            json.field("advisories", [])
        }
        json.field("artworkUrl512", imageURL(icon, ending: "512x512bb.jpg"))
        json.field("kind", isMac ? "mac-software" : "software")
        writeRatings(step: edition.ratingStep, to: &json, isFull: isFull)
        if trait(30) >= 0.02 {
            let price = storefront.price(usDollars: edits.lazy.compactMap(\.formerPrice).first ?? price)
            json.field("formattedPrice", price.formatted)
            json.raw("price", price.number)
        }
        if trait(31) >= 0.25 { json.field("sellerUrl", "https://\(slug).example.com/") }
        json.field("trackViewUrl", "https://apps.apple.com/\(locale)/app/\(slug)/id\(trackID)?uo=4")
        json.field("genres", [genre.name])
        json.field("primaryGenreName", genre.name)
        json.field("bundleId", bundleID.text)
        json.field("artistName", developer)
        json.field("sellerName", seller)
        json.field("trackCensoredName", name)
        json.field("artistId", artistID)
        json.field("minimumOsVersion", "15.0")
        json.field("releaseDate", releasedAt.description)
        if trait(32) >= 0.01 {
            json.field("currentVersionReleaseDate", releaseMoment(edition.release).description)
        }
        if edition.release > 0, trait(33) >= 0.03 { json.field("releaseNotes", releaseNotes(edition.release)) }
        json.field("version", versionText(edition.release))
        json.field("wrapperType", "software")
        json.field("currency", storefront.currency)
        if isFull { writeRest(to: &json) }
        json.field("trackId", trackID)
        json.field("trackName", name)
        json.close()
        return json.bytes
    }

    private func writeRatings(step: Int64, to json: inout JSONText, isFull: Bool) {
        guard trait(34) >= 0.015 else { return }
        let (average, count) = ratings(step: step)
        let number = Self.expansion(average)
        json.raw("averageUserRating", number)
        json.field("userRatingCount", count)
        guard isFull else { return }
        json.raw("averageUserRatingForCurrentVersion", number)
        json.field("userRatingCountForCurrentVersion", count)
    }

    private func writeRest(to json: inout JSONText) {
        json.field("languageCodesISO2A", ["EN", "FR", "DE", "ES", "PT", "JA", "KO"])
        if trait(35) >= 0.02 { json.field("fileSizeBytes", String(Int64(2_000_000 + trait(36) * 4e8))) }
        json.field("contentAdvisoryRating", trait(37) < 0.8 ? "4+" : "12+")
        json.field("trackContentRating", trait(37) < 0.8 ? "4+" : "12+")
        json.field("isVppDeviceBasedLicensingEnabled", true)
        json.field("primaryGenreId", genre.id)
        json.field("genreIds", [String(genre.id)])
        json.field("description", description)
    }

    private var artistID: Int64 { 300_000_000 + Int64(SeededHash.of(developer) % 1_400_000_000) }

    private var slug: String {
        let dashed = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(dashed).split(separator: "-").joined(separator: "-")
    }

    /// The picture that so many later ones have taken the place of.
    private static func former(_ kind: String, _ later: Int) -> String { later == 0 ? kind : "\(kind)-\(later)" }

    private func imageURL(_ kind: String, ending: String) -> String {
        let hash = String(SeededHash.mix(traits, SeededHash.of(kind)), radix: 16)
        let folder = String(hash.prefix(2))
        return "https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\(folder)/\(hash)/\(kind)-\(hash)/\(ending)"
    }

    private func imageURLs(_ kind: String, count: Int, ending: String) -> [String] {
        (1...count).map { imageURL("\(kind)_\($0)", ending: ending) }
    }

    private func releaseNotes(_ release: Int64) -> String {
        let notes = Vocabulary.releaseNotes
        return notes[Int(SeededHash.mix(traits, 9_000 + release) % UInt64(notes.count))]
    }

    /// 1.5 to 3.5 kB of text.
    private var description: String {
        var generator = SeededGenerator(seed: traits)
        let sentences = 24 + Int(generator.next() % 30)
        var text = "\(name) by \(developer): \(genre.terms.joined(separator: ", "))."
        for number in 1...sentences {
            text += number % 5 == 0 ? "\n\n" : " "
            text += generator.pick(Vocabulary.descriptionSentences)
        }
        return text
    }

    /// A rating as Apple writes it: every digit of the binary fraction, and 0 as an integer.
    ///
    /// - Parameter rating: 0, or 1 and more: below 1 a fraction has more digits than 64 bits can unfold.
    static func expansion(_ rating: Double) -> String {
        guard rating >= 1 else { return "0" }
        let whole = rating.rounded(.down)
        var fraction = UInt64((rating - whole) * 0x1p52)
        var text = "\(Int64(whole))"
        if fraction > 0 { text += "." }
        while fraction > 0 {
            fraction *= 10
            text += "\(fraction >> 52)"
            fraction &= (1 << 52) - 1
        }
        return text
    }
}
