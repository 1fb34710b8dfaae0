import Foundation

/// Reads the places of a column, with what tools write where an app is in none. What an empty cell means is decided by
/// all of the column.
struct TablePlaces {
    enum Place: Hashable {
        case at(Int)
        /// In none of those that were looked at: so many, if the cell says it.
        case absent(of: Int?)
        /// Nobody looked, or nobody knows.
        case unknown
    }

    /// Marks that the caller names, in lower case.
    private let absent: Set<String>
    /// Those of them that are numbers, which a cell may write otherwise: `200` as `200.0`.
    private let absentNumbers: Set<Double>
    /// Whether a cell without a mark of its own is an absence unless others have one; never in a wide table, where a day
    /// on which nobody looked has a cell as well.
    private let isWide: Bool
    private var numbers = TableNumbers()
    /// Whether some cell says that the app is in no place.
    private var hasMark: Bool
    /// Whether some cell has a word for a missing value: beside it, an empty cell is something else.
    private var hasWord = false
    /// The depths that absences tell: 100 where one is `>100`.
    private(set) var depths: Set<Int> = []

    private static let marks = TableBlank.marks.union(["0"])

    init(absent: Set<String>, isWide: Bool) {
        self.absent = absent
        absentNumbers = Set(absent.compactMap(Self.number))
        self.isWide = isWide
        hasMark = isWide || !absent.isEmpty
    }

    mutating func note(_ text: String, line: Int) {
        let text = TableBlank.plain(text)
        if let depth = Self.depth(text) {
            // Of nothing nobody can be absent.
            guard depth > 0 else { return }
            depths.insert(depth)
            hasMark = true
        } else if Self.marks.contains(text) || Self.number(text) == 0 {
            hasMark = true
        } else if TableBlank.words.contains(text) {
            hasWord = true
        } else {
            numbers.note(text, line: line)
        }
    }

    /// Whether `text` says nothing, and is an absence because no cell says that it is one.
    func isGuess(_ text: String) -> Bool { meansAbsence(TableBlank.plain(text)) }

    /// Whether an empty cell or a word for a missing value is an absence.
    private func meansAbsence(_ plain: String) -> Bool {
        if hasMark { return false }
        return plain.isEmpty ? !hasWord : TableBlank.words.contains(plain)
    }

    /// `200`, `200.0`, `#200`; `nil` for what is no plain number.
    private static func number(_ text: String) -> Double? {
        let text = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard text.first?.isNumber == true, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
            return nil
        }
        return Double(text)
    }

    /// Whether `text` is a number that stands for no absence, whatever its points and commas mean.
    func mayBePlace(_ text: String) -> Bool {
        let text = TableBlank.plain(text)
        guard text.contains(where: \.isNumber), Self.depth(text) == nil, !absent.contains(text) else { return false }
        return Self.number(text).map { $0 > 0 && !absentNumbers.contains($0) } ?? true
    }

    var decision: String? { numbers.decision.map { "\($0) in the places" } }

    func place(_ text: String) throws(TableNumbers.Problem) -> Place {
        let text = TableBlank.plain(text)
        if let depth = Self.depth(text) { return depth > 0 ? .absent(of: depth) : .unknown }
        if absent.contains(text) || Self.marks.contains(text) { return .absent(of: nil) }
        if TableBlank.unknown.contains(text) { return .unknown }
        if text.isEmpty || TableBlank.words.contains(text) { return meansAbsence(text) ? .absent(of: nil) : .unknown }
        if let number = Self.number(text), number == 0 || absentNumbers.contains(number) { return .absent(of: nil) }
        let value = try numbers.value(text)
        guard value >= 1, value == value.rounded(), value <= 1_000_000 else { throw .unreadable }
        return .at(Int(value))
    }

    /// The number in `>100`, `100+`; `nil` for what is something else.
    static func depth(_ text: String) -> Int? {
        let digits: Substring
        if text.hasPrefix(">") || text.hasPrefix("＞") {
            digits = text.dropFirst()
        } else if text.hasSuffix("+") {
            digits = text.dropLast()
        } else {
            return nil
        }
        let plain = digits.filter { $0 != " " }
        guard !plain.isEmpty, plain.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let depth = Int(plain),
            depth <= ForeignTableOptions.largestDepth
        else { return nil }
        return depth
    }
}
