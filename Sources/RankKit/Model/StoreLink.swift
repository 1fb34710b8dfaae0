/// A link to an app's page: `https://apps.apple.com/us/app/name/id572688855`, with or without `https://`.
package struct StoreLink: Sendable, Hashable {
    package let id: AppID
    /// The storefront that the link names; `us` where it names none, as Apple's own links mean it.
    package let country: Country

    /// `nil` if `text` is not a link to an app in Apple's App Store.
    package init?(_ text: String) {
        let schemes = ["https://", "http://"]
        let scheme = schemes.first { text.lowercased().hasPrefix($0) } ?? ""
        let rest = text.dropFirst(scheme.count)
        let address = rest.prefix { $0 != "?" && $0 != "#" }
        let parts = address.split(separator: "/", omittingEmptySubsequences: true)
        guard let host = parts.first?.lowercased(), host == "apps.apple.com" || host == "itunes.apple.com",
            let number = parts.last.flatMap({ $0.hasPrefix("id") ? Int64($0.dropFirst(2)) : nil }), number > 0
        else { return nil }
        id = AppID(number)
        let first = parts.count > 2 ? String(parts[1]) : ""
        guard let country = Country(coded: first.count == 2 ? first : "us") else { return nil }
        self.country = country
    }
}

extension AppID {
    /// As people name an app by Apple's number: a link to its page, or what `init(written:)` takes.
    package init?(named text: String) {
        if let link = StoreLink(text) { self = link.id } else { self.init(written: text) }
    }

    /// As `rankctl search` prints it: `id572688855`, or the number alone where it is too long to be anything else.
    ///
    /// `nil` if `text` is neither.
    package init?(written text: String) {
        let hasPrefix = text.lowercased().hasPrefix("id")
        let digits = hasPrefix ? text.dropFirst(2) : text[...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits), number > 0,
            hasPrefix || digits.utf8.count >= Self.fewestDigits
        else { return nil }
        self.init(number)
    }

    /// Apple's numbers have nine or more.
    private static let fewestDigits = 6
}
