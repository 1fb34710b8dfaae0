import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct DistributionTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-10-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// Answers `text` with a list of `length` apps in which `app` stands at `place`, 12 hours into the day.
    private func check(_ text: String, _ app: String, at place: Int?, of length: Int = 200, day number: Int64)
        async throws
    {
        var names = (1...length).map { "x\($0)" }
        if let place { names[place - 1] = app }
        try await store.record(
            Check(query: query(text), at: start + number * day + 12 * hour, outcome: .answered(list(names))))
    }

    private func distribution(
        _ filter: PairFilter = PairFilter(), since: Int64? = nil, until: Timestamp? = nil, competitors: Bool = false,
        now: Int64
    ) throws -> Distribution {
        try Distribution(
            from: try HistoryReader(path: store.path), filter: filter, since: since.map { start + $0 * day },
            until: until, competitors: competitors, now: start + now * day + 18 * hour)
    }

    private func told(_ count: Distribution.Count) -> [Int] {
        Distribution.Band.allCases.map { count[$0] } + [count.unchecked]
    }

    @Test func `each place is in its band`() {
        let edges: [(Distribution.Band, ClosedRange<Int>)] = [
            (.first, 1...1), (.to3, 2...3), (.to10, 4...10), (.to30, 11...30), (.to50, 31...50), (.to100, 51...100),
            (.to200, 101...200), (.beyond200, 201...250),
        ]
        for (band, places) in edges {
            for place in places { #expect(Distribution.Band(reading(place, within: 250)) == band, "\(place)") }
        }
        #expect(Distribution.Band(reading(nil, within: 0)) == .absent)
        #expect(Distribution.Band(reading(nil, within: 3)) == .absent)
    }

    @Test func `a check that failed and was thinned is a check all the same`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.me"])]), now: start)
        try await store.record(Check(query: query("a"), at: start, outcome: .failed(Failure(.timedOut))))
        try await check("a", "com.me", at: 4, day: 3)
        #expect(try await store.thinFailures(before: start + day, limit: 10) == 1)
        #expect(try distribution(since: 0, now: 3).mine.notYet == [0, 0, 0, 0])
    }

    @Test func `who came and went, or left and came back, stands now where it stood then`() async throws {
        try await store.adopt(watchlist(["visit", "pause"].map { (query($0), ["com.me"]) }), now: start)
        for (text, places) in [("visit", [nil, 40, nil]), ("pause", [40, nil, 41])] as [(String, [Int?])] {
            for (index, place) in places.enumerated() {
                try await check(text, "com.me", at: place, of: 77, day: Int64(index) * 15)
            }
        }
        let distribution = try distribution(now: 30)
        let tally = try #require(distribution.rows.first).tally
        for count in [tally.then, tally.now, tally.compared.then, tally.compared.now] {
            #expect(told(count) == [0, 0, 0, 0, 1, 0, 0, 0, 1, 0])
        }
        #expect(told(tally.counts[15]) == [0, 0, 0, 0, 1, 0, 0, 0, 1, 0])
        let text = DistributionReport(distribution).render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(!text.contains("▼") && !text.contains("▲") && !text.contains("left"), "\(text)")
    }

    @Test func `pairs are counted now and then, and add up to all of them`() async throws {
        let texts = ["a", "b", "c", "d"]
        try await store.adopt(watchlist(texts.map { (query($0), ["com.me"]) }), now: start)
        for (text, then, now) in [("a", 4, 1), ("b", 60, 11), ("c", nil, 150), ("d", 3, nil)] as [(String, Int?, Int?)]
        {
            try await check(text, "com.me", at: then, day: 0)
            try await check(text, "com.me", at: now, day: 30)
        }
        let distribution = try distribution(now: 30)
        #expect(distribution.days == start.day...start.day + 30)
        let row = try #require(distribution.rows.first)
        #expect(told(row.tally.then) == [0, 1, 1, 0, 0, 1, 0, 0, 1, 0])
        #expect(told(row.tally.now) == [1, 0, 0, 1, 0, 0, 1, 0, 1, 0])
        #expect(row.tally.counts.count == 31)
        #expect(row.tally.counts.allSatisfy { $0.all == 4 })
        #expect(distribution.mine == row.tally)
    }

    @Test func `a pair without a fresh good check is neither ranked nor absent`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.me"]), (query("b"), ["com.me"])]), now: start)
        try await check("a", "com.me", at: 5, day: 8)
        let at = start + 10 * day + hour
        try await store.record(Check(query: query("a"), at: at, outcome: .failed(Failure(.status))))
        try await store.record(Check(query: query("a"), at: at + 60, outcome: .suspect(list([]), .collapsed)))
        let row = try #require(try distribution(since: 7, now: 10).rows.first)
        // Checked on the 8th day, which speaks for the 9th as well; failed and suspect on the 10th.
        #expect(row.tally.counts.map { $0[.to10] } == [0, 1, 1, 0])
        #expect(row.tally.counts.map(\.unchecked) == [2, 1, 1, 2])
        #expect(row.tally.counts.allSatisfy { $0[.absent] == 0 })
    }

    @Test func `what changed is told of the pairs that were read on both days`() async throws {
        try await store.adopt(
            watchlist(["old", "new", "failing", "pending"].map { (query($0), ["com.me"]) }), now: start)
        try await check("old", "com.me", at: 12, day: 0)
        try await check("old", "com.me", at: 4, day: 30)
        try await check("failing", "com.me", at: 2, day: 0)
        try await store.record(
            Check(query: query("failing"), at: start + 30 * day, outcome: .failed(Failure(.status))))
        try await check("new", "com.me", at: 1, day: 28)
        try await check("new", "com.me", at: nil, day: 30)
        let distribution = try distribution(now: 30)
        let tally = try #require(distribution.rows.first).tally
        #expect(told(tally.compared.then) == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(told(tally.compared.now) == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(told(tally.now) == [0, 0, 1, 0, 0, 0, 0, 0, 1, 2])
        #expect(tally.notYet == Array(repeating: 2, count: 28) + [1, 1, 1])
        #expect(distribution.mine == tally)
        let text = DistributionReport(distribution).document.text(TerminalStyle(colour: false, width: 120))
        #expect(text.contains("since 1 Oct, on the 1 pair that can be compared: 0 → 1 in the top 10, 0 → 0 absent\n"))
        #expect(text.contains("1 pair first checked after 1 Oct\n"))
    }

    @Test func `a query that is asked once a week counts on every day`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.me"])], every: 7 * day), now: start)
        for number in [0, 7, 14] as [Int64] { try await check("a", "com.me", at: 2, day: number) }
        let row = try #require(try distribution(since: 0, now: 40).rows.first)
        #expect(row.tally.counts.map { $0[.to3] } == Array(repeating: 1, count: 29) + Array(repeating: 0, count: 12))
        #expect(row.tally.now.unchecked == 1)
    }

    @Test func `competitors are left out unless they are asked for, and never count as mine`() async throws {
        try await store.adopt(
            watchlist([(query("a"), ["com.me", "com.rival"])], competitors: ["com.rival"]), now: start)
        try await check("a", "com.rival", at: 1, day: 0)
        #expect(try distribution(now: 0).rows.map(\.app.bundleID.text) == ["com.me"])
        let both = try distribution(competitors: true, now: 0)
        #expect(both.rows.map(\.app.mark) == [.mine, .competitor])
        #expect(told(both.rows[1].tally.now) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(told(both.mine.now) == [0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
        let named = try distribution(PairFilter(apps: ["com.rival"]), now: 0)
        #expect(named.rows.map(\.app.mark) == [.competitor])
        #expect(named.mine.counts.allSatisfy { $0.all == 0 })
    }

    @Test func `it can be told as of an earlier moment`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.me"])]), now: start)
        try await check("a", "com.me", at: 1, day: 4)
        try await check("a", "com.me", at: 40, day: 5)
        func now(until moment: Timestamp) throws -> Distribution.Count? {
            try distribution(since: 4, until: moment, now: 20).rows.first?.tally.now
        }
        #expect(try now(until: start + 5 * day + 12 * hour)?[.to50] == 1)
        #expect(try now(until: start + 5 * day + 12 * hour - 1)?[.first] == 1)
        #expect(try distribution(since: 4, until: start + 99 * day, now: 20).days.upperBound == start.day + 20)
    }

    @Test func `a history with nothing in it has no rows and no days to compare`() throws {
        let empty = try distribution(since: 9, now: 3)
        #expect(empty.rows.isEmpty)
        #expect(empty.days == start.day + 3...start.day + 3)
        #expect(empty.mine.counts == [Distribution.Count()])
    }
}
