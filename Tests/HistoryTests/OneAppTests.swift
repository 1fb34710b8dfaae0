import RankKit
import TestSupport
import Testing

@testable import History

/// Bundle identifiers that are one app's: an app was transferred, and its new one was added beside the old one.
@Suite struct OneAppTests {
    private let stage: NamesStage

    init() throws { stage = try NamesStage() }

    private func adopt() async throws {
        try await stage.store.adopt(
            watchlist([(query("timer"), ["com.old", "com.new", "com.a"])]), now: stage.start)
    }

    /// Number 777 is com.old in the first three days, then com.new.
    private func transfer() async throws {
        for day in 0..<6 as Range<Int64> {
            try await stage.check([(1, "com.a"), (777, day < 3 ? "com.old" : "com.new")], after: day * 24)
        }
        try await stage.store.fillIn()
    }

    @Test func `which names are of one app is known with the day of the newer one`() async throws {
        try await adopt()
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

    @Test func `names that share one number of several are one app's`() async throws {
        try await adopt()
        for day in 0..<6 as Range<Int64> {
            try await stage.check(
                [(1, "com.a"), (777, day < 3 ? "com.old" : "com.new"), (888, "com.old")], after: day * 24)
        }
        try await stage.store.fillIn()
        #expect(try stage.reader.appsNamedTwice().map(\.names) == [[bundle("com.old"), bundle("com.new")]])
    }

    @Test(arguments: [
        ["com.one", "com.two", "com.both"], ["com.both", "com.two", "com.one"], ["com.two", "com.both", "com.one"],
    ]) func `a name of two numbers makes one app of all that had either of them`(names: [String]) async throws {
        try await stage.store.adopt(watchlist([(query("timer"), names + ["com.a"])]), now: stage.start)
        for day in 0..<6 as Range<Int64> {
            let (first, second) = day < 3 ? ("com.one", "com.two") : ("com.both", "com.both")
            try await stage.check([(1, "com.a"), (777, first), (888, second)], after: day * 24)
        }
        try await stage.store.fillIn()
        let reader = try stage.reader
        let apps = try reader.appsNamedTwice()
        #expect(apps.map(\.names) == [names.map(bundle)])
        #expect(apps.map(\.present) == [bundle("com.both")])
        for name in names {
            let others = names.filter { $0 != name }
            let app = try reader.app(of: bundle(name), among: others.map(bundle))
            #expect(app.map { Set($0.names) } == Set(names.map(bundle)), "\(name)")
        }
        // Without the name that joins them, they are two apps.
        #expect(try reader.oneApps(of: [bundle("com.one"), bundle("com.two")]).isEmpty)
    }
}
