import AppStore
import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

/// The timer, as far as look-ups go.
@Suite(.timeLimit(.minutes(30))) struct ServiceLookupTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = ManualClock()
    private let wall: WallClock
    private let start = time("2026-11-01T00:00:00Z")
    private let lines = Lines()
    private let searches = Moments()
    private let lookups = Moments()

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
        wall = WallClock(start, clock)
    }

    /// Runs a service beside `body`, and ends it.
    private func running(
        _ plan: Watchlist, lookupsPerMinute: Int = 100_000, _ body: () async throws -> Void
    ) async throws {
        let now: @Sendable () -> Timestamp = { [wall] in wall.now }
        try await history.adopt(plan, now: now())
        let asked = AppStore(
            search: { [store, searches] in
                searches.add(now())
                return try await store.store.search($0)
            },
            lookup: { [store, lookups] in
                lookups.add(now())
                return try await store.store.lookup($0)
            })
        let pass = TrackingPass(
            lane: asked.searches(perMinute: 100_000, clock: clock, now: now),
            lookups: asked.lookups(perMinute: lookupsPerMinute, clock: clock, now: now), history: history,
            parallelism: 1)
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass, log: Logger(label: "test") { [lines] _ in lines })
        let task = Task { try await service.run() }
        try await body()
        task.cancel()
        try await task.value
    }

    /// Lets minutes go by, in leaps of so many, each once something sleeps, until `isReached`.
    ///
    /// A look-up sleeps beside itself until the next search is due: the time may go on to then while one is under way.
    private func minutes(_ limit: Int, leap: Int = 1, until isReached: () -> Bool = { false }) async -> Bool {
        for _ in 0..<limit / leap {
            await clock.sleepers(1)
            if isReached() { return true }
            wall.leap(Int64(leap) * 60)
        }
        await clock.sleepers(1)
        return isReached()
    }

    @Test func `what no list has shown is looked up after the pass, and again a day later`() async throws {
        store.announce(query("timer"), .answered(whole(["com.a"])))
        store.sells("com.b")
        let names = ["com.a", "com.b", "com.tpyo"]
        try await running(watchlist([(query("timer"), names)], every: 21_600)) { () async throws in
            try #require(await minutes(5 * 1_440, until: { !lines.warnings.isEmpty }))
            #expect(lines.warnings == ["the App Store of us does not sell com.tpyo: check the bundleId for a typo"])
            #expect(store.lookedUp.map { $0.bundleIDs.map(\.text) } == [["com.b", "com.tpyo"], ["com.tpyo"]])
            #expect(lookups.all[1] - lookups.all[0] >= 86_400)
            // It turns up in a list.
            store.announce(query("timer"), .answered(whole(["com.tpyo"])))
            #expect(await minutes(5 * 1_440, until: { !lines.notices.isEmpty }))
            #expect(lines.notices == ["the App Store of us sells com.tpyo after all"])
            #expect(try await history.unseenApps().isEmpty)
            #expect(store.lookedUp.count == 2)
        }
    }

    @Test func `an app that leaves the watchlist during a pass is not said to be sold after all`() async throws {
        let both = watchlist([(query("timer"), ["com.a", "com.tpyo"])])
        store.announce(query("timer"), .answered(whole(["com.a"])))
        store.sells("com.a")
        try await history.adopt(both, now: start - 3 * 86_400)
        let typo = StorefrontApp(bundle("com.tpyo"), in: query("timer").country)
        for hours in [48, 12] as [Int64] {
            _ = try await history.record([typo: .empty], at: start - hours * 3_600)
        }
        store.hold()
        try await running(both) { () async throws in
            await store.requests(1)
            try await history.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
            store.release()
            await clock.sleepers(1)
            #expect(lines.notices.isEmpty)
        }
    }

    @Test func `no search waits for look-ups, and look-ups go on after it`() async throws {
        let names = (0..<120).map { "com.app\($0)" }
        store.announce(query("timer"), .answered(whole([])))
        store.announceLookups { .answered(list($0.bundleIDs.map(\.text))) }
        // A search each four minutes, a look-up a minute at most.
        let plan = watchlist([(query("timer"), names)], every: 240)
        try await running(plan, lookupsPerMinute: 1) { () async throws in
            #expect(await minutes(300, until: { searches.all.count >= 12 }))
            #expect(searches.all.map { ($0 - start) / 240 } == Array(0..<12))
            #expect(searches.all.allSatisfy { ($0 - start) % 240 <= 120 })
            #expect(store.lookedUp.allSatisfy { $0.bundleIDs.count <= 50 })
            #expect(try await history.unseenApps().isEmpty)
        }
    }

    @Test func `searches that are always due do not keep look-ups from their turn`() async throws {
        let queries = (0..<3).map { query("q\($0)") }
        for query in queries { store.announce(query, .answered(whole([]))) }
        store.sells("com.a", "com.b")
        // Each second all three are due, and a pass takes longer than that where each minute is one step.
        try await running(watchlist(queries.map { ($0, ["com.a", "com.b"]) }, every: 1)) { () async throws in
            #expect(await minutes(120, until: { !store.lookedUp.isEmpty }))
        }
        #expect(try await history.unseenApps().isEmpty)
    }

    @Test func `look-ups go on while searches are paused`() async throws {
        store.announce(query("timer"), .throttled(status: 403))
        store.sells("com.a", "com.b")
        try await running(watchlist([(query("timer"), ["com.a", "com.b"])])) { () async throws in
            #expect(await minutes(30, until: { !store.lookedUp.isEmpty }))
        }
        #expect(try await history.health(of: .search(at: "fake")).pause == .throttled)
    }

    @Test func `an offline machine is asked about nothing`() async throws {
        let queries = (0..<6).map { query("q\($0)") }
        for query in queries { store.announce(query, .failed(Failure(.nameNotFound))) }
        store.sells()
        try await running(watchlist(queries.map { ($0, ["com.a", "com.b"]) })) { () async throws in
            #expect(await minutes(30, until: { store.asked.count >= 7 }))
            #expect(store.lookedUp.isEmpty)
        }
    }

    @Test func `look-ups that fail are left for 15 minutes, then for 30`() async throws {
        store.announce(query("timer"), .answered(whole([])))
        store.announceLookups { _ in .failed(Failure(.notJSON)) }
        try await running(watchlist([(query("timer"), ["com.a", "com.b"])], every: 3_600)) { () async throws in
            try #require(await minutes(4_320, leap: 15, until: { lookups.all.count >= 3 }))
            #expect(lookups.all[1] - lookups.all[0] >= 900)
            #expect(lookups.all[2] - lookups.all[1] >= 1_800)
            #expect(lines.warnings.isEmpty && lines.notices.isEmpty)
        }
    }
}

/// When something happened.
private final class Moments: Sendable {
    private let moments = Mutex<[Timestamp]>([])

    var all: [Timestamp] { moments.withLock { $0 } }

    func add(_ moment: Timestamp) { moments.withLock { $0.append(moment) } }
}

/// A log that keeps its warnings and notices.
private struct Lines: LogHandler {
    private let kept = Kept()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    private final class Kept: Sendable {
        let lines = Mutex<[(Logger.Level, String)]>([])
    }

    var warnings: [String] { of(.warning) }
    var notices: [String] { of(.notice) }

    private func of(_ level: Logger.Level) -> [String] {
        kept.lines.withLock { $0.filter { $0.0 == level }.map(\.1) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        kept.lines.withLock { $0.append((event.level, event.message.description)) }
    }
}
