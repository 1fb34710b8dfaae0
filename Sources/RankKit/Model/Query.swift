import Foundation

/// What is asked: search text, country, platform, source and, where set, language.
///
/// Two queries are the same when their texts agree after NFC, trimming, collapsing of white space and case
/// folding; `text` keeps the spelling that is sent.
package struct Query: Sendable {
    package let text: String
    package let country: Country
    package let platform: Platform
    package let source: Source
    /// Apple's language code such as `en_us`; `nil` leaves the choice to the storefront.
    package let language: String?

    /// What texts are compared by.
    package let folded: String

    package init(
        text: String, country: Country, platform: Platform = .iphone, source: Source = .usual, language: String? = nil
    ) {
        self.text = text
        self.country = country
        self.platform = platform
        self.source = source
        self.language = language
        folded = Self.fold(text)
    }

    /// Stands for the language of a query that has none, wherever a language is named.
    package static let noLanguage = "none"

    /// Its language as options, parameters and links name it.
    package var languageWord: String { language ?? Self.noLanguage }

    /// - Parameter words: languages as options name them; any where there are none.
    package func isAsked(in words: [String]) -> Bool {
        words.isEmpty || words.contains { $0.lowercased() == languageWord }
    }

    /// The form in which search texts are compared: NFC, trimmed, white space collapsed to single spaces, and
    /// case folded (through upper case, so that `ß` and `ss` and the two Greek sigmas meet).
    ///
    /// The Turkish dotless `ı` stays what it is, as in Unicode's case folding (CaseFolding.txt): its upper case is `I`,
    /// and through that it would become an `i`, which is another letter and makes other words.
    package static func fold(_ text: String) -> String {
        if let folded = foldedASCII(text) { return folded }
        let folded = foldCase(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        // ASCII is composed as it is; asking Foundation costs more than all the rest.
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.precomposedStringWithCanonicalMapping
    }

    private static func foldCase(_ text: String) -> String {
        // The capital ẞ has no upper case but itself, and its lower case is the ß that others come through `SS` from.
        let text =
            text.unicodeScalars.contains("ẞ")
            ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "ẞ" ? "ß" : $0 })) : text
        guard text.unicodeScalars.contains("ı") else { return text.uppercased().lowercased() }
        return text.unicodeScalars.split(separator: "ı", omittingEmptySubsequences: false)
            .map { String($0).uppercased().lowercased() }.joined(separator: "ı")
    }

    /// The same for texts of ASCII alone, byte by byte: long watchlists fold hundreds of thousands.
    private static func foldedASCII(_ text: String) -> String? {
        if isFolded(text) { return text }
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var follows = false
        for byte in text.utf8 {
            switch byte {
            case 0x80...: return nil
            case 0x20, 0x09...0x0D: follows = !folded.isEmpty
            default:
                if follows { folded.append(0x20) }
                follows = false
                folded.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Whether `text` is its own folded form, as nearly all are: words of ASCII in lower case with a space between.
    private static func isFolded(_ text: String) -> Bool {
        var previous: UInt8 = 0x20
        for byte in text.utf8 {
            switch byte {
            case 0x80..., 0x09...0x0D, UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
            case 0x20 where previous == 0x20: return false
            default: previous = byte
            }
        }
        return previous != 0x20 || text.isEmpty
    }
}

extension Query: Hashable {
    package static func == (left: Query, right: Query) -> Bool {
        left.folded == right.folded && left.country == right.country && left.platform == right.platform
            && left.source == right.source && left.language == right.language
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(folded)
        hasher.combine(country)
        hasher.combine(platform)
        hasher.combine(source)
        hasher.combine(language)
    }
}
