import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct VisibilityHistoryTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-10-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(
        _ queries: [Query], _ apps: [String] = ["com.me"], popularity: [Double?] = [], every: Int64 = 21_600
    ) async throws {
        var plan = watchlist(queries.map { ($0, apps) }, every: every, competitors: ["com.rival"])
        if apps.contains("com.rival") { plan.apps[0].competitors = [bundle("com.rival")] }
        for (index, value) in popularity.enumerated() { plan.queries[index].popularity = value }
        try await store.adopt(plan, now: start)
    }

    /// Answers with a list in which the apps stand at their places, 12 hours into the day.
    private func check(_ query: Query, _ places: [String: Int], day number: Int64) async throws {
        var names = (1...50).map { "x\($0)" }
        for (app, place) in places { names[place - 1] = app }
        try await store.record(
            Check(query: query, at: start + number * day + 12 * hour, outcome: .answered(list(names))))
    }

    private func history(
        _ filter: PairFilter = PairFilter(), since: Int64? = nil, until: Timestamp? = nil, now: Int64
    ) throws -> VisibilityHistory {
        try VisibilityHistory(
            from: try HistoryReader(path: store.path), filter: filter, since: since.map { start + $0 * day },
            until: until, now: start + now * day + 18 * hour)
    }

    private func near(_ value: Double?, _ wanted: Double) -> Bool { value.map { abs($0 - wanted) < 1e-9 } ?? false }

    @Test func `a value is the mean of what the places are worth, absences counting nothing`() async throws {
        let queries = ["a", "b", "c", "d"].map { query($0) }
        try await adopt(queries)
        for (query, place) in zip(queries, [1, 3, 7, nil] as [Int?]) {
            try await check(query, place.map { ["com.me": $0] } ?? [:], day: 0)
        }
        let row = try #require(try history(now: 0).rows.first)
        // 1, 1/2, 1/3 and 0.
        #expect(near(row.series[0].now.score, 100 * (1 + 0.5 + 1.0 / 3) / 4))
        #expect((row.series[0].now.coverage, row.series[0].now.counted, row.queries) == (1, 4, 4))
        #expect(!row.isWeighted)
    }

    @Test func `popularity weighs where every query of the number has one`() async throws {
        let queries = [query("a"), query("b"), query("a", "de"), query("b", "de")]
        try await adopt(queries, popularity: [60, 20, 60, nil])
        for query in queries { try await check(query, query.text == "a" ? ["com.me": 1] : [:], day: 0) }
        let rows = try history(now: 0).rows
        #expect(rows.map(\.country.code) == ["us", "de"])
        #expect(rows.map(\.isWeighted) == [true, false])
        #expect(near(rows[0].series[0].now.score, 75))
        #expect(near(rows[1].series[0].now.score, 50))
    }

    @Test func `countries and platforms have numbers of their own`() async throws {
        let queries = [query("a"), query("a", "us", .ipad), query("a", "gb")]
        try await adopt(queries)
        for (place, query) in zip([1, 3, 7], queries) { try await check(query, ["com.me": place], day: 0) }
        let rows = try history(now: 0).rows
        #expect(rows.map { "\($0.country) \($0.platform.rawValue)" } == ["us iphone", "us ipad", "gb iphone"])
        #expect(near(rows[1].series[0].now.score, 50))
        #expect(try history(PairFilter(platforms: [.ipad]), now: 0).rows.count == 1)
    }

    @Test func `a query that is asked once a week neither blinks nor is carried on for ever`() async throws {
        try await adopt([query("a")], every: 7 * day)
        for number in [0, 7] as [Int64] { try await check(query("a"), ["com.me": 1], day: number) }
        let points = try #require(try history(since: 0, now: 30).rows.first).series[0].points
        #expect(points.map { $0.score != nil } == (0...30).map { $0 <= 7 + 14 })
    }

    @Test func `there is no value where less than two thirds of the weight was read`() async throws {
        let queries = ["a", "b", "c"].map { query($0) }
        try await adopt(queries)
        for query in queries { try await check(query, ["com.me": 1], day: 0) }
        try await check(queries[0], ["com.me": 1], day: 2)
        try await check(queries[1], ["com.me": 1], day: 2)
        try await store.record(
            Check(query: queries[2], at: start + 2 * day, outcome: .suspect(list([]), .collapsed)))
        try await check(queries[0], ["com.me": 1], day: 4)
        let points = try #require(try history(since: 0, now: 4).rows.first).series[0].points
        #expect(points.map(\.counted) == [3, 3, 2, 2, 1])
        #expect(points.map(\.score) == [100, 100, 100, 100, nil])
        #expect(near(points[4].coverage, 1.0 / 3))
    }

    @Test func `a change compares the queries that were read on both days, and no others`() async throws {
        let queries = ["a", "b", "c"].map { query($0) }
        try await adopt(queries)
        for query in queries.prefix(2) { try await check(query, ["com.me": 3], day: 0) }
        for query in queries { try await check(query, ["com.me": query.text == "c" ? 1 : 7], day: 7) }
        let series = try #require(try history(now: 7).rows.first).series[0]
        // c, first on its first day, moves the value and not the change.
        #expect(near(series.now.score, 100 * (1.0 / 3 + 1.0 / 3 + 1) / 3))
        let change = try #require(series.change7d)
        #expect(near(change.points, 100.0 / 3 - 50))
        #expect(near(change.coverage, 2.0 / 3))
        #expect(series.change30d == nil)
    }

    @Test func `a change needs two thirds of the weight on both days`() async throws {
        let queries = ["a", "b"].map { query($0) }
        try await adopt(queries, popularity: [10, 30])
        try await check(queries[0], ["com.me": 3], day: 0)
        for query in queries { try await check(query, ["com.me": 1], day: 7) }
        let series = try #require(try history(now: 7).rows.first).series[0]
        #expect(series.change7d == nil)
        #expect(near(series.now.score, 100))
    }

    @Test func `competitors stand beside my app on its own queries`() async throws {
        var plan = watchlist(
            [
                (query("a"), ["com.me", "com.rival"]), (query("b"), ["com.me", "com.rival"]),
                (query("z"), ["com.rival"]),
            ],
            competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        try await store.adopt(plan, now: start)
        for text in ["a", "b"] { try await check(query(text), ["com.me": 7, "com.rival": 3], day: 0) }
        try await check(query("z"), ["com.rival": 1], day: 0)
        let row = try #require(try history(now: 0).rows.first)
        #expect(row.series.map(\.app.mark) == [.mine, .competitor])
        #expect(near(row.series[1].now.score, 50))
        #expect(try history(PairFilter(apps: ["com.me"]), now: 0).rows.map(\.series.count) == [2])
        let rival = try #require(try history(PairFilter(apps: ["com.rival"]), now: 0).rows.first)
        #expect((rival.queries, rival.series.count) == (3, 1))
        #expect(near(rival.series[0].now.score, 200.0 / 3))
    }

    @Test func `a competitor that is tracked on too few of the queries has no value`() async throws {
        var plan = watchlist(
            [(query("a"), ["com.me", "com.rival"]), (query("b"), ["com.me"])], competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        try await store.adopt(plan, now: start)
        for text in ["a", "b"] { try await check(query(text), ["com.me": 7, "com.rival": 1], day: 0) }
        let row = try #require(try history(now: 0).rows.first)
        #expect(row.series[1].now.score == nil)
        #expect((row.series[1].now.coverage, row.series[1].now.counted) == (0.5, 1))
    }

    @Test func `what was never checked has neither value nor change`() async throws {
        try await adopt([query("a")])
        let series = try #require(try history(now: 3).rows.first).series[0]
        #expect(series.points.count == 91)
        #expect(series.points.allSatisfy { $0 == VisibilityHistory.Point() })
        #expect((series.change7d, series.change30d) == (nil, nil))
    }
}
