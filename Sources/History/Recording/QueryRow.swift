import Foundation
import GRDB
import RankKit

/// Rows of `query`.
enum QueryRow {
    /// The columns that `query(from:)` reads, for a `SELECT`.
    static let columns = "query.text, query.country, query.platform, query.source, query.language"

    /// Whether the query is asked of Apple, and no imported table of another tool.
    static let isAsked = "query.source NOT LIKE 'import:%'"

    static func id(of query: Query, in database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(sql: "SELECT id FROM query WHERE \(isKey)")
        return try Int64.fetchOne(statement, arguments: key(query))
    }

    /// The query of the row `id`.
    static func query(_ id: Int64, in database: Database) throws -> Query {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM query WHERE id = ?"), arguments: [id])
        guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "query \(id) does not exist") }
        return try query(from: row)
    }

    /// Whether a row is of the query of `key`.
    static let isKey =
        "query.folded = ? AND query.country = ? AND query.platform = ? AND query.source = ? AND query.language = ?"

    static func key(_ query: Query) -> StatementArguments {
        [
            query.folded, query.country.code, query.platform.rawValue, query.source.rawValue, query.language ?? "",
        ]
    }

    /// Compares texts with the capital ẞ anew, which used to count as another letter than ß. One whose new form another query
    /// has already stays as it is, with its history.
    static func foldCapitalSharpS(in database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, text FROM query WHERE instr(text, 'ẞ') > 0") {
            let (id, text): (Int64, String) = try (row[0], row[1])
            try database.execute(literal: "UPDATE OR IGNORE query SET folded = \(Query.fold(text)) WHERE id = \(id)")
        }
    }

    /// Reads `columns`, which start at the row's column `first`.
    static func query(from row: Row, at first: Int = 0) throws -> Query {
        let (country, platform, source): (String, String, String) = try (row[first + 1], row[first + 2], row[first + 3])
        let language: String = try row[first + 4]
        guard let country = Country(code: country), let platform = Platform(rawValue: platform),
            let source = Source(rawValue: source)
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a query that no rankd writes") }
        return try Query(
            text: row[first], country: country, platform: platform, source: source,
            language: language.isEmpty ? nil : language)
    }

    /// The store that the lists of query `id` are of; `nil` where nobody asks for it.
    static func store(of id: Int64, in database: Database) throws -> Store? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT source, country FROM query WHERE id = ? AND \(isAsked)"),
            arguments: [id])
        return try row.map(CountryDayRow.store)
    }

    /// Queries that are compared by another text than their own. One with a capital ẞ may be compared as earlier versions
    /// did: until a plan is adopted, or for good where another query has its new form.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(database, sql: "SELECT id, text, folded FROM query").compactMap { row in
            let (text, folded): (String, String) = try (row[1], row[2])
            guard Query.fold(text) != folded, foldWithCapitalSharpS(text) != folded else { return nil }
            return try Finding(
                part: .references, place: "query \(row[0] as Int64)",
                problem: "the query is compared by another text than its own")
        }
    }

    /// How earlier versions compared a text: the capital ẞ became ß, and ß became ss.
    private static func foldWithCapitalSharpS(_ text: String) -> String {
        // A character of private use has no case.
        let (capital, stand) = ("ẞ", "\u{E000}")
        return Query.fold(text.replacingOccurrences(of: capital, with: stand))
            .replacingOccurrences(of: stand, with: "ß")
    }

    /// Takes up a check that has just been recorded and counts. One that comes late is not the newest.
    static func enterNewestCheck(_ check: StoredList.Key, of query: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE query SET newest_check = :check
                WHERE id = :query AND NOT EXISTS (
                    SELECT 1 FROM check_log
                    WHERE check_log.id = query.newest_check AND (check_log.at, check_log.id) > (:at, :check))
                """
        ).execute(arguments: ["check": check.check, "query": query, "at": check.at])
    }

    /// Works out anew which check `query.newest_check` names: the newest that counts, of those that are kept.
    ///
    /// - Returns: which checks of the query are newer than others; `nil` where there is no such query.
    @discardableResult
    static func deriveNewestCheck(of query: Int64, in database: Database) throws -> RecordedOrder? {
        let source = try String.fetchOne(
            database.cachedStatement(sql: "SELECT source FROM query WHERE id = ?"), arguments: [query])
        guard let source else { return nil }
        let order = try RecordedOrder(of: source, in: database)
        var newest = Newest<Void>(order)
        let checks = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT id, at FROM check_log WHERE query = ?"), arguments: [query])
        while let row = try checks.next() { try newest.offer((), check: row[0], at: row[1]) }
        try database.cachedStatement(sql: "UPDATE query SET newest_check = ? WHERE id = ?")
            .execute(arguments: [newest.entry?.check, query])
        return order
    }
}

/// Rows of `query_app`: the best place that an app ever had on a query, from good checks alone.
enum QueryAppRow {
    /// Takes up a place. What is better stays, and of equals the older.
    static func enter(
        _ app: Int64, at place: Int, on query: Int64, at moment: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO query_app (query, app, best, best_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (query, app) DO UPDATE SET best = excluded.best, best_at = excluded.best_at
                    WHERE (excluded.best, excluded.best_at) < (best, best_at)
                """
        ).execute(arguments: [query, app, place, moment])
    }
}
