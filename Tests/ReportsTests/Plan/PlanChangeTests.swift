import History
import RankKit
import TestSupport
import Testing

@testable import Reports

/// A watchlist compared with a real history.
@Suite struct PlanChangeTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func change(_ plan: Watchlist) throws -> PlanChange {
        PlanChange(adopting: plan, over: try HistoryReader(path: store.path).plan(), now: start + 86_400)
    }

    @Test func `without a history everything is new`() {
        let change = PlanChange(
            adopting: watchlist([(query("timer"), ["com.a", "com.b"])]), over: nil, now: start)
        #expect(change.adoptedAt == nil && change.before == nil)
        #expect(change.added.map(\.history) == [.startsAnew] && change.added.map(\.apps) == [2])
        #expect(change.pairsAdded.count == 2 && change.keptCount == 0)
    }

    @Test func `the same watchlist changes nothing`() async throws {
        let plan = watchlist([(query("timer"), ["com.a"]), (query("clock", "de"), ["com.a"])])
        try await store.adopt(plan, now: start)
        let change = try change(plan)
        #expect(change.isEmpty && change.keptCount == 2 && change.pairsKept == 2)
        #expect(change.adoptedAt == start)
    }

    @Test func `in more countries only what the history has goes on, whatever the watchlist has`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let edited = watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])])
        let france = try #require(Country(code: "fr"))
        let change = try PlanChange(
            asking: edited, in: [france], over: try HistoryReader(path: store.path).plan(), now: start + 86_400)
        #expect((change.keptCount, change.continuing, change.startingAnew) == (2, 1, 2))
        #expect(PlanReport(change).render(as: .table).contains("1 continues · 2 new"))
    }

    @Test func `another pace is a change`() async throws {
        var plan = watchlist([(query("timer"), ["com.a"])])
        try await store.adopt(plan, now: start)
        plan.service = ServiceSettings(requestsPerMinute: 5)
        let change = try change(plan)
        #expect(!change.isEmpty)
        let text = PlanReport(change).render(as: .table)
        #expect(!text.contains("no change") && text.contains("at 15 → 5 requests a minute"), "\(text)")
    }

    @Test func `moves told more keenly are a change, until they are adopted`() async throws {
        var plan = watchlist([(query("timer"), ["com.a"])])
        try await store.adopt(plan, now: start)
        plan.sensitivity = .keen
        let change = try change(plan)
        #expect(!change.isEmpty)
        let text = PlanReport(change).render(as: .table)
        #expect(!text.contains("no change") && text.contains("\nreports    sensitivity normal → keen\n"), "\(text)")
        try await store.adopt(plan, now: start + 60)
        let adopted = try self.change(plan)
        #expect(adopted.isEmpty)
        #expect(PlanReport(adopted).render(as: .table).contains("\nreports    sensitivity keen\n"))
    }

    @Test func `it foretells what adopting does`() async throws {
        try await store.adopt(
            watchlist([(query("a"), ["com.a", "com.b"]), (query("b"), ["com.a"]), (query("c"), ["com.a"])]), now: start)
        let plan = watchlist([(query("A"), ["COM.A"]), (query("c"), ["com.a", "com.c"]), (query("d"), ["com.a"])])
        let change = try change(plan)
        let adoption = try await store.adopt(plan, now: start + 86_400)
        #expect(adoption.queriesAdded == change.added.count && adoption.queriesRetired == change.retired.count)
        #expect(adoption.pairsAdded == change.pairsAdded.count && adoption.pairsRetired == change.pairsRetired.count)
        #expect(adoption.pairsKept == change.pairsKept)
        #expect(change.pairsAdded.filter { !$0.pair.goesWithSearch }.map(\.pair.bundleID) == [bundle("com.c")])
        #expect(try self.change(plan).isEmpty)
    }

    @Test func `a language of its own starts every history anew, and says why`() async throws {
        let texts = (1...6).map { "query \($0)" }
        try await store.adopt(watchlist(texts.map { (query($0), ["com.a"]) }), now: start)
        let change = try change(watchlist(texts.map { (query($0, language: "en_us"), ["com.a"]) }))
        #expect(change.startingAnewBecause.map(\.property) == [.language])
        #expect(change.startingAnewBecause.map(\.count) == [6] && change.startingAnew == 6)
        #expect(change.added[0].history == .startsAnewBecause(.language, insteadOf: query("query 1")))
    }

    @Test func `each retired search explains one new one, and a text only where nothing else can be meant`()
        async throws
    {
        try await store.adopt(
            watchlist([
                (query("a"), ["com.a"]), (query("b", "de"), ["com.a"]), (query("habbits", "fr"), ["com.a"]),
                (query("x", "jp"), ["com.a"]), (query("y", "jp"), ["com.a"]),
            ]), now: start)
        let change = try change(
            watchlist([
                (query("a", "us", .ipad), ["com.a"]), (query("a", "gb"), ["com.a"]), (query("b", "at"), ["com.a"]),
                (query("habits", "fr"), ["com.a"]), (query("z", "jp"), ["com.a"]),
            ]))
        let reasons = Dictionary(uniqueKeysWithValues: change.added.map { ($0.query, $0.history) })
        #expect(reasons[query("a", "us", .ipad)] == .startsAnewBecause(.platform, insteadOf: query("a")))
        #expect(reasons[query("a", "gb")] == .startsAnew)
        #expect(reasons[query("b", "at")] == .startsAnewBecause(.country, insteadOf: query("b", "de")))
        #expect(reasons[query("habits", "fr")] == .startsAnewBecause(.text, insteadOf: query("habbits", "fr")))
        #expect(reasons[query("z", "jp")] == .startsAnew)
    }

    @Test func `what was retired and comes back goes on with its history`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"]), (query("b"), ["com.a"])]), now: start)
        try await store.record(Check(query: query("timer"), at: start + 60, outcome: .answered(list(["com.a"]))))
        try await store.adopt(watchlist([(query("b"), ["com.a"])]), now: start + 120)
        let change = try change(watchlist([(query("timer"), ["com.a", "com.c"]), (query("b"), ["com.a"])]))
        #expect(change.added.map(\.history) == [.continues(lastCheckedAt: start + 60)])
        #expect(change.comingBack == 1 && change.startingAnew == 0)
        #expect(change.pairsAdded.map(\.comesBack) == [true, false])
    }

    @Test func `a new pair gets the past that the kept lists tell, as the reports then show it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await store.record(Check(query: query("timer"), at: start + 60, outcome: .failed(Failure(.timedOut))))
        for hours in [1, 2] as [Int64] {
            try await store.record(
                Check(
                    query: query("timer"), at: start + hours * 3_600,
                    outcome: .answered(list(["com.a", "com.b"]))))
        }
        let plan = watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.b"])])
        let change = try change(plan)
        #expect(change.pairsAdded.map(\.pastSince) == [nil, start + 3_600])
        let text = PlanReport(change).render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(
            text.contains(
                "timer · us · iPhone · com.b: its history is filled in from stored lists, since 2026-11-01\n"))
        #expect(!text.contains("com.b: starts anew"))
        #expect(PlanReport(change).render(as: .csv).contains("pair added,timer,us,iphone,itunes,,com.b,,,continues"))
        try await store.adopt(plan, now: start + 86_400)
        let standings = try HistoryReader(path: store.path).standings(asOf: start + 86_400)
        #expect(standings.first { $0.bundleID == bundle("com.b") }?.lastGood?.position == Position(2))
    }

    /// Number 777 is com.old in the first three days, then com.new.
    private func transfer() async throws {
        for day in 0..<6 as Range<Int64> {
            let names: [(Int64, String)] = [(1, "com.a"), (777, day < 3 ? "com.old" : "com.new")]
            let places = names.map { id, name in
                SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id)) { AppDetails(name: name) }
            }
            try await store.record(
                Check(
                    query: query("timer"), at: start + day * 86_400,
                    outcome: .answered(ResultList(places: places.map(Optional.some)))))
        }
    }

    private func plan(over watchlist: Watchlist) throws -> PlanChange {
        let names = watchlist.apps.map(\.bundleID)
        return PlanChange(
            adopting: watchlist, over: try HistoryReader(path: store.path).plan(comparedWith: names),
            now: start + 7 * 86_400)
    }

    @Test func `a pair whose app is named otherwise goes on, and is neither retired nor filled in`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await transfer()
        let change = try plan(over: watchlist([(query("timer"), ["com.new", "com.a"])]))
        #expect(change.pairsAdded.isEmpty && change.pairsRetired.isEmpty && change.namedTwice.isEmpty)
        #expect(change.pairsKept == 2 && !change.isEmpty)
        let text = PlanReport(change).render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(
            text.contains("~ timer · us · iPhone · com.new: com.old goes on under its name since 2026-11-04\n"),
            "\(text)")
        let csv = PlanReport(change).render(as: .csv)
        #expect(csv.contains("pair renamed,timer,us,iphone,itunes,,com.new,,com.old,"), "\(csv)")
        #expect(PlanReport(change).render(as: .json).contains(#""pairsRenamed":["#))
    }

    @Test func `a plan tells which names of its watchlist are one app`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await transfer()
        let change = try plan(over: watchlist([(query("timer"), ["com.old", "com.new", "com.a"])]))
        #expect(change.pairsAdded.count == 1 && change.pairsRenamed.isEmpty)
        #expect(
            change.namedTwice.map { $0.warning(change.days) }
                == ["com.new is com.old since 2026-11-04: name one of them"])
    }

    @Test func `a kept search at another interval is a change of cadence`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])], every: 3_600), now: start)
        let change = try change(watchlist([(query("timer"), ["com.a"])], every: 7_200))
        #expect(change.recadenced.map(\.query) == [query("timer")])
        #expect(change.recadenced.first?.before == [.every(seconds: 3_600)])
        #expect(change.recadenced.first?.after == [.every(seconds: 7_200)])
        #expect(change.before?.requestsPerDay == 24 && change.after.requestsPerDay == 12)
    }

    @Test func `comparing writes nothing`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let before = try HistoryReader(path: store.path).plan().queries
        _ = try change(watchlist([(query("clock"), ["com.a"])]))
        #expect(try HistoryReader(path: store.path).plan().queries == before)
    }
}
