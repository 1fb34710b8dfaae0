import Foundation
import GRDB

/// The file that `rankd` leaves, read with nothing of rankd's own.
package struct RecordedHistory {
    private let queue: DatabaseQueue

    package init(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    package func number(_ sql: String) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: sql) } ?? 0
    }

    /// The rows of a question, each column as text.
    package func table(_ sql: String) throws -> [[String?]] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.map { String.fromDatabaseValue($0.1) ?? Int64.fromDatabaseValue($0.1).map(String.init) }
            }
        }
    }

    package var checkCount: Int { get throws { try number("SELECT count(*) FROM check_log") } }

    /// How many checks there are, 0 while even their table is yet to be made.
    package var checkCountIfAny: Int {
        get throws { try number("SELECT count(*) FROM sqlite_schema WHERE name = 'check_log'") == 0 ? 0 : checkCount }
    }

    /// The ids of all checks.
    package var checks: Set<Int> {
        get throws { try Set(queue.read { try Int.fetchAll($0, sql: "SELECT id FROM check_log") }) }
    }

    /// The texts of the watched queries that no check is kept of.
    package var unasked: Set<String> {
        get throws {
            try Set(
                queue.read {
                    try String.fetchAll(
                        $0,
                        sql: """
                            SELECT text FROM query
                            WHERE retired_at IS NULL AND id NOT IN (SELECT query FROM check_log)
                            """)
                })
        }
    }

    /// What is wrong with the file: nothing where every check is whole and the structure is sound.
    package var flaws: [String] {
        get throws {
            try queue.read { database in
                var flaws: [String] = []
                let hasPages = try database.tableExists("result_page")
                for (flaw, sql) in Self.mustBeNothing + (hasPages ? Self.mustBeNothingInPages : [Self.listIsLoose]) {
                    let count = try Int.fetchOne(database, sql: sql) ?? 0
                    if count > 0 { flaws.append("\(count) × \(flaw)") }
                }
                flaws += try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
                flaws += try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "foreign key: \($0)" }
                return flaws
            }
        }
    }

    /// As long as there are no pages.
    private static let listIsLoose = (
        "good check without its list",
        "SELECT count(*) FROM check_log WHERE outcome = 'good' AND id NOT IN (SELECT check_id FROM result_list)"
    )

    private static let mustBeNothingInPages = [
        (
            "good check without its list",
            """
            SELECT count(*) FROM check_log
            WHERE outcome = 'good' AND id NOT IN (SELECT check_id FROM result_list)
                AND NOT EXISTS (
                    SELECT 1 FROM result_page
                    WHERE result_page.query = check_log.query AND (first_at, first_check) <= (check_log.at, check_log.id)
                        AND (check_log.at, check_log.id) <= (last_at, last_check))
            """
        ),
        (
            "list too few or too many in pages",
            """
            SELECT abs(
                (SELECT count(*) FROM check_log
                    WHERE outcome <> 'failed' AND id NOT IN (SELECT check_id FROM result_list))
                - (SELECT coalesce(sum(lists), 0) FROM result_page))
            """
        ),
    ]

    private static let mustBeNothing = [
        (
            "good check without a position for each of its pairs",
            """
            SELECT count(*) FROM check_log
            WHERE outcome = 'good' AND reason IS NULL
                AND (SELECT count(*) FROM position WHERE check_id = check_log.id)
                    <> (SELECT count(*) FROM pair WHERE pair.query = check_log.query)
            """
        ),
        (
            "good check whose pairs do not stand where it put them",
            """
            SELECT count(*) FROM check_log
            JOIN position ON position.check_id = check_log.id
            LEFT JOIN standing ON standing.pair = position.pair
            WHERE check_log.id = (
                    SELECT id FROM check_log AS newest
                    WHERE newest.query = check_log.query AND newest.at < ifnull(
                        (SELECT value FROM setting WHERE name = 'checks_counted_until'), 9223372036854775807)
                    ORDER BY at DESC, id DESC LIMIT 1)
                AND (standing.pair IS NULL OR standing.checked_at <> check_log.at
                    OR standing.position IS NOT position.position OR standing.within <> check_log.within)
            """
        ),
        (
            "position of a check that is not there",
            "SELECT count(*) FROM position WHERE check_id NOT IN (SELECT id FROM check_log)"
        ),
        (
            "position of a check that is not good",
            "SELECT count(*) FROM position JOIN check_log ON check_log.id = check_id WHERE outcome <> 'good'"
        ),
        (
            "finished check of a slot that has one already",
            """
            SELECT coalesce(sum(finished - 1), 0) FROM (
                SELECT count(*) AS finished FROM check_log
                JOIN query ON query.id = check_log.query
                WHERE outcome <> 'failed' AND cadences = 'every ' || cadence_seconds
                GROUP BY query, at / cadence_seconds)
            """
        ),
        (
            "list of a failed check",
            "SELECT count(*) FROM result_list JOIN check_log ON check_log.id = check_id WHERE outcome = 'failed'"
        ),
    ]
}
