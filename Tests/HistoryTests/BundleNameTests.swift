import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// A list of apps by Apple's number and the bundle identifier that it comes with; `nil` for an entry that cannot be read.
private func numbered(_ apps: [(Int64, String)?]) -> ResultList {
    ResultList(
        places: apps.map { app in
            app.map { id, name in
                SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id) &* 31 &+ UInt64(name.utf8.count))
                {
                    AppDetails(name: "App \(id)")
                }
            }
        })
}

@Suite struct BundleNameTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func check(
        _ store: HistoryStore, _ apps: [(Int64, String)?], after hours: Int64, on words: String = "timer"
    ) async throws {
        try await store.record(
            Check(query: query(words), at: start + hours * 3_600, outcome: .answered(numbered(apps))))
    }

    private func places(_ name: String, _ store: HistoryStore, on words: String = "timer") throws -> [Int?] {
        try HistoryReader(path: store.path).readings(of: bundle(name), on: query(words)).map { $0.position?.number }
    }

    @Test(arguments: ["com.old", "com.new"])
    func `a pair goes on when its app comes under another bundle identifier, by either name`(name: String) async throws
    {
        try await store.adopt(watchlist([(query("timer"), [name])]), now: start)
        try await check(store, [(1, "com.a"), (777, "com.old")], after: 0)
        try await check(store, [(1, "com.a"), (777, "com.old")], after: 6)
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 12)
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 18)
        try await store.fillIn()
        #expect(try places(name, store) == [2, 2, 1, 1])
        let standing = try #require(try HistoryReader(path: store.path).standings().first)
        #expect(standing.outcome == .ranked(Position(1)!, of: 2))
        #expect(standing.appID == AppID(777))
        #expect(standing.worst?.position == Position(2))
        #expect(try await store.findings() == [])
    }

    @Test func `a line for each of the two names tells the same, whichever came first`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        for hour in 0..<4 { try await check(store, [(1, "com.a"), (777, "com.old")], after: Int64(hour) * 6) }
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.new"])]), now: start + 23 * 3_600)
        try await check(store, [(777, "com.old")], after: 24)
        try await check(store, [(777, "com.new")], after: 30)
        try await store.fillIn()
        #expect(try places("com.old", store) == [2, 2, 2, 2, 1, 1])
        #expect(try places("com.new", store) == [2, 2, 2, 2, 1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `the watchlist's name of an app is found by Apple's number, whichever name it comes with`() async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await check(store, [(1, "com.a"), (777, "com.old")], after: 0)
        try await check(store, [(1, "com.a"), (777, "com.new"), (2, "com.a")], after: 6)
        let reader = try HistoryReader(path: store.path)
        #expect(
            try reader.namesByAppID(of: ["com.old", "com.a", "com.none"].map { bundle($0) })
                == [AppID(777): bundle("com.old"), AppID(1): bundle("com.a"), AppID(2): bundle("com.a")])
    }

    @Test func `a change is told once it has stayed, and once, though two caches take turns`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        for hour in 0..<20 as Range<Int64> {
            try await check(store, [(777, hour % 2 == 0 ? "com.old" : "com.new")], after: hour * 6)
        }
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.bundleChanges(since: start, until: start + 86_400 * 9) == [])
        #expect(try reader.listingPasts(of: bundle("com.new")).first?.values[.bundleID] == nil)
        // The last of them was at 114 hours.
        for hour in [120, 126, 161, 162, 168] as [Int64] { try await check(store, [(777, "com.new")], after: hour) }
        let change = BundleChange(
            bundleID: bundle("com.old"), from: bundle("com.old"), to: bundle("com.new"), at: start + 114 * 3_600,
            stayedAt: start + 162 * 3_600)
        #expect(try reader.bundleChanges(since: start, until: start + 86_400 * 9) == [change])
        #expect(try reader.bundleChanges(since: start, until: start + 161 * 3_600) == [])
        #expect(try reader.bundleChanges(since: start + 161 * 3_600, until: start + 86_400 * 9) == [change])
        let past = try #require(try reader.listingPasts(of: bundle("com.new")).first)
        #expect(past.values[.bundleID]?.map(\.text) == ["com.old", "com.new"])
        #expect(try reader.changedApps(since: start + 1) == [bundle("com.old")])
        #expect(try places("com.old", store).allSatisfy { $0 == 1 })
        #expect(try await store.findings() == [])
    }

    @Test func `one odd answer gives an app no other name, and takes no place from the app that has the name`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.other", "com.odd"])]), now: start)
        let sound: [(Int64, String)?] = [(777, "com.old"), (1, "com.a"), (555, "com.other")]
        try await check(store, sound, after: 0)
        try await check(store, [(777, "com.other"), (1, "com.a"), (555, "com.other")], after: 6)
        try await check(store, sound, after: 12)
        try await check(store, [(777, "com.odd"), (1, "com.a"), (555, "com.other")], after: 18)
        // Nobody else has this one: it may be the app's new name.
        #expect(try places("com.odd", store) == [1, 1, 1, 1])
        for hour in [24, 48, 72] as [Int64] { try await check(store, sound, after: hour) }
        #expect(try places("com.old", store).allSatisfy { $0 == 1 })
        #expect(try places("com.other", store).allSatisfy { $0 == 3 })
        #expect(try places("com.odd", store) == Array(repeating: nil, count: 7))
        #expect(try await store.names() == [])
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.bundleChanges(since: start, until: start + 86_400 * 9) == [])
        #expect(
            try reader.apps(try reader.numbers(of: bundle("com.old")), namedIn: nil).values.map(\.bundleID)
                == [bundle("com.old")])
        #expect(try await store.findings() == [])
    }

    @Test func `an app that comes back to a name that it had gets it back`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        for day in 0..<4 as Range<Int64> { try await check(store, [(777, "com.old")], after: day * 24) }
        for day in 4..<8 as Range<Int64> { try await check(store, [(777, "com.new")], after: day * 24) }
        let reader = try HistoryReader(path: store.path)
        func present() throws -> [BundleID] {
            try reader.apps(try reader.numbers(of: bundle("com.old")), namedIn: nil).values.map(\.bundleID)
        }
        #expect(try present() == [bundle("com.new")])
        try await check(store, [(777, "com.old")], after: 8 * 24)
        #expect(try present() == [bundle("com.new")])
        for day in 9..<12 as Range<Int64> { try await check(store, [(777, "com.old")], after: day * 24) }
        #expect(try present() == [bundle("com.old")])
        #expect(
            try reader.listingPasts(of: bundle("com.new")).first?.values[.bundleID]?.map(\.text)
                == ["com.old", "com.new", "com.old"])
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(try await store.export(to: folder))
        #expect(try await other.names() == store.names())
        #expect(try await other.findings() == [])
        #expect(try await store.findings() == [])
    }

    @Test func `a new name that another app turns out to have stands for that one`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.new", "com.old"])]), now: start)
        try await check(store, [(777, "com.old"), (1, "com.a")], after: 0)
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 6)
        #expect(try places("com.new", store) == [1, 1])
        try await check(store, [(777, "com.old"), (1, "com.a"), (888, "com.new")], after: 12)
        #expect(try places("com.new", store) == [nil, nil, 3])
        #expect(try places("com.old", store) == [1, 1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `both names find an app, which is called as the watchlist calls it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await check(store, [(777, "com.old")], after: 0)
        try await check(store, [(777, "com.new")], after: 6)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.numbers(of: bundle("com.old")) == reader.numbers(of: bundle("com.new")))
        #expect(try reader.watchedApp(alsoNamed: bundle("COM.new")) == bundle("com.old"))
        #expect(try reader.resolving(PairFilter(apps: ["com.new"])) == PairFilter(apps: ["com.old"]))
        #expect(try reader.appCard(bundle("com.new"), preferring: nil)?.bundleID == bundle("com.old"))
        #expect(try reader.queries(showing: bundle("com.new")) == [query("timer")])
        for text in ["com.old", "com.new"] { #expect(try reader.directory(matching: text, limit: 9).count == 1) }
        let list = try #require(try reader.list(on: query("timer"), at: start + 86_400))
        #expect(list.isWhole)
        let shown = try reader.apps(list.places.compactMap(\.self), namedIn: nil).values.map(\.bundleID)
        #expect(shown == [bundle("com.old")])
    }

    @Test func `an app's number and a link to it stand for what the watchlist calls it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await check(store, [(777, "com.old"), (888, "com.other")], after: 0)
        try await check(store, [(777, "com.new"), (888, "com.other")], after: 6)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.bundleID(of: AppID(777)) == bundle("com.old"))
        #expect(try reader.bundleID(of: AppID(888)) == bundle("com.other"))
        #expect(try reader.bundleID(of: AppID(999)) == nil)
        #expect(try reader.asOf(start - 1).bundleID(of: AppID(777)) == nil)
        #expect(try reader.asOf(start).bundleID(of: AppID(777)) == bundle("com.old"))
        for name in ["id777", "https://apps.apple.com/de/app/old/id777"] {
            #expect(try reader.resolving(PairFilter(apps: [name])) == PairFilter(apps: ["com.old"]))
        }
        #expect(try reader.resolving(PairFilter(apps: ["id999"])) == PairFilter(apps: ["id999"]))
    }

    @Test func `two numbers of one bundle identifier are one app, whose best place counts`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.x"])]), now: start)
        try await check(store, [(1, "com.x"), (2, "com.b"), (3, "com.x")], after: 0)
        try await check(store, [(3, "com.x"), (2, "com.b")], after: 6)
        try await check(store, [(2, "com.b"), (1, "com.new")], after: 12)
        #expect(try places("com.x", store) == [1, 1, 2])
        let reader = try HistoryReader(path: store.path)
        let numbers = try reader.numbers(of: bundle("com.x"))
        #expect(numbers.count == 2)
        let first = try #require(numbers.min())
        #expect(try reader.otherNumbers(of: [first]) == [first: numbers.subtracting([first])])
        #expect(try await store.findings() == [])
    }

    @Test func `a bundle identifier that was given up and taken up means the one before and the other since`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.x"])]), now: start)
        try await check(store, [(1, "com.a"), (777, "com.x")], after: 0)
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 6)
        try await check(store, [(777, "com.new"), (1, "com.a"), (888, "com.x")], after: 12)
        // It may come back to it until the new one has stayed.
        #expect(try places("com.x", store) == [2, 1, 1])
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 54)
        #expect(try places("com.x", store) == [2, 1, 3, nil])
        #expect(try await store.findings() == [])
        // Whoever is tracked from now on has the same past.
        try await store.adopt(watchlist([(query("timer"), ["com.x", "com.new"])]), now: start + 60 * 3_600)
        try await store.fillIn()
        #expect(try places("com.new", store) == [2, 1, 1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `a place that a list could not tell for certain is filled in once its app is known by the name`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.new"])]), now: start)
        try await check(store, [(1, "com.a"), nil, (777, "com.old")], after: 0)
        #expect(try places("com.new", store) == [])
        try await check(store, [(1, "com.a"), (777, "com.new")], after: 6)
        #expect(try places("com.new", store) == [3, 2])
        #expect(try await store.findings() == [])
    }

    @Test func `a list that is not believed gives no app another name`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await check(store, [(777, "com.old")], after: 0)
        try await store.record(
            Check(
                query: query("timer"), at: start + 3_600, outcome: .suspect(numbered([(777, "com.odd")]), .collapsed)))
        try await check(store, [(777, "com.old")], after: 2)
        #expect(try await store.names() == [])
    }

    @Test func `what a merge says of who took a name up changes whom the name stands for`() async throws {
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        for machine in [store, other] {
            try await machine.adopt(watchlist([(query("timer"), ["com.x"])]), now: start)
        }
        try await check(store, [(1, "com.a"), (777, "com.x")], after: 0)
        for hour in [6, 54, 66] as [Int64] { try await check(store, [(777, "com.new"), (1, "com.a")], after: hour) }
        try await check(other, [(888, "com.x")], after: 60)
        #expect(try places("com.x", store) == [2, 1, 1, 1])
        _ = try await store.importExport(try await other.export(to: folder))
        #expect(try places("com.x", store) == [2, 1, 1, 1, nil])
        #expect(try await store.findings() == [])
    }

    @Test func `pruning one name of an app leaves what its other name tells`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        func check(_ name: String, after hours: Int64) async throws {
            let app = SeenApp(id: AppID(777), bundleID: bundle(name), fingerprint: UInt64(hours)) {
                AppDetails(name: "Habits", rating: 4.5, ratingCount: 100 + hours)
            }
            try await store.record(
                Check(
                    query: query("timer"), at: start + hours * 3_600, outcome: .answered(ResultList(places: [app]))))
        }
        try await check("com.old", after: 0)
        try await check("com.new", after: 30)
        try await store.adopt(watchlist([(query("timer"), ["com.new"])]), now: start + 31 * 3_600)
        try await store.fillIn()
        let plan = try await store.plan(PruneRequest(apps: ["com.old"]))
        #expect(try await store.names(of: plan).calledSo == ["com.old"])
        try await store.prune(plan)
        let ratings = try HistoryReader(path: store.path).ratingDays(of: bundle("com.new"), start.day...start.day + 9)
        #expect(ratings.map(\.ratings) == [100, 130])
        #expect(try places("com.new", store) == [1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `absences that an earlier version took from a place it could not name are taken back`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await check(store, [(1, "com.a"), (777, "com.old")], after: 0)
        // What it kept of an app under another bundle identifier: a place that could not be read, and an absence.
        for hours in [24, 48] as [Int64] {
            try await check(store, [(1, "com.a"), nil], after: hours)
            try await store.write { database in
                try database.execute(
                    literal: """
                        INSERT INTO position (pair, at, check_id, position, within)
                        SELECT pair.id, check_log.at, check_log.id, NULL, 2 FROM pair, check_log
                        WHERE pair.bundle_key = 'com.old' AND check_log.at = \((start + hours * 3_600).secondsSinceEpoch)
                        """)
            }
        }
        #expect(try places("com.old", store) == [2, nil, nil])
        try await store.write { try Setting.misnamedThrough.set(3, in: $0) }
        try await check(store, [(1, "com.a"), (777, "com.new")], after: 72)
        #expect(try places("com.old", store) == [2, 2])
        #expect(try places("com.a", store) == [1, 1, 1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `an absence beside a place of another number stays when the app comes under another name`() async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await check(store, [(777, "com.old"), (1, "com.a")], after: 0)
        let list = ResultList(places: numbered([(1, "com.a"), nil]).places, unnamed: [1: AppID(9)])
        try await store.record(Check(query: query("timer"), at: start + 24 * 3_600, outcome: .answered(list)))
        #expect(try places("com.old", store) == [1, nil])
        try await check(store, [(777, "com.new"), (1, "com.a")], after: 48)
        #expect(try places("com.old", store) == [1, nil, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `an export of an earlier version brings no absence of an app that it knew by one name alone`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await check(store, [(1, "com.a"), (777, "com.old")], after: 0)
        try await check(store, [(1, "com.a"), (777, "com.new")], after: 6)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(query("timer"), ["com.old", "com.a"])]), now: start)
        try await check(other, [(1, "com.a"), nil], after: 12)
        try await other.write { database in
            try database.execute(
                sql: """
                    INSERT INTO position (pair, at, check_id, position, within)
                    SELECT pair.id, check_log.at, check_log.id, NULL, 2 FROM pair, check_log
                    WHERE pair.bundle_key = 'com.old'
                    """)
        }
        let text = try String(contentsOfFile: try await other.export(to: folder), encoding: .utf8)
        let old = text.withoutChecksum.replacing("\"version\":3", with: "\"version\":2", maxReplacements: 1)
        #expect(old.contains("\"version\":2"))
        _ = try await store.importExport(try folder.write(old, to: "old.ndjson"))
        #expect(try places("com.old", store) == [2, 2])
        #expect(try places("com.a", store) == [1, 1, 1])
        #expect(try await store.findings() == [])
    }

    @Test func `what was recorded under an app's old name is there by its new one, though lists were dropped`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        for day in 0..<10 as Range<Int64> { try await check(store, [(1, "com.a"), (777, "com.old")], after: day * 24) }
        for day in 10..<14 as Range<Int64> { try await check(store, [(777, "com.new")], after: day * 24) }
        while try await !store.dropLists(of: 1, before: start + 6 * 86_400, limit: 100).isDone {}
        let reader = try HistoryReader(path: store.path)
        let past = Array(repeating: 2, count: 10) + Array(repeating: 1, count: 4)
        // By either name, whichever of them the watchlist has.
        for name in ["com.old", "com.new"] {
            let checks = try reader.history(of: bundle(name), on: query("timer")).checks
            #expect(checks.map(\.outcome.position?.number) == past)
        }
        try await store.adopt(watchlist([(query("timer"), ["com.new"])]), now: start + 14 * 86_400)
        try await store.fillIn()
        #expect(try places("com.new", store) == past)
        #expect(try reader.standings().first?.worst?.at == start)
        #expect(try await store.findings() == [])
    }

    @Test func `a table that was imported under an app's old name is found by its new one`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await check(store, [(777, "com.old")], after: 0)
        let file = try folder.write(
            "Date,Keyword,Country,Rank,Bundle ID\n2026-10-01,timer,us,7,com.old\n", to: "ranks.csv")
        let options = ForeignTableOptions(
            name: "tool", absent: ForeignTableOptions.marks("empty"), within: 200, country: nil, timeZone: .gmt,
            app: nil)
        _ = try await store.importTable(file, options: options, now: start)
        for hour in [6, 54] as [Int64] { try await check(store, [(777, "com.new")], after: hour) }
        try await store.adopt(watchlist([(query("timer"), ["com.new"])]), now: start + 60 * 3_600)
        let imported = Query(text: "timer", country: query("timer").country, source: .imported("tool"))
        let reader = try HistoryReader(path: store.path)
        #expect(
            try reader.history(of: bundle("com.new"), on: imported).checks.map(\.outcome.position?.number) == [7])
    }

    @Test func `pruning one of two names that have pairs tells the other`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        for (hour, name) in [(0, "com.old"), (6, "com.new"), (54, "com.new")] as [(Int64, String)] {
            try await check(store, [(777, name)], after: hour)
        }
        #expect(try await store.plan(PruneRequest(apps: ["com.new"])).otherNames == [])
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.new"])]), now: start + 60 * 3_600)
        #expect(try await store.plan(PruneRequest(apps: ["com.new"])).otherNames == ["com.old"])
        #expect(try await store.plan(PruneRequest(apps: ["com.old", "com.new"])).otherNames == [])
    }

    @Test func `numbers that share names are one app, and one that took up a name that was given up is another`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.x"])]), now: start)
        try await check(store, [(1, "com.x"), (2, "com.x"), (3, "com.y"), (777, "com.old")], after: 0)
        for hour in [60, 108] as [Int64] {
            try await check(store, [(1, "com.x"), (2, "com.y"), (3, "com.y"), (777, "com.new")], after: hour)
        }
        try await check(store, [(888, "com.old")], after: 114)
        let reader = try HistoryReader(path: store.path)
        let list = try #require(try reader.list(on: query("timer"), at: start + 108 * 3_600))
        let numbers = list.places.compactMap(\.self)
        let one = Set(numbers.prefix(3))
        #expect(
            try reader.otherNumbers(of: Set(numbers))
                == Dictionary(uniqueKeysWithValues: one.map { ($0, one.subtracting([$0])) }))
        let later = try #require(try reader.list(on: query("timer"), at: start + 114 * 3_600))
        #expect(try reader.otherNumbers(of: Set(later.places.compactMap(\.self))) == [:])
        #expect(try await store.findings() == [])
    }

    @Test func `an export keeps the names, and a narrowed reader sees them of its own apps alone`() async throws {
        var plan = watchlist([(query("timer"), ["com.old"]), (query("clock"), ["com.other"])])
        plan.queries[0].pairs[0].tags = ["me"]
        try await store.adopt(plan, now: start)
        for (hour, names) in [
            (0, ("com.old", "com.other")), (6, ("com.new", "com.another")), (54, ("com.new", "com.another")),
            (60, ("com.newest", "com.else")),
        ] as [(Int64, (String, String))] {
            try await check(store, [(777, names.0)], after: hour)
            try await check(store, [(888, names.1)], after: hour, on: "clock")
        }
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(try await store.export(to: folder))
        #expect(try await other.names() == store.names())
        #expect(try await other.findings() == [])
        let narrowed = try HistoryReader(path: store.path).narrowed(to: ["me"])
        #expect(
            try narrowed.bundleChanges(since: start, until: start + 9 * 86_400).map(\.to) == [bundle("com.new")])
        #expect(try narrowed.numbers(of: bundle("com.another")).isEmpty)
    }

    /// Each app is a number whose names are drawn anew now and then; where it truly stood is known to the test alone.
    @Test(arguments: 0..<12)
    func `whatever machine saw an app change its name when, its places are its own`(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        let apps: [Int64] = [1, 2, 3, 4, 5]
        var versions = Dictionary(uniqueKeysWithValues: apps.map { ($0, 0) })
        func name(_ app: Int64, _ version: Int) -> String { "com.app\(app).v\(version)" }
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        let words = query("timer")
        var truth: [Int64: [Int64]] = [:]
        for (index, store) in [store, other].enumerated() {
            try await store.adopt(
                watchlist([(words, [name(1, index), name(2, 0), name(3, 1)])]), now: start + Int64(index))
        }
        for step in 1..<60 as Range<Int64> {
            if dice.next() % 7 == 0, let app = apps.randomElement(using: &dice) { versions[app, default: 0] += 1 }
            let shown = Array(apps.shuffled(using: &dice).prefix(.random(in: 3...5, using: &dice)))
            let machine = dice.next() % 3 == 0 ? other : store
            let at = start + step * 6 * 3_600
            truth[at.secondsSinceEpoch] = shown
            let entries = shown.map { app in
                // An older name from a cache.
                (app, name(app, max(0, (versions[app] ?? 0) - (dice.next() % 5 == 0 ? 1 : 0))))
            }
            let isSuspect = dice.next() % 9 == 0
            try await machine.record(
                Check(
                    query: words, at: at,
                    outcome: isSuspect ? .suspect(numbered(entries), .badDay) : .answered(numbered(entries))))
            if dice.next() % 12 == 0 {
                let more = [name(4, 0), name(5, Int.random(in: 0...2, using: &dice))]
                try await machine.adopt(
                    watchlist([(words, [name(1, 0), name(2, 0), name(3, 1)] + more)]), now: at + 60)
            }
            if dice.next() % 11 == 0 { try await machine.compact(before: at, limit: 7) }
            if dice.next() % 8 == 0 { try await machine.fillIn() }
        }
        _ = try await other.importExport(try await store.export(to: folder))
        _ = try await store.importExport(try await other.export(to: folder))
        try await store.fillIn()
        try await other.fillIn()
        #expect(try await store.names() == other.names())
        for machine in [store, other] {
            #expect(try await machine.findings() == [])
            let reader = try HistoryReader(path: machine.path)
            for app in apps {
                for version in 0...(versions[app] ?? 0) {
                    for reading in try reader.readings(of: bundle(name(app, version)), on: words) {
                        let place = truth[reading.checkedAt.secondsSinceEpoch]?.firstIndex(of: app).map { $0 + 1 }
                        // Before anybody met it, a name could stand for no app.
                        let isNamed = try reader.numbers(of: bundle(name(app, version))).count == 1
                        if isNamed { #expect(reading.position?.number == place, "\(name(app, version)) \(reading)") }
                    }
                }
            }
        }
    }
}

extension HistoryStore {
    /// What stands in `bundle_name`, by Apple's number, and the present names.
    func names() async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT app_id || ' ' || bundle_name.bundle_id || ' ' || ifnull(bundle_name.bundle_key, '-') || ' ' || from_at
                        || ' ' || ifnull(stayed_at, '-') || ' ' || ifnull(until_at, '-') || ' ' || app.bundle_id
                    FROM bundle_name JOIN app ON app.id = bundle_name.app ORDER BY app_id, ordinal
                    """)
        }
    }
}
