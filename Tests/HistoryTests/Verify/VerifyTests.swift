import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct VerifyTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// Three days of a query with every kind of check, two of them rolled up.
    private func fill() async throws {
        let plan = watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.a"])])
        try await store.adopt(plan, now: start)
        let outcomes: [Check.Outcome] = [
            .answered(list(["com.x", "com.a", nil, "com.b"])), .answered(list(["COM.B", "com.x"])),
            .failed(Failure(.timedOut)), .suspect(list(["com.x"]), .collapsed), .answered(list([])),
            .answered(list(["com.a", "com.b", "com.a"])),
        ]
        for hour in 0..<36 as Range<Int64> {
            let outcome = outcomes[Int(hour) % outcomes.count]
            try await store.record(Check(query: query("timer"), at: start + hour * 7_200, outcome: outcome))
        }
        try await store.record(
            Check(query: query("clock"), at: start + 10, outcome: .answered(list(["com.a"]))))
        while let day = try await store.nextDayToRollUp(today: start.day + 2) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
    }

    private func findings() async throws -> [String] { try await store.findings() }

    private func plant(_ sql: String) async throws {
        try await store.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
        }
    }

    @Test func `a history as it is recorded has no findings`() async throws {
        try await fill()
        #expect(try await findings() == [])
        let parts = try await HistoryReader(path: store.path).verify { _ in }
        #expect(parts == VerifiedParts(queries: 2, checks: 37, positions: 49))
    }

    @Test func `pairs that come and go, and thinned failures, are no findings`() async throws {
        try await fill()
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 40 * 7_200)
        try await store.adopt(
            watchlist([(query("timer"), ["com.b"]), (query("clock"), ["com.a"])]), now: start + 50 * 7_200)
        try await store.record(
            Check(query: query("timer"), at: start + 51 * 7_200, outcome: .failed(Failure(.status))))
        // As long as a check may take after it began.
        try await store.record(
            Check(query: query("timer"), at: start + 50 * 7_200 - 20, outcome: .failed(Failure(.timedOut))))
        #expect(try await findings() == [])
        while try await store.thinFailures(before: start + 99 * 7_200, limit: 100) > 0 {}
        #expect(try await findings() == [])
    }

    /// Derives the days of the store.
    private func derive() async throws {
        while let days = try await store.nextCountryDays(now: .startOfDay(start.day + 3), limit: 2) {
            let reader = try HistoryReader(path: store.path)
            var draft = try CountryDayDraft(days, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
    }

    @Test func `days of the store as they are derived are no findings, nor are those that are due`() async throws {
        try await fill()
        try await derive()
        #expect(try await findings() == [])
        try await store.record(
            Check(query: query("clock"), at: start + 86_400, outcome: .answered(list(["com.x"]))))
        #expect(try await findings() == [])
        let moment = (start + 2 * 86_400).secondsSinceEpoch
        try await plant(
            """
            DELETE FROM country_day_due;
            DELETE FROM query_top WHERE at < \(moment);
            UPDATE country_day SET good = good + 1, queries = queries + 1 WHERE day = \(start.day + 1);
            DELETE FROM result_list WHERE check_id IN (SELECT id FROM check_log WHERE at < \(moment))
            """)
        try await store.write { try Setting.listsSince.set(moment, in: $0) }
        #expect(try await findings() == [])
    }

    @Test(arguments: [
        (
            "UPDATE country_day SET entered = entered + 1 WHERE day = 20759",
            "roll-ups: us, 2026-11-02: the figures of this day differ from its checks and lists"
        ),
        (
            "UPDATE country_day SET failed = 0 WHERE day = 20758",
            "roll-ups: us, 2026-11-01: the figures of this day differ from its checks and lists"
        ),
        ("DELETE FROM country_day WHERE day = 20760", "roll-ups: us, 2026-11-03: the figures of this day are missing"),
        (
            "INSERT INTO country_day VALUES ('itunes', 'de', 20758, 1, 1, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL)",
            "roll-ups: de, 2026-11-01: there are figures of this day, but no checks"
        ),
    ]) func `a day of the store that is not what it is derived from is found`(_ damage: String, _ finding: String)
        async throws
    {
        try await fill()
        try await derive()
        try await plant(damage)
        #expect(try await findings() == [finding])
    }

    @Test func `lists that the watchlist lets go are no findings`() async throws {
        try await fill()
        let moment = (start + 86_400).secondsSinceEpoch
        try await plant(
            """
            DELETE FROM result_list WHERE check_id IN (SELECT id FROM check_log WHERE at < \(moment));
            DELETE FROM query_top WHERE at < \(moment)
            """)
        #expect(try await !findings().isEmpty)
        try await store.write { try Setting.listsSince.set(moment, in: $0) }
        #expect(try await findings() == [])
    }

    @Test func `a check that a glitch dated ahead is no finding`() async throws {
        try await fill()
        try await store.record(
            Check(query: query("timer"), at: start + 9_999_999, outcome: .answered(list(["com.b"]))))
        try await store.record(
            Check(query: query("timer"), at: start + 40 * 7_200, outcome: .answered(list(["x", "com.b"]))))
        #expect(try await findings() == [])
    }

    @Test(arguments: [
        (
            "UPDATE position SET position = 3 WHERE pair = 1 AND check_id = 1",
            "positions: “timer” us iphone, com.a, check 1 of 2026-11-01T00:00:00Z: the pair is stored as #3, but the list says #2"
        ),
        (
            "UPDATE position SET position = NULL WHERE pair = 2 AND check_id = 2",
            "positions: “timer” us iphone, com.b, check 2 of 2026-11-01T02:00:00Z: the pair is stored as absent, but the list says #1"
        ),
        (
            "UPDATE position SET within = 9 WHERE pair = 1 AND check_id = 2",
            "positions: “timer” us iphone, com.a, check 2 of 2026-11-01T02:00:00Z: the position says that the list had 9 places, but it has 2"
        ),
        (
            "DELETE FROM position WHERE pair = 1 AND check_id = 6",
            "positions: “timer” us iphone, com.a, check 6 of 2026-11-01T10:00:00Z: the pair has no position, although it was tracked then"
        ),
        (
            "INSERT INTO position VALUES (1, 7, 999, 1, 1)",
            "positions: “timer” us iphone, com.a, 1970-01-01T00:00:07Z: the position belongs to check 999, which is no good check of this query at this time"
        ),
        (
            "INSERT INTO position SELECT 1, at, id, 1, within FROM check_log WHERE id = 4",
            "positions: “timer” us iphone, com.a, 2026-11-01T06:00:00Z: the position belongs to check 4, which is no good check of this query at this time"
        ),
        (
            "UPDATE position SET at = at - 1 WHERE pair = 2 AND check_id = 36",
            "positions: “timer” us iphone, com.b, 2026-11-03T21:59:59Z: the position belongs to check 36, which is no good check of this query at this time"
        ),
        (
            "UPDATE standing SET position = 2 WHERE pair = 3",
            "standings: “clock” us iphone, com.a: the stored standing is ranked at 2026-11-01T00:00:10Z, last good #2 at 2026-11-01T00:00:10Z, best #1 at 2026-11-01T00:00:10Z, worst #1 at 2026-11-01T00:00:10Z, but the checks say ranked at 2026-11-01T00:00:10Z, last good #1 at 2026-11-01T00:00:10Z, best #1 at 2026-11-01T00:00:10Z, worst #1 at 2026-11-01T00:00:10Z"
        ),
        (
            "UPDATE standing SET state = 'absent' WHERE pair = 1",
            "standings: “timer” us iphone, com.a: the stored standing is absent"
        ),
        (
            "UPDATE standing SET worst = 4 WHERE pair = 1",
            "standings: “timer” us iphone, com.a: the stored standing is ranked"
        ),
        (
            "UPDATE standing SET best_at = best_at + 1 WHERE pair = 2",
            "standings: “timer” us iphone, com.b: the stored standing is ranked"
        ),
        (
            "DELETE FROM standing WHERE pair = 3",
            "standings: “clock” us iphone, com.a: the stored standing is missing, but the checks say ranked"
        ),
        (
            "UPDATE pair_day SET last_position = 7 WHERE pair = 1 AND day = 20758",
            "roll-ups: “timer” us iphone, com.a, 2026-11-01: the figures of this day differ from its positions"
        ),
        (
            "DELETE FROM pair_day WHERE pair = 2 AND day = 20759",
            "roll-ups: “timer” us iphone, com.b, 2026-11-02: the figures of this day are missing"
        ),
        (
            "INSERT INTO pair_day VALUES (3, 20000, 1, 0, NULL, NULL, 1728000000, NULL, 5)",
            "roll-ups: “clock” us iphone, com.a, 2024-10-04: there are figures of this day, but no positions"
        ),
        (
            "UPDATE result_list SET places = x'0180' WHERE check_id = 1",
            "lists: “timer” us iphone, check 1 of 2026-11-01T00:00:00Z: the stored list cannot be read"
        ),
        (
            "DELETE FROM result_list WHERE check_id = 4",
            "lists: “timer” us iphone, check 4 of 2026-11-01T06:00:00Z: the check has no list, and should have one"
        ),
        (
            "UPDATE result_list SET places = x'010163' WHERE check_id = 2",
            "lists: “timer” us iphone, check 2 of 2026-11-01T02:00:00Z: the list names app 99, which the history does not know"
        ),
        (
            "UPDATE check_log SET within = 5 WHERE id = 4",
            "lists: “timer” us iphone, check 4 of 2026-11-01T06:00:00Z: the list has 1 places, but the check saw 5"
        ),
        (
            "INSERT INTO result_list VALUES (999, x'01')",
            "references: result_list 999: the row refers to a row of check_log that does not exist"
        ),
        (
            "INSERT INTO pair_day VALUES (99, 1, 1, 0, NULL, NULL, 1, NULL, 5)",
            "references: pair_day 99: the row belongs to a pair that does not exist"
        ),
        (
            "UPDATE query SET newest_check = 1 WHERE id = 2",
            "references: query 2: the newest check of this query is a check of another query"
        ),
    ]) func `what was changed behind its back is found`(_ sql: String, _ finding: String) async throws {
        try await fill()
        try await plant(sql)
        let found = try await findings()
        #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
        #expect(found.count <= 5, "\(found)")
    }

    /// `fill`, with the first day of “timer” in pages of its own.
    private func fillPages() async throws {
        try await fill()
        try await store.compact(before: start + 86_400)
        // A page that is read and written anew grows: two of them need a full one, or one that cannot be read.
        try await store.write { database in
            let page = try #require(try PageRow.beginning(upTo: .init(at: .max, check: .max), of: 1, in: database))
            let lists = try page.decoded()
            try database.execute(sql: "DELETE FROM result_page WHERE id = ?", arguments: [page.id])
            for half in [lists[..<5], lists[5...]] {
                for new in try CompactedPage.all(of: Array(half)) { try new.insert(as: nil, of: 1, in: database) }
            }
        }
    }

    @Test func `a history with pages has no findings`() async throws {
        try await fillPages()
        #expect(try await findings() == [])
        try await store.compact(before: start + 99 * 86_400)
        #expect(try await findings() == [])
        let parts = try await HistoryReader(path: store.path).verify { _ in }
        #expect(parts == VerifiedParts(queries: 2, checks: 37, positions: 49))
    }

    @Test(arguments: [
        (
            "UPDATE result_page SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB) WHERE query = 1 AND first_check = 1",
            "lists: “timer” us iphone, page ", ": the page cannot be read"
        ),
        (
            "UPDATE result_page SET lists = 4 WHERE query = 1 AND first_check = 1", "lists: “timer” us iphone, page ",
            ": the page cannot be read"
        ),
        (
            "UPDATE page_top SET bytes = x'01' WHERE page = (SELECT max(page) FROM page_top)",
            "apps: “timer” us iphone, page ", ", first places of its days: the stored places cannot be read"
        ),
        (
            "UPDATE page_top SET bytes = x'' WHERE page = (SELECT max(page) FROM page_top)",
            "apps: “timer” us iphone, page ",
            ", first places of its days: the stored places differ from the lists of the page"
        ),
        (
            "INSERT INTO page_top VALUES (98, x'')", "references: page_top 98",
            ": the row refers to a row of result_page that does not exist"
        ),
        (
            "INSERT INTO result_page SELECT 99, query, first_at, first_check + 1, last_at, last_check, lists, bytes FROM result_page WHERE first_check = 1 AND query = 1",
            "lists: “timer” us iphone, page 99", ": the page begins before the one before it has ended"
        ),
        (
            "UPDATE check_log SET outcome = 'suspect', reason = 'collapsed' WHERE id = 1",
            "lists: “timer” us iphone, page ",
            ": the page holds a list of check 1, which has another query, time or outcome"
        ),
        (
            "DELETE FROM check_log WHERE id = 4", "lists: “timer” us iphone, page ",
            ": the page holds a list of check 4, which the history does not have"
        ),
        (
            "INSERT INTO result_list VALUES (2, x'010201')", "lists: “timer” us iphone, page ",
            ": the page holds the list of check 2, which is stored outside of it as well"
        ),
        (
            "DELETE FROM result_page WHERE query = 2", "lists: “clock” us iphone, check 37 of 2026-11-01T00:00:10Z",
            ": the check has no list, and should have one"
        ),
        (
            "UPDATE position SET position = 3 WHERE pair = 1 AND check_id = 1",
            "positions: “timer” us iphone, com.a, check 1 of 2026-11-01T00:00:00Z",
            ": the pair is stored as #3, but the list says #2"
        ),
        (
            "UPDATE query SET unpaged_from = 9999999999 WHERE id = 1", "lists: “timer” us iphone",
            ": 20 of the query's lists would be overlooked, such as the list of check 13"
        ),
        (
            "UPDATE query_app SET best = 2 WHERE query = 2", "apps: “clock” us iphone, app ",
            ": the app's best place is #2, but the lists say #1"
        ),
        (
            "UPDATE query_app SET best_at = 7 WHERE query = 2", "apps: “clock” us iphone, app ",
            ": the app's best place is of 1970-01-01T00:00:07Z, but the lists say 2026-11-01T00:00:10Z"
        ),
        ("DELETE FROM query_app WHERE query = 2", "apps: “clock” us iphone, app ", ": the app's best place is missing"),
        (
            "INSERT INTO query_app SELECT 2, max(id), 1, 1 FROM app", "apps: “clock” us iphone, app ",
            ": the app has a best place, but no good list names it"
        ),
        (
            "UPDATE query_top SET check_id = 35 WHERE query = 1", "apps: “timer” us iphone, first places",
            ": the stored places are of check 35, but the newest good list is of check 36"
        ),
        (
            "UPDATE query_top SET apps = (SELECT apps FROM query_top WHERE query = 2) WHERE query = 1",
            "apps: “timer” us iphone, first places", ": the stored places differ from the newest good list"
        ),
        (
            "UPDATE query_top SET apps = x'8080' WHERE query = 2", "apps: “clock” us iphone, first places",
            ": the stored places cannot be read"
        ),
        (
            "UPDATE query_top SET changes = x'' WHERE query = 1", "apps: “timer” us iphone, first places",
            ": the stored places of 2026-11-01T00:00:00Z have other apps than its list"
        ),
        (
            "INSERT INTO query_top VALUES (99, 1, 1, x'', 1, x'')", "references: query_top 99",
            ": the row refers to a row of query that does not exist"
        ),
        (
            "DELETE FROM check_log WHERE query = 2; DELETE FROM result_page WHERE query = 2",
            "apps: “clock” us iphone, first places", ": places are stored, but there is no good list"
        ),
        (
            "INSERT INTO query_fill VALUES (99, NULL, NULL)", "references: query_fill 99",
            ": the row refers to a row of query that does not exist"
        ),
        (
            "INSERT INTO pair_fill VALUES (99, NULL, NULL)", "references: pair_fill 99",
            ": the row refers to a row of pair that does not exist"
        ),
    ]) func `what was changed in pages and about apps is found`(
        _ sql: String, _ place: String, _ problem: String
    ) async throws {
        try await fillPages()
        try await plant(sql)
        let found = try await findings()
        #expect(found.contains { $0.hasPrefix(place) && $0.hasSuffix(problem) }, "\(found)")
        #expect(found.count <= 8, "\(found)")
    }

    @Test func `what is still to be filled in is no finding, and neither is what has been`() async throws {
        try await fillPages()
        let more = watchlist([(query("timer"), ["com.a", "com.b", "com.x"]), (query("clock"), ["com.a"])])
        try await store.adopt(more, now: start + 40 * 7_200)
        #expect(try await findings() == [])
        try await plant("DELETE FROM query_app WHERE query = 1; INSERT INTO query_fill (query) VALUES (1)")
        #expect(try await findings() == [])
        try await store.fillIn()
        #expect(try await findings() == [])
        try await plant("DELETE FROM position WHERE pair = 4 AND check_id = 7")
        #expect(
            try await findings().contains(
                "positions: “timer” us iphone, com.x, check 7 of 2026-11-01T12:00:00Z: the pair has no position, although it has older ones"
            ))
    }

    @Test func `a pair that came after a failure stands where that put it`() async throws {
        try await fill()
        try await store.record(
            Check(query: query("timer"), at: start + 40 * 7_200, outcome: .failed(Failure(.timedOut))))
        let more = watchlist([(query("timer"), ["com.a", "com.b", "com.x"]), (query("clock"), ["com.a"])])
        try await store.adopt(more, now: start + 50 * 7_200)
        try await store.fillIn()
        #expect(try await findings() == [])
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 60 * 7_200)
        try await store.record(
            Check(query: query("timer"), at: start + 70 * 7_200, outcome: .failed(Failure(.status))))
        #expect(try await findings() == [])
    }

    @Test func `an app without a number of Apple's has the place that its list cannot tell`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.new"])]), now: start)
        func nameless(_ name: String) -> SeenApp { SeenApp(id: nil, bundleID: bundle(name)) }
        let known = try #require(list(["com.a"]).places[0])
        try await store.record(
            Check(
                query: query("timer"), at: start, outcome: .answered(ResultList(places: [nameless("com.new"), known]))))
        try await store.record(
            Check(
                query: query("timer"), at: start + 60,
                outcome: .answered(ResultList(places: [nameless("com.a"), nameless("com.new"), known]))))
        #expect(try await findings() == [])
        try await store.compact(before: start + 86_400)
        #expect(try await findings() == [])
        #expect(
            try HistoryReader(path: store.path).readings(of: bundle("com.new"), on: query("timer"))
                .map(\.position?.number) == [1, 2])
    }

    @Test func `a pair that comes back keeps a place that its list cannot tell, also as its best and its worst`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let nameless = SeenApp(id: nil, bundleID: bundle("com.a"))
        try await store.record(
            Check(
                query: query("timer"), at: start + 60,
                outcome: .answered(ResultList(places: [nameless] + list(["com.x", "com.a"]).places))))
        try await store.adopt(watchlist([(query("timer"), ["com.x"])]), now: start + 3_600)
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.x"])]), now: start + 7_200)
        try await store.fillIn()
        let standing = try #require(try HistoryReader(path: store.path).standings().first)
        #expect([standing.best, standing.worst].map { $0?.position.number } == [1, 1])
        #expect(try await findings() == [])
    }

    @Test func `a page that is no page any more is found, and the rest is looked at all the same`() async throws {
        try await fill()
        try await store.checkpoint()
        let (page, size) = try await store.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'check_log_failed'")
                    ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try await store.close()
        let handle = try #require(FileHandle(forWritingAtPath: store.path))
        try handle.seek(toOffset: UInt64((page - 1) * size))
        try handle.write(contentsOf: Data(repeating: 0xAB, count: size))
        try handle.close()
        let found = try await findings()
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("structure: ") }, "\(found)")
    }

    @Test func `verifying is broken off when its task is`() async throws {
        try await fill()
        let reader = try HistoryReader(path: store.path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await reader.verify { _ in }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
