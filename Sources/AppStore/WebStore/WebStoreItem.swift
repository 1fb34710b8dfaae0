import RankKit

/// One item of the shelf of results.
struct WebStoreItem {
    var kind: String?
    var resultType: String?
    var lockup: Lockup?
    /// Whether a lockup stands there that is none of those that are known.
    var hasOtherLockup = false

    /// The part of an item that shows an app.
    struct Lockup {
        var id: AppID?
        /// Whether something stands where its number is expected, also where that cannot be read.
        var hasNumber = false
        var bundleID: String?
        var title: String?
        var subtitle: String?
        var developerName: String?
        var developerTagline: String?
        var rating: Double?
        var ratingCount: Int64?
        var icon: WebStoreArtwork?
        var screenshots: [WebStoreScreenshots] = []
    }

    /// What an item is to the order of the apps.
    enum Role {
        case place(AppID, Lockup)
        case advertisement(Lockup)
        /// A story, a bundle or the like, whose kind is known.
        case noApp
        /// Something of a kind that nobody has named yet, and that shows no app.
        case unknown(kind: String)
    }

    private static let kindsOfNoApp: Set<String> = [
        "EditorialSearchResult", "DeveloperSearchResult", "AppBundleSearchResult", "BundleSearchResult",
        "InAppSearchResult", "GroupingSearchResult",
    ]

    /// - Throws: `Failure` with `changedPage` if the order cannot be trusted with an item such as this one.
    func role() throws(Failure) -> Role {
        let type = resultType ?? ""
        switch kind {
        case "AppSearchResult" where type == "ad", "AppEventSearchResult" where type == "ad":
            return .advertisement(lockup ?? Lockup())
        case "AppSearchResult" where type == "content", "AppEventSearchResult" where type == "appEvent":
            guard let lockup, let id = lockup.id else {
                throw Failure(.changedPage, "a result without the number of its app")
            }
            return .place(id, lockup)
        case "AppSearchResult", "AppEventSearchResult":
            throw Failure(.changedPage, "a result of type “\(type.prefix(80))”")
        case let kind? where Self.kindsOfNoApp.contains(kind): return .noApp
        case let kind?:
            guard lockup?.hasNumber != true, !hasOtherLockup else {
                throw Failure(.changedPage, "an app in an item of kind “\(kind.prefix(80))”")
            }
            return .unknown(kind: String(kind.prefix(80)))
        case nil: throw Failure(.changedPage, "an item that tells no kind")
        }
    }
}

extension WebStoreItem.Lockup {
    var bundle: BundleID? { bundleID.flatMap { BundleID($0) } }

    /// What the page tells about the app on one platform.
    func details(on platform: Platform) -> AppDetails {
        // On some pages the tagline repeats the subtitle, and names no developer.
        let tagline = developerTagline == subtitle ? nil : developerTagline
        let shown = screenshots.first { $0.platform == platform.webName } ?? screenshots.first
        return AppDetails(
            name: title, developer: developerName ?? tagline, rating: rating, ratingCount: ratingCount,
            iconURL: icon?.url(width: 512, height: 512, format: "jpg"),
            screenshotURLs: shown?.artworks.compactMap { $0.url(width: 392, format: "png") } ?? [], subtitle: subtitle
        ).plausible
    }
}

extension Platform {
    /// The page's name for whose screenshots they are.
    fileprivate var webName: String {
        switch self {
        case .iphone: "phone"
        case .ipad: "pad"
        case .mac: "mac"
        }
    }
}

// MARK: Scanning

extension WebStoreItem {
    static func read(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> WebStoreItem {
        var item = WebStoreItem()
        try WebStorePage.members(&scanner) { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "$kind") {
                try WebStorePage.read(&item.kind, &scanner)
            } else if scanner.isKey(key, "resultType") {
                try WebStorePage.read(&item.resultType, &scanner)
            } else if scanner.isKey(key, "lockup"), scanner.peek() == UInt8(ascii: "{") {
                guard item.lockup == nil else { throw scanner.malformed(WebStorePage.twice) }
                item.lockup = try readLockup(&scanner)
            } else if scanner.isKey(key, "lockup") || scanner.isKey(key, "lockups") {
                item.hasOtherLockup = item.hasOtherLockup || scanner.peek() != UInt8(ascii: "n")
                try scanner.skipValue(depth: 10)
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return item
    }

    /// Apple's number of an app, as a number or as a text; `nil` for anything else.
    static func number(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> AppID? {
        try scanner.optionalInteger().flatMap { $0 > 0 ? AppID($0) : nil }
    }

    private static func readLockup(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Lockup {
        var lockup = Lockup()
        try scanner.object { (scanner: inout JSONScanner, key) throws(JSONScanner.Malformed) in
            if scanner.isKey(key, "adamId") {
                guard !lockup.hasNumber else { throw scanner.malformed(WebStorePage.twice) }
                lockup.hasNumber = scanner.peek() != UInt8(ascii: "n")
                lockup.id = try number(&scanner)
            } else if scanner.isKey(key, "bundleId") {
                try WebStorePage.read(&lockup.bundleID, &scanner)
            } else if scanner.isKey(key, "title") {
                lockup.title = try scanner.optionalText()
            } else if scanner.isKey(key, "subtitle") {
                lockup.subtitle = try scanner.optionalText()
            } else if scanner.isKey(key, "developerName") {
                lockup.developerName = try scanner.optionalText()
            } else if scanner.isKey(key, "developerTagline") {
                lockup.developerTagline = try scanner.optionalText()
            } else if scanner.isKey(key, "rating") {
                lockup.rating = try scanner.optionalDouble()
            } else if scanner.isKey(key, "ratingCount") {
                lockup.ratingCount = try ratingCount(&scanner)
            } else if scanner.isKey(key, "icon") {
                lockup.icon = try WebStoreArtwork.read(&scanner)
            } else if scanner.isKey(key, "screenshots") {
                lockup.screenshots = try WebStorePage.list(&scanner, most: 20, WebStoreScreenshots.read) ?? []
            } else {
                try scanner.skipValue(depth: 10)
            }
        }
        return lockup
    }

    /// A number of ratings: a number, or a text that people read, such as `2.4K`. `nil` for what is neither.
    private static func ratingCount(_ scanner: inout JSONScanner) throws(JSONScanner.Malformed) -> Int64? {
        guard scanner.peek() == UInt8(ascii: "\"") else {
            return try scanner.optionalDouble().flatMap { Int64(exactly: $0.rounded()) }
        }
        return try scanner.optionalText().flatMap(ratingCount)
    }

    /// `1234`, `1,234`, `2.4K` and `1.2M`; other spellings are of other languages, and are not guessed at.
    static func ratingCount(_ text: String) -> Int64? {
        var digits = text.filter { !$0.isWhitespace }
        var factor = 1.0
        switch digits.last {
        case "K", "k": factor = 1_000
        case "M", "m": factor = 1_000_000
        default: break
        }
        if factor > 1 { digits.removeLast() }
        if factor == 1 {
            let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
            guard groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
            digits = groups.joined()
            guard !digits.contains(".") else { return nil }
        }
        guard digits.first?.isNumber == true, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
            return nil
        }
        return Double(digits).flatMap { Int64(exactly: ($0 * factor).rounded()) }
    }
}
