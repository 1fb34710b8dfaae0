import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct ChannelQueueTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
    }

    private func decide(_ id: String, after seconds: Int64, due: Int64? = nil) async throws {
        let known = try HistoryReader(path: store.path).alertMark()
        let message = OutboxMessage(
            id: id, decidedAt: start + seconds, content: "text of \(id)", channels: ["team"],
            dueAt: due.map { start + $0 })
        let mark = AlertMark(since: start, check: (known?.check ?? 0) + 1, judgedAt: start + seconds)
        #expect(try await store.decide(OutboxDecision(mark: mark, messages: [message]), from: known))
    }

    private func begin(after seconds: Int64) async throws -> OutboxTry? {
        let now = start + seconds
        let next = try await store.nextDelivery(on: "team", at: now)
        let attempt = try await store.beginTry(
            on: "team", at: now, oldest: now - 2 * Timestamp.secondsPerDay, lease: 60)
        // Whoever waits for the next one is woken for it, and for nothing else.
        #expect((next.map { $0 <= now } ?? false) == (attempt != nil), "after \(seconds)")
        return attempt
    }

    /// What is tried then, and what comes of it.
    private func send(_ outcome: OutboxTry.Outcome, rest: Int64? = nil, after seconds: Int64) async throws -> String? {
        guard let attempt = try await begin(after: seconds) else { return nil }
        try await store.end(
            attempt, outcome, answer: "\(outcome)", rest: rest.map { start + $0 }, at: start + seconds)
        return attempt.message
    }

    private func again(after seconds: Int64, holding held: OutboxTry.Outcome.Held = .newer) -> OutboxTry.Outcome {
        .again(at: start + seconds, holding: held)
    }

    private func due(_ id: String) throws -> Int64? {
        try HistoryReader(path: store.path).deliveries(of: id, limit: 1).first.map { $0.dueAt - start }
    }

    @Test func `what was tried in vain goes before what was decided after it, though it is not due`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 10 * hour), after: 1) == "m1")
        try await decide("m2", after: 2 * hour)
        let attempt = try #require(try await begin(after: 2 * hour))
        #expect(attempt.message == "m1" && attempt.tries == 1 && attempt.dueAt == start + 10 * hour)
        try await store.end(attempt, .delivered, answer: "delivered", at: start + 2 * hour)
        #expect(try await send(.delivered, after: 2 * hour + 1) == "m2")
    }

    @Test func `what is newer waits a quarter of an hour behind what is still not taken, and then goes`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 10 * hour), after: 1) == "m1")
        try await decide("m2", after: hour)
        #expect(try await send(again(after: 10 * hour), after: hour) == "m1")
        #expect(try await begin(after: hour + 899) == nil)
        #expect(try await store.nextDelivery(on: "team", at: start + hour + 1) == start + hour + 900)
        #expect(try await send(again(after: 10 * hour), after: hour + 900) == "m1")
        // It was killed with no answer noted.
        #expect(try await begin(after: hour + 901)?.message == "m2")
        #expect(try await begin(after: hour + 902) == nil)
    }

    @Test func `what is newer waits no longer than until what failed is due again`() async throws {
        try await decide("m1", after: 0)
        try await decide("m2", after: 0)
        #expect(try await send(again(after: 6), after: 1) == "m1")
        #expect(try await begin(after: 5) == nil)
        #expect(try await send(.delivered, after: 6) == "m1")
        #expect(try await send(.delivered, after: 7) == "m2")
    }

    @Test func `a message that is declined for itself is tried first, and holds up nothing`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 10 * hour, holding: .nothing), after: 1) == "m1")
        try await decide("m2", after: hour)
        #expect(try await send(again(after: 10 * hour, holding: .nothing), after: hour) == "m1")
        #expect(try await send(.delivered, after: hour + 1) == "m2")
    }

    @Test func `what a channel asked for holds for every message to it, and survives a restart`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 2 * hour), rest: 2 * hour, after: 1) == "m1")
        try await decide("m2", after: 60)
        #expect(try await begin(after: 60) == nil)
        #expect(try await store.nextDelivery(on: "team", at: start + 60) == start + 2 * hour)
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
        #expect(try await begin(after: 2 * hour - 1) == nil)
        #expect(try await send(.delivered, after: 2 * hour) == "m1")
        #expect(try await send(.delivered, after: 2 * hour + 1) == "m2")
    }

    @Test func `what a channel asked for holds no longer than that, however long the message itself waits`()
        async throws
    {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 10 * hour), after: 1) == "m1")
        try await decide("m2", after: hour)
        #expect(try await send(again(after: 10 * hour), rest: hour + 30, after: hour) == "m1")
        #expect(try await store.nextDelivery(on: "team", at: start + hour) == start + hour + 900)
        #expect(try await begin(after: hour + 899) == nil)
        #expect(try await send(again(after: 10 * hour), rest: hour + 930, after: hour + 900) == "m1")
        #expect(try await begin(after: hour + 929) == nil)
        #expect(try await send(.delivered, after: hour + 930) == "m2")
    }

    @Test func `what a channel asked for holds when the message is given up, too`() async throws {
        try await decide("m1", after: 0)
        try await decide("m2", after: 0)
        #expect(try await send(.givenUp, rest: 600, after: 1) == "m1")
        #expect(try await begin(after: 599) == nil)
        #expect(try await send(.delivered, after: 600) == "m2")
    }

    @Test func `what a channel asked for is none of another address's`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 2 * hour), rest: 2 * hour, after: 1) == "m1")
        try await decide("m2", after: 60)
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "2")])
        #expect(try await send(.delivered, after: 60) == "m1")
    }

    @Test func `once a message gets through, those that failed are tried at once, the oldest first`() async throws {
        for number in 1...3 as ClosedRange<Int64> {
            try await decide("m\(number)", after: number * hour)
            // Each goes after the older ones were tried once more.
            while try await send(again(after: 20 * hour, holding: .nothing), after: number * hour) != "m\(number)" {}
        }
        try await decide("m4", after: 4 * hour)
        #expect(try await send(again(after: 20 * hour, holding: .nothing), after: 4 * hour) == "m1")
        #expect(try await send(.delivered, after: 4 * hour + 1) == "m4")
        for number in 1...3 as ClosedRange<Int64> {
            #expect(try await send(.delivered, after: 4 * hour + 1 + number) == "m\(number)")
        }
    }

    @Test func `what is tried because another one got through keeps its turn and its count, until its turn comes`()
        async throws
    {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 10 * hour, holding: .nothing), after: 1) == "m1")
        for number in 1...9 as ClosedRange<Int64> {
            let now = number * hour
            try await decide("n\(number)", after: now)
            #expect(try await send(again(after: 10 * hour, holding: .nothing), after: now) == "m1")
            #expect(try await send(.delivered, after: now + 1) == "n\(number)")
            let hastened = try #require(try await begin(after: now + 2))
            #expect(hastened.message == "m1" && hastened.tries == 1 && hastened.dueAt == start + 10 * hour)
            try await store.end(
                hastened, again(after: 10 * hour, holding: .nothing), answer: "HTTP 404", at: start + now + 2)
            #expect(try await begin(after: now + 3) == nil)
        }
        let own = try #require(try await begin(after: 10 * hour))
        #expect(own.message == "m1" && own.tries == 2 && own.dueAt == nil)
    }

    @Test func `a message that waits for its time holds up none, nor does one that is over`() async throws {
        try await decide("m1", after: 0, due: 8 * hour)
        try await decide("m2", after: 10)
        #expect(try await send(.refused, after: 10) == "m2")
        try await decide("m3", after: 20)
        #expect(try await send(.delivered, after: 20) == "m3")
        #expect(try due("m1") == 8 * hour)
    }

    @Test func `what a clock that was far ahead held is not held by a clock that is right`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 9 * 24 * hour), rest: 9 * 24 * hour, after: 1) == "m1")
        #expect(try await begin(after: 10)?.message == "m1")
    }

    @Test func `who asks for all to be tried again does not end what waits for its time`() async throws {
        try await decide("m1", after: 0, due: 8 * hour)
        try await decide("m2", after: 0)
        #expect(try await send(again(after: 5 * hour), after: 1) == "m2")
        #expect(try await store.retryDeliveries(at: start + 60) == 1)
        #expect(try due("m1") == 8 * hour)
        #expect(try await send(.delivered, after: 60) == "m2")
        #expect(try await begin(after: 61) == nil)
    }

    @Test func `who asks for one message has it sent at once, whatever it waits for`() async throws {
        try await decide("m1", after: 0)
        #expect(try await send(again(after: 5 * hour), rest: 5 * hour, after: 1) == "m1")
        try await decide("m2", after: 2, due: 8 * hour)
        #expect(try await store.retryDeliveries(of: "m2", at: start + 60) == 1)
        #expect(try await send(.delivered, after: 61) == "m2")
    }
}
