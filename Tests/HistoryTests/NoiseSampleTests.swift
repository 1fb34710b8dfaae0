import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct NoiseSampleTests {
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

    private func sample(most: Int) throws -> NoiseSample {
        try HistoryReader(path: store.path).noiseSample(
            days: start.day...start.day, until: nil, cadences: 0, most: most)
    }

    @Test func `of few pairs all are learnt from, in the order of the watchlist`() async throws {
        try await store.adopt(plan(10), now: start)
        let sample = try sample(most: 30)
        #expect(sample.isWhole)
        #expect(
            try sample.pairs.map(\.id)
                == HistoryReader(path: store.path).pairDays(days: start.day...start.day).map(\.id))
    }

    @Test func `of many pairs as many are learnt from as are enough, of all apps and from all over the list`()
        async throws
    {
        try await store.adopt(plan(200), now: start)
        let sample = try sample(most: 60)
        #expect(!sample.isWhole)
        #expect(sample.pairs.count == 60)
        for name in ["com.a", "com.b", "com.c"] {
            #expect((14...26).contains(sample.pairs.count { $0.bundleID == bundle(name) }))
        }
        for tenth in 0..<10 {
            let texts = Set((tenth * 20..<tenth * 20 + 20).map { "q\($0)" })
            #expect((3...9).contains(sample.pairs.count { texts.contains($0.query.text) }), "\(tenth)")
        }
    }

    @Test func `pairs that come and go change what is learnt from no more than by as many`() async throws {
        try await store.adopt(plan(100), now: start)
        let before = Set(try sample(most: 60).pairs.map(\.id))
        try await store.adopt(plan(101), now: start + 60)
        let after = Set(try sample(most: 60).pairs.map(\.id))
        #expect(after.subtracting(before).count <= 3)
        try await store.adopt(plan(100), now: start + 120)
        #expect(Set(try sample(most: 60).pairs.map(\.id)) == before)
    }
}
