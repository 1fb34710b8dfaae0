import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct PrunedAlertsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")
    private let clock = query("clock")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
        try await store.adopt(
            watchlist([(timer, ["com.me", "com.rival", "com.other"]), (clock, ["com.me", "com.rival"])]), now: noon)
    }

    private func move(_ app: String, on query: Query, named name: String? = nil) -> AlertEvent {
        AlertEvent(
            kind: .moved, subject: .pair(query, bundle(app)), onset: noon.day, at: noon,
            facts: .move(from: Position(34)!, to: Position(9)!, places: 25), names: .init(app: name ?? app))
    }

    /// Puts a message about these into the history, and what is noted of each.
    private func tell(_ events: AlertEvent..., at moment: Timestamp = noon) async throws {
        let message = AlertWords.message(of: events, to: ["team"], severity: .normal, at: moment)
        let known = try HistoryReader(path: store.path).alertMark()
        let decision = OutboxDecision(
            mark: AlertMark(since: noon, check: (known?.check ?? 0) + 1, judgedAt: moment),
            messages: [
                OutboxMessage(id: message.id, decidedAt: moment, content: message.stored, channels: ["team"])
            ],
            events: events.map {
                var told = ToldEvent($0, at: moment)
                told.messages = [message.id]
                return told.stored(confirmedAt: nil)
            })
        #expect(try await store.decide(decision, from: known))
    }

    /// Prunes that, once the watchlist names the rest alone.
    private func prune(_ request: PruneRequest) async throws -> Int {
        let plan = try await store.plan(request)
        let alerts = PrunedAlerts(try await store.names(of: plan))
        let count = try await alerts.count(in: store)
        try await alerts.delete(from: store)
        #expect(try await alerts.count(in: store) == 0)
        try await store.prune(plan)
        return count
    }

    /// Newest first.
    private func messages() throws -> [AlertMessage] {
        try HistoryReader(path: store.path).deliveries(limit: 50).compactMap { AlertMessage(stored: $0.content) }
    }

    private func subjects() throws -> [String] {
        try HistoryReader(path: store.path).outboxEvents(since: 0).map(\.identity.subject)
    }

    private func hasWord(_ word: String) throws -> Bool {
        let reader = try HistoryReader(path: store.path)
        return try reader.deliveries(limit: 50).contains { $0.content.contains(word) }
            || reader.outboxEvents(since: 0).contains { "\($0)".contains(word) }
    }

    @Test func `what was told of an app goes with it, and what tells of others too keeps those`() async throws {
        try await tell(move("com.rival", on: timer))
        try await tell(move("com.rival", on: clock), move("com.me", on: clock), move("com.me", on: timer))
        try await tell(move("com.me", on: timer))
        #expect(try await prune(PruneRequest(apps: ["com.rival"])) == 2)
        #expect(try messages().map(\.lines.count) == [1, 2])
        #expect(try messages().last?.title == "com.me for “clock”: #34 → #9 ▲25 since 2026-11-20, and 1 more")
        #expect(try subjects().count == 2)
        #expect(try !hasWord("rival"))
    }

    @Test func `on a query alone, what was told of it there goes`() async throws {
        try await tell(move("com.rival", on: timer))
        try await tell(move("com.rival", on: clock))
        #expect(try await prune(PruneRequest(apps: ["com.rival"], queries: ["timer"])) == 1)
        #expect(try messages().map(\.lines.first?.query) == ["clock"])
    }

    @Test func `what was told of a query goes with it, whatever the app`() async throws {
        try await tell(move("com.newcomer", on: timer), move("com.me", on: timer))
        try await tell(move("com.me", on: clock))
        #expect(try await prune(PruneRequest(queries: ["timer"])) == 1)
        #expect(try messages().map(\.lines.first?.query) == ["clock"])
        #expect(try !hasWord("timer"))
    }

    @Test func `what names an app as the other one goes with it, and so do its versions`() async throws {
        try await tell(
            AlertEvent(
                kind: .overtaken, subject: .rivals(timer, bundle("com.me"), bundle("com.rival")), onset: noon.day,
                at: noon, facts: .order(mine: Position(9), other: Position(8)),
                names: .init(app: "me", other: "Rival")))
        try await tell(
            AlertEvent(
                kind: .release, subject: .app(bundle("com.rival"), Country(code: "us")), onset: noon.day, at: noon,
                facts: .change(from: nil, to: "2.0"), names: .init(app: "Rival")))
        #expect(try await prune(PruneRequest(apps: ["com.rival"])) == 2)
        #expect(try messages().isEmpty && subjects().isEmpty)
    }

    @Test func `a digest keeps what it says of others`() async throws {
        try await tell(
            AlertEvent(
                kind: .digest, subject: .digest, onset: noon.day, at: noon,
                facts: .text("com.me: #3\nCom.Rival: #4\n2 moves"), names: .init()))
        // Names are those of the stores.
        try await store.record(Check(query: timer, at: noon, outcome: .answered(list(["com.me", "com.rival"]))))
        #expect(try await prune(PruneRequest(apps: ["com.rival"])) == 1)
        #expect(try messages().first?.lines.map(\.text) == ["com.me: #3", "2 moves"])
    }

    @Test func `a digest keeps what has the name within another word`() async throws {
        let lines = ["com.me: #3 today", "Day2: #5", "Daydream: #6, Day: #7", "“day”: 2 moves"]
        try await tell(
            AlertEvent(
                kind: .digest, subject: .digest, onset: noon.day, at: noon,
                facts: .text(lines.joined(separator: "\n")), names: .init()))
        let message = try #require(try HistoryReader(path: store.path).deliveries(limit: 1).first)
        let alerts = PrunedAlerts(PrunedNames(calledSo: ["Day"]))
        guard case .part(let rest) = alerts.rest(message.content) else {
            Issue.record("nothing goes, or all of it")
            return
        }
        #expect(AlertMessage(stored: rest)?.lines.map(\.text) == Array(lines.prefix(2)))
    }

    @Test func `only what is older goes where a time is named`() async throws {
        try await store.record(
            Check(query: timer, at: noon - 9 * day, outcome: .answered(list(["com.me", "com.rival"]))))
        try await tell(move("com.rival", on: timer), at: noon - 9 * day)
        try await tell(move("com.rival", on: timer), move("com.rival", on: clock), at: noon)
        #expect(try await prune(PruneRequest(apps: ["com.rival"], before: noon - day)) == 1)
        #expect(try messages().map(\.lines.count) == [2])
    }

    @Test func `what another version wrote stays as it is`() {
        let alerts = PrunedAlerts(PrunedNames(queries: [timer]))
        #expect(alerts.rest("{}") == .whole)
    }
}
