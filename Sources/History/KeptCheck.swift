import Foundation
import GRDB
import RankKit

/// A check as it is kept, with its list: what verifying, exporting and importing are made of. Only this file knows
/// where lists are stored.
struct KeptCheck {
    var id: Int64
    var at: Int64
    /// As `check_log` holds it.
    var outcome: String
    var within: Int?
    var reason: String?
    var detail: String?
    var list: List

    enum List {
        /// There is none.
        case none
        /// Dense numbers of apps, `nil` for an unreadable place.
        case places([Int64?])
        /// There is something that cannot be read.
        case damaged
    }

    /// Hands over the checks of `query` since `moment`, by time and then as they were recorded.
    static func each(
        of query: Int64, since moment: Int64 = .min, in database: Database, _ body: (KeptCheck) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT check_log.id, at, outcome, within, reason, detail, places
                    FROM check_log LEFT JOIN result_list ON result_list.check_id = check_log.id
                    WHERE query = ? AND at >= ? ORDER BY at, check_log.id
                    """), arguments: [query, moment])
        while let row = try rows.next() {
            let places: [UInt8]? = try row.withUnsafeData(atIndex: 6) { $0.map { [UInt8]($0) } }
            try body(
                KeptCheck(
                    id: row[0], at: row[1], outcome: row[2], within: row[3], reason: row[4], detail: row[5],
                    list: places.map { Self.list(from: $0) } ?? .none))
        }
    }

    private static func list(from bytes: [UInt8]) -> List {
        do { return .places(try ResultListCodec.decode(bytes)) } catch { return .damaged }
    }

    static func keep(_ places: [Int64?], of check: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO result_list (check_id, places) VALUES (?, ?)")
            .execute(arguments: [check, Data(ResultListCodec.encode(places))])
    }

    /// Deletes at most `limit` of the oldest checks of `query` that began before `moment`, with their lists.
    ///
    /// - Returns: how many there were.
    static func forget(of query: Int64, before moment: Int64, limit: Int, in database: Database) throws -> Int {
        // The lists go with their checks.
        try database.cachedStatement(
            sql: """
                DELETE FROM check_log WHERE id IN
                    (SELECT id FROM check_log WHERE query = ? AND at < ? ORDER BY at LIMIT ?)
                """
        ).execute(arguments: [query, moment, limit])
        return database.changesCount
    }
}
