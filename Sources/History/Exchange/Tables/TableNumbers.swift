import Foundation

/// Reads the numbers of a column. Whether a point or a comma groups thousands or is the decimal mark is decided by all of
/// the column or, if that does not say, not at all.
struct TableNumbers {
    enum Problem: Error {
        case unreadable
        /// `1.234`, in a column that does not say what its point means.
        case unclear
    }

    private enum Meaning: Hashable { case decimal, grouping }

    private struct Mark {
        var decimal: Int?
        var grouping: Int?
        /// The fewest digits behind it as a decimal mark.
        var fewestDigits = Int.max
    }

    private var marks: [Character: Mark] = [:]

    /// Takes up what `text` says about points and commas.
    mutating func note(_ text: String, line: Int) {
        guard let digits = Self.digits(text) else { return }
        let found = digits.filter { $0 == "." || $0 == "," }
        guard let last = found.last else { return }
        let behind = digits.split(separator: last, omittingEmptySubsequences: false).last?.count ?? 0
        if Set(found).count == 2 {
            if found.filter({ $0 == last }).count == 1 { note(last, .decimal, behind, line) }
            note(last == "." ? "," : ".", .grouping, 0, line)
        } else if found.count > 1 {
            note(last, .grouping, 0, line)
        } else if !Self.looksGrouped(digits, last) {
            note(last, .decimal, behind, line)
        }
    }

    private mutating func note(_ character: Character, _ meaning: Meaning, _ digits: Int, _ line: Int) {
        var mark = marks[character] ?? Mark()
        switch meaning {
        case .decimal:
            mark.decimal = mark.decimal ?? line
            mark.fewestDigits = min(mark.fewestDigits, digits)
        case .grouping: mark.grouping = mark.grouping ?? line
        }
        marks[character] = mark
    }

    /// Whether it is up to three digits, not beginning with 0, the mark and three digits.
    private static func looksGrouped(_ digits: String, _ mark: Character) -> Bool {
        let pieces = digits.split(separator: mark, omittingEmptySubsequences: false)
        return pieces.count == 2 && (1...3).contains(pieces[0].count) && pieces[0].first != "0" && pieces[1].count == 3
    }

    /// `nil` if the column does not say, or says both.
    private func meaning(of character: Character) -> Meaning? {
        let own = marks[character].flatMap { Self.meaning($0) }
        if let own { return own }
        guard marks[character]?.decimal == nil else { return nil }
        switch marks[character == "." ? "," : "."].flatMap({ Self.meaning($0) }) {
        case .decimal: return .grouping
        case .grouping: return .decimal
        case nil: return nil
        }
    }

    private static func meaning(_ mark: Mark) -> Meaning? {
        switch (mark.decimal, mark.grouping) {
        case (.some, nil): .decimal
        case (nil, .some): .grouping
        default: nil
        }
    }

    /// What was decided, for people; `nil` if nothing had to be.
    var decision: String? {
        let grouping = marks.keys.sorted().first { meaning(of: $0) == .grouping }
        return grouping.map { $0 == "." ? "points group thousands" : "commas group thousands" }
    }

    func value(_ text: String) throws(Problem) -> Double {
        guard var digits = Self.digits(text) else { throw .unreadable }
        for mark in [Character("."), ","] where digits.contains(mark) {
            let isClear = digits.count(where: { $0 == mark }) == 1 && !Self.looksGrouped(digits, mark)
            switch meaning(of: mark) {
            case .grouping:
                guard Self.isGrouped(digits, mark) else { throw .unreadable }
                digits.removeAll { $0 == mark }
            case .decimal:
                // Where others leave zeros at the end out, one that has them groups thousands.
                if !isClear, digits.hasSuffix("0"), (marks[mark]?.fewestDigits ?? 3) < 3 { throw .unclear }
            case nil: throw .unclear
            }
        }
        digits = digits.replacing(",", with: ".")
        guard let value = Double(digits), value.isFinite else { throw .unreadable }
        return value
    }

    /// Groups of three digits, up to a decimal mark.
    private static func isGrouped(_ digits: String, _ mark: Character) -> Bool {
        let whole = digits.prefix { $0 == mark || $0.isNumber }
        guard !digits[whole.endIndex...].contains(mark) else { return false }
        let groups = whole.split(separator: mark, omittingEmptySubsequences: false)
        return (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    /// The digits, points and commas of `text`, without `#`, `%` and blanks or apostrophes that group thousands.
    private static func digits(_ text: String) -> String? {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("#") { text.removeFirst() }
        if text.hasSuffix("%") { text = text.dropLast().trimmingCharacters(in: .whitespaces) }
        for blank in [" ", "\u{A0}", "\u{202F}", "'", "’"] where text.contains(blank) {
            let groups = text.split(separator: Character(blank), omittingEmptySubsequences: false)
            guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.prefix(4).count >= 3 }) else {
                return nil
            }
            text = groups.joined()
        }
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C })
        else { return nil }
        return text
    }
}
