import AppStore
import History
import Logging
import RankKit
import TestSupport
import Testing
import Tracking

/// One turn of the loop, as `rankd --once` runs it.
@Suite(.timeLimit(.minutes(30))) struct OnceTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")
    private let lines = LogLines()
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"), busySeconds: 0.02)
    }

    private func service(
        _ plan: Watchlist, health: EndpointHealth = EndpointHealth()
    ) async throws -> TrackingService<InstantClock> {
        var plan = plan
        plan.service.parallelism = 1
        try await history.adopt(plan, now: start)
        let now: @Sendable () -> Timestamp = { [start] in start }
        let pace = Pace(requestsPerMinute: 15, health: health, now: start, clock: clock)
        let pass = TrackingPass(
            lane: store.store.searches(as: .search(at: "fake"), pace: pace, clock: clock, now: now),
            lookups: store.store.lookups(perMinute: 15, clock: clock, now: now), history: history, parallelism: 1)
        return TrackingService(
            plan: CurrentPlan(plan), pass: pass, log: lines.log)
    }

    private func told(_ event: TrackingEvent) -> String {
        switch event {
        case .nothingDue(let next): "nothing due before \(next.map { $0 - start } ?? -1)"
        case .began(let due, _): "began \(due)"
        case .recorded(let check): "recorded \(check.query.text)"
        case .throttled(let query, _): "throttled \(query.text)"
        case .ended(let result, _, let backlog):
            "ended \(result.asked) of \(result.due), backlog \(backlog?.checks ?? 0)"
        case .health(let health, let endpoint, _, let until):
            "\(endpoint.name) \(health.pause?.rawValue ?? "well")\(until == nil ? "" : ", paused")"
        case .waits(let check, _): "waits \(check.query.text)"
        case .landed(let check): "landed \(check.query.text)"
        case .settled: "settled"
        case .wasBadDay: "was a bad day"
        case .mended: "mended"
        case .rested: "rested"
        case .lost: "lost"
        case .lookingUp(let apps): "looking up \(apps)"
        case .lookedUp: "looked up"
        case .filledIn(let outcome): "filled in \(outcome.queries.count)"
        }
    }

    @Test func `what is due is asked, what no list has shown is looked up, and the upkeep is done`() async throws {
        var plan = watchlist([(timer, ["com.a", "com.b"]), (query("clock"), ["com.a"])])
        plan.service.backup = BackupSettings()
        store.announce(timer, .answered(whole(["com.a"])))
        store.announce(query("clock"), .answered(whole(["com.a"])))
        store.sells("com.b")
        var events: [String] = []
        let result = try await service(plan).runOnce { events.append(told($0)) }
        #expect((result?.due, result?.succeeded) == (2, 2))
        #expect(
            events == [
                "began 2", "recorded timer", "recorded clock", "ended 2 of 2, backlog 0", "search well", "looking up 1",
                "filled in 0",
            ])
        #expect(try await history.unseenApps().isEmpty)
        #expect(try await history.lastHousekeeping() == start)
        // What came of it is told as the service tells it.
        #expect(lines.all.contains("housekeeping ended"))
        #expect(try await history.backups()?.lastAt == start)
    }

    @Test func `where nothing is due nothing is searched for, and it is told until when`() async throws {
        let plan = watchlist([(timer, ["com.a"])], every: 3_600)
        try await history.adopt(plan, now: start)
        try await history.record(Check(query: timer, at: start, outcome: .answered(whole(["com.a"]))))
        try await history.adopt(watchlist([(timer, ["com.a", "com.b"])], every: 3_600), now: start)
        store.sells()
        var events: [String] = []
        let result = try await service(watchlist([(timer, ["com.a", "com.b"])], every: 3_600))
            .runOnce { events.append(told($0)) }
        #expect(result == nil)
        #expect(store.asked.isEmpty && store.lookedUp.count == 1)
        #expect(events == ["nothing due before 3600", "looking up 1", "filled in 1"])
        #expect(try await history.lastHousekeeping() == nil)
    }

    @Test func `no search goes through a pause, and it is told until when`() async throws {
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: 600), at: start)
        store.sells("com.a")
        var events: [String] = []
        let result = try await service(watchlist([(timer, ["com.a"])]), health: health)
            .runOnce { events.append(told($0)) }
        #expect(store.asked.isEmpty)
        #expect((result?.asked, result?.due) == (0, 1))
        #expect(events.prefix(4) == ["began 1", "ended 0 of 1, backlog 0", "search throttled, paused", "filled in 0"])
    }

    @Test func `what cannot be recorded is the end, with its reason`() async throws {
        let queries = (0..<5).map { query("q\($0)") }
        for query in queries { store.announce(query, .answered(whole(["com.a"]))) }
        let service = try await service(watchlist(queries.map { ($0, ["com.a"]) }))
        let other = try OtherWriter(history.path)
        try await other.lock()
        var events: [String] = []
        await #expect(throws: HistoryError.busy(path: history.path)) {
            _ = try await service.runOnce { events.append(told($0)) }
        }
        #expect(store.asked.count <= 2)
        #expect(
            events.first == "began 5" && events.last == "ended \(store.asked.count) of 5, backlog \(store.asked.count)")
        try await other.letGo()
    }

    @Test func `a signal cuts off what is in flight, and nothing follows`() async throws {
        store.announce(timer, .answered(whole(["com.a"])))
        store.sells("com.a")
        store.hold()
        let service = try await service(watchlist([(timer, ["com.a"])]))
        let running = Task { try await service.runOnce { _ in } }
        await store.requests(1)
        running.cancel()
        // Nothing came of what was due, which is no end of it.
        let result = try #require(try await running.value)
        #expect((result.due, result.asked) == (1, 0))
        #expect(try HistoryReader(path: history.path).standings()[0].outcome == .pending)
        #expect(try await history.lastHousekeeping() == nil)
    }
}
