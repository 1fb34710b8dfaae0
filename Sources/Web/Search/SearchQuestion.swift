import RankKit
import Reports

/// Reads what is to be searched for, as `rankctl search` does.
enum SearchQuestion {
    /// - Throws: `ReportRefusal` that says what is wrong and what to write; `nil` for no text at all.
    static func read(_ visit: Visit) -> Result<Query?, Unusable> {
        if let mistake = mistake(in: visit.parameters.map(\.name)) { return .failure(mistake) }
        let text = (visit["query"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let country = Country(written: visit["country"].flatMap { $0.isEmpty ? nil : $0 } ?? "us") else {
            return .failure("\(Country.mistake(in: visit["country"] ?? "")).")
        }
        let platformText = visit["platform"].flatMap { $0.isEmpty ? nil : $0 } ?? Platform.iphone.rawValue
        guard let platform = Platform(rawValue: platformText.lowercased()) else {
            let near = Spelling.nearest(to: platformText, in: Platform.allCases.map(\.rawValue))
            let remedy = near.map { "did you mean “\($0)”?" } ?? "write iphone, ipad or mac."
            return .failure("“\(shown(platformText))” is not a platform: \(remedy)")
        }
        let language = visit["language"].flatMap { $0.isEmpty ? nil : $0 }
        if let language, !isLanguage(language) {
            return .failure("“\(shown(language))” is not a language: write Apple's code, such as en_us.")
        }
        guard !Query.fold(text).isEmpty else { return .success(nil) }
        guard text.utf8.count <= WatchlistLimits.longestTerm else {
            return .failure("The search text is longer than \(WatchlistLimits.longestTerm) bytes: write fewer words.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return .failure("The search text has a control character in it: write words.")
        }
        return .success(Query(text: text, country: country, platform: platform, language: language))
    }

    /// What a search can be asked with: what it is for, in which form, and by which page.
    private static let names = ["query", "country", "platform", "language", "format", "columns", "session"]

    /// One that is not known, or that is there twice, would be dropped without a word, and another search be made.
    private static func mistake(in parameters: [String]) -> Unusable? {
        for (index, name) in parameters.enumerated() {
            guard names.contains(name) else {
                return "There is no parameter “\(shown(name))”: write query, country, platform or language."
            }
            guard !parameters[..<index].contains(name) else {
                return "“\(name)” is given more than once and takes one value: give it once."
            }
        }
        return nil
    }

    struct Unusable: Error, ExpressibleByStringInterpolation {
        let words: String

        init(stringLiteral words: String) { self.words = words }
    }

    private static func isLanguage(_ text: String) -> Bool {
        (2...16).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
                    || $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    private static func shown(_ text: String?) -> String { SafeText.escaped(String((text ?? "").prefix(60))) }
}
