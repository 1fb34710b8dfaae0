import AppStore
import History
import RankKit
import TestSupport
import Testing
import Tracking

/// What a pass leaves that was killed before its end.
@Suite struct CutOffPassTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A pass that was killed when it had asked for the timer: the list is doubtful. Its history, opened again.
    private func cutOff() async throws -> HistoryStore {
        try await history.adopt(plan, now: start)
        let applied = try await history.apply(
            .answer(
                SearchAnswer(
                    to: timer, at: start, clock: start, asking: .first(PassID(of: .itunes, number: 1)),
                    reply: .list(list(["com.b"])))))
        #expect(applied.askAgain == [timer])
        try await history.close()
        return try HistoryStore(path: history.path)
    }

    private var plan: Watchlist { watchlist([(timer, ["com.a"])]) }

    private func pass(_ history: HistoryStore, at moment: Timestamp) -> TrackingPass<InstantClock> {
        TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: InstantClock(), now: { moment }), history: history,
            parallelism: 1)
    }

    @Test func `an answer that was to be asked again is asked again at the next start`() async throws {
        let again = try await cutOff()
        store.announce(timer, .answered(whole(["com.a"])))
        let next = pass(again, at: start + 60)
        #expect(try await next.recorder.takeUp(asOf: start + 60).isEmpty)
        let due = try await next.recorder.due(plan.scheduledQueries, now: start + 60)
        #expect(due.map(\.query) == [timer])
        let result = try await next.run(due)
        #expect(result.succeeded == 1 && result.asked == 1 && store.asked == [timer])
        let standing = try HistoryReader(path: again.path).standings()[0]
        #expect(standing.outcome.state == .ranked && standing.checkedAt == start + 60)
        #expect(try await again.openPasses().isEmpty)
        #expect(try await next.recorder.due(plan.scheduledQueries, now: start + 60).isEmpty)
    }

    @Test func `where the next start cannot ask again either, the first answer is what there is`() async throws {
        let again = try await cutOff()
        store.announce(timer, .throttled(status: 429))
        let next = pass(again, at: start + 60)
        try await next.recorder.takeUp(asOf: start + 60)
        let result = try await next.run(plan.scheduledQueries)
        #expect(result.suspect == 1 && result.asked == 1)
        #expect(try HistoryReader(path: again.path).standings()[0].outcome == .suspect(.early))
    }

    @Test(arguments: [3_601, 40 * 86_400] as [Int64])
    func `an answer that was to be asked again too long ago is recorded at the next start`(later: Int64)
        async throws
    {
        let again = try await cutOff()
        let moment = start + later
        let next = pass(again, at: moment)
        let events = try await next.recorder.takeUp(asOf: moment)
        guard case .landed(let check)? = events.first else { Issue.record("\(events)"); return }
        #expect(check.suspicion == .early && check.at == start && events.count == 1)
        #expect(try HistoryReader(path: again.path).standings()[0].outcome == .suspect(.early))
        #expect(try await again.openPasses().isEmpty)
        #expect(try await next.recorder.takeUp(asOf: moment).isEmpty)
        #expect(store.asked.isEmpty)
    }

    @Test func `an answer that was to be asked again to a question that nobody watches is recorded`() async throws {
        let again = try await cutOff()
        try await again.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 30)
        let next = pass(again, at: start + 60)
        #expect(try await next.recorder.takeUp(asOf: start + 60).count == 1)
        #expect(try await again.openPasses().isEmpty)
    }

    @Test func `an answer that waited for room, and is doubtful, is asked again in its pass once it has landed`()
        async throws
    {
        let queries = [timer, query("clock")]
        let plan = watchlist(queries.map { ($0, ["com.a"]) })
        try await history.adopt(plan, now: start)
        store.announce(timer, .answered(list(["com.b"])), .answered(whole(["com.a"])))
        store.announce(query("clock"), .answered(whole(["com.a"])))
        let impatient = try await impatientHistory()
        let other = try OtherWriter(impatient.path)
        try await other.lock()
        let (clock, moment) = (InstantClock(), start)
        let pass = TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: clock, now: { moment }), history: impatient,
            parallelism: 1)
        var told: [String] = []
        let result = try await pass.run(
            plan.scheduledQueries,
            progress: { event in
                switch event {
                case .waits:
                    told.append("waits")
                    clock.advance(by: .seconds(31))
                    do { try await other.letGo() } catch { Issue.record(error) }
                case .landed: told.append("landed")
                case .recorded: told.append("recorded")
                default: break
                }
            })
        #expect(told == ["waits", "recorded", "landed"])
        #expect(store.asked.count == 3 && result.succeeded == 2)
        #expect(try HistoryReader(path: impatient.path).standings().map(\.outcome.state) == [.ranked, .ranked])
    }

    @Test func `what waited from an earlier pass is settled as that pass left it`() async throws {
        let queries = [timer, query("clock")]
        let plan = watchlist(queries.map { ($0, ["com.a"]) })
        try await history.adopt(plan, now: start)
        store.announce(timer, .answered(list(["com.b"])))
        store.announce(query("clock"), .answered(whole(["com.a"])))
        let impatient = try await impatientHistory()
        let other = try OtherWriter(impatient.path)
        try await other.lock()
        let (clock, moment) = (InstantClock(), start)
        let pass = TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: clock, now: { moment }), history: impatient,
            parallelism: 1)
        _ = try await pass.run([plan.scheduledQueries[0]])
        try await other.letGo()
        clock.advance(by: .seconds(31))
        let result = try await pass.run([plan.scheduledQueries[1]])
        #expect(store.asked == [timer, timer, query("clock")] && result.asked == 1)
        let states = try HistoryReader(path: impatient.path).standings().map(\.outcome.state)
        #expect(states == [.suspect, .ranked])
    }

    private func impatientHistory() async throws -> HistoryStore {
        try await history.close()
        return try HistoryStore(path: history.path, busySeconds: 0.02)
    }
}
