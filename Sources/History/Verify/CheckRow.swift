import GRDB
import RankKit

/// A row of `check_log`, as small as it can be kept in memory by the hundred thousand.
struct CheckRow {
    let id: Int64
    let at: Int64
    /// -1 for none. More than fits is as wrong as the most that does.
    private let places: Int32
    let outcome: CheckWord
    /// Whether it is good, and it is not known of every place who held it.
    let isPartlyRead: Bool

    var key: StoredList.Key { StoredList.Key(at: at, check: id) }
    var within: Int? { places < 0 ? nil : Int(places) }

    /// What is read of a check, for a `SELECT`.
    static let columns = "id, at, within, outcome, CASE outcome WHEN 'good' THEN reason END"

    /// Reads `columns`, which start at the row's column `first`.
    init(_ row: Row, at first: Int = 0) throws {
        id = try row[first]
        at = try row[first + 1]
        places = try (row[first + 2] as Int64?).map { Int32(clamping: $0) } ?? -1
        outcome = try CheckWord(row, at: first + 3, ofCheck: id)
        isPartlyRead = try CheckOutcome.isPartlyRead(row, reason: first + 4, ofCheck: id)
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
        if let read { return try read.next().map { try CheckRow($0) } }
        guard taken < kept.count else { return nil }
        taken += 1
        return kept[taken - 1]
    }
}
