import AppStore
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History
@testable import Tracking

/// Many that record at once, and a clock that is set back while results wait.
@Suite(.timeLimit(.minutes(10))) struct RecorderTurnTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let clock = InstantClock()
    private let recorder: Recorder<InstantClock>
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
        recorder = Recorder(history: history, clock: clock)
    }

    private func check(at moment: Timestamp, _ outcome: Check.Outcome = .answered(list(["com.a"]))) -> Check {
        Check(query: timer, at: moment, outcome: outcome)
    }

    @Test func `look-ups, passes and checks that are recorded at once are each recorded once`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let (recorder, start, endpoint) = (recorder, start, Endpoint.search(at: "fake"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 as Range<Int64> {
                let moment = start + number
                group.addTask {
                    switch number % 4 {
                    case 0: try await recorder.noteLookup(at: moment)
                    case 1: try await recorder.record(PassResult(startedAt: moment, finishedAt: moment, due: 1))
                    case 2: _ = try await recorder.record(check(at: moment))
                    default: try await recorder.keep(EndpointHealth(slowTurns: Int(number)), of: endpoint)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await recorder.keep(EndpointHealth(slowTurns: 99), of: endpoint)
        let (passes, checks) = try await history.read {
            (
                try Int.fetchOne($0, sql: "SELECT count(*) FROM pass"),
                try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log")
            )
        }
        #expect((passes, checks) == (15, 15))
        #expect(try await history.health(of: endpoint).slowTurns == 99)
    }

    @Test func `results that waited for another program's lock are landed once by many who try`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let other = try OtherWriter(history.path)
        try await other.lock()
        for minute in 0..<10 as Range<Int64> { _ = try await recorder.record(check(at: start + minute * 60)) }
        try await other.letGo()
        let recorder = recorder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await recorder.land(isLastChance: true) } }
            try await group.waitForAll()
        }
        #expect(await recorder.backlog == nil)
        #expect(try await history.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == 10)
    }

    @Test func `a check that waits keeps its slot when the clock is set back`() async throws {
        let plan = watchlist([(timer, ["com.a"])])
        try await history.adopt(plan, now: start)
        let other = try OtherWriter(history.path)
        try await other.lock()
        _ = try await recorder.record(check(at: start + 3_600))
        for attempts in [
            try await recorder.attempts(asOf: start + 60),
            try await recorder.attempts(of: plan.scheduledQueries, asOf: start + 60),
        ] {
            #expect(attempts == [timer: Attempts(lastGood: start + 3_600)])
            #expect(Schedule.due(plan.scheduledQueries, attempts: attempts, now: start + 60).isEmpty)
        }
        // Of a later slot than the one that the clock is in now.
        let before = try await recorder.attempts(asOf: start - 7 * 3_600)
        #expect(Schedule.due(plan.scheduledQueries, attempts: before, now: start - 7 * 3_600).count == 1)
        try await other.letGo()
    }
}
