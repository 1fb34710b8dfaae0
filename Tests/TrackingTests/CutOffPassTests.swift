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

    @Test func `an answer that was to be asked again is recorded at the next start, and is not due`() async throws {
        let plan = watchlist([(timer, ["com.a"])])
        try await history.adopt(plan, now: start)
        let pass = PassID(of: .itunes, number: 1)
        let applied = try await history.apply(
            .answer(
                SearchAnswer(to: timer, at: start, clock: start, asking: .first(pass), reply: .list(list(["com.b"])))))
        #expect(applied.askAgain == [timer])
        try await history.close()
        // The next start.
        let again = try HistoryStore(path: history.path)
        let moment = start + 60
        let next = TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: InstantClock(), now: { moment }), history: again,
            parallelism: 1)
        let events = try await next.recorder.takeUp(asOf: moment)
        guard case .landed(let check)? = events.first else { Issue.record("\(events)"); return }
        #expect(check.suspicion == .early && check.at == start && events.count == 1)
        #expect(try HistoryReader(path: again.path).standings()[0].outcome == .suspect(.early))
        #expect(try await next.recorder.due(plan.scheduledQueries, now: moment).isEmpty)
        #expect(try await next.recorder.takeUp(asOf: moment).isEmpty)
        #expect(store.asked.isEmpty)
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

    @Test func `what waited from an earlier pass is settled as that pass left it, and not asked again`() async throws {
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
        #expect(store.asked == queries && result.asked == 1)
        let states = try HistoryReader(path: impatient.path).standings().map(\.outcome.state)
        #expect(states == [.suspect, .ranked])
    }

    private func impatientHistory() async throws -> HistoryStore {
        try await history.close()
        return try HistoryStore(path: history.path, busySeconds: 0.02)
    }
}
