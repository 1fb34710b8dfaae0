import HTTPTypes

/// Which media types whoever asks can read.
///
/// Source: RFC 9110, section 12.5.1.
struct Acceptance {
    private struct Range {
        var type: Substring
        var subtype: Substring
        /// In thousandths.
        var quality: Int
        var specificity: Int { (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1) }
    }

    /// Anything if there are none.
    private var ranges: [Range] = []

    /// What cannot be read counts as if it were not there.
    init(_ headers: HTTPFields) {
        let field = headers[values: .accept].joined(separator: ",").lowercased()
        for part in field.split(separator: ",").prefix(Self.mostRanges) {
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }[...] }
            let type = words.first?.split(separator: "/", maxSplits: 1) ?? []
            guard type.count == 2 else { continue }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }
            guard let quality = weight.map({ Self.thousandths($0.dropFirst(2)) }) ?? 1000 else { continue }
            ranges.append(Range(type: type[0], subtype: type[1], quality: quality))
        }
    }

    private static let mostRanges = 100

    private static func thousandths(_ text: Substring) -> Int? {
        guard let number = Double(text), (0...1).contains(number) else { return nil }
        return Int((number * 1000).rounded())
    }

    /// How much it is wanted, in thousandths: that of the range that names it most closely.
    func quality(of mediaType: String) -> Int {
        guard !ranges.isEmpty else { return 1000 }
        let type = mediaType.split(separator: "/", maxSplits: 1)
        let fitting = ranges.filter {
            ($0.type == "*" && $0.subtype == "*")
                || ($0.type == type[0] && ($0.subtype == "*" || $0.subtype == type[1]))
        }
        return fitting.max { ($0.specificity, $0.quality) < ($1.specificity, $1.quality) }?.quality ?? 0
    }

    /// - Parameter mediaTypes: those that there are.
    static func nothingFits(_ mediaTypes: [String]) -> Problem {
        Problem(.noSuchForm, "Accept allows none of the forms that exist: \(mediaTypes.joined(separator: ", "))")
    }
}
