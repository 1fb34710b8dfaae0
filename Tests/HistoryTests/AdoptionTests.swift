import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct AdoptionTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func plan(_ queries: Int) -> Watchlist {
        watchlist((0..<queries).map { (query("q\($0)"), ["com.a", "com.b", "com.c"]) })
    }

    /// How many rows an adoption writes.
    private func rows(adopting plan: Watchlist) async throws -> Int {
        let before = try await store.read { $0.totalChangesCount }
        try await store.adopt(plan, now: start + 60)
        return try await store.read { $0.totalChangesCount } - before
    }

    @Test func `an edit of a long watchlist writes what it changes`() async throws {
        try await store.adopt(plan(200), now: start)
        // Apps, notes and settings are few, and written anew.
        #expect(try await rows(adopting: plan(200)) < 20)
        #expect(try await rows(adopting: plan(201)) < 20 + 4 * 4)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.trackedPairs().count == 603)
    }

    @Test func `each thing that an edit can change of a query and a pair is taken up`() async throws {
        var plan = plan(2)
        try await store.adopt(plan, now: start)
        plan.queries.swapAt(0, 1)
        plan.queries[0].query = query("Q1")
        plan.queries[0].cadences = [.every(seconds: 3_600)]
        plan.queries[0].popularity = 7
        plan.queries[1].pairs[2].tags = ["core"]
        plan.queries[1].pairs[0].bundleID = bundle("com.A")
        try await store.adopt(plan, now: start + 60)
        let pairs = try HistoryReader(path: store.path).pairDays(days: 0...0)
        #expect(pairs.map(\.query.text) == ["Q1", "q0", "Q1", "q0", "Q1", "q0"])
        #expect(pairs.map(\.cadence) == [3_600, 21_600, 3_600, 21_600, 3_600, 21_600])
        #expect(pairs.map(\.popularity) == [7, nil, 7, nil, 7, nil])
        #expect(pairs.map(\.tags) == [[], [], [], [], [], ["core"]])
        #expect(pairs[1].bundleID.text == "com.A")
        plan.queries[0].popularity = nil
        try await store.adopt(plan, now: start + 120)
        #expect(try HistoryReader(path: store.path).pairDays(days: 0...0)[0].popularity == nil)
    }

    @Test func `what was retired is tracked again although nothing of it differs`() async throws {
        try await store.adopt(plan(2), now: start)
        try await store.adopt(plan(1), now: start + 60)
        let adoption = try await store.adopt(plan(2), now: start + 120)
        #expect(adoption.pairsAdded == 3 && adoption.queriesAdded == 1 && adoption.pairsKept == 3)
        #expect(try HistoryReader(path: store.path).trackedPairs().count == 6)
    }
}
