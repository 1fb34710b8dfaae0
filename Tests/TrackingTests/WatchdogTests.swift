import AppStore
import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

/// What the service reports while something is asked.
@Suite(.timeLimit(.minutes(30))) struct WatchdogTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = ManualClock()
    private let wall: WallClock
    private let queries = (0..<3).map { query("q\($0)") }

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
        wall = WallClock(time("2026-11-01T00:00:00Z"), clock)
    }

    /// Runs a service that asks once a minute beside `body`, which is told how to count the reports, and ends it.
    private func running(_ body: (_ reports: () -> Int) async throws -> Void) async throws {
        var plan = watchlist(queries.map { ($0, ["com.a"]) }, every: 86_400)
        plan.service.parallelism = 1
        try await history.adopt(plan, now: wall.now)
        let reports = Mutex(0)
        let service = TrackingService(
            plan: CurrentPlan(plan),
            pass: TrackingPass(
                lane: store.store.searches(perMinute: 1, clock: clock, now: { [wall] in wall.now }),
                history: history, parallelism: 1),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, watchdog: .seconds(180)
        ) { state in
            if case .asking = state { reports.withLock { $0 += 1 } }
        }
        let task = Task { try await service.run() }
        try await body { reports.withLock { $0 } }
        task.cancel()
        try await task.value
    }

    @Test func `a pass at the slowest pace reports thrice within the watchdog's time`() async throws {
        for query in queries { store.announce(query, .failed(Failure(.status, "503", isTransient: true))) }
        try await running { reports async throws in
            // Whoever asks sleeps, and beside it whoever reports.
            await clock.sleepers(2)
            for _ in 0..<7 {
                let before = reports()
                clock.advance(by: .seconds(60))
                await clock.sleepers(2)
                #expect(reports() > before)
            }
            #expect((4...8).contains(store.asked.count))
        }
    }

    @Test func `a pass that hangs stops reporting`() async throws {
        store.hold()
        try await running { reports async throws in
            await store.requests(1)
            var counts: [Int] = []
            for _ in 0..<6 {
                await clock.sleepers(1)
                counts.append(reports())
                clock.advance(by: .seconds(60))
            }
            #expect(counts == [1, 2, 3, 3, 3, 3])
        }
    }
}
