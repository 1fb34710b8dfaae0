import GRDB
import RankKit

/// A row of `check_log`, as small as it can be kept in memory by the hundred thousand.
struct CheckRow {
    enum Outcome: UInt8 {
        case good, suspect, failed

        /// As `check_log` holds it.
        var word: String {
            switch self {
            case .good: "good"
            case .suspect: "suspect"
            case .failed: "failed"
            }
        }
    }

    let id: Int64
    let at: Int64
    /// -1 for none. More than fits is as wrong as the most that does.
    private let places: Int32
    let outcome: Outcome
    /// Whether it is good, and it is not known of every place who held it.
    let isPartlyRead: Bool

    var key: StoredList.Key { StoredList.Key(at: at, check: id) }
    var within: Int? { places < 0 ? nil : Int(places) }

    /// What is read of a check, for a `SELECT`.
    static let columns = """
        id, at, within, CASE outcome WHEN 'good' THEN 0 WHEN 'suspect' THEN 1 ELSE 2 END,
        outcome = 'good' AND reason IS NOT NULL
        """

    /// Reads `columns`, which start at the row's column `first`.
    init(_ row: Row, at first: Int = 0) {
        id = row[first]
        at = row[first + 1]
        places = (row[first + 2] as Int64?).map { Int32(clamping: $0) } ?? -1
        outcome = Outcome(rawValue: row[first + 3]) ?? .failed
        isPartlyRead = row[first + 4]
    }
}

/// The checks of one query, by time and then as they were recorded.
struct CheckRows {
    private let kept: [CheckRow]
    private var taken = 0
    private let read: RowCursor?

    /// - Parameter rows: in any order.
    init(_ rows: [CheckRow]) {
        let isInOrder = zip(rows, rows.dropFirst()).allSatisfy { $0.key < $1.key }
        kept = isInOrder ? rows : rows.sorted { $0.key < $1.key }
        read = nil
    }

    /// Reads the checks of `query` one by one: each is somewhere else in the file.
    init(of query: Int64, in database: Database) throws {
        kept = []
        read = try Row.fetchCursor(
            database.makeStatement(
                sql: "SELECT \(CheckRow.columns) FROM check_log WHERE query = ? ORDER BY at, id"),
            arguments: [query])
    }

    mutating func next() throws -> CheckRow? {
        if let read { return try read.next().map { CheckRow($0) } }
        guard taken < kept.count else { return nil }
        taken += 1
        return kept[taken - 1]
    }
}
