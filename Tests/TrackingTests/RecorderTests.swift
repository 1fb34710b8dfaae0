import AppStore
import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History
@testable import Tracking

/// A history that cannot be written for a while, under a pass and under the service.
@Suite(.timeLimit(.minutes(30))) struct RecorderTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
    }

    private func pass() -> TrackingPass<InstantClock> {
        TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: clock, now: { [start] in start }), history: history,
            parallelism: 1)
    }

    private func adopt(_ count: Int) async throws -> [ScheduledQuery] {
        let plan = watchlist((0..<count).map { (query("q\($0)"), ["com.a"]) })
        try await history.adopt(plan, now: start)
        for scheduled in plan.scheduledQueries {
            store.announce(scheduled.query, .answered(whole(["com.x", "com.a"])))
        }
        return plan.scheduledQueries
    }

    private func fill() async throws {
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    }

    private func makeRoom() async throws {
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }

    /// The texts of the recorded checks' queries, in the order of recording.
    private func recorded() async throws -> [String] {
        try await history.read {
            try String.fetchAll(
                $0, sql: "SELECT text FROM check_log JOIN query ON query.id = check_log.query ORDER BY check_log.id")
        }
    }

    /// A list that needs pages which a full file does not have.
    private var large: ResultList { list((0..<400).map { "com.example.\($0)" } + ["com.a"]) }

    private func told(_ event: TrackingEvent) -> String {
        switch event {
        case .recorded(let check): "recorded \(check.query.text)"
        case .landed(let check): "landed \(check.query.text)"
        case .waits(let check, _): "waits \(check.query.text)"
        case .settled(let count, let dropped): "settled \(count), \(dropped)"
        case .throttled: "throttled"
        case .lookedUp: "looked up"
        case .mended: "mended"
        default: "\(event)"
        }
    }

    @Test func `without room a pass goes on asking, and its checks wait`() async throws {
        let due = try await adopt(3)
        for scheduled in due { store.announce(scheduled.query, .answered(large)) }
        try await fill()
        let pass = pass()
        var events: [String] = []
        let result = try await pass.run(due, progress: { events.append(told($0)) })
        #expect(events == ["waits q0", "waits q1", "waits q2"])
        #expect(result.asked == 3)
        #expect(try await recorded().isEmpty)
        let backlog = await pass.recorder.backlog
        #expect(backlog?.checks == 3 && backlog?.dropped == 0)
        #expect(backlog?.reason == .full(path: history.path))
    }

    @Test func `that results waited for long is noted once they are recorded`() async throws {
        let due = try await adopt(2)
        for scheduled in due { store.announce(scheduled.query, .answered(large)) }
        try await fill()
        let pass = pass()
        _ = try await pass.run(due)
        clock.advance(by: .seconds(1_200))
        #expect(try await pass.recorder.land().isEmpty)
        try await makeRoom()
        _ = try await pass.recorder.land()
        let waited = try #require(try HistoryReader(path: history.path).waitedResults())
        #expect(waited.from == start && waited.written == 2 && waited.lost == 0)
        #expect((1_200..<1_300).contains(waited.until - start))
    }

    @Test func `that results waited for minutes is not noted`() async throws {
        let due = try await adopt(2)
        for scheduled in due { store.announce(scheduled.query, .answered(large)) }
        try await fill()
        let pass = pass()
        _ = try await pass.run(due)
        clock.advance(by: .seconds(300))
        try await makeRoom()
        #expect(try await pass.recorder.land().count == 3)
        #expect(try HistoryReader(path: history.path).waitedResults() == nil)
    }

    @Test func `results that had to give way are told, and noted as lost`() async throws {
        let timer = try await adopt(1)[0].query
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        let recorder = pass().recorder
        for second in 0..<Int64(WaitingEntries.most) + 3 {
            _ = try await recorder.record(
                .answer(Check(query: timer, at: start + second, outcome: .failed(Failure(.timedOut, "30 s")))))
        }
        #expect(await recorder.backlog?.checks == WaitingEntries.most)
        #expect(await recorder.backlog?.dropped == 3)
        try await history.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
        #expect(try await recorder.land().map(told).last == "settled \(WaitingEntries.most), 3")
        let waited = try #require(try HistoryReader(path: history.path).waitedResults())
        #expect(waited.written == WaitingEntries.most && waited.lost == 3)
    }

    @Test func `checks that wait are not due, and are told as recorded once they are`() async throws {
        let due = try await adopt(2)
        for scheduled in due { store.announce(scheduled.query, .answered(large)) }
        try await fill()
        let pass = pass()
        _ = try await pass.run(due)
        #expect(try await pass.recorder.due(due, now: start).isEmpty)
        try await pass.recorder.takeUp(asOf: start)
        #expect(try await pass.recorder.due(due, now: start).isEmpty)
        #expect(try await pass.recorder.land().isEmpty)
        try await makeRoom()
        #expect(try await pass.recorder.land().map(told) == ["landed q0", "landed q1", "settled 2, 0"])
        #expect(try await recorded() == ["q0", "q1"])
        #expect(await pass.recorder.backlog == nil)
        let standing = try HistoryReader(path: history.path).standings()[0]
        #expect(standing.lastGood == Reading(position: Position(401), within: 401, checkedAt: start))
    }

    @Test func `what waited is recorded before the next check`() async throws {
        let due = try await adopt(3)
        store.announce(due[0].query, .answered(large))
        try await fill()
        let pass = pass()
        _ = try await pass.run([due[0]])
        try await makeRoom()
        var events: [String] = []
        _ = try await pass.run(Array(due[1...]), progress: { events.append(told($0)) })
        #expect(events == ["landed q0", "settled 1, 0", "recorded q1", "recorded q2"])
        #expect(try await recorded() == ["q0", "q1", "q2"])
    }

    @Test func `a lock of another program is waited for, thirty seconds at a time`() async throws {
        let due = try await adopt(2)
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        _ = try await pass.run(due)
        #expect(await pass.recorder.backlog?.reason == .busy(path: history.path))
        #expect(await pass.recorder.backlog?.checks == 2)
        try await other.letGo()
        try await clock.sleep(for: .seconds(31))
        #expect(try await pass.recorder.land().map(told) == ["landed q0", "landed q1", "settled 2, 0"])
        #expect(try await recorded() == ["q0", "q1"])
    }

    @Test func `a cool-down is kept in memory while it cannot be stored`() async throws {
        let due = try await adopt(1)
        store.announce(due[0].query, .throttled(status: 429))
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        #expect(try await pass.run(due).throttled == 1)
        #expect(await pass.lane.pace.pauseLeft != nil)
        try await other.letGo()
        #expect(try await pass.recorder.land(isLastChance: true).map(told) == ["settled 0, 0"])
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.health(of: .search(at: "fake")).pause == .throttled)
        #expect(try await history.lastRequest() == start)
        #expect(try reader.serviceRecord(now: start).usualLane?.lastPass?.throttled == 1)
    }

    /// Questions whose lists had 401 places on the last three days.
    private func adoptOld(_ count: Int) async throws -> [ScheduledQuery] {
        let due = try await adopt(count)
        for day in 1...3 as ClosedRange<Int64> {
            for scheduled in due {
                try await history.record(
                    Check(query: scheduled.query, at: start - day * 86_400, outcome: .answered(large)))
            }
        }
        return due
    }

    private var collapsed: AppStore.Reply { .answered(list((0..<100).map { "org.new.\($0)" })) }

    @Test func `a list that collapsed while nothing could be recorded is asked for again, and judged when it lands`()
        async throws
    {
        let due = try await adoptOld(1)
        store.announce(due[0].query, collapsed)
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        var events: [String] = []
        let result = try await pass.run(due, progress: { events.append(told($0)) })
        #expect(store.asked.count == 2 && events == ["waits q0"] && result.asked == 1)
        #expect(await pass.recorder.backlog?.checks == 1)
        try await other.letGo()
        #expect(try await pass.recorder.land(isLastChance: true).map(told) == ["landed q0", "settled 1, 0"])
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.standings()[0].outcome == .suspect(.collapsed))
        #expect(try reader.standings()[0].lastGood?.position == Position(401))
        let last = try reader.serviceRecord(now: start).usualLane?.lastPass
        #expect(last?.suspect == 1 && last?.asked == 1)
    }

    @Test func `a whole second list counts, though both waited`() async throws {
        let due = try await adoptOld(1)
        store.announce(due[0].query, collapsed, .answered(large))
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        _ = try await pass.run(due)
        try await other.letGo()
        #expect(try await pass.recorder.land(isLastChance: true).map(told) == ["landed q0", "settled 1, 0"])
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.standings()[0].outcome.state == .ranked)
        let last = try reader.serviceRecord(now: start).usualLane?.lastPass
        #expect(last?.succeeded == 1 && last?.asked == 1)
        #expect(try await history.openPasses().isEmpty)
    }

    @Test func `a second asking that fails while nothing can be recorded leaves the first answer`() async throws {
        let due = try await adoptOld(1)
        store.announce(due[0].query, collapsed, .failed(Failure(.notJSON)))
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        let result = try await pass.run(due)
        #expect(result.failed == 0 && result.asked == 1)
        #expect(await pass.recorder.backlog?.checks == 1)
        #expect(try await pass.recorder.due(due, now: start).isEmpty)
        try await other.letGo()
        #expect(try await pass.recorder.land(isLastChance: true).map(told) == ["landed q0", "settled 1, 0"])
        #expect(try HistoryReader(path: history.path).standings()[0].outcome == .suspect(.collapsed))
    }

    @Test func `a question that waits in two passes is counted in both`() async throws {
        let due = try await adopt(1)
        store.announce(due[0].query, .answered(whole(["com.x", "com.a"])))
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        #expect(try await pass.run(due).succeeded == 1)
        var events: [String] = []
        #expect(try await pass.run(due, progress: { events.append(told($0)) }).succeeded == 1)
        #expect(events == ["waits q0"])
        try await other.letGo()
        _ = try await pass.recorder.land(isLastChance: true)
        #expect(try HistoryReader(path: history.path).serviceRecord(now: start).usualLane?.lastPass?.succeeded == 1)
    }

    @Test func `a bad day is told once its pass has landed`() async throws {
        let due = try await adoptOld(12)
        for scheduled in due { store.announce(scheduled.query, collapsed) }
        let other = try OtherWriter(history.path)
        try await other.lock()
        let pass = pass()
        #expect(try await !pass.run(due).isBadDay)
        try await other.letGo()
        let days = try await pass.recorder.land(isLastChance: true).compactMap { event in
            if case .wasBadDay(let result, _) = event { result } else { nil }
        }
        #expect(days.map(\.suspect) == [12] && days.map(\.asked) == [12])
        let last = try HistoryReader(path: history.path).serviceRecord(now: start).usualLane?.lastPass
        #expect(last?.isBadDay == true && last == days.first)
    }

    @Test func `a history that is gone ends the pass`() async throws {
        let due = try await adopt(2)
        try FileManager.default.removeItem(atPath: history.path)
        let pass = pass()
        await #expect(throws: HistoryError.self) { _ = try await pass.run(due) }
    }
}
