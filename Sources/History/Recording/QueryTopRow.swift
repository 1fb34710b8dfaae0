import Foundation
import GRDB
import RankKit

/// Rows of `query_top`: the first places of the newest good list of a query.
///
/// Where a query has no row its lists are read instead: whoever changes lists otherwise than by recording deletes the
/// row, and the next good check writes a new one.
enum QueryTopRow {
    /// The columns that `places` and `apps` read, for a `SELECT`.
    static let columns = "query_top.at, query_top.check_id, query_top.apps, query_top.since, query_top.changes"

    /// Takes up a good check that is being recorded, the newest or one that comes late.
    static func enter(
        _ apps: [Int64?], of check: StoredList.Key, on query: Int64, in database: Database
    ) throws {
        guard var known = try stored(of: query, in: database) else {
            guard try isNewest(check, on: query, in: database) else { return }
            return try store(FirstPlaces(apps, check, after: nil), of: query, in: database)
        }
        if known.key < check {
            try store(FirstPlaces(apps, check, after: known), of: query, in: database)
        } else {
            known.meetLate(at: check.at)
            try store(known, of: query, in: database)
        }
    }

    private static func isNewest(_ check: StoredList.Key, on query: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT NOT EXISTS (
                    SELECT 1 FROM check_log WHERE query = ? AND at > ? AND at < ? AND outcome = 'good')
                """)
        return try Bool.fetchOne(statement, arguments: [query, check.at, CountedChecks.end(in: database)]) ?? false
    }

    /// `nil` also where what is there cannot be decoded.
    private static func stored(of query: Int64, in database: Database) throws -> FirstPlaces? {
        try row(of: query, in: database).flatMap { try places($0) }
    }

    static func row(of query: Int64, in database: Database) throws -> Row? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM query_top WHERE query = ?")
        return try Row.fetchOne(statement, arguments: [query])
    }

    /// Reads `columns`, which start at the row's column `first`; `nil` if there is no row of the query, or one that
    /// cannot be decoded.
    static func places(_ row: Row, at first: Int = 0) throws -> FirstPlaces? {
        guard let at: Timestamp = try row[first] else { return nil }
        return try FirstPlaces(
            StoredList.Key(at: at.secondsSinceEpoch, check: row[first + 1]), appBytes: row.bytes(first + 2),
            since: row[first + 3], changeBytes: row.bytes(first + 4))
    }

    /// The list's time and apps alone, from the same columns.
    static func apps(_ row: Row, at first: Int = 0) throws -> (at: Timestamp, apps: [Int64?])? {
        guard let at: Timestamp = try row[first] else { return nil }
        return FirstPlaces.apps(try row.bytes(first + 2)).map { (at, $0) }
    }

    static func store(_ places: FirstPlaces, of query: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO query_top (query, at, check_id, apps, since, changes) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                query, places.key.at, places.key.check, Data(places.appBytes), places.since, Data(places.changeBytes),
            ])
    }

    /// Forgets those of a list from before `moment`; of any where it is `nil`.
    static func forget(of query: Int64, before moment: Int64? = nil, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM query_top WHERE query = ? AND at < ifnull(?, at + 1)")
            .execute(arguments: [query, moment])
    }
}
