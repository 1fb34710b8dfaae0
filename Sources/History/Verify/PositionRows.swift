import GRDB
import RankKit

/// The positions of one pair in order, read beside the checks of its query.
struct PositionRows {
    private let rows: RowCursor
    private var row: Row?

    init(of pair: Int64, in database: Database) throws {
        rows = try Row.fetchCursor(
            database.makeStatement(
                sql: "SELECT at, check_id, position, within FROM position WHERE pair = ? ORDER BY at, check_id"),
            arguments: [pair])
        row = try rows.next()
    }

    /// What the check with `key` said, which comes after all that were asked for before.
    ///
    /// - Parameter stray: told of each position that is passed over.
    mutating func take(
        _ key: StoredList.Key, stray: (StoredList.Key) -> Void
    ) throws -> (position: Int?, within: Int)? {
        while let row {
            let next = StoredList.Key(at: row[0], check: row[1])
            guard next <= key else { return nil }
            let reading: (position: Int?, within: Int)? = next == key ? (row[2], row[3]) : nil
            self.row = try rows.next()
            if let reading { return reading }
            stray(next)
        }
        return nil
    }

    /// Passes over the rest.
    mutating func finish(stray: (StoredList.Key) -> Void) throws {
        while let row {
            stray(StoredList.Key(at: row[0], check: row[1]))
            self.row = try rows.next()
        }
    }
}
