import GRDB
import RankKit

/// The lists of one query that are in no page, read beside its checks.
struct LoneLists {
    private let rows: RowCursor
    private var row: Row?
    /// Before this none is looked for where lists are read; `nil` where that is not known.
    private let start: Int64?
    /// How many lie before `start`, and the first of their checks.
    private(set) var hidden: (count: Int, check: Int64)?

    init(of query: Int64, in database: Database) throws {
        start = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT unpaged_from FROM query WHERE id = ?"), arguments: [query])
        rows = try Row.fetchCursor(
            database.makeStatement(
                sql: """
                    SELECT check_log.at, check_log.id, result_list.places
                    FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
                    WHERE check_log.query = ? ORDER BY check_log.at, check_log.id
                    """), arguments: [query])
        try step()
    }

    /// The bytes of the list of a check, which comes after all that were asked for before.
    mutating func bytes(of key: StoredList.Key) throws -> [UInt8]? {
        while let row {
            let next = StoredList.Key(at: row[0], check: row[1])
            guard next <= key else { return nil }
            let bytes = try next == key ? row.withUnsafeData(atIndex: 2) { $0.map { [UInt8]($0) } ?? [] } : nil
            try step()
            if let bytes { return bytes }
        }
        return nil
    }

    /// Looks at the rest, of which nothing is wanted.
    mutating func finish() throws { while row != nil { try step() } }

    private mutating func step() throws {
        row = try rows.next()
        guard let row, let start else { return }
        let (at, check): (Int64, Int64) = (row[0], row[1])
        if at < start { hidden = ((hidden?.count ?? 0) + 1, min(hidden?.check ?? check, check)) }
    }
}
