/// A country with an App Store of its own, by its ISO 3166-1 two-letter code in lower case.
package struct Country: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let code: String

    /// `nil` if `code` (any case) is not the code of a country with an App Store.
    package init?(code: String) {
        let lowered = code.lowercased()
        guard Self.codes.contains(lowered) else { return nil }
        self.code = lowered
    }

    package var description: String { code }

    package static func < (left: Country, right: Country) -> Bool { left.code < right.code }

    /// Every storefront of the App Store.
    /// Source: Apple, "App Store localizations" and "Availability of Apple Media Services".
    package static let codes: Set<String> = [
        "ae", "af", "ag", "ai", "al", "am", "ao", "ar", "at", "au", "az", "ba", "bb", "be", "bf", "bg", "bh", "bj",
        "bm", "bn", "bo", "br", "bs", "bt", "bw", "by", "bz", "ca", "cd", "cg", "ch", "ci", "cl", "cm", "cn", "co",
        "cr", "cv", "cy", "cz", "de", "dk", "dm", "do", "dz", "ec", "ee", "eg", "es", "fi", "fj", "fm", "fr", "ga",
        "gb", "gd", "ge", "gh", "gm", "gr", "gt", "gw", "gy", "hk", "hn", "hr", "hu", "id", "ie", "il", "in", "iq",
        "is", "it", "jm", "jo", "jp", "ke", "kg", "kh", "kn", "kr", "kw", "ky", "kz", "la", "lb", "lc", "lk", "lr",
        "lt", "lu", "lv", "ly", "ma", "md", "me", "mg", "mk", "ml", "mm", "mn", "mo", "mr", "ms", "mt", "mu", "mv",
        "mw", "mx", "my", "mz", "na", "ne", "ng", "ni", "nl", "no", "np", "nr", "nz", "om", "pa", "pe", "pg", "ph",
        "pk", "pl", "pt", "pw", "py", "qa", "ro", "rs", "ru", "rw", "sa", "sb", "sc", "se", "sg", "si", "sk", "sl",
        "sn", "sr", "st", "sv", "sz", "tc", "td", "th", "tj", "tm", "tn", "to", "tr", "tt", "tw", "tz", "ua", "ug",
        "us", "uy", "uz", "vc", "ve", "vg", "vn", "vu", "xk", "ye", "za", "zm", "zw",
    ]
}
