import AppStore
import History
import Logging
import RankKit
import TestSupport
import Testing

@testable import Tracking

/// Look-ups for which searches leave little time.
@Suite(.timeLimit(.minutes(30))) struct HeldUpLookupTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let clock = ManualClock()
    private let wall: WallClock

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
        wall = WallClock(time("2026-11-01T00:00:00Z"), clock)
    }

    @Test func `a look-up that a search cuts off is still held up, and one that is answered is not`() async throws {
        let plan = watchlist([(query("timer"), ["com.a", "com.b"])])
        try await history.adopt(plan, now: wall.now)
        let store = AppStore(
            search: { _ in .failed(Failure(.status)) },
            lookup: { [clock] _ in
                try await clock.sleep(for: .seconds(40))
                return .answered(whole(["com.a"]))
            })
        let now: @Sendable () -> Timestamp = { [wall] in wall.now }
        let service = TrackingService(
            plan: CurrentPlan(plan),
            pass: TrackingPass(
                lane: store.searches(perMinute: 60, clock: clock, now: now),
                lookups: store.lookups(perMinute: 60, clock: clock, now: now), history: history, parallelism: 1),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for (deadline, heldUp) in [(30, 1), (60, 0)] as [(Int64, Int)] {
            let task = Task { [history, clock] in
                var memory = TrackingService<ManualClock>.Memory(
                    extent: .untilStopped, tell: { _ in }, rested: clock.now, stepped: clock.now)
                memory.unseen = UnseenApps(apps: try await history.unseenApps(), passesHeldUp: 1)
                _ = try await service.lookUp(&memory, until: now() + deadline, while: .idle(until: nil))
                return memory.unseen.passesHeldUp
            }
            await clock.sleepers(2)
            clock.advance(by: .seconds(min(deadline, 40)))
            #expect(try await task.value == heldUp)
        }
    }
}
