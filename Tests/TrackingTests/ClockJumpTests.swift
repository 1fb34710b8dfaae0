import AppStore
import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

/// The service while the wall clock jumps, stands still, or the machine sleeps. Its query is wanted every hour.
@Suite(.timeLimit(.minutes(30))) struct ClockJumpTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let clock = ManualClock()
    private let wall: WallClock
    private let asked = AskedTimes()
    private let start = time("2026-11-01T00:00:00Z")
    private let plan = watchlist([(query("timer"), ["com.a"])], every: 3_600)

    /// When requests were made, by the wall clock.
    private final class AskedTimes: Sendable {
        private let times = Mutex<[Timestamp]>([])
        var all: [Timestamp] { times.withLock { $0 } }
        var count: Int { all.count }
        /// How often each hour was asked in.
        var perSlot: [Int64: Int] { all.reduce(into: [:]) { $0[$1.secondsSinceEpoch / 3_600, default: 0] += 1 } }
        func add(_ moment: Timestamp) { times.withLock { $0.append(moment) } }
    }

    private let lines = LogLines()

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
        wall = WallClock(start + 30, clock)
    }

    /// Runs a service beside `body`, and ends it.
    private func running(
        _ report: @escaping @Sendable (TrackingService<ManualClock>.State) -> Void = { _ in },
        _ body: () async throws -> Void
    ) async throws {
        try await history.adopt(plan, now: wall.now)
        let store = AppStore(
            search: { [asked, wall] _ in
                asked.add(wall.now)
                return .answered(whole(["com.a"]))
            }, lookup: { _ in .failed(Failure(.status)) })
        let pass = TrackingPass(
            lane: store.searches(perMinute: 100_000, clock: clock, now: { [wall] in wall.now }), history: history,
            parallelism: 1)
        let service = TrackingService(
            plan: CurrentPlan(plan), pass: pass,
            log: lines.log, report: report)
        let task = Task { try await service.run() }
        await clock.sleepers(1)
        try await body()
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

    @Test(arguments: [1, 3_600, 86_400, 315_576_000] as [Int64])
    func `a clock that is set back never asks again in a slot that has its check`(_ jump: Int64) async throws {
        try await running { () async throws in
            await pass(minutes: 150)
            #expect(asked.count == 3)
            wall.set(by: -jump)
            await pass(minutes: 300)
        }
        #expect(asked.perSlot.values.allSatisfy { $0 == 1 }, "\(asked.all)")
        // Hours that come round for the first time are asked in as ever.
        let expected: [Int64: Int] = [1: 8, 3_600: 7, 86_400: 9, 315_576_000: 9]
        #expect(asked.count == expected[jump], "\(asked.all)")
    }

    @Test func `a clock that is set back by a second right after a check asks nothing again`() async throws {
        try await running { () async throws in
            #expect(asked.count == 1)
            wall.set(by: -1)
            await pass(minutes: 10)
            #expect(asked.count == 1)
        }
    }

    @Test func `a restart with a clock that is behind asks nothing again`() async throws {
        try await running { () async throws in await pass(minutes: 150) }
        wall.set(start + 10)
        try await running { () async throws in await pass(minutes: 160) }
        #expect(asked.perSlot.values.allSatisfy { $0 == 1 }, "\(asked.all)")
        #expect(asked.count == 3)
        #expect(lines.all.filter { $0 == "the clock is behind the last request" }.count == 1)
    }

    @Test(arguments: [(1, 0), (3_600, 1), (86_400, 1), (315_576_000, 1)] as [(Int64, Int)])
    func `a clock that is set forward catches up once within a minute`(_ jump: Int64, _ more: Int) async throws {
        try await running { () async throws in
            await pass(minutes: 10)
            wall.set(by: jump)
            await pass(minutes: 1)
            #expect(asked.count == 1 + more)
            await pass(minutes: 15)
            #expect(asked.count == 1 + more)
        }
    }

    @Test func `a clock that leaps ten years ahead and is put right goes on as if nothing had been`() async throws {
        try await running { () async throws in
            await pass(minutes: 10)
            wall.set(by: 315_576_000)
            await pass(minutes: 5)
            wall.set(by: -315_576_000)
            await pass(minutes: 120)
        }
        #expect(asked.perSlot.values.allSatisfy { $0 == 1 }, "\(asked.all)")
        #expect(asked.count == 4)
    }

    @Test func `a machine that slept over many slots catches up once`() async throws {
        try await running { () async throws in
            clock.advance(by: .seconds(10 * 3_600))
            await pass(minutes: 15)
            #expect(asked.count == 2)
        }
    }

    @Test func `a clock that stands still makes no tight loop`() async throws {
        let turns = Mutex(0)
        try await running({ _ in turns.withLock { $0 += 1 } }) { () async throws in
            // The next slot is a second away, and stays so.
            wall.set(start + 3_599)
            wall.stop()
            clock.advance(by: .seconds(60))
            await clock.sleepers(1)
            let before = turns.withLock { $0 }
            for _ in 0..<20 {
                clock.advance(by: .milliseconds(500))
                await clock.sleepers(1)
            }
            #expect(turns.withLock { $0 } - before == 10)
            #expect(asked.count == 1)
        }
    }
}
