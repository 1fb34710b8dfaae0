import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// A watchlist that names one app twice: an app was transferred, and its new bundle ID was added beside the old one.
@Suite struct DoublePairsTests {
    private let stage: NamesStage

    init() throws { stage = try NamesStage() }

    private func adopt(_ queries: [(String, [String])], competitors: Set<String> = []) async throws {
        try await stage.store.adopt(
            watchlist(queries.map { (query($0), $1) }, competitors: competitors), now: stage.start)
    }

    /// Number 777 is com.old in the first three days, then com.new.
    private func transfer(on words: [String] = ["timer"]) async throws {
        for day in 0..<6 as Range<Int64> {
            for words in words {
                try await stage.check(
                    [(1, "com.a"), (777, day < 3 ? "com.old" : "com.new")], on: words, after: day * 24)
            }
        }
        try await stage.store.fillIn()
    }

    private func pairs(_ filter: PairFilter = PairFilter()) throws -> [String] {
        let reader = try stage.reader
        let names = try reader.standings(filter).map { "\($0.query.text) \($0.bundleID)" }.sorted()
        let tracked = try reader.trackedPairs(filter).map { "\($0.query.text) \($0.bundleID)" }.sorted()
        let days = try reader.pairDays(filter, days: 20_000...30_000).map { "\($0.query.text) \($0.bundleID)" }.sorted()
        #expect(tracked == names && days == names)
        return names
    }

    @Test func `an app that a query has by two names counts once in everything that counts pairs`() async throws {
        try await adopt([("timer", ["com.old", "com.a", "com.new"]), ("clock", ["com.old"]), ("alarm", ["com.new"])])
        #expect(try pairs().count == 5)
        try await transfer(on: ["timer", "clock", "alarm"])
        #expect(try pairs() == ["alarm com.new", "clock com.old", "timer com.a", "timer com.new"])
        let reader = try stage.reader
        #expect(try reader.activePairs() == 4)
        #expect(try reader.myPlaces(limit: 10).total == 4 && reader.myPlaces(limit: 10).places.count == 4)
        let sample = try reader.noiseSample(days: 20_000...30_000, until: nil, cadences: 0)
        #expect(sample.isWhole && sample.pairs.count == 4)
        #expect(try reader.snapshot().asOf(stage.start + 10 * 86_400).standings().count == 4)
        #expect(try await stage.store.findings() == [])
    }

    @Test func `the name that the app has now stays, and one of mine before a competitor's`() async throws {
        try await adopt([("timer", ["com.old", "com.new"])])
        try await transfer()
        #expect(try pairs() == ["timer com.new"])
        try await adopt([("timer", ["com.new", "com.old"])], competitors: ["com.new"])
        #expect(try pairs() == ["timer com.old"])
    }

    @Test func `either name finds all pairs of the app`() async throws {
        try await adopt([("timer", ["com.a", "com.old", "com.new"]), ("clock", ["com.old"]), ("alarm", ["com.new"])])
        try await transfer()
        for names in [["com.old"], ["com.new"], ["com.new", "com.old"]] {
            let filter = PairFilter(apps: names)
            let found = ["alarm com.new", "clock com.old", "timer com.new"]
            #expect(try pairs(filter) == found)
            let resolved = try stage.reader.resolving(filter)
            #expect(try stage.reader.trackedPairs().filter(resolved.admits).count == 3)
        }
        #expect(
            try stage.reader.watchedNames(of: bundle("com.new")) == [bundle("com.new"), bundle("com.old")])
    }

    @Test func `the pair that stays has the tags of both`() async throws {
        var plan = watchlist([(query("timer"), ["com.old", "com.new", "com.a"])])
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[0].pairs[1].tags = ["two", "one"]
        try await stage.store.adopt(plan, now: stage.start)
        try await transfer()
        for tag in ["one", "two"] { #expect(try pairs(PairFilter(tags: [tag])) == ["timer com.new"]) }
        let reader = try stage.reader
        let all = [
            try reader.standings().map(\.tags), try reader.trackedPairs().map(\.tags),
            try reader.pairDays(days: 20_000...30_000).map(\.tags),
        ]
        for tags in all { #expect(tags.contains(["two", "one"]) && tags.count == 2) }
        #expect(try reader.narrowed(to: ["two"]).standings().map(\.bundleID) == [bundle("com.new")])
    }

    @Test func `of a moment before both names were one app's, both pairs count`() async throws {
        try await adopt([("timer", ["com.old", "com.new"])])
        // com.new was number 888's, which gave it up; then number 777 took it.
        for day in 0..<9 as Range<Int64> {
            let other = (888 as Int64, day < 3 ? "com.new" : "com.gone")
            try await stage.check([(1, "com.a"), (777, day < 6 ? "com.old" : "com.new"), other], after: day * 24)
        }
        try await stage.store.fillIn()
        #expect(try pairs() == ["timer com.new"])
        #expect(try stage.reader.snapshot().asOf(stage.start + 86_400).standings().count == 2)
    }

    @Test func `which names are of one app is known with the day of the newer one`() async throws {
        try await adopt([("timer", ["com.old", "com.new", "com.a"])])
        #expect(try stage.reader.appsNamedTwice().isEmpty)
        try await transfer()
        let app = OneApp(
            names: [bundle("com.old"), bundle("com.new")], present: bundle("com.new"), since: stage.start + 3 * 86_400)
        let reader = try stage.reader
        #expect(try reader.appsNamedTwice() == [app] && app.former == [bundle("com.old")])
        #expect(try reader.app(of: bundle("com.new"), among: [bundle("com.a"), bundle("com.old")]) == app)
        #expect(try reader.app(of: bundle("com.new"), among: [bundle("com.a")]) == nil)
        #expect(try reader.app(of: bundle("com.none"), among: [bundle("com.a"), bundle("com.old")]) == nil)
    }
}
