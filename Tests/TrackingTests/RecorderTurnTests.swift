import AppStore
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History
@testable import Tracking

/// Many that record at once, and a clock that is set back while results wait.
@Suite(.timeLimit(.minutes(30))) struct RecorderTurnTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let clock = InstantClock()
    private let endpoint = Endpoint.search(at: "fake")
    private let pace: Pace<InstantClock>
    private let recorder: Recorder<InstantClock>
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
        pace = Pace(requestsPerMinute: 15, clock: clock)
        recorder = Recorder(history: history, paces: [endpoint: pace], clock: clock)
    }

    private func check(at moment: Timestamp, _ outcome: Check.Outcome = .answered(whole(["com.a"]))) -> Check {
        Check(query: timer, at: moment, outcome: outcome)
    }

    @Test func `look-ups, passes and checks that are recorded at once are each recorded once`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let (recorder, start, pace) = (recorder, start, pace)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 as Range<Int64> {
                let moment = start + number
                group.addTask {
                    switch number % 4 {
                    case 0: try await recorder.noteLookup(at: moment)
                    case 1:
                        let pass = PassID(of: .itunes, number: number + 1)
                        _ = try await recorder.record(
                            .pass(.ended(pass, at: moment, PassResult(startedAt: moment, finishedAt: moment, due: 1))))
                    case 2: _ = try await recorder.record(.answer(check(at: moment)))
                    default:
                        await pace.note(.unreachable, at: moment)
                        try await recorder.keepHealth()
                    }
                }
            }
            try await group.waitForAll()
        }
        let (passes, checks) = try await history.read {
            (
                try Int.fetchOne($0, sql: "SELECT count(*) FROM pass"),
                try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log")
            )
        }
        #expect((passes, checks) == (15, 15))
        let health = await pace.health
        #expect(health.unreachableInARow == EndpointHealth.unreachableLimit && health.pause == .offline)
        #expect(try await history.health(of: endpoint) == health)
    }

    @Test func `results that waited for another program's lock are landed once by many who try`() async throws {
        try await history.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let other = try OtherWriter(history.path)
        try await other.lock()
        for minute in 0..<10 as Range<Int64> { _ = try await recorder.record(.answer(check(at: start + minute * 60))) }
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
        _ = try await recorder.record(.answer(check(at: start + 3_600)))
        for _ in 1...2 {
            let attempts = try await recorder.attempts(of: plan.scheduledQueries, asOf: start + 60)
            #expect(attempts == [timer: Attempts(lastGood: start + 3_600)])
            #expect(try await recorder.due(plan.scheduledQueries, now: start + 60).isEmpty)
            try await recorder.takeUp(asOf: start + 60)
        }
        // Of a later slot than the one that the clock is in now.
        try await recorder.takeUp(asOf: start - 7 * 3_600)
        #expect(try await recorder.due(plan.scheduledQueries, now: start - 7 * 3_600).count == 1)
        try await other.letGo()
    }
}
