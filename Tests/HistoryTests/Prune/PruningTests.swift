import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct PruningTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        let plan = watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.a"])])
        try await store.adopt(plan, now: start)
        for number in 0..<40 as Range<Int64> {
            let query = plan.queries[Int(number) % 2].query
            let outcome: Check.Outcome =
                number % 5 == 0
                ? .failed(Failure(.status)) : .answered(list(number % 3 == 0 ? ["com.a"] : ["x", "com.b"]))
            try await store.record(Check(query: query, at: start + number * 7_200, outcome: outcome))
        }
        while let day = try await store.nextDayToRollUp(today: start.day + 3) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
    }

    private func counts() async throws -> [Int] {
        try await store.read { database in
            try ["query", "check_log", "result_list", "pair", "pair_period", "position", "standing"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
    }

    private func expectSound() async throws {
        _ = try await HistoryReader(path: store.path).verify { Issue.record("\($0)") }
    }

    private func count(_ sql: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    @Test func `one of two queries that differ in language alone goes`() async throws {
        let both = [query("alarm"), query("alarm", language: "es_mx")]
        try await store.adopt(watchlist(both.map { ($0, ["com.a"]) }), now: start + 400_000)
        let request = { PruneRequest(queries: ["alarm"], languages: $0) }
        #expect(try await store.plan(request([])).active == ["“alarm” us iphone", "“alarm” us iphone es_mx"])
        #expect(try await store.plan(request(["none"])).active == ["“alarm” us iphone"])
        #expect(try await store.plan(request(["es_mx"])).active == ["“alarm” us iphone es_mx"])
        #expect(try await store.plan(request(["fr_fr"])).isEmpty)
    }

    @Test func `pages go with their query, and so does what is derived of them`() async throws {
        try await store.compact(before: start + 99 * 86_400)
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 500_000)
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"])))
        for table in ["result_page", "query_app", "query_top"] {
            #expect(try await count("SELECT count(*) FROM \(table) WHERE query <> 2") == 0)
            #expect(try await count("SELECT count(*) FROM \(table)") > 0)
        }
        #expect(
            try await count("SELECT count(*) FROM page_top") == (try await count("SELECT count(*) FROM result_page")))
        #expect(try await count("SELECT count(*) FROM pair_fill") == 0)
        try await expectSound()
    }

    @Test func `days of the store that counted what goes are counted again`() async throws {
        let days = start.day...start.day + 2
        try await store.write { database in
            for day in days {
                try database.execute(
                    literal: """
                        INSERT INTO country_day (source, country, day, queries, good, suspect, failed, compared, apps, entered,
                            dropped_out)
                        VALUES ('itunes', 'us', \(day), 2, 1, 0, 0, 0, 0, 0, 0)
                        """)
            }
        }
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 500_000)
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"])))
        let due = try await store.read { try Int64.fetchAll($0, sql: "SELECT day FROM country_day_due ORDER BY day") }
        #expect(due == Array(days))
    }

    @Test(arguments: [1, 3, 500]) func `a page that reaches over the moment is made anew without what is older`(
        _ limit: Int
    ) async throws {
        try await store.compact(before: start + 60 * 3_600)
        let moment = start + 30 * 3_600
        var lists: [StoredList] = []
        let reader = try HistoryReader(path: store.path)
        try reader.lists(on: query("timer"), in: moment...Timestamp(secondsSinceEpoch: .max)) {
            lists.append($0)
            return true
        }
        while try await store.write({
            try KeptCheck.forget(of: 1, before: moment.secondsSinceEpoch, limit: limit, in: $0)
        }) > 0 {}
        var left: [StoredList] = []
        try reader.lists(on: query("timer")) {
            left.append($0)
            return true
        }
        #expect(left == lists && !left.isEmpty)
        #expect(try await count("SELECT count(*) FROM check_log WHERE query = 1") > left.count)
        #expect(
            try await count("SELECT min(at) FROM check_log WHERE query = 1") >= Int(moment.secondsSinceEpoch))
    }

    @Test func `what is older goes out of pages, and best places follow`() async throws {
        try await store.compact(before: start + 60 * 3_600)
        let request = PruneRequest(queries: ["timer", "clock"], before: start + 30 * 3_600)
        try await store.prune(try await store.plan(request))
        try await expectSound()
        #expect(
            try await count("SELECT min(best_at) FROM query_app") >= Int((start + 30 * 3_600).secondsSinceEpoch))
    }

    @Test func `what was deleted of an app does not come back with what is still to be filled in`() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a", "com.b", "x"]), (query("clock"), ["com.a"])]), now: start + 500_000)
        let moment = start + 30 * 3_600
        try await store.prune(try await store.plan(PruneRequest(apps: ["x"], before: moment)))
        try await store.fillIn()
        let readings = try HistoryReader(path: store.path).readings(of: bundle("x"), on: query("timer"))
        #expect(readings.count > 5 && readings.allSatisfy { $0.checkedAt >= moment })
        try await expectSound()
    }

    /// The moments of what is known of an app on a query.
    private func moments(of app: String, in store: HistoryStore? = nil) throws -> [Timestamp] {
        let reader = try HistoryReader(path: (store ?? self.store).path)
        return try reader.readings(of: bundle(app), on: query("timer")).map(\.checkedAt)
    }

    @Test func `what was deleted of an app does not come back when another history is imported`() async throws {
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(query("timer"), ["com.b"])]), now: start)
        try await other.record(
            Check(query: query("timer"), at: start + 3_600, outcome: .answered(list(["x", "com.a", "com.b"]))))
        let moment = start + 30 * 3_600
        try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"], before: moment)))
        _ = try await store.importExport(try await other.export(to: folder))
        try await store.fillIn()
        #expect(try moments(of: "com.a").count > 5 && moments(of: "com.a").allSatisfy { $0 >= moment })
        try await expectSound()
    }

    @Test func `what was deleted of an app is not in a history that an export makes`() async throws {
        let moment = start + 30 * 3_600
        try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"], before: moment)))
        let copy = try HistoryStore(path: folder.file("copy.sqlite"))
        _ = try await copy.importExport(try await store.export(to: folder))
        try await copy.fillIn()
        #expect(try moments(of: "com.a", in: copy) == moments(of: "com.a"))
        #expect(try await copy.findings() == [])
    }

    @Test(arguments: ["x", "[]", #"{"a":1}"#, #"{"1":1e300}"#, #"{"1":"x"}"#, #"{"1":99999999999999}"#])
    func `what no rankd writes of what was deleted is damage`(_ text: String) async throws {
        try await store.write { try Setting.prunedPairs.set(text, in: $0) }
        await #expect(throws: HistoryError.self) {
            try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"])))
        }
        if text.contains("\"1\"") { #expect(try await !store.findings().isEmpty) }
    }

    @Test func `a pair stays tracked whose times reach over one another, because a clock was ahead`() async throws {
        let ahead = start + 3_653 * 86_400
        let rest = watchlist([(query("timer"), ["com.b"])])
        try await store.adopt(rest, now: ahead)
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start + 100_000)
        let moment = start + 30 * 3_600
        try await store.prune(try await store.plan(PruneRequest(apps: ["com.a"], before: moment)))
        try await expectSound()
        #expect(
            try await count(
                "SELECT count(*) FROM pair_period JOIN pair ON pair.id = pair WHERE bundle_id = 'com.a' AND query = 1")
                == 1)
        try await store.adopt(rest, now: start + 400_000)
        try await expectSound()
    }

    @Test func `an app that is tracked anew after a prune has its whole past`() async throws {
        let before = try moments(of: "com.a")
        let pruned = PruneRequest(apps: ["com.a"], before: start + 30 * 3_600)
        try await store.prune(try await store.plan(pruned))
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + 500_000)
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start + 500_060)
        try await store.fillIn()
        #expect(try moments(of: "com.a") == before)
        try await expectSound()
    }

    @Test func `what look-ups told goes with the last pair of the country`() async throws {
        let country = try #require(Country(code: "us"))
        for name in ["com.a", "com.b"] {
            _ = try await store.record([StorefrontApp(bundle(name), in: country): .empty], at: start)
        }
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 500_000)
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"])))
        #expect(
            try await store.read { try String.fetchAll($0, sql: "SELECT bundle_key FROM app_presence") } == ["com.a"])
    }

    @Test func `a query goes with all that hangs on it`() async throws {
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 500_000)
        let plan = try await store.plan(PruneRequest(queries: ["TIMER"]))
        #expect(plan.active.isEmpty && plan.checks == 20 && plan.positions == 32)
        try await store.prune(plan)
        #expect(try await counts() == [1, 20, 16, 1, 1, 16, 1])
        try await expectSound()
        #expect(try await store.plan(PruneRequest(queries: ["timer"])).isEmpty)
    }

    @Test func `an app goes from its queries, which stay`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start + 500_000)
        let plan = try await store.plan(PruneRequest(apps: ["COM.B"]))
        #expect(plan.active.isEmpty && plan.queries.isEmpty && plan.pairs.count == 1 && plan.positions == 16)
        try await store.prune(plan)
        #expect(try await counts() == [2, 40, 32, 2, 2, 32, 2])
        try await expectSound()
    }

    @Test func `what the watchlist still has is named`() async throws {
        let plan = try await store.plan(PruneRequest(apps: ["com.a"], queries: ["timer"]))
        #expect(plan.active == ["com.a on “timer” us iphone"])
        #expect(try await store.plan(PruneRequest(queries: ["clock"], countries: [Country(code: "de")!])).isEmpty)
    }

    @Test(arguments: [["com.a"], []]) func `only what is older goes, and what is derived follows`(_ apps: [String])
        async throws
    {
        let request = PruneRequest(
            apps: apps, queries: apps.isEmpty ? ["timer", "clock"] : [], before: start + 30 * 3_600)
        let plan = try await store.plan(request)
        try await store.prune(plan)
        try await expectSound()
        let oldest = try await store.read {
            try Int64.fetchOne(
                $0, sql: "SELECT min(at) FROM position JOIN pair ON pair = pair.id WHERE bundle_id = 'com.a'")
        }
        #expect(oldest.map { $0 >= (start + 30 * 3_600).secondsSinceEpoch } == true)
        #expect(try await store.plan(request).isEmpty)
    }
}
