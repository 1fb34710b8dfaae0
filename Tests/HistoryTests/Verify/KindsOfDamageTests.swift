import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What a disk, another program or a mistake of rankd's can do to a history, table by table and column by column.
@Suite struct KindsOfDamageTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await fill()
    }

    private static let rest = (1...10).map { "com.rest\($0)" }
    private static let nameless = SeenApp(id: nil, bundleID: bundle("com.nameless"))

    /// Three days of every kind of check, in pages and by themselves, with all that is derived from them, and one check
    /// of a clock that was ahead.
    private func fill() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.a"])]), now: start)
        for hour in 0..<36 as Range<Int64> {
            func seen(_ names: [String?]) -> ResultList {
                list(names + Self.rest) { name in
                    AppDetails(name: name, version: "1.\(hour / 20)", rating: 4.5, ratingCount: 10 + hour)
                }
            }
            let outcome: Check.Outcome =
                switch hour % 6 {
                case 0: .answered(ResultList(places: seen(["com.x", "com.a", nil, "com.b"]).places + [Self.nameless]))
                case 1: .answered(seen(["com.b", "com.x"]))
                case 2: .failed(Failure(.timedOut))
                case 3: .suspect(seen(["com.x"]), .collapsed)
                case 4: .answered(seen([]))
                default: .answered(seen(["com.a", hour < 20 ? "com.y" : "com.z", "com.b"]))
                }
            for query in hour % 9 == 0 ? [query("timer"), query("clock")] : [query("timer")] {
                try await store.record(Check(query: query, at: start + hour * 7_200, outcome: outcome))
            }
        }
        for (seconds, name) in [(60_000, "com.old"), (66_000, "com.new"), (253_000, "com.new")] as [(Int64, String)] {
            let renamed = SeenApp(id: AppID(777), bundleID: bundle(name), fingerprint: 7) { AppDetails(name: "App") }
            try await store.record(
                Check(
                    query: query("clock"), at: start + seconds,
                    outcome: .answered(
                        ResultList(places: list(["com.a"] + Self.rest).places + [renamed]))))
        }
        try await store.record(
            Check(query: query("clock"), at: start + 9_000_000, outcome: .answered(list(Self.rest + ["com.a"]))))
        try await store.record(
            Check(query: query("clock"), at: start + 260_000, outcome: .answered(list(["com.a"] + Self.rest))),
            clock: start + 260_000)
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start + 300_000)
        while let day = try await store.nextDayToRollUp(today: start.day + 3) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        try await store.compact(before: start + 86_400)
        try await store.fillIn()
        try await store.deriveCountryDays(today: start.day + 3)
    }

    struct Damage: CustomTestStringConvertible {
        let what: String
        let sql: String

        init(_ what: String, _ sql: String) { (self.what, self.sql) = (what, sql) }

        var testDescription: String { what }
    }

    private static let first = "(SELECT min(id) FROM result_page)"
    private static let lone = "(SELECT min(check_id) FROM result_list)"

    static let checks = [
        Damage("a check's query", "UPDATE check_log SET query = 2 WHERE id = 3"),
        Damage("a check's time", "UPDATE check_log SET at = at + 1 WHERE id = 8"),
        Damage("a check's time, by years", "UPDATE check_log SET at = at + 400000000 WHERE id = 30"),
        Damage("good for suspect", "UPDATE check_log SET outcome = 'good', reason = NULL WHERE outcome = 'suspect'"),
        Damage("suspect for good", "UPDATE check_log SET outcome = 'suspect', reason = 'collapsed' WHERE id = 9"),
        Damage(
            "how many places a check saw", "UPDATE check_log SET within = within + 1 WHERE id > 30 AND outcome = 'good'"
        ),
        Damage("that places are read", "UPDATE check_log SET reason = 'unreadable-places' WHERE id = 9"),
        Damage("a check that is gone", "DELETE FROM check_log WHERE id = 9"),
        Damage("a reason that no rankd writes", "UPDATE check_log SET reason = 'x' WHERE outcome = 'suspect'"),
    ]

    static let lists = [
        Damage("a list that is gone", "DELETE FROM result_list WHERE check_id = \(lone)"),
        Damage("a list that is cut", "UPDATE result_list SET places = x'0180' WHERE check_id = \(lone)"),
        Damage("a list of an unknown app", "UPDATE result_list SET places = x'010163' WHERE check_id = \(lone)"),
        Damage("a list of no check", "INSERT INTO result_list VALUES (999, x'01')"),
        Damage("a list that is there twice", "INSERT INTO result_list VALUES (2, x'010201')"),
        Damage(
            "a page's bytes",
            "UPDATE result_page SET bytes = CAST(substr(bytes, 1, 40) || x'00' || substr(bytes, 42) AS BLOB) WHERE id = \(first)"
        ),
        Damage("a page's length", "UPDATE result_page SET bytes = substr(bytes, 2) WHERE id = \(first)"),
        Damage("how many lists a page has", "UPDATE result_page SET lists = lists + 1 WHERE id = \(first)"),
        Damage("when a page begins", "UPDATE result_page SET first_at = first_at + 1 WHERE id = \(first)"),
        Damage("where a page ends", "UPDATE result_page SET last_check = last_check + 1 WHERE id = \(first)"),
        Damage("whose page it is", "UPDATE result_page SET query = 3 - query WHERE id = \(first)"),
        Damage("a page that is gone", "DELETE FROM result_page WHERE id = \(first)"),
        Damage("lists that are not looked for", "UPDATE query SET unpaged_from = 9999999999 WHERE id = 1"),
        Damage("first places of a page's days", "UPDATE page_top SET bytes = x'' WHERE page = \(first)"),
        Damage("first places of no page", "INSERT INTO page_top VALUES (98, x'')"),
        Damage("the place of an entry without a number", "UPDATE unnumbered_place SET position = 2 WHERE check_id = 1"),
        Damage("a place without a number past the end", "UPDATE unnumbered_place SET position = 16"),
        Damage("a place without a number before the first", "UPDATE unnumbered_place SET position = -1"),
        Damage(
            "which check an entry without a number is of",
            "UPDATE unnumbered_place SET check_id = 999 WHERE check_id = 1"),
        Damage("an entry of a check without a list", "INSERT INTO unnumbered_place VALUES (4, 1, 'com.x')"),
        Damage("what an entry without a number is called", "UPDATE unnumbered_place SET bundle_id = ''"),
    ]

    static let positions = [
        Damage("a place", "UPDATE position SET position = 3 WHERE pair = 1 AND check_id = 1"),
        Damage("a place before the first", "UPDATE position SET position = 0 WHERE pair = 1 AND check_id = 1"),
        Damage("a place below nothing", "UPDATE position SET position = -5 WHERE pair = 1 AND check_id = 1"),
        Damage("a place for an absence", "UPDATE position SET position = 3 WHERE pair = 1 AND position IS NULL"),
        Damage("an absence for a place", "UPDATE position SET position = NULL WHERE pair = 2 AND position = 1"),
        Damage("of how many places", "UPDATE position SET within = within + 1 WHERE pair = 2 AND position = 1"),
        Damage("when a place was", "UPDATE position SET at = at + 1 WHERE pair = 1 AND check_id = 1"),
        Damage("which check a place is of", "UPDATE position SET check_id = 4 WHERE pair = 1 AND check_id = 1"),
        Damage("whose place it is", "UPDATE OR REPLACE position SET pair = 2 WHERE pair = 1 AND position = 1"),
        Damage("a place that is gone", "DELETE FROM position WHERE pair = 1 AND check_id = 6"),
        Damage("a place of nobody", "INSERT INTO position VALUES (99, 1, 1, 1, 10)"),
    ]

    static let standings = [
        Damage("where a pair stands", "UPDATE standing SET position = position + 1 WHERE pair = 1"),
        Damage("how a pair stands", "UPDATE standing SET state = 'absent' WHERE pair = 1"),
        Damage("since when a pair stands", "UPDATE standing SET checked_at = checked_at - 1 WHERE pair = 1"),
        Damage("when the last reading was", "UPDATE standing SET good_at = good_at - 1 WHERE pair = 1"),
        Damage("of how many places the last was", "UPDATE standing SET within = within + 1 WHERE pair = 1"),
        Damage("why it stands so", "UPDATE standing SET reason = 'status' WHERE pair = 1"),
        Damage("the best place", "UPDATE standing SET best = best + 1 WHERE pair = 1"),
        Damage("when the best place was", "UPDATE standing SET best_at = best_at + 1 WHERE pair = 1"),
        Damage("a best place of a clock ahead", "UPDATE standing SET best_at = 1800000000 WHERE pair = 3"),
        Damage("the worst place", "UPDATE standing SET worst = worst + 1 WHERE pair = 2"),
        Damage("when the worst place was", "UPDATE standing SET worst_at = worst_at - 1 WHERE pair = 2"),
        Damage("a standing that is gone", "DELETE FROM standing WHERE pair = 2"),
        Damage("a standing of nobody", "INSERT INTO standing (pair, state, checked_at) VALUES (99, 'failed', 1)"),
    ]

    static let days = [
        Damage("readings of a day", "UPDATE pair_day SET good = good + 1 WHERE pair = 1 AND day = 20758"),
        Damage("places of a day", "UPDATE pair_day SET ranked = ranked - 1 WHERE pair = 1 AND day = 20758"),
        Damage("the best of a day", "UPDATE pair_day SET best = 9 WHERE pair = 1 AND day = 20758"),
        Damage("the worst of a day", "UPDATE pair_day SET worst = 9 WHERE pair = 1 AND day = 20758"),
        Damage("the last of a day", "UPDATE pair_day SET last_position = 7 WHERE pair = 1 AND day = 20758"),
        Damage(
            "when the last of a day was", "UPDATE pair_day SET last_at = last_at - 1 WHERE pair = 1 AND day = 20758"),
        Damage("a day that is gone", "DELETE FROM pair_day WHERE pair = 2 AND day = 20759"),
        Damage("a day without checks", "INSERT INTO pair_day VALUES (3, 20000, 1, 0, NULL, NULL, 1, NULL, 5)"),
        Damage("checks of a day of the store", "UPDATE country_day SET good = good + 1 WHERE day = 20758"),
        Damage("failures of a day of the store", "UPDATE country_day SET failed = 0 WHERE day = 20758"),
        Damage("moves of a day of the store", "UPDATE country_day SET entered = entered + 1 WHERE day = 20759"),
        Damage("a day of the store that is gone", "DELETE FROM country_day WHERE day = 20759"),
        Damage("the day of a rating", "UPDATE rating_day SET day = day - 100"),
    ]

    static let apps = [
        Damage("the best place of an app", "UPDATE query_app SET best = best + 1 WHERE query = 1"),
        Damage("when an app was best", "UPDATE query_app SET best_at = best_at - 1 WHERE query = 1"),
        Damage("apps of a query that are gone", "DELETE FROM query_app WHERE query = 2"),
        Damage("the first places", "UPDATE query_top SET apps = x'0102' WHERE query = 1"),
        Damage("whose first places", "UPDATE query_top SET check_id = 35 WHERE query = 1"),
        Damage("when the first places were", "UPDATE query_top SET at = at + 60 WHERE query = 1"),
        Damage("who was among the first", "UPDATE query_top SET changes = x'' WHERE query = 1"),
        Damage("first places that no list is of", "UPDATE query_top SET changes = x'80' WHERE query = 1"),
        Damage("an app that is gone", "DELETE FROM app WHERE bundle_id = 'com.x'"),
        Damage("what an app is compared by", "UPDATE app SET bundle_key = 'com.q' WHERE bundle_key = 'com.b'"),
        Damage("the present name", "UPDATE app SET bundle_key = 'com.old' WHERE bundle_key = 'com.new'"),
        Damage("a listing of no app", "UPDATE listing SET app = 9999 WHERE app = 1"),
        Damage("a change of no listing", "INSERT INTO listing_change VALUES (9999, 1, 1, 'version', '1')"),
        Damage("a sighting of no app", "UPDATE sighting SET app = 9999 WHERE app = 1"),
    ]

    static let plan = [
        Damage("the newest check", "UPDATE query SET newest_check = 9 WHERE id = 1"),
        Damage(
            "the newest check, of a clock ahead",
            "UPDATE query SET newest_check = (SELECT id FROM check_log ORDER BY at DESC LIMIT 1) WHERE id = 2"),
        Damage("what a query is compared by", "UPDATE query SET folded = 'tim' WHERE id = 1"),
        Damage("whose pair it is", "UPDATE pair SET bundle_key = 'com.x' WHERE id = 2"),
        Damage("a pair that is gone", "DELETE FROM pair WHERE id = 2"),
        Damage("since when a pair is tracked", "DELETE FROM pair_period WHERE pair = 1"),
        Damage("until when a pair was tracked", "UPDATE pair_period SET until_at = NULL WHERE pair = 3"),
        Damage("which checks count", "DELETE FROM setting WHERE name = 'checks_counted_until'"),
        Damage(
            "from when on no check counts",
            "UPDATE setting SET value = value - 8900000 WHERE name = 'checks_counted_until'"),
        Damage("failures of no query", "INSERT INTO failure_day VALUES (99, 1, 'status', 1)"),
        Damage("what is to be filled in of no pair", "INSERT INTO pair_fill VALUES (99, NULL, NULL)"),
        Damage(
            "a message of no event",
            "INSERT INTO alert_delivery (message, channel, state, due_at) VALUES (9, 'x', 'due', 1)"),
    ]

    static let all = checks + lists + positions + standings + days + apps + plan

    @Test func `a sound history of every kind of row has no findings`() async throws {
        #expect(try await store.findings() == [])
        #expect(Self.all.count >= 50)
    }

    @Test(arguments: all) func `each kind of damage is found`(_ damage: Damage) async throws {
        let changes = try await store.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            let before = database.totalChangesCount
            try database.execute(sql: damage.sql)
            let changes = database.totalChangesCount - before
            try database.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
            return changes
        }
        #expect(changes > 0, "nothing was damaged")
        #expect(try await !store.findings().isEmpty)
    }

    @Test(arguments: ["good", "ranked", "last_at", "last_within"])
    func `nothing where a roll-up has a number is found`(_ column: String) async throws {
        try await store.checkpoint()
        try await store.close()
        try DatabaseQueue(path: store.path).inDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'pair_day'
                    """)
        }
        try DatabaseQueue(path: store.path).inDatabase { database in
            try database.execute(sql: "UPDATE pair_day SET \(column) = NULL WHERE pair = 1")
        }
        #expect(try await !store.findings().isEmpty)
    }

    /// A byte of an index and one of a table's page.
    @Test(arguments: ["check_log_query_at", "position", "standing"])
    func `bytes that the file's own structure does not allow are found`(_ name: String) async throws {
        try await store.checkpoint()
        let (page, size) = try await store.read { database in
            (
                try Int.fetchOne(
                    database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name]) ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try await store.close()
        let handle = try #require(FileHandle(forWritingAtPath: store.path))
        try handle.seek(toOffset: UInt64((page - 1) * size + 3))
        try handle.write(contentsOf: [0xFF, 0xFF])
        try handle.close()
        do { #expect(try await !store.findings().isEmpty) } catch let error as HistoryError {
            guard case .corrupt = error else { throw error }
        }
    }
}
