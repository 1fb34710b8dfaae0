/// What somebody chose of a numbered list, and what they wrote beside it: `1,3-5, habit tracker`.
package struct ListChoice: Sendable, Hashable {
    /// From 0, each once, in the order in which they were written.
    package var picked: [Int] = []
    /// What is no number, each text once.
    package var written: [String] = []

    package enum Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        /// There is no such line in the list.
        case noSuchNumber(String, count: Int)

        package var description: String {
            switch self {
            case .noSuchNumber(let text, let count):
                count == 0
                    ? "“\(text)” is a number, and there is no list to choose from"
                    : "there is no number “\(text)”: the list has 1 to \(count)"
            }
        }
    }

    /// - Parameters:
    ///   - answer: as it was typed. Nothing means all of the list, `none` or `-` nothing of it.
    ///   - count: how many lines the list has.
    package init(_ answer: String, of count: Int) throws(Mistake) {
        let parts = answer.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
        if parts.isEmpty {
            picked = Array(0..<count)
            return
        }
        if parts.count == 1, ["none", "-"].contains(parts[0].lowercased()) { return }
        for part in parts {
            // Numbers may stand with blanks between them: `1 3 5`.
            let words = part.split(separator: " ")
            let ranges = words.compactMap { Self.range(String($0)) }
            guard ranges.count == words.count else {
                if !written.contains(part) { written.append(part) }
                continue
            }
            for range in ranges {
                guard range.lowerBound >= 1, range.upperBound <= count else {
                    throw .noSuchNumber(part, count: count)
                }
                for number in range where !picked.contains(number - 1) { picked.append(number - 1) }
            }
        }
    }

    /// `3`, or `3-5`. A longer number is no line of a list: it may be an app's.
    private static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count), ends.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isASCII) }),
            let first = Int(ends[0]), let last = Int(ends[ends.count - 1]), first <= last
        else { return nil }
        return first...last
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
