import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct OutboxTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt(_ names: String...) async throws {
        try await store.adopt(names.map { OutboxChannel(name: $0, kind: "webhook", settings: "1") })
    }

    private func message(
        _ id: String, to channels: [String] = ["team"], after seconds: Int64 = 0, _ content: String? = nil
    ) -> OutboxMessage {
        OutboxMessage(id: id, decidedAt: start + seconds, content: content ?? "text of \(id)", channels: channels)
    }

    private func event(_ subject: String, _ state: OutboxEvent.State = .told, in message: String? = nil) -> OutboxEvent
    {
        OutboxEvent(
            identity: .init(kind: "moved", subject: subject, variant: "", onset: start.day), confirmedAt: start,
            decidedAt: start, state: state, facts: "{}", message: message)
    }

    private func mark(_ check: Int64) -> AlertMark { AlertMark(since: start, check: check, judgedAt: start + check) }

    /// Decides on `messages` after a first judgement that told nothing.
    private func decide(_ messages: OutboxMessage..., events: [OutboxEvent] = []) async throws {
        let known = try reader.alertMark()
        let next = mark((known?.check ?? 0) + 1)
        #expect(try await store.decide(OutboxDecision(mark: next, messages: messages, events: events), from: known))
    }

    private func beginTry(after seconds: Int64, on channel: String = "team") async throws -> OutboxTry? {
        try await store.beginTry(
            on: channel, at: start + seconds, oldest: start + seconds - 2 * day, lease: 60)
    }

    private func next(after seconds: Int64) async throws -> Timestamp? {
        try await store.nextDelivery(on: "team", at: start + seconds)
    }

    private func states() throws -> [String: OutboxDelivery.State] {
        Dictionary(
            try reader.deliveries(limit: 100).map { ("\($0.message) \($0.channel)", $0.state) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func `a decision is there with its mark, its messages and its events`() async throws {
        try await adopt("team", "hook")
        try await decide(message("m1", to: ["team", "hook"]), events: [event("a", in: "m1"), event("b", .noted)])
        #expect(try reader.alertMark() == mark(1))
        #expect(try reader.deliveries(limit: 10).map(\.channel) == ["hook", "team"])
        #expect(try reader.outboxEvents(since: start.day).map(\.message) == ["m1", nil])
        #expect(try await next(after: 0) == start)
    }

    @Test func `a second decision from the same mark writes nothing`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let late = OutboxDecision(mark: mark(9), messages: [message("m2")], events: [event("a")])
        #expect(try await store.decide(late, from: nil) == false)
        #expect(try reader.alertMark() == mark(1))
        #expect(try reader.outboxEvents(since: 0).isEmpty)
        #expect(try reader.deliveries(limit: 10).map(\.message) == ["m1"])
    }

    @Test func `a message that is known is not due again`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 1))
        try await store.end(attempt, .delivered, answer: "200", at: start + 2)
        try await decide(message("m1", after: 100, "another text"))
        #expect(try states() == ["m1 team": .delivered])
        #expect(try await beginTry(after: 200) == nil)
    }

    @Test func `a try whose end was not noted is due again, once in its lease, and does not count`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        #expect(try await beginTry(after: 0)?.tries == 1)
        for kill in 1...9 as ClosedRange<Int64> {
            #expect(try await beginTry(after: kill * 60 - 1) == nil)
            let again = try #require(try await beginTry(after: kill * 60))
            #expect(again.tries == 1 && again.message == "m1" && again.content == "text of m1")
        }
    }

    @Test func `kills between tries that ended leave the count as it is, and a retry counts anew`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let first = try #require(try await beginTry(after: 0))
        try await store.end(first, .again(at: start + 5), answer: "status 503", at: start + 1)
        #expect(try await beginTry(after: 5)?.tries == 2)
        let third = try #require(try await beginTry(after: 65))
        #expect(third.tries == 2)
        try await store.end(third, .again(at: start + 400), answer: "status 503", at: start + 66)
        #expect(try await beginTry(after: 400)?.tries == 3)
        try await store.retryDeliveries(at: start + 401)
        #expect(try await beginTry(after: 401)?.tries == 1)
    }

    @Test func `what a clock a day ahead decided and tried is due by a clock that was set back`() async throws {
        try await adopt("team")
        var waits = message("m2", after: day)
        waits.dueAt = start + day + 600
        try await decide(message("m1", after: day), waits)
        #expect(try await next(after: 0) == start)
        let attempt = try #require(try await beginTry(after: day))
        try await store.end(attempt, .again(at: start + day + 300), answer: "status 503", at: start + day)
        #expect(try await next(after: 10) == start + 10)
        let again = try #require(try await beginTry(after: 10))
        #expect(again.message == "m1" && again.tries == 2)
        try await store.end(again, .delivered, answer: "delivered", at: start + 11)
        #expect(try await beginTry(after: 12) == nil)
    }

    @Test func `what a history holds that is older than what was sent is listed, and what it decides then is due`()
        async throws
    {
        try await adopt("team")
        try await decide(message("m1"))
        try await store.listDeliveries(decidedUpTo: start + 1)
        #expect(try states() == ["m1 team": .due])
        try await store.listDeliveries(decidedUpTo: start + 2)
        try await decide(message("m2", after: 5))
        #expect(try states() == ["m1 team": .listed, "m2 team": .due])
    }

    @Test func `what no channel was sent is read with its channels and its time`() async throws {
        try await adopt("team", "hook")
        var waits = message("m1", to: ["team", "hook"])
        waits.dueAt = start + 600
        try await decide(waits, message("m2"))
        _ = try await beginTry(after: 1)
        #expect(
            try reader.untriedMessages() == [
                UntriedMessage(id: "m1", content: "text of m1", channels: ["hook", "team"], dueAt: start + 600)
            ])
    }

    @Test func `what has to be tried again is due at the moment that was named`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 0))
        try await store.end(attempt, .again(at: start + 300), answer: "status 503", at: start + 1)
        #expect(try await next(after: 1) == start + 300)
        #expect(try await beginTry(after: 299) == nil)
        #expect(try reader.deliveries(limit: 1).first?.answer == "status 503")
        #expect(try await beginTry(after: 300)?.tries == 2)
        #expect(try reader.deliveries(limit: 1).first?.answer == nil)
    }

    @Test func `a due time that a clock ahead of time wrote is due now`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let ahead = start + 400 * day
        let attempt = try #require(
            try await store.beginTry(on: "team", at: ahead, oldest: start, lease: 60))
        #expect(attempt.tries == 1)
        try await store.end(attempt, .again(at: start + 401 * day), answer: "503", at: start + 400 * day)
        #expect(try await next(after: 0) == start)
        #expect(try await beginTry(after: 10)?.tries == 2)
    }

    @Test func `one channel's trouble is none of the other's`() async throws {
        try await adopt("team", "hook")
        try await decide(message("m1", to: ["team", "hook"]))
        let attempt = try #require(try await beginTry(after: 0))
        try await store.end(attempt, .gone, answer: "410", at: start + 1)
        #expect(try await beginTry(after: 2) == nil)
        #expect(try await beginTry(after: 2, on: "hook")?.message == "m1")
        #expect(try states() == ["m1 hook": .due, "m1 team": .refused])
    }

    @Test func `a channel that is gone stays off until the watchlist says something else of it`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 0))
        try await store.end(attempt, .gone, answer: "status 410", at: start + 1)
        try await decide(message("m2"))
        try await adopt("team")
        #expect(try reader.outboxChannels().map(\.offAt) == [start + 1])
        #expect(try reader.outboxChannels().map(\.trouble) == ["status 410"])
        #expect(try await beginTry(after: 10) == nil)
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "2")])
        #expect(try reader.outboxChannels().map(\.offAt) == [nil])
        #expect(try reader.outboxChannels().map(\.trouble) == [nil])
        #expect(try await beginTry(after: 10)?.message == "m2")
    }

    @Test func `what was to go to a channel that is gone from the watchlist is dropped`() async throws {
        try await adopt("team", "hook")
        try await decide(message("m1", to: ["team", "hook"]))
        try await adopt("hook")
        #expect(try states() == ["m1 hook": .due, "m1 team": .dropped])
    }

    @Test func `what is older than two days is summed up in the next message, once`() async throws {
        try await adopt("team")
        try await decide(message("m1"), message("m2", after: 60))
        #expect(try await beginTry(after: 3 * day) == nil)
        #expect(try states() == ["m1 team": .expired, "m2 team": .expired])
        try await decide(message("m3", after: 3 * day))
        let attempt = try #require(try await beginTry(after: 3 * day))
        #expect(attempt.message == "m3" && attempt.missed == ["text of m1", "text of m2"])
        // A later try of the same message says the same.
        #expect(try await beginTry(after: 3 * day + 60)?.missed == attempt.missed)
        try await store.end(attempt, .delivered, answer: "200", at: start + 3 * day + 61)
        try await decide(message("m4", after: 3 * day + 100))
        #expect(try await beginTry(after: 3 * day + 100)?.missed == [])
    }

    @Test func `a message that nobody was sent can be shortened or withdrawn`() async throws {
        try await adopt("team")
        try await decide(message("m1"), message("m2", after: 1), message("m3", after: 2))
        #expect(try await beginTry(after: 5)?.message == "m1")
        var decision = OutboxDecision(mark: mark(2))
        decision.shortened = [message("m2", "short")]
        decision.withdrawn = ["m3"]
        #expect(try await store.decide(decision, from: mark(1)))
        #expect(try states() == ["m1 team": .due, "m2 team": .due, "m3 team": .withdrawn])
        let contents = try reader.deliveries(limit: 10).map(\.content)
        #expect(contents == ["text of m3", "short", "text of m1"])
    }

    @Test func `what would take from a message that is on its way is to be judged anew`() async throws {
        try await adopt("team", "hook")
        try await decide(message("m1", to: ["team", "hook"]))
        #expect(try await beginTry(after: 5)?.message == "m1")
        var shortening = OutboxDecision(mark: mark(2), messages: [message("m2")])
        shortening.shortened = [message("m1", "short")]
        #expect(try await store.decide(shortening, from: mark(1)) == false)
        var withdrawing = OutboxDecision(mark: mark(2))
        withdrawing.withdrawn = ["m1"]
        #expect(try await store.decide(withdrawing, from: mark(1)) == false)
        #expect(try states() == ["m1 team": .due, "m1 hook": .due])
        #expect(try reader.alertMark() == mark(1))
    }

    @Test func `what is tried anew was sent all the same`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        _ = try await beginTry(after: 5)
        try await store.retryDeliveries(at: start + 6)
        #expect(try reader.triedMessages(since: start).keys.sorted() == ["m1"])
        #expect(try reader.untriedMessages() == [])
    }

    @Test func `a channel that was given up before it was sent a message never had it, and one that was has`()
        async throws
    {
        try await adopt("team", "hook", "phone")
        try await decide(message("m1", to: ["team", "hook", "phone"]))
        for channel in ["team", "hook"] {
            let attempt = try #require(try await beginTry(after: 1, on: channel))
            try await store.end(attempt, .again(at: start + 300), answer: "status 503", at: start + 2)
        }
        try await adopt("team")
        try await adopt("team", "hook", "phone")
        #expect(try reader.triedMessages(since: start) == ["m1": ["team", "hook"]])
    }

    @Test func `a retry days later is sent once more`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 1))
        try await store.end(attempt, .givenUp, answer: "status 500", at: start + 2)
        #expect(try await store.retryDeliveries(at: start + 5 * day) == 1)
        #expect(try await beginTry(after: 5 * day)?.message == "m1")
    }

    @Test func `a channel that is gone keeps saying why, until it is tried anew`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 1))
        try await store.end(attempt, .gone, answer: "410", at: start + 2)
        try await adopt("team")
        #expect(try reader.outboxChannels().map(\.trouble) == ["410"])
        try await store.retryDeliveries(at: start + 3)
        #expect(try reader.outboxChannels().map(\.trouble) == [nil])
    }

    @Test func `an event of which something else became keeps its moments and its message`() async throws {
        try await adopt("team")
        try await decide(message("m1"), events: [event("a", in: "m1")])
        var later = event("a", .back)
        later.decidedAt = start + day
        try await decide(events: [later])
        let known = try #require(try reader.outboxEvents(since: 0).first)
        #expect(known.state == .back && known.decidedAt == start && known.message == "m1")
    }

    @Test func `events are read from a day on, each kind from its own, by when they were told last`() async throws {
        try await adopt("team")
        var (old, drift, told) = (event("a"), event("b"), event("c", in: "m1"))
        old.identity.onset -= 50
        old.decidedAt = start - 50 * day
        drift.identity.kind = "drift"
        (drift.identity.onset, drift.decidedAt) = (old.identity.onset, old.decidedAt)
        (told.identity.onset, told.decidedAt) = (old.identity.onset, old.decidedAt)
        try await decide(message("m1"), events: [old, drift, told])
        func subjects(since day: Int64?, own: [String: Int64] = [:]) throws -> [String] {
            try reader.outboxEvents(since: day, own: own).map(\.identity.subject).sorted()
        }
        #expect(try subjects(since: start.day - 50) == ["a", "b", "c"])
        #expect(try subjects(since: start.day - 49) == ["c"])
        #expect(try subjects(since: start.day - 49, own: ["drift": start.day - 50]) == ["b", "c"])
        #expect(try subjects(since: start.day - 50, own: ["drift": start.day - 49]) == ["a", "c"])
        #expect(try subjects(since: nil, own: ["drift": start.day - 50]) == ["b"])
        #expect(try subjects(since: nil).isEmpty)
    }

    @Test func `what was told can be read from an earlier day on than what was noted`() async throws {
        let states: [OutboxEvent.State] = [.noted, .told, .withdrawn, .back]
        try await decide(events: states.map { event($0.rawValue, $0) })
        func subjects(_ day: Int64?, toldSince told: Int64?) throws -> [String] {
            try reader.outboxEvents(since: day, toldSince: told).map(\.identity.subject).sorted()
        }
        #expect(try subjects(start.day + 1, toldSince: start.day) == ["back", "told"])
        #expect(try subjects(nil, toldSince: start.day) == ["back", "told"])
        #expect(try subjects(start.day + 1, toldSince: start.day + 1).isEmpty)
        #expect(try subjects(start.day, toldSince: start.day) == ["back", "noted", "told", "withdrawn"])
    }

    @Test func `what is only listed is never due, and stays when others are retried`() async throws {
        try await adopt("team")
        var listed = message("m1")
        listed.isListed = true
        try await decide(listed, message("m2"))
        let attempt = try #require(try await beginTry(after: 1))
        #expect(attempt.message == "m2")
        try await store.end(attempt, .givenUp, answer: "status 500", at: start + 2)
        #expect(try await store.retryDeliveries(at: start + 10) == 1)
        #expect(try states() == ["m1 team": .listed, "m2 team": .due])
        #expect(try await beginTry(after: 10)?.tries == 1)
    }

    @Test func `a retry switches channels on that were gone`() async throws {
        try await adopt("team")
        try await decide(message("m1"))
        let attempt = try #require(try await beginTry(after: 1))
        try await store.end(attempt, .gone, answer: "410", at: start + 2)
        #expect(try await store.retryDeliveries(of: "m1", at: start + 3) == 1)
        #expect(try reader.outboxChannels().map(\.trouble) == [nil])
        #expect(try await beginTry(after: 3)?.message == "m1")
    }

    @Test func `what is old is forgotten some at a time, with its deliveries`() async throws {
        try await adopt("team")
        try await decide(
            message("m1"), message("m2", after: 1), message("m3", after: 2 * day),
            events: [event("a", in: "m1"), event("b", in: "m2")])
        #expect(try await store.forgetMessages(before: start + day, most: 1) == 1)
        #expect(try await store.forgetMessages(before: start + day, most: 9) == 1)
        var next = try await store.forgetEvents(before: start + day, after: nil, limit: 1).next
        while let mark = next { next = try await store.forgetEvents(before: start + day, after: mark, limit: 1).next }
        #expect(try states() == ["m3 team": .due])
        #expect(try reader.outboxEvents(since: 0).isEmpty)
        #expect(try await store.findings() == [])
    }

    @Test func `what began or was told later is kept, and a drift as long as it goes on`() async throws {
        try await adopt("team")
        func old(_ subject: String, in message: String? = nil, slidOn: Int64? = nil) -> OutboxEvent {
            var old = event(subject, in: message)
            if let slidOn { (old.identity.kind, old.facts) = ("drift", "{\"slidOn\":\(slidOn)}") }
            old.identity.onset -= 9
            old.decidedAt = start - 9 * day
            return old
        }
        var (began, decided, odd) = (old("began"), old("decided"), old("odd", slidOn: 0))
        began.identity.onset = start.day
        decided.decidedAt = start
        odd.facts = "no JSON"
        try await decide(
            message("m1"),
            events: [
                old("old"), began, decided, odd, old("told", in: "m1"), old("slides", slidOn: start.day),
                old("slid", slidOn: start.day - 5),
            ])
        #expect(try await store.forgetEvents(before: start, after: nil, limit: 99).deleted == 3)
        let kept = try reader.outboxEvents(since: 0).map(\.identity.subject).sorted()
        #expect(kept == ["began", "decided", "slides", "told"])
    }
}
