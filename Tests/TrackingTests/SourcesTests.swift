import AppStore
import Foundation
import GRDB
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History
@testable import Tracking

/// Two sources, each asked at its own pace and in passes of its own.
@Suite(.timeLimit(.minutes(30))) struct SourcesTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let webTimer = query("timer", source: .web)

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
        store.announceLookups { _ in .answered(list([])) }
    }

    private func pass<C: Clock<Duration>>(
        _ clock: C, perMinute: Int = 100_000, lookups: Bool = true, now: @escaping @Sendable () -> Timestamp
    ) -> TrackingPass<C> {
        TrackingPass(
            lane: store.store.searches(perMinute: perMinute, clock: clock, now: now),
            others: [.web: store.store.searches(of: .web, perMinute: perMinute, clock: clock, now: now)],
            lookups: lookups ? store.store.lookups(perMinute: perMinute, clock: clock, now: now) : nil,
            history: history, parallelism: 2)
    }

    private func pass(lookups: Bool = true) -> TrackingPass<InstantClock> {
        pass(InstantClock(), lookups: lookups, now: { [start] in start })
    }

    /// The pass over one source's queries.
    private func web(_ pass: TrackingPass<InstantClock>) throws -> TrackingPass<InstantClock> {
        try #require(pass.of(.web))
    }

    /// What the page shows: names of the first, and of the rest numbers alone.
    private func page(_ named: [String], numbers: [String]) -> ResultList {
        let places = list(named).places
        let unnamed = numbers.enumerated().compactMap { index, name in
            list([name]).places[0]?.id.map { (named.count + index, $0) }
        }
        return ResultList(
            places: places + numbers.map { _ in nil }, unnamed: Dictionary(unnamed, uniquingKeysWith: { one, _ in one })
        )
    }

    private func apps(_ range: Range<Int>) -> [String] { range.map { "com.app\($0)" } }

    private func checks(of source: Source) async throws -> Int {
        try await history.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM check_log JOIN query ON query.id = check_log.query WHERE source = ?",
                arguments: [source.rawValue]) ?? 0
        }
    }

    // MARK: The service

    /// A service beside `body`, on a clock that stands still between two sleeps of both loops.
    private func running(
        _ plan: Watchlist, _ body: (CurrentPlan, _ minutes: (Int) async -> Void) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let wall = WallClock(start, clock)
        try await history.adopt(plan, now: start)
        let current = CurrentPlan(plan)
        let service = TrackingService(
            plan: current, pass: pass(clock, lookups: false, now: { wall.now }),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await service.run() }
        try await body(current) { minutes in
            for _ in 0..<minutes {
                await clock.sleepers(2)
                clock.advance(by: .seconds(60))
            }
            await clock.sleepers(2)
        }
        task.cancel()
        try await task.value
    }

    private func both(every seconds: Int64 = 3_600) -> Watchlist {
        watchlist([(timer, ["com.a"]), (webTimer, ["com.a"])], every: seconds)
    }

    @Test func `each source is asked for the same words, slot by slot`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(webTimer, .answered(whole(["com.b", "com.a"])))
        try await running(both()) { _, minutes async throws in
            await minutes(61)
            #expect(try await checks(of: .itunes) == 2)
            #expect(try await checks(of: .web) == 2)
        }
        let standings = try HistoryReader(path: history.path).standings()
        #expect(standings.map(\.outcome.position?.number) == [1, 2])
    }

    @Test func `a throttle of one source leaves the other asking`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(webTimer, .throttled(status: 403))
        try await running(both(every: 900)) { _, minutes async throws in
            await minutes(46)
            #expect(try await checks(of: .itunes) == 4)
            #expect(try await checks(of: .web) == 0)
        }
        #expect(try await history.health(of: .search(at: "fake")).pause == nil)
        #expect(try await history.health(of: .search(.web, at: "fake")).pause == .throttled)
        #expect(try HistoryReader(path: history.path).standings().last?.outcome.state == .pending)
    }

    @Test func `a source that the watchlist no longer names is not asked any more, and the other is`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(webTimer, .answered(whole(["com.a"])))
        try await running(both(every: 900)) { plan, minutes async throws in
            await minutes(1)
            let fewer = watchlist([(timer, ["com.a"])], every: 900)
            try await history.adopt(fewer, now: start + 60)
            await plan.replace(with: fewer)
            await minutes(30)
            #expect(try await checks(of: .itunes) == 3)
            #expect(try await checks(of: .web) == 1)
        }
    }

    @Test func `with once both are asked, and the result is of both`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(webTimer, .failed(Failure(.changedPage, "no list")))
        let plan = both()
        try await history.adopt(plan, now: start)
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var told: [String] = []
        let result = try await service.runOnce { event in
            switch event {
            case .began(let due, let source): told.append("\(source.rawValue) began \(due)")
            case .recorded(let check):
                told.append("\(check.query.source.rawValue) \(check.failure == nil ? "good" : "failed")")
            case .ended(let result, let source, _): told.append("\(source.rawValue) ended \(result.asked)")
            default: break
            }
        }
        #expect(result?.succeeded == 1 && result?.failed == 1 && result?.due == 2)
        #expect(told.filter { $0.hasPrefix("itunes") } == ["itunes began 1", "itunes good", "itunes ended 1"])
        #expect(told.filter { $0.hasPrefix("web") } == ["web began 1", "web failed", "web ended 1"])
    }

    @Test func `a history that can no longer be written ends the service, whichever source finds it out`() async throws
    {
        let plan = watchlist([(webTimer, ["com.a"])], every: 3_600)
        let clock = ManualClock()
        try await history.adopt(plan, now: start)
        store.announce(webTimer, .answered(whole(["com.a"])))
        // No program writes such a row: the file is damaged.
        try await history.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON check_log
                    BEGIN INSERT INTO check_log (query, at, outcome) VALUES (-1, 0, 'odd'); END
                    """)
        }
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(clock, lookups: false, now: { [start] in start }),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await #expect(throws: HistoryError.self) { try await service.run() }
    }

    @Test func `a lane that no query wants tells nothing, and a rest is a rest as before`() async throws {
        let clock = ManualClock()
        let plan = watchlist([(timer, ["com.a"])], every: 3_600)
        try await history.adopt(plan, now: start)
        try await history.record(Check(query: timer, at: start, outcome: .answered(whole(["com.b"]))))
        let main = TrackingService(
            plan: CurrentPlan(plan), pass: pass(clock, now: { [start] in start + 60 }),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for service in [main] + main.others {
            let told = Told()
            let turn = Task { [history] in
                var memory = service.memory(.untilStopped) { _ in told.note() }
                (memory.edition, memory.newest) = (0, start + 60)
                let app = StorefrontApp(bundle("com.a"), in: timer.country)
                memory.unseen = UnseenApps(apps: [app: AppPresence(foundAt: start)], readAt: start)
                try await service.turn(&memory)
                #expect(try await history.openPasses().isEmpty)
                return (memory.unseen.passesHeldUp, memory.unseen.readAt)
            }
            await clock.sleepers(1)
            clock.advance(by: .seconds(60))
            let (heldUp, readAt) = try await turn.value
            #expect(heldUp == 0)
            #expect(readAt == start)
            // What still waits is told by the usual source's loop.
            #expect(told.count == (service.isMain ? 1 : 0))
        }
    }

    private final class Told: Sendable {
        private let events = Mutex(0)
        var count: Int { events.withLock { $0 } }

        func note() { events.withLock { $0 += 1 } }
    }

    // MARK: Passes

    @Test func `the usual source's loop leaves the other's pass alone that is under way`() async throws {
        try await history.adopt(both(), now: start)
        let held = PassID(of: .web, number: 1)
        _ = try await history.apply(
            .answer(
                SearchAnswer(to: webTimer, at: start, clock: start, asking: .first(held), reply: .list(list(["com.b"])))
            ))
        let pass = pass()
        #expect(try await pass.recorder.takeUp(asOf: start + 7_200).isEmpty)
        #expect(try await history.openPasses() == [held])
        // Its own loop settles what is too old to be asked again.
        #expect(try await pass.recorder.takeUp(.web, asOf: start + 7_200).count == 1)
        #expect(try await history.openPasses().isEmpty)
    }

    @Test func `what waited of two passes is counted in each`() async throws {
        let (first, second) = (query("one"), query("two", source: .web))
        let plan = watchlist([(first, ["com.a"]), (second, ["com.a"])])
        try await history.adopt(plan, now: start)
        let pass = pass()
        let (one, two) = (
            try await pass.recorder.begin(passOf: .itunes, at: start, due: [first]),
            try await pass.recorder.begin(passOf: .web, at: start, due: [second])
        )
        // A list that needs pages which a full file does not have.
        let large = list(apps(0..<400) + ["com.a"])
        func entry(_ query: Query, _ begun: Recorder<InstantClock>.Begun) -> Entry {
            .answer(
                SearchAnswer(
                    to: query, at: start, clock: start, asking: .first(begun.pass), reply: .list(large)))
        }
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        for (query, begun) in [(first, one), (second, two)] {
            let recorded = try await pass.recorder.record(entry(query, begun))
            #expect(recorded.events.contains { if case .waits = $0 { true } else { false } })
        }
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        // The end of the first finds room, and records what waits of both.
        let result = PassResult(startedAt: start, finishedAt: start, due: 1, requests: 1)
        let ended = try await pass.recorder.record(.pass(.ended(one.pass, at: start, result)))
        #expect(ended.pass?.succeeded == 1)
        let other = try await pass.recorder.record(.pass(.ended(two.pass, at: start, result)))
        #expect(other.pass?.succeeded == 1)
        #expect(try await checks(of: .itunes) == 1)
        #expect(try await checks(of: .web) == 1)
    }

    @Test func `what another source's loop records of a pass under way is counted at its end`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let pass = pass()
        let begun = try await pass.recorder.begin(passOf: .itunes, at: start, due: [timer])
        let large = list(apps(0..<400) + ["com.a"])
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        _ = try await pass.recorder.record(
            .answer(
                SearchAnswer(to: timer, at: start, clock: start, asking: .first(begun.pass), reply: .list(large))))
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        #expect(try await pass.recorder.land(isLastChance: true).count == 2)
        let result = PassResult(startedAt: start, finishedAt: start, due: 1, requests: 1)
        #expect(try await pass.recorder.record(.pass(.ended(begun.pass, at: start, result))).pass?.succeeded == 1)
    }

    @Test func `with once a killed pass is settled although its source left the watchlist`() async throws {
        try await history.adopt(both(), now: start - 7_200)
        let held = SearchAnswer(
            to: webTimer, at: start - 7_200, clock: start - 7_200, asking: .first(PassID(of: .web, number: 1)),
            reply: .list(list(["com.b"])))
        _ = try await history.apply(.answer(held))
        let plan = watchlist([(timer, ["com.a"])])
        try await history.adopt(plan, now: start)
        store.announce(timer, .answered(whole(["com.a"])))
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(try await service.runOnce { _ in }?.succeeded == 1)
        #expect(try await history.openPasses().isEmpty)
        #expect(try await checks(of: .web) == 1)
    }

    @Test func `with once a history that takes nothing of one source breaks off no other`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(webTimer, .answered(whole(["com.a"])))
        let plan = both()
        try await history.adopt(plan, now: start)
        try await history.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON check_log
                    WHEN (SELECT source FROM query WHERE id = NEW.query) = 'web'
                    BEGIN INSERT INTO check_log (query, at, outcome) VALUES (-1, 0, 'odd'); END
                    """)
        }
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await #expect(throws: HistoryError.self) { _ = try await service.runOnce { _ in } }
        #expect(try await checks(of: .itunes) == 1)
    }

    // MARK: Places of which a page tells the number alone

    @Test func `numbers that the history does not know are looked up, 50 a request, and once`() async throws {
        let names = apps(0..<130)
        store.announceLookups { batch in .answered(list(batch.bundleIDs.map(\.text))) }
        for name in names { store.name(name) }
        try await history.adopt(watchlist([(webTimer, ["com.app100"])]), now: start)
        store.announce(webTimer, .answered(page(Array(names.prefix(12)), numbers: Array(names.dropFirst(12)))))
        let pass = try web(pass())
        for _ in 0..<2 {
            #expect(
                try await pass.run([ScheduledQuery(query: webTimer, cadences: [.every(seconds: 3_600)])]).succeeded == 1
            )
        }
        #expect(store.lookedUp.map { $0.ids.count }.filter { $0 > 0 } == [50, 50, 30])
        #expect(try HistoryReader(path: history.path).standings()[0].outcome.position?.number == 101)
    }

    @Test func `a number that no look-up finds keeps its place, and is not looked up again`() async throws {
        let names = apps(0..<40)
        // The first of those that the page does not name was removed.
        for name in names { store.name(name) }
        store.announceLookups { batch in
            .answered(list(batch.bundleIDs.map(\.text).filter { $0 != "com.app12" }))
        }
        try await history.adopt(watchlist([(webTimer, ["com.app13", "com.gone"])]), now: start)
        store.announce(webTimer, .answered(page(Array(names.prefix(12)), numbers: Array(names.dropFirst(12)))))
        let pass = try web(pass())
        let due = [ScheduledQuery(query: webTimer, cadences: [.every(seconds: 3_600)])]
        for _ in 0..<2 { _ = try await pass.run(due) }
        #expect(store.lookedUp.count { $0.ids.count == 40 } == 1)
        #expect(
            store.lookedUp.allSatisfy {
                !$0.ids.isEmpty || $0.bundleIDs == [bundle("com.gone")] || $0.bundleIDs.count == 2
            })
        let outcomes = try HistoryReader(path: history.path).standings().map(\.outcome)
        #expect(outcomes[0].position?.number == 14)
        // Whether it is the removed one nobody knows.
        #expect(outcomes[1].state == .failed)
    }

    @Test func `without a look-up a place is told where the number is known, and no absence where it is not`()
        async throws
    {
        let names = apps(0..<40)
        try await history.adopt(
            watchlist([(timer, ["com.app30"]), (webTimer, ["com.app30", "com.app35"])]), now: start)
        try await history.record(
            Check(query: timer, at: start - 3_600, outcome: .answered(list(apps(20..<35)))))
        store.announceLookups { _ in .failed(Failure(.timedOut, "30 s")) }
        store.announce(webTimer, .answered(page(Array(names.prefix(12)), numbers: Array(names.dropFirst(12)))))
        let pass = try web(pass())
        _ = try await pass.run([ScheduledQuery(query: webTimer, cadences: [.every(seconds: 3_600)])])
        let outcomes = try HistoryReader(path: history.path).standings().filter { $0.query.source == .web }.map(
            \.outcome)
        #expect(outcomes[0].position?.number == 31)
        #expect(outcomes[1].state == .failed)
    }

    @Test func `an app whose first list was held gets its listing from a later look-up`() async throws {
        let wall = WallClock(start, ManualClock())
        try await history.adopt(watchlist([(webTimer, ["com.app1"])]), now: start)
        for name in apps(0..<60) { store.name(name) }
        store.announceLookups { batch in .answered(list(batch.bundleIDs.map(\.text))) }
        let pass = try web(pass(InstantClock(), now: { wall.now }))
        let due = [ScheduledQuery(query: webTimer, cadences: [.every(seconds: 3_600)])]
        // Too short to be believed of a new query: it is asked for again, and kept without what look-ups told.
        store.announce(webTimer, .answered(page([], numbers: apps(0..<3))))
        #expect(try await pass.run(due).suspect == 1)
        wall.set(by: 7_200)
        store.announce(webTimer, .answered(page([], numbers: apps(0..<60))))
        #expect(try await pass.run(due).succeeded == 1)
        #expect(try await listings().count { $0.hasPrefix("listing ") } == 60)
    }

    @Test func `what the page tells of ratings and icons is no change of a listing`() async throws {
        let told = AppDetails(name: "A", rating: 4.4896, ratingCount: 2_413, iconURL: "https://example.com/512.png")
        let shown = AppDetails(name: "A", rating: 4.5, ratingCount: 2_400, iconURL: "https://example.com/246.webp")
        let plan = both()
        try await history.adopt(plan, now: start)
        let filler = whole(["com.a"]).places.compactMap { $0?.bundleID.text }
        try await history.record(
            Check(query: timer, at: start - 3_600, outcome: .answered(list(filler) { _ in told })))
        let before = try await listings()
        store.announce(webTimer, .answered(list(filler) { _ in shown }))
        let pass = try web(pass())
        #expect(
            try await pass.run([ScheduledQuery(query: webTimer, cadences: [.every(seconds: 3_600)])]).succeeded == 1)
        #expect(try await listings() == before)
        #expect(store.lookedUp.isEmpty)
    }

    private func listings() async throws -> [String] {
        try await history.read { database in
            try ["listing", "listing_change", "sighting", "rating_day"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }
}
