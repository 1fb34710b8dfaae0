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
