import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// The rules by which an app has a bundle identifier, one by one.
@Suite struct AppNamesTests {
    private let stage: NamesStage
    private var store: HistoryStore { stage.store }

    init() throws { stage = try NamesStage() }

    private func seconds(_ hours: Int64) -> Int64 { (stage.start + hours * 3_600).secondsSinceEpoch }

    @Test func `one odd answer takes no name from its app and gives none to another`() async throws {
        try await stage.adopt(["com.old", "com.other"])
        try await stage.check([(777, "com.old"), (555, "com.other")], after: 0)
        let before = try await stage.names(of: 777).all
        try await stage.check([(777, "com.other"), (555, "com.other")], after: 6)
        try await stage.check([(777, "com.old"), (555, "com.other")], after: 12)
        let names = try await stage.names(of: 777)
        #expect(names.all == before)
        #expect(names.new == [.init(bundleID: bundle("com.other"), from: seconds(6), until: seconds(12))])
        #expect(try await stage.numbers(of: "com.old") == [777])
        #expect(try await stage.numbers(of: "com.other") == [555])
        #expect(try stage.places("com.other") == [2, 2, 2])
        #expect(try await store.findings() == [])
    }

    @Test func `what a clock ahead dated is of the newest check, and ends no earlier than it began`() {
        var names = AppNames(
            [.init(bundleID: bundle("com.old"), from: 10, stayed: 10)],
            new: [
                .init(bundleID: bundle("com.new"), from: 95, until: 900),
                .init(bundleID: bundle("com.late"), from: 800, until: 900),
            ])
        names.undate(after: 100, to: 90)
        #expect(names.all.map(\.from) == [10])
        #expect(names.new.map(\.from) == [95, 90] && names.new.map(\.until) == [95, 90])
    }

    /// Four days under the old name, four under the new one, four under the old one.
    private func goThereAndBack() async throws {
        for day in 0..<12 as Range<Int64> {
            try await stage.check([(777, (4..<8).contains(day) ? "com.new" : "com.old")], after: day * 24)
        }
    }

    @Test func `an app that comes back to a name had each of the two in its own span of time`() async throws {
        try await stage.adopt(["com.a"])
        try await goThereAndBack()
        let names = try await stage.names(of: 777)
        let (there, back) = (seconds(4 * 24), seconds(8 * 24))
        #expect(names.tenures(of: "com.old") == [seconds(0)..<there, back..<Int64.max])
        #expect(names.tenures(of: "com.new") == [there..<back])
        #expect(names.new == [])
    }

    @Test func `an app that comes back to a name is called by the one that had stayed at each moment`() async throws {
        try await stage.adopt(["com.a"])
        try await goThereAndBack()
        #expect(
            try await stage.shown(777, days: [1, 5, 6, 9, 10])
                == ["com.old", "com.old", "com.new", "com.new", "com.old"])
    }

    @Test func `an app is called as the watchlist calls it from when it first came under that name`() async throws {
        try await stage.adopt(["com.new"])
        try await goThereAndBack()
        #expect(
            try await stage.shown(777, days: [1, 4, 6, 9, 11])
                == ["com.old", "com.new", "com.new", "com.new", "com.new"])
    }

    @Test func `at a moment before another app took a name up, it is still the one's that had it last`() async throws {
        try await stage.adopt(["com.old"])
        for day in 0..<12 as Range<Int64> {
            let former: [(Int64, String)] = [(777, day < 4 ? "com.old" : "com.new")]
            try await stage.check(former + (day < 8 ? [] : [(888, "com.old")]), after: day * 24)
        }
        #expect(try await stage.shown(777, days: [1, 7, 11]) == ["com.old", "com.old", "com.new"])
        let moments = [7, 11].map { stage.start + $0 * 86_400 }
        let names = try moments.map { moment in
            let reader = try stage.reader.asOf(moment)
            return try reader.apps(reader.numbers(of: bundle("com.old")), namedIn: nil).values.map(\.id)
        }
        #expect(names == [[AppID(777)], [AppID(888)]])
        // And its change of names was told then.
        let told = try moments.map { moment in
            try stage.reader.asOf(moment).bundleChanges(since: stage.start, until: moment).map(\.to)
        }
        #expect(told == [[bundle("com.new")], []])
    }

    enum NamingNobody: CaseIterable { case noBundleID, suspect, ahead }

    @Test(arguments: NamingNobody.allCases)
    func `what names nobody neither makes a new name stay nor ends it`(_ kind: NamingNobody) async throws {
        try await stage.adopt(["com.old"])
        try await stage.check([(777, "com.old")], after: 0)
        try await stage.check([(777, "com.new")], after: 6)
        let before = try await stage.names(of: 777)
        #expect(before.new.map(\.bundleID) == [bundle("com.new")])
        let at = stage.start + 60 * 3_600
        let named = NamesStage.list([(777, "com.new")])
        switch kind {
        case .noBundleID:
            let unnamed = ResultList(places: [nil], unnamed: [0: AppID(777)])
            try await store.record(Check(query: query("timer"), at: at, outcome: .answered(unnamed)))
            #expect(try stage.places("com.old") == [1, 1, 1])
        case .suspect:
            try await store.record(Check(query: query("timer"), at: at, outcome: .suspect(named, .collapsed)))
        case .ahead:
            try await store.record(
                Check(query: query("timer"), at: at, outcome: .answered(named)), clock: stage.start + 7 * 3_600)
        }
        #expect(try await stage.names(of: 777) == before)
        #expect(try stage.changes() == [])
        #expect(try await store.findings() == [])
    }

    @Test func `a name stays at the end of its second day, not a second before, and is told once`() async throws {
        try await stage.adopt(["com.old"])
        try await stage.check([(777, "com.old")], after: 0)
        for second in [21_600, 108_000, 21_600 + 2 * 86_400 - 1] as [Int64] {
            try await store.record(stage.answer([(777, "com.new")], after: second))
        }
        #expect(try stage.changes() == [])
        #expect(try await stage.names(of: 777).present == bundle("com.old"))
        for hour in [54, 60, 120] as [Int64] { try await stage.check([(777, "com.new")], after: hour) }
        let change = BundleChange(
            bundleID: bundle("com.old"), from: bundle("com.old"), to: bundle("com.new"),
            at: stage.start + 6 * 3_600, stayedAt: stage.start + 54 * 3_600)
        #expect(try stage.changes() == [change])
    }

    @Test func `a new name that two apps come under at once stands for neither`() async throws {
        try await stage.adopt(["com.y"])
        try await stage.check([(1, "com.a"), (2, "com.b")], after: 0)
        try await stage.check([(1, "com.y"), (2, "com.b")], after: 6)
        #expect(try await stage.numbers(of: "com.y") == [1])
        try await stage.check([(1, "com.y"), (2, "com.y")], after: 12)
        #expect(try await stage.numbers(of: "com.y") == [])
        #expect(try await store.findings() == [])
    }

    @Test func `a new name that all numbers of one app come under stands for all of them`() async throws {
        try await stage.adopt(["com.x"])
        try await stage.check([(1, "com.x"), (2, "com.x")], after: 0)
        try await stage.check([(1, "com.y"), (2, "com.y")], after: 6)
        #expect(try await stage.numbers(of: "com.y") == [1, 2])
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [(47, [2, 3, 1, 1]), (48, [2, 1, 1, 1])] as [(Int64, [Int])])
    func `two numbers are one app at all times if they had a name together for two days`(
        hours: Int64, expected: [Int]
    ) async throws {
        try await stage.adopt(["com.x"])
        try await stage.check([(1, "com.a"), (777, "com.x")], after: 0)
        try await stage.check([(888, "com.x"), (1, "com.a"), (777, "com.x")], after: 24)
        for hour in [24 + hours, 72 + hours] {
            try await stage.check([(888, "com.x"), (1, "com.a"), (777, "com.new")], after: hour)
        }
        #expect(try stage.places("com.x") == expected)
        #expect(try await store.findings() == [])
    }

    /// Ten days under the old name in the second place, then the new one in the first.
    private func changeName(newDays: Int64) async throws {
        try await stage.adopt(["com.old"])
        for day in 0..<10 as Range<Int64> {
            try await stage.check([(1, "com.a"), (777, "com.old")], after: day * 24)
        }
        for day in 10..<10 + newDays { try await stage.check([(777, "com.new")], after: day * 24) }
    }

    @Test func `places under the old name that a prune has left come with the new one`() async throws {
        try await changeName(newDays: 4)
        try await store.prune(
            try await store.plan(PruneRequest(queries: ["timer"], before: stage.start + 5 * 86_400)))
        try await stage.adopt(["com.new"], after: 14 * 24)
        try await store.fillIn()
        #expect(try stage.places("com.new") == Array(repeating: 2, count: 5) + Array(repeating: 1, count: 4))
        #expect(try await store.findings() == [])
    }

    @Test func `a new name that is tracked before it has stayed has the places of dropped lists once it has`()
        async throws
    {
        try await changeName(newDays: 1)
        while try await !store.dropLists(of: 1, before: stage.start + 6 * 86_400, limit: 100).isDone {}
        try await stage.adopt(["com.new"], after: 10 * 24 + 1)
        try await store.fillIn()
        for day in 11..<14 as Range<Int64> { try await stage.check([(777, "com.new")], after: day * 24) }
        try await store.fillIn()
        let past = Array(repeating: 2, count: 10) + Array(repeating: 1, count: 4)
        let checks = try stage.reader.history(of: bundle("com.new"), on: query("timer")).checks
        #expect(checks.map(\.outcome.position?.number) == past)
        #expect(try stage.places("com.new") == past)
        #expect(try stage.reader.standings().first?.worst?.at == stage.start)
        #expect(try await store.findings() == [])
    }

    @Test func `an odd answer under the old name keeps the places of dropped lists from the new one only for a time`()
        async throws
    {
        try await changeName(newDays: 4)
        while try await !store.dropLists(of: 1, before: stage.start + 6 * 86_400, limit: 100).isDone {}
        try await stage.check([(777, "com.new"), (1, "com.old")], after: 14 * 24)
        try await stage.adopt(["com.new"], after: 14 * 24 + 1)
        try await store.fillIn()
        for day in 15..<18 as Range<Int64> {
            try await stage.check([(777, "com.new"), (1, "com.a")], after: day * 24)
        }
        #expect(try stage.places("com.new") == Array(repeating: 2, count: 10) + Array(repeating: 1, count: 8))
        #expect(try stage.reader.standings().first?.worst?.at == stage.start)
        #expect(try await store.findings() == [])
    }
}
