/// One readable entry of an answer.
package struct SeenApp: Sendable {
    /// `nil` if the entry has no number that can be read: its place still counts.
    package let id: AppID?
    package let bundleID: BundleID
    /// Whether the entry itself says the bundle identifier: else it is what the number is known by.
    package let tellsName: Bool

    /// A hash of the entry's bytes as Apple sent them: equal fingerprints mean that nothing needs decoding. `nil` where
    /// the bytes are gone and `details` knows nothing.
    package let fingerprint: UInt64?

    /// Decodes the entry in full. Costly (an entry is about 10 kB), so called only for a new fingerprint.
    package let details: @Sendable () -> AppDetails

    package init(
        id: AppID?, bundleID: BundleID, fingerprint: UInt64?, tellsName: Bool = true,
        details: @escaping @Sendable () -> AppDetails
    ) {
        self.id = id
        self.bundleID = bundleID
        self.tellsName = tellsName
        self.fingerprint = fingerprint
        self.details = details
    }

    /// One of whose entry nothing was kept but who it is.
    package init(id: AppID?, bundleID: BundleID, tellsName: Bool = true) {
        self.init(id: id, bundleID: bundleID, fingerprint: nil, tellsName: tellsName) { AppDetails() }
    }
}

/// What one entry says about an app in one storefront. Every field may be missing in real entries.
package struct AppDetails: Sendable, Hashable {
    package var name: String?
    package var developer: String?
    package var seller: String?
    package var version: String?
    package var releasedAt: Timestamp?
    package var versionReleasedAt: Timestamp?
    /// In units of `currency`; 0 is free.
    package var price: Double?
    /// ISO 4217.
    package var currency: String?
    /// Average rating over all versions, 0–5.
    package var rating: Double?
    package var ratingCount: Int64?
    package var genre: String?
    package var iconURL: String?
    package var storeURL: String?
    package var screenshotURLs: [String]
    /// The line below the name. The search API does not tell it, and no history keeps it.
    package var subtitle: String?

    package init(
        name: String? = nil, developer: String? = nil, seller: String? = nil, version: String? = nil,
        releasedAt: Timestamp? = nil, versionReleasedAt: Timestamp? = nil, price: Double? = nil,
        currency: String? = nil, rating: Double? = nil, ratingCount: Int64? = nil, genre: String? = nil,
        iconURL: String? = nil, storeURL: String? = nil, screenshotURLs: [String] = [],
        subtitle: String? = nil
    ) {
        self.name = name
        self.developer = developer
        self.seller = seller
        self.version = version
        self.releasedAt = releasedAt
        self.versionReleasedAt = versionReleasedAt
        self.price = price
        self.currency = currency
        self.rating = rating
        self.ratingCount = ratingCount
        self.genre = genre
        self.iconURL = iconURL
        self.storeURL = storeURL
        self.screenshotURLs = screenshotURLs
        self.subtitle = subtitle
    }

    /// Only what can be so: a text that is blank is not known, nor is a count or a price below 0, a count above
    /// `mostRatings`, an average outside 0–5, a date outside the years 1 to 9999, or an address that is none. White space
    /// around texts does not count. A currency is three letters, in capitals, as ISO 4217 has them.
    package var plausible: AppDetails {
        func text(_ text: String?) -> String? { text.flatMap(Self.plausible) }
        func number(_ number: Double?, upTo most: Double) -> Double? {
            number.flatMap { (0...most).contains($0) ? $0 : nil }
        }
        func moment(_ moment: Timestamp?) -> Timestamp? {
            moment.flatMap { Timestamp.storable.contains($0) ? $0 : nil }
        }
        return AppDetails(
            name: text(name), developer: text(developer), seller: text(seller), version: text(version),
            releasedAt: moment(releasedAt), versionReleasedAt: moment(versionReleasedAt),
            price: number(price, upTo: 1e12), currency: currency.flatMap(Self.plausibleCurrency),
            rating: number(rating, upTo: 5),
            ratingCount: ratingCount.flatMap { (0...Self.mostRatings).contains($0) ? $0 : nil },
            genre: text(genre), iconURL: iconURL.flatMap(Self.plausibleAddress),
            storeURL: storeURL.flatMap(Self.plausibleAddress),
            screenshotURLs: screenshotURLs.compactMap(Self.plausibleAddress), subtitle: text(subtitle))
    }

    /// What is known of a text of a listing's column; `nil` if it says nothing. That an app has no screenshots is said.
    package static func plausible(_ text: String, of column: String) -> String? {
        switch column {
        case "currency": plausibleCurrency(text)
        case "screenshot_urls": text
        default: plausible(text)
        }
    }

    /// A code of ISO 4217, in capitals; `nil` for any other text.
    package static func plausibleCurrency(_ text: String) -> String? {
        plausible(text).flatMap { code in
            code.utf8.count == 3 && code.allSatisfy { $0.isASCII && $0.isLetter } ? code.uppercased() : nil
        }
    }

    /// More than ten ratings of everybody who lives.
    package static let mostRatings: Int64 = 100_000_000_000

    /// An address of the web; `nil` for any other text.
    package static func plausibleAddress(_ text: String) -> String? {
        plausible(text).flatMap { text in
            ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count } ? text : nil
        }
    }

    /// What people see of a text: any white space is one blank, and what has no width is nothing.
    package static func appearance(of text: String) -> String {
        let visible = text.unicodeScalars.filter { !["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}"].contains($0) }
        return String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text without white space around it; `nil` if nothing of it can be seen. The one rule by which texts of an
    /// entry, of an import and of earlier versions are taken for said.
    package static func plausible(_ text: String) -> String? {
        // Nearly always there is none.
        guard let first = text.first, let last = text.last else { return nil }
        guard first.isUnseen || first.isBlank || last.isBlank else { return text }
        guard !text.allSatisfy(\.isUnseen) else { return nil }
        guard first.isBlank || last.isBlank else { return text }
        let trimmed = text.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}

extension Character {
    /// White space, or what has no width and says nothing beside other text.
    fileprivate var isBlank: Bool {
        isWhitespace || unicodeScalars.allSatisfy { $0 == "\u{200B}" || $0 == "\u{FEFF}" || $0.properties.isWhitespace }
    }

    /// White space, or nothing that can be seen, such as a mark that only tells the direction of the text around it.
    fileprivate var isUnseen: Bool {
        if isASCII { return isWhitespace }
        return unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }
}
