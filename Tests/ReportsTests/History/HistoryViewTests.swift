import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Views computed from a real history.
@Suite struct HistoryViewTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func answer(_ text: String, _ names: [String?], at moment: Timestamp) async throws {
        try await store.record(Check(query: query(text), at: moment, outcome: .answered(list(names))))
    }

    private func standings(now: Timestamp) throws -> Standings {
        try Standings(from: try HistoryReader(path: store.path), withTrend: true, now: now)
    }

    private func status(now: Timestamp) throws -> Status {
        try Status(from: try HistoryReader(path: store.path), now: now)
    }

    // MARK: Standings

    @Test func `changes are against the last good check at or before a day, a week and a month`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 21_600), now: start)
        try await answer("timer", ["com.a"], at: start)
        try await answer("timer", ["x", "y", "z", "com.a"], at: start + 23 * day)
        try await answer("timer", ["x", "com.a"], at: start + 29 * day)
        try await answer("timer", ["x", "y", "com.a"], at: start + 30 * day)
        let row = try #require(try standings(now: start + 30 * day + 60).rows.first)
        #expect(row.position == Position(3))
        #expect(row.change1d == .places(-1))
        #expect(row.change7d == .places(1))
        #expect(row.change30d == .places(-2))
        #expect(row.trend.count == 30)
        #expect(row.trend.last??.position == Position(3))
        #expect(row.trend.compactMap { $0 }.count == 3)
    }

    /// A place better each day, each check a second earlier in the day than the one before; the last one at `start`.
    private func climb(days: Int64, every cadence: Int64 = 86_400, at moment: Timestamp) async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"])], every: cadence), now: moment - (days + 1) * day)
        for ago in (0...days).reversed() {
            let above = (0..<ago).map { "x\($0)" }
            try await answer("timer", above + ["com.a"], at: moment - ago * day + ago)
        }
    }

    @Test func `a check a second earlier in the day than the one before reaches no slot too far`() async throws {
        try await climb(days: 31, at: start)
        let row = try #require(try standings(now: start + 60).rows.first)
        #expect((row.change1d, row.change7d, row.change30d) == (.places(1), .places(7), .places(30)))
        // The same as of an earlier day, before the next check and after it.
        for (moment, week) in [(start - day + 60, 7), (start - 60, 7)] as [(Timestamp, Int)] {
            let reader = try HistoryReader(path: store.path)
            let then = try Standings(from: reader, withTrend: false, since: moment - 7 * day, until: moment, now: start)
            let row = try #require(then.rows.first)
            #expect((row.change1d, row.change7d) == (.places(1), .places(7)))
            #expect(row.changeSince == .places(week))
        }
    }

    @Test func `movers of a week are those of seven slots, and a moment in between is kept to`() async throws {
        try await climb(days: 31, at: start)
        let reader = try HistoryReader(path: store.path)
        // Asked right after the check, and in the evening.
        for now in [start + 1, start + 60, start + 20 * 3_600] {
            let from = try #require(
                try Movers(from: reader, filter: PairFilter(), since: now - 7 * day, now: now).rows.first?.from)
            #expect(from.position == Position(8), "\(now)")
        }
        let exact = try Movers(from: reader, since: start - 7 * day + 6, now: start + 60).rows.first?.from
        #expect(exact?.position == Position(9))
        let next = try Movers(from: reader, since: start - 7 * day + 7, now: start + 60).rows.first?.from
        #expect(next?.position == Position(8))
    }

    @Test func `a weekly query's day ago is its week before, never the newest check itself`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 7 * day), now: start)
        try await answer("timer", ["x", "com.a"], at: start + 5)
        try await answer("timer", ["com.a"], at: start + 7 * day)
        // Asked more often before: too near to stand for a day ago.
        let row = try #require(try standings(now: start + 7 * day + 60).rows.first)
        #expect((row.change1d, row.change7d) == (.places(1), .places(1)))
        let movers = try Movers(
            from: try HistoryReader(path: store.path), since: start + 6 * day + 60, now: start + 7 * day + 60)
        #expect(movers.rows.first?.from.checkedAt == start + 5)
    }

    @Test func `entering and leaving are told apart from moves, and absence at both ends is no change`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b", "com.c"])]), now: start)
        try await answer("timer", ["com.a", "x"], at: start)
        try await answer("timer", ["x", "com.b"], at: start + day)
        let rows = try standings(now: start + day + 60).rows
        #expect(rows.map(\.change1d) == [.left, .entered, .places(0)])
        #expect(rows.map(\.state) == [.absent, .ranked, .absent])
        #expect(rows[0].within == 2)
    }

    @Test func `a suspect check shows the last good position as such`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await answer("timer", ["x", "com.a"], at: start)
        try await store.record(
            Check(query: query("timer"), at: start + 21_600, outcome: .suspect(list([]), .collapsed)))
        let row = try #require(try standings(now: start + 21_700).rows.first)
        #expect((row.outcome, row.position) == (.suspect(.collapsed), nil))
        #expect(row.lastGood?.position == Position(2))
    }

    @Test func `what was not checked for days counts among no changes`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await answer("timer", ["x", "com.a"], at: start)
        try await answer("timer", ["com.a"], at: start + day)
        #expect(try standings(now: start + day + 60).summary.up == 1)
        let later = try standings(now: start + 13 * day)
        #expect((later.summary.up, later.summary.stale) == (0, 1))
        let text = StandingsReport(later).render(as: .table)
        #expect(text.hasPrefix("mine: 1 pair; 1 not checked since 2026-11-02\n"), "\(text)")
    }

    // MARK: Status

    @Test func `a service that has just asked everything is fine`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 3_600), now: start)
        try await answer("timer", ["com.a"], at: start)
        let status = try status(now: start + 60)
        #expect(status.level == .fine)
        #expect(status.nextDueAt == start + 3_600)
    }

    @Test func `a write-ahead log that cannot be emptied is no longer fine`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 3_600), now: start)
        try await answer("timer", ["com.a"], at: start)
        // What follows the last frame means nothing.
        #expect(truncate(store.path + "-wal", 70 << 20) == 0)
        let status = try status(now: start + 60)
        #expect(status.level == .degraded)
        #expect(status.database.trouble == .longLog)
    }

    @Test func `one query that fails is degraded, and says why and how often`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 3_600), now: start)
        for minute in [0, 5, 15] as [Int64] {
            try await store.record(
                Check(query: query("timer"), at: start + minute * 60, outcome: .failed(Failure(.rejected, "Invalid"))))
        }
        let status = try status(now: start + 1_000)
        #expect(status.level == .degraded)
        #expect(
            status.failures == [
                .init(
                    reason: .rejected, queryCount: 1, mostInARow: 3, lastMessage: "Invalid", lastAt: start + 15 * 60)
            ])
    }

    @Test func `one poisoned query among healthy ones is degraded, however long it has been`() async throws {
        try await store.adopt(
            watchlist([(query("good"), ["com.a"]), (query("bad"), ["com.a"])], every: 3_600), now: start)
        try await answer("good", ["com.a"], at: start + 20 * day)
        let status = try status(now: start + 20 * day + 60)
        #expect(status.overdue.map(\.query.text) == ["bad"])
        #expect(status.level == .degraded)
    }

    @Test func `nothing learnt since the last query fell due is down, even where one waits longer than the rest`()
        async throws
    {
        try await store.adopt(
            watchlist([(query("a"), ["com.a"]), (query("b"), ["com.a"])], every: 3_600), now: start)
        try await answer("b", ["com.a"], at: start + 10 * day)
        let status = try status(now: start + 20 * day)
        #expect(status.overdueCount == 2)
        #expect(status.level == .down)
    }

    @Test func `a weekly query that is not due yet does not hide that all others are dead`() async throws {
        var plan = watchlist([(query("hourly"), ["com.a"]), (query("weekly"), ["com.a"])], every: 3_600)
        plan.queries[1].cadences = [.every(seconds: 7 * day)]
        try await store.adopt(plan, now: start)
        try await answer("hourly", ["com.a"], at: start + 5 * day)
        try await answer("weekly", ["com.a"], at: start + 5 * day)
        #expect(try status(now: start + 6 * day).level == .down)
    }

    @Test func `a query that comes back to the watchlist is not overdue since it left`() async throws {
        let plan = watchlist([(query("timer"), ["com.a"])], every: 3_600)
        try await store.adopt(plan, now: start)
        try await answer("timer", ["com.a"], at: start)
        try await store.adopt(watchlist([(query("clock"), ["com.a"])], every: 3_600), now: start + day)
        try await store.adopt(plan, now: start + 100 * day)
        #expect(try status(now: start + 100 * day + 60).overdueCount == 0)
    }

    @Test func `a restart does not make what is overdue young again`() async throws {
        let plan = watchlist([(query("timer"), ["com.a"])], every: 3_600)
        try await store.adopt(plan, now: start)
        try await store.adopt(plan, now: start + day)
        #expect(try status(now: start + day + 60).level == .down)
    }

    @Test func `a pause is degraded and says until when`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 3_600), now: start)
        try await answer("timer", ["com.a"], at: start)
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: nil), at: start)
        try await store.keep(health, of: .search(at: "fake"))
        let status = try status(now: start + 10)
        #expect(status.level == .degraded)
        #expect(
            status.endpoints == [
                .init(name: "search", state: .coolingDown, until: start + 60),
                .init(name: "lookup", state: .asking),
            ])
    }
}
