import GRDB
import RankKit

/// Rows of `unnumbered_place`: what the entries of a list called their apps that came without a number of Apple's and under
/// a bundle identifier that the history knew no number of. The list itself has nothing in these places.
///
/// Lists of earlier versions have none: what their tracked apps were told is in `position` alone.
enum UnnumberedPlaces {
    /// - Parameter numbers: what the list keeps `places` as.
    static func keep(
        _ places: [SeenApp?], as numbers: [Int64?], of check: Int64, in database: Database
    ) throws {
        for (index, number) in numbers.enumerated() where number == nil {
            guard let bundleID = places[index]?.bundleID else { continue }
            try add(bundleID.text, at: index + 1, of: check, in: database)
        }
    }

    /// What stands there already stays.
    static func add(_ bundleID: String, at position: Int, of check: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO unnumbered_place (check_id, position, bundle_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [check, position, bundleID])
    }

    /// By place.
    static func names(of check: Int64, in database: Database) throws -> [Int: BundleID] {
        var names: [Int: BundleID] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT position, bundle_id FROM unnumbered_place WHERE check_id = ? ORDER BY position"),
            arguments: [check])
        while let row = try rows.next() { names[try row[0]] = try BundleID(row[1]) }
        return names
    }

    /// The same with the places that tracked apps were told. For lists that were recorded by an earlier version these are
    /// all; some of them may be places in which the list has an app.
    static func told(of check: Int64, in database: Database) throws -> [Int: BundleID] {
        var told = try names(of: check, in: database)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT position.position, pair.bundle_id FROM check_log
                    JOIN pair ON pair.query = check_log.query
                    JOIN position ON position.pair = pair.id AND position.at = check_log.at
                        AND position.check_id = check_log.id
                    WHERE check_log.id = ? AND position.position IS NOT NULL ORDER BY pair.id
                    """), arguments: [check])
        while let row = try rows.next() {
            let position: Int = try row[0]
            if told[position] == nil { told[position] = try BundleID(row[1]) }
        }
        return told
    }

    /// Whether an entry of some list had the name `key`, folded.
    static func hasName(_ key: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM unnumbered_place WHERE lower(bundle_id) = ?)"),
            arguments: [key]) ?? false
    }

    /// The queries in whose lists an entry had the name `key`, folded.
    static func queries(naming key: String, in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT check_log.query FROM unnumbered_place JOIN check_log ON check_log.id = unnumbered_place.check_id
                    WHERE lower(unnumbered_place.bundle_id) = ?
                    """), arguments: [key])
    }

    /// All of them, folded.
    static func keys(in database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT DISTINCT lower(bundle_id) FROM unnumbered_place")
    }

    /// The checks of `query` in `span`, in seconds, in whose lists an entry has a name.
    static func checks(of query: Int64, in span: ClosedRange<Int64>, in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT check_log.id FROM check_log
                    WHERE query = ? AND at BETWEEN ? AND ? AND outcome <> 'failed' AND EXISTS (
                        SELECT 1 FROM unnumbered_place WHERE unnumbered_place.check_id = check_log.id)
                    """), arguments: [query, span.lowerBound, span.upperBound])
    }

    /// The queries that have such entries in their lists.
    static func queries(in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database,
            sql: """
                SELECT check_log.query FROM unnumbered_place JOIN check_log ON check_log.id = unnumbered_place.check_id
                """)
    }

    /// Deletes those of a list that is gone.
    static func forget(of check: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM unnumbered_place WHERE check_id = ?").execute(arguments: [check])
    }

    /// Deletes those of lists in a page of `query` that is gone.
    static func forget(
        of query: Int64, from first: StoredList.Key, through last: StoredList.Key, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM unnumbered_place WHERE check_id IN (
                    SELECT id FROM check_log
                    WHERE query = ?1 AND at BETWEEN ?2 AND ?4 AND (at, id) BETWEEN (?2, ?3) AND (?4, ?5)
                        AND NOT EXISTS (SELECT 1 FROM result_list WHERE result_list.check_id = check_log.id))
                """
        ).execute(arguments: [query, first.at, first.check, last.at, last.check])
    }
}

/// The rows of one query, read beside its checks.
struct UnnumberedRows {
    private let rows: RowCursor
    private var row: Row?

    init(of query: Int64, in database: Database) throws {
        rows = try Row.fetchCursor(
            database.makeStatement(
                sql: """
                    SELECT check_log.at, check_log.id, unnumbered_place.position, unnumbered_place.bundle_id
                    FROM check_log CROSS JOIN unnumbered_place ON unnumbered_place.check_id = check_log.id
                    WHERE check_log.query = ? ORDER BY check_log.at, check_log.id, unnumbered_place.position
                    """), arguments: [query])
        row = try rows.next()
    }

    /// Those of the check with `key`, which comes after all that were asked for before.
    mutating func take(_ key: StoredList.Key) throws -> [(position: Int64, bundleID: String)] {
        var taken: [(position: Int64, bundleID: String)] = []
        while let row {
            let next = try StoredList.Key(at: row[0], check: row[1])
            guard next <= key else { break }
            if next == key { try taken.append((row[2], row[3])) }
            self.row = try rows.next()
        }
        return taken
    }
}
