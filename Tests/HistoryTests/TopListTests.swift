import RankKit
import TestSupport
import Testing

@testable import History

/// The first places of queries' newest good lists.
@Suite struct TopListTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func record(
        _ names: [String?], on query: Query, after hours: Int64, ratings: Int64 = 10, suspect: Bool = false
    ) async throws {
        let answer = list(names) { AppDetails(name: "App \($0)", ratingCount: $0 == "com.bare" ? nil : ratings) }
        try await store.record(
            Check(
                query: query, at: start + hours * 3_600,
                outcome: suspect ? .suspect(answer, .collapsed) : .answered(answer)))
    }

    private func names(_ list: TopList?) -> [String?]? { list?.apps.map { $0?.bundleID.text } }

    @Test func `the newest good list counts, cut to the places wanted, unreadable ones included`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(["com.old"], on: timer, after: 0)
        try await record(["com.a", nil, "com.bare", "com.d"], on: timer, after: 1)
        try await record(["com.x"], on: timer, after: 2, suspect: true)
        let top = try #require(try reader.topLists(of: [timer], first: 3, at: start + 7_300)[timer])
        #expect(top.at == start + 3_600)
        #expect(names(top) == ["com.a", nil, "com.bare"])
        #expect(top.apps[0] == TopApp(bundleID: bundle("com.a"), name: "App com.a", ratingCount: 10))
        #expect(top.apps[2]?.ratingCount == nil)
    }

    @Test func `an earlier moment has the list of then, and none before the first`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(["com.old"], on: timer, after: 1)
        try await record(["com.a"], on: timer, after: 2)
        #expect(names(try reader.topLists(of: [timer], first: 10, at: start + 3_600)[timer]) == ["com.old"])
        #expect(try reader.topLists(of: [timer], first: 10, at: start).isEmpty)
    }

    @Test func `a list is found in a page as well as outside of it`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        for hour in 0..<5 as Range<Int64> { try await record(["com.\(hour)"], on: timer, after: hour) }
        try await store.compact(before: start + 4 * 3_600)
        #expect(names(try reader.topLists(of: [timer], first: 1, at: start + 90_000)[timer]) == ["com.4"])
        #expect(names(try reader.topLists(of: [timer], first: 1, at: start + 3 * 3_600)[timer]) == ["com.3"])
        try await store.compact(before: start + 90_000)
        #expect(names(try reader.topLists(of: [timer], first: 1, at: start + 90_000)[timer]) == ["com.4"])
    }

    @Test func `what is known of an app is that of the query's own storefront`() async throws {
        let (german, french) = (query("timer", "de"), query("timer", "ca", language: "fr_ca"))
        try await store.adopt(watchlist([(timer, ["com.a"]), (german, ["com.a"]), (french, ["com.b"])]), now: start)
        try await record(["com.a"], on: timer, after: 0, ratings: 500)
        try await record(["com.a"], on: german, after: 0, ratings: 7)
        try await record(["com.a"], on: french, after: 0, ratings: 3)
        let lists = try reader.topLists(of: [timer, german, french], first: 10, at: start + 60)
        #expect([timer, german, french].map { lists[$0]?.apps.first??.ratingCount } == [500, 7, 3])
        let counts = try reader.ratingCounts(of: [bundle("com.a"), bundle("com.b")])
        #expect(counts(bundle("COM.A"), on: timer) == 500)
        #expect(counts(bundle("com.a"), on: german) == 7)
        #expect(counts(bundle("com.a"), on: french) == 3)
        #expect(counts(bundle("com.b"), on: french) == nil)
        #expect(counts(bundle("com.a"), on: query("timer", "ca")) == nil)
    }

    @Test func `queries that were not asked for are left out`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(["com.a"], on: timer, after: 0)
        #expect(try reader.topLists(of: [query("clock")], first: 10, at: start + 60).isEmpty)
        #expect(try reader.topLists(of: [], first: 10, at: start + 60).isEmpty)
    }
}
