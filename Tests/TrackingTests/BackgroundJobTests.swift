import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Tracking

@Suite(.timeLimit(.minutes(30))) struct BackgroundJobTests {
    private let start = time("2026-11-01T00:00:00Z")

    /// Work that a test holds back, and lets fail.
    private final class Work: Sendable {
        private struct State {
            var began: [Timestamp] = []
            var looks = 0
            var isDue = true
            var failures: [any Error] = []
        }

        private let state = Mutex(State())

        var began: [Timestamp] { state.withLock { $0.began } }
        var looks: Int { state.withLock { $0.looks } }

        func set(isDue: Bool) { state.withLock { $0.isDue = isDue } }
        func fail(_ error: any Error) { state.withLock { $0.failures.append(error) } }

        func look() -> Bool {
            state.withLock {
                $0.looks += 1
                return $0.isDue
            }
        }

        func begin(_ now: Timestamp) throws {
            let failure = state.withLock { state in
                state.began.append(now)
                return state.failures.isEmpty ? nil : state.failures.removeFirst()
            }
            if let failure { throw failure }
        }
    }

    private let work = Work()
    private let gate = PassActivity()

    private var job: BackgroundJob {
        BackgroundJob(
            "test", log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, isDue: { [work] _ in work.look() }
        ) { [work, gate] now in
            try work.begin(now)
            try await gate.ended()
        }
    }

    @Test func `one run at a time, and one more where it was started anew meanwhile`() async throws {
        let job = job
        await gate.begin()
        for seconds in 0..<5 as Range<Int64> { await job.start(now: start + seconds) }
        try await job.startIfDue(now: start + 9)
        #expect(work.looks == 0)
        await gate.end()
        while work.began.count < 2 { await Task.yield() }
        await job.ended()
        #expect(work.began == [start, start])
    }

    @Test func `what was not due is looked at again ten minutes later, or after a change`() async throws {
        let job = job
        work.set(isDue: false)
        try await job.startIfDue(now: start)
        work.set(isDue: true)
        try await job.startIfDue(now: start + 599)
        #expect(work.looks == 1)
        try await job.startIfDue(now: start + 600)
        await job.ended()
        #expect(work.began == [start + 600])
        work.set(isDue: false)
        try await job.startIfDue(now: start + 700)
        await job.lookAgain()
        try await job.startIfDue(now: start + 701)
        #expect(work.looks == 4)
    }

    @Test func `a run that failed is tried again an hour later, whichever way it is started`() async throws {
        let job = job
        work.fail(Failure(.status))
        work.fail(Failure(.status))
        await job.startAgain(now: start, hasPassed: true)
        #expect(work.began.isEmpty)
        try await job.startIfDue(now: start)
        await job.ended()
        try await job.startIfDue(now: start + 3_599)
        await job.startAgain(now: start + 3_599, hasPassed: false)
        await job.ended()
        #expect(work.began == [start])
        try await job.startIfDue(now: start + 3_600)
        await job.ended()
        await job.startAgain(now: start + 3_700, hasPassed: true)
        await job.ended()
        #expect(work.began == [start, start + 3_600, start + 3_700])
        #expect(await job.ruin == nil)
    }

    @Test func `a clock that was set back does not put off what failed`() async throws {
        let job = job
        work.fail(Failure(.status))
        try await job.startIfDue(now: start)
        await job.ended()
        try await job.startIfDue(now: start - 86_400)
        await job.ended()
        #expect(work.began == [start, start - 86_400])
    }

    @Test func `a history that is beyond use is remembered`() async throws {
        let job = job
        let ruin = HistoryError.replaced(path: "/history.sqlite", what: "gone")
        work.fail(ruin)
        await job.start(now: start)
        await job.ended()
        #expect(await job.ruin == ruin)
    }

    @Test func `stopping cuts off what runs, and begins nothing anew`() async throws {
        let job = job
        await gate.begin()
        await job.start(now: start)
        await job.start(now: start)
        await job.stop()
        await job.ended()
        #expect(work.began.count <= 1)
        #expect(await job.ruin == nil)
    }

    @Test func `what is to come after another waits for it`() async throws {
        let first = job
        let second = BackgroundJob("second", log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            [work] _ in
            try work.begin(start + 1)
        }
        await gate.begin()
        await first.start(now: start)
        await second.start(now: start, after: first)
        while work.began.isEmpty { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(work.began == [start])
        await gate.end()
        await second.ended()
        #expect(work.began == [start, start + 1])
    }
}
