import AppStore
import Foundation
import GRDB
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import History

@Suite(.timeLimit(.minutes(30))) struct TrackingServiceTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock: ManualClock
    private let wall: WallClock
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
        clock = ManualClock()
        wall = WallClock(start, clock)
        store.announce(timer, .answered(whole(["com.a"])))
    }

    private func service(
        _ plan: CurrentPlan, watchdog: Duration? = nil,
        report: @escaping @Sendable (TrackingService<ManualClock>.State) -> Void = { _ in }
    ) async throws -> TrackingService<ManualClock> {
        try await history.adopt(await plan.current.watchlist, now: wall.now)
        return TrackingService(
            plan: plan, pass: pass(of: history), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            watchdog: watchdog, report: report)
    }

    private func pass(of history: HistoryStore) -> TrackingPass<ManualClock> {
        TrackingPass(
            lane: store.store.searches(perMinute: 100_000, clock: clock, now: { [wall] in wall.now }),
            history: history, parallelism: 1)
    }

    /// Runs a service beside `body`, and ends it.
    private func running(_ plan: Watchlist, _ body: (CurrentPlan) async throws -> Void) async throws {
        let current = CurrentPlan(plan)
        let service = try await service(current)
        let task = Task { try await service.run() }
        try await body(current)
        task.cancel()
        try await task.value
    }

    /// Lets minutes go by, one at a time, each once the loop has gone to sleep.
    private func pass(minutes: Int) async {
        for _ in 0..<minutes {
            await clock.sleepers(1)
            clock.advance(by: .seconds(60))
        }
        await clock.sleepers(1)
    }

    /// Lets hours go by in leaps of one.
    private func leap(hours: Int) async {
        for _ in 0..<hours {
            await clock.sleepers(1)
            wall.leap(3_600)
        }
        await clock.sleepers(1)
    }

    private func checks() throws -> [Timestamp] {
        let record = try HistoryReader(path: history.path).serviceRecord(now: wall.now)
        return record.queries.compactMap(\.attempts.lastGood)
    }

    @Test func `a new query is asked at once, and again when its next slot begins`() async throws {
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 59)
            #expect(store.asked.count == 1)
            await pass(minutes: 1)
            #expect(store.asked.count == 2)
            #expect(try checks() == [start + 3_600])
        }
    }

    @Test func `a service that rests leaves a sign of life every quarter of an hour`() async throws {
        try await history.noteServiceStart(at: start)
        try await running(watchlist([(timer, ["com.a"])], every: 86_400)) { _ async throws in
            await pass(minutes: 17)
            let service = try HistoryReader(path: history.path).serviceRecord(now: wall.now).service
            #expect(service.since == start)
            #expect(service.seenAt.map { (start + 900...start + 960).contains($0) } == true)
        }
    }

    @Test func `slots do not drift with the time that answers take`() async throws {
        wall.set(start + 1_234)
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 60 * 5)
            #expect(store.asked.count == 6)
            let last = try #require(try checks().first)
            #expect((last - start) % 3_600 < 60)
        }
    }

    @Test func `hours of downtime are caught up with one check`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])], every: 3_600), now: start)
        try await history.record(Check(query: timer, at: start, outcome: .answered(whole(["com.a"]))))
        wall.set(start + 10 * 3_600 + 5)
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 30)
            #expect(store.asked.count == 1)
        }
    }

    @Test func `a restart within a slot asks nothing`() async throws {
        let plan = watchlist([(timer, ["com.a"])], every: 3_600)
        try await running(plan) { _ async throws in await pass(minutes: 5) }
        try await running(plan) { _ async throws in await pass(minutes: 5) }
        #expect(store.asked.count == 1)
    }

    @Test func `a failed query is tried again after five minutes, then ten`() async throws {
        store.announce(timer, .failed(Failure(.notJSON)))
        try await running(watchlist([(timer, ["com.a"])], every: 86_400)) { _ async throws in
            await pass(minutes: 4)
            #expect(store.asked.count == 1)
            await pass(minutes: 2)
            #expect(store.asked.count == 2)
            await pass(minutes: 8)
            #expect(store.asked.count == 2)
            await pass(minutes: 3)
            #expect(store.asked.count == 3)
        }
    }

    @Test func `a throttled query is left alone for a minute and then asked again`() async throws {
        store.announce(timer, .throttled(status: 403), .answered(whole(["com.a"])))
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 0)
            #expect(store.asked.count == 1)
            await pass(minutes: 2)
            #expect(store.asked.count == 2)
            #expect(try checks().count == 1)
        }
    }

    @Test func `pauses double while the throttle lasts, and outlive a restart`() async throws {
        store.announce(timer, .throttled(status: 403))
        let plan = watchlist([(timer, ["com.a"])], every: 3_600)
        try await running(plan) { _ async throws in
            await pass(minutes: 10)
            // At 0, after 1, and after 2 more; the next would be after 4 more.
            #expect((3...4).contains(store.asked.count))
        }
        let asked = store.asked.count
        let health = try HistoryReader(path: history.path).health(of: .search(at: "fake"))
        #expect(health.pause == .throttled)
        #expect(health.pausesInARow == asked)
    }

    @Test func `a clock that is set back an hour repeats no stored slot`() async throws {
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 61)
            #expect(store.asked.count == 2)
            wall.set(start + 30 * 60)
            await pass(minutes: 29)
            #expect(store.asked.count == 2)
        }
    }

    @Test func `a clock that is set forward a day asks once`() async throws {
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            await pass(minutes: 1)
            wall.set(start + 86_400 + 100)
            await pass(minutes: 5)
            #expect(store.asked.count == 2)
        }
    }

    @Test func `a new watchlist takes effect at once and repeats nothing`() async throws {
        let clockQuery = query("clock")
        store.announce(clockQuery, .answered(whole([])))
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { current async throws in
            await pass(minutes: 1)
            let both = watchlist([(timer, ["com.a"]), (clockQuery, ["com.a"])], every: 3_600)
            try await history.adopt(both, now: wall.now)
            await current.replace(with: both)
            await store.requests(2)
            await pass(minutes: 5)
            #expect(store.asked == [timer, clockQuery])
        }
    }

    @Test func `an idle service reports thrice within its watchdog's time`() async throws {
        let reports = Mutex(0)
        let plan = CurrentPlan(watchlist([(timer, ["com.a"])], every: 86_400))
        let service = try await service(plan, watchdog: .seconds(6)) { state in
            if case .idle = state { reports.withLock { $0 += 1 } }
        }
        let task = Task { try await service.run() }
        // During the pass whoever reports beside it sleeps too.
        while reports.withLock({ $0 }) == 0 { await Task.yield() }
        for _ in 0..<3 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(2))
        }
        await clock.sleepers(1)
        #expect(reports.withLock { $0 } == 4)
        task.cancel()
        try await task.value
    }

    // MARK: A history that cannot be written for a while

    @Test func `the service goes on while the history is locked, repeats nothing, and records all in the end`()
        async throws
    {
        let impatient = folder.file("impatient.sqlite")
        let history = try HistoryStore(path: impatient, busySeconds: 0.02)
        let plan = watchlist([(timer, ["com.a"])], every: 600)
        try await history.adopt(plan, now: wall.now)
        let states = Mutex<[TrackingService<ManualClock>.State]>([])
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(of: history),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { state in states.withLock { $0.append(state) } }
        let other = try OtherWriter(impatient)
        try await other.lock()
        let task = Task { try await service.run() }
        await pass(minutes: 35)
        #expect(store.asked.count == 4)
        let waiting = states.withLock { $0.last }
        guard case .waiting(checks: 4, because: .busy, while: .idle)? = waiting else {
            Issue.record("\(String(describing: waiting))")
            return
        }
        try await other.letGo()
        await pass(minutes: 2)
        #expect(store.asked.count == 4)
        let count = try await history.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") }
        #expect(count == 4)
        task.cancel()
        try await task.value
    }

    @Test func `what waits is recorded at the end if it can be`() async throws {
        let history = try HistoryStore(path: folder.file("impatient.sqlite"), busySeconds: 0.02)
        let plan = watchlist([(timer, ["com.a"])], every: 600)
        try await history.adopt(plan, now: wall.now)
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(of: history),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let other = try OtherWriter(folder.file("impatient.sqlite"))
        try await other.lock()
        let task = Task { try await service.run() }
        await pass(minutes: 1)
        try await other.letGo()
        task.cancel()
        try await task.value
        #expect(try await history.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == 1)
    }

    @Test func `no backup begins while results wait in memory, and one does once they are recorded`() async throws {
        let history = try HistoryStore(path: folder.file("impatient.sqlite"), busySeconds: 0.02)
        var plan = watchlist([(timer, ["com.a"])], every: 600)
        plan.service.backup = BackupSettings()
        try await history.adopt(plan, now: wall.now)
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass(of: history),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let other = try OtherWriter(history.path)
        try await other.lock()
        let task = Task { try await service.run() }
        await pass(minutes: 25)
        #expect(!FileManager.default.fileExists(atPath: folder.file("backups")))
        try await other.letGo()
        await pass(minutes: 12)
        while try await history.backups()?.lastAt == nil { await Task.yield() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("backups")).count == 1)
        task.cancel()
        try await task.value
    }

    @Test func `a long log is emptied when nothing is asked`() async throws {
        let plan = watchlist([(timer, ["com.a"])], every: 600)
        try await history.adopt(plan, now: wall.now)
        let reader = try HistoryReader(path: history.path)
        try await history.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (bytes BLOB)")
        }
        try await history.write { try $0.execute(sql: "INSERT INTO filler VALUES (randomblob(70000000))") }
        #expect(try reader.serviceRecord(now: wall.now).walBytes > HistoryStore.largeLog)
        try await running(plan) { _ async throws in await pass(minutes: 1) }
        #expect(history.logBytes < HistoryStore.logLimit)
    }

    @Test func `a history that is replaced while nothing is asked ends the service`() async throws {
        let service = try await service(CurrentPlan(watchlist([(timer, ["com.a"])])))
        let task = Task { try await service.run() }
        await pass(minutes: 1)
        try FileManager.default.removeItem(atPath: history.path)
        clock.advance(by: .seconds(60))
        await #expect(
            throws: HistoryError.replaced(path: history.path, what: "\(history.path) was deleted or moved away")
        ) { try await task.value }
    }

    @Test func `stopping cuts off a request without a trace`() async throws {
        store.hold()
        let service = try await service(CurrentPlan(watchlist([(timer, ["com.a"])])))
        let task = Task { try await service.run() }
        await store.requests(1)
        task.cancel()
        try await task.value
        #expect(try checks().isEmpty)
    }

    @Test func `the clean-up runs after a pass, and once a day`() async throws {
        let history = history
        func cleanUp(since moment: Timestamp) async throws -> Timestamp {
            while true {
                if let last = try await history.lastHousekeeping(), last >= moment { return last }
                await Task.yield()
            }
        }
        try await running(watchlist([(timer, ["com.a"])], every: 3_600)) { _ async throws in
            #expect(try await cleanUp(since: start) < start + 3_600)
            await leap(hours: 23)
            #expect(try await history.lastHousekeeping() == start)
            await leap(hours: 7)
            #expect(store.asked.count == 31)
            let second = try await cleanUp(since: start + 1)
            #expect((start + 86_400..<start + 86_400 + 3_600).contains(second))
        }
    }
}
