import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Alerts

@Suite struct DeliveryLoopTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let clock = ManualClock()
    private let origin: ManualClock.Instant
    private static let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        origin = clock.now
    }

    /// What was sent, and what is answered.
    private final class Receiver: Sendable {
        private struct State {
            var seen: [(channel: String, message: AlertMessage)] = []
            var answers: [String: [DeliveryAnswer]] = [:]
        }

        private let state = Mutex(State())
        let arrivals = AsyncStream<String>.makeStream()

        /// Answers in this order, then with the last one.
        func answer(_ channel: String, _ answers: DeliveryAnswer...) { answer(channel, answers) }

        func answer(_ channel: String, _ answers: [DeliveryAnswer]) {
            state.withLock { $0.answers[channel] = answers }
        }

        func take(_ message: AlertMessage, _ channel: String) -> DeliveryAnswer {
            let answer = state.withLock { state in
                state.seen.append((channel, message))
                let answers = state.answers[channel] ?? []
                if answers.count > 1 { state.answers[channel]?.removeFirst() }
                return answers.first ?? .delivered
            }
            arrivals.continuation.yield(channel)
            return answer
        }

        func ids(_ channel: String) -> [String] {
            state.withLock { $0.seen.filter { $0.channel == channel }.map(\.message.id) }
        }

        var messages: [AlertMessage] { state.withLock { $0.seen.map(\.message) } }
    }

    private let receiver = Receiver()

    private func now() -> @Sendable () -> Timestamp {
        { [clock, origin] in Self.start + Int64(origin.duration(to: clock.now) / .seconds(1)) }
    }

    private func channel(_ name: String) -> AlertChannel {
        AlertChannel(name: name, transport: .command(["/bin/true"], seconds: 10))
    }

    private func message(_ id: String) -> AlertMessage {
        AlertMessage(id: id, at: Self.start, severity: .normal, title: "title of \(id)", lines: [])
    }

    private func put(_ ids: String..., to channels: [String]) async throws {
        let known = try HistoryReader(path: store.path).alertMark()
        let mark = AlertMark(since: Self.start, check: (known?.check ?? 0) + 1, judgedAt: now()())
        let messages = ids.map {
            OutboxMessage(id: $0, decidedAt: now()(), content: message($0).stored, channels: channels)
        }
        #expect(try await store.decide(OutboxDecision(mark: mark, messages: messages), from: known))
    }

    /// Sends what is due once, as a run of `rankd --once` does.
    private func sendOnce(oldest: Int64, to name: String = "team") async throws {
        try await store.adopt([OutboxChannel(name: name, kind: "command", settings: "1")])
        let sender = DeliveryLoop(
            history: store, clock: clock, now: now(), receipt: ReceiptFile(beside: store.path), oldest: oldest,
            chance: { 0 }, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let receiver = receiver
        await sender.replace(with: [channel(name)]) { receiver.take($0, $1.name) }
        let sending = Task {
            await sender.sendDue(patience: .zero)
            receiver.arrivals.continuation.yield("ended")
        }
        for await event in receiver.arrivals.stream {
            if event == "ended" { break }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        await sending.value
    }

    @Test func `a run that comes once a week sends what was decided in the run before, and ends`() async throws {
        try await store.adopt([OutboxChannel(name: "team", kind: "command", settings: "1")])
        try await put("m1", "m2", to: ["team"])
        clock.advance(by: .seconds(7 * 86_400))
        try await sendOnce(oldest: 9 * 86_400)
        #expect(receiver.ids("team") == ["m1", "m2"])
        #expect(try Set(states().values) == [.delivered])
    }

    @Test func `a run leaves what is not taken to the next one`() async throws {
        try await store.adopt([OutboxChannel(name: "team", kind: "command", settings: "1")])
        receiver.answer("team", .retry(after: 600, why: "status 503"), .delivered)
        try await put("m1", to: ["team"])
        try await sendOnce(oldest: 9 * 86_400)
        #expect(try states() == ["m1 team": .due] && receiver.ids("team") == ["m1"])
        clock.advance(by: .seconds(86_400))
        try await sendOnce(oldest: 9 * 86_400)
        #expect(try states() == ["m1 team": .delivered] && receiver.ids("team") == ["m1", "m1"])
    }

    /// Runs `body` beside a sender to `names`.
    private func sending(
        to names: String..., deliver: DeliveryLoop<ManualClock>.Deliver? = nil,
        _ body: (DeliveryLoop<ManualClock>) async throws -> Void
    ) async throws {
        try await store.adopt(names.map { OutboxChannel(name: $0, kind: "command", settings: "1") })
        let sender = DeliveryLoop(
            history: store, clock: clock, now: now(), receipt: ReceiptFile(beside: store.path), chance: { 0 },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let receiver = receiver
        await sender.replace(with: names.map(channel), deliver: deliver ?? { receiver.take($0, $1.name) })
        let task = Task { await sender.run() }
        defer { task.cancel() }
        try await body(sender)
    }

    /// Waits until so many have arrived, with the sleepers that are to be woken meanwhile.
    private func arrivals(_ count: Int, of stream: inout AsyncStream<String>.Iterator) async {
        for _ in 0..<count { _ = await stream.next() }
    }

    private func states() throws -> [String: OutboxDelivery.State] {
        Dictionary(
            try HistoryReader(path: store.path).deliveries(limit: 50).map { ("\($0.message) \($0.channel)", $0.state) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func `what is due is delivered to each channel, a second after the one before`() async throws {
        try await sending(to: "team", "hook") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", "m2", to: ["team", "hook"])
            await sender.wake()
            await arrivals(2, of: &stream)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            await arrivals(2, of: &stream)
            await clock.sleepers(2)
            #expect(receiver.ids("team") == ["m1", "m2"])
            #expect(receiver.ids("hook") == ["m1", "m2"])
            #expect(try Set(states().values) == [.delivered])
        }
    }

    @Test func `what is not taken is tried again after the waits, under the same id, and given up at last`()
        async throws
    {
        receiver.answer("team", .retry(after: nil, why: "status 500"))
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            for wait in RetrySchedule.waits {
                await clock.sleepers(1)
                clock.advance(by: .seconds(1))
                await clock.sleepers(1)
                clock.advance(by: .seconds(wait))
                await sender.wake()
                await arrivals(1, of: &stream)
            }
            await clock.sleepers(1)
            #expect(receiver.ids("team") == Array(repeating: "m1", count: 8))
            #expect(try states() == ["m1 team": .givenUp])
        }
    }

    @Test func `a channel that names a wait is not asked before`() async throws {
        receiver.answer("team", .retry(after: 600, why: "status 429"), .delivered)
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            #expect(try HistoryReader(path: store.path).deliveries(limit: 1).first?.dueAt == Self.start + 600)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            clock.advance(by: .seconds(599))
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            #expect(try states() == ["m1 team": .delivered])
        }
    }

    @Test func `a channel that names a wait gets no other message before, and the first is the oldest`() async throws {
        receiver.answer("team", .declined(after: 600, why: "status 429"), .delivered)
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            try await put("m2", to: ["team"])
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            #expect(receiver.ids("team") == ["m1"])
            clock.advance(by: .seconds(599))
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await arrivals(1, of: &stream)
            #expect(receiver.ids("team") == ["m1", "m1", "m2"])
        }
    }

    @Test func `a channel that names a short wait gets others after it, though the message itself waits longer`()
        async throws
    {
        let failing = Array(repeating: DeliveryAnswer.retry(after: nil, why: "status 500"), count: 3)
        receiver.answer("team", failing + [.declined(after: 30, why: "status 429"), .delivered])
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            for wait in RetrySchedule.waits.prefix(2) {
                await clock.sleepers(1)
                clock.advance(by: .seconds(1))
                await clock.sleepers(1)
                clock.advance(by: .seconds(wait))
                await sender.wake()
                await arrivals(1, of: &stream)
            }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            // Half an hour before it is due.
            try await put("m2", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            clock.advance(by: .seconds(30))
            await sender.wake()
            await arrivals(1, of: &stream)
            #expect(receiver.ids("team") == ["m1", "m1", "m1", "m1", "m2"])
        }
    }

    @Test func `what fails before it is due, for the sake of a newer one, keeps its turn and its count`() async throws {
        receiver.answer(
            "team", .retry(after: nil, why: "1"), .retry(after: nil, why: "2"), .retry(after: nil, why: "3"),
            .delivered)
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            clock.advance(by: .seconds(4))
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            // 5 s after the first try, and then 300.
            try await put("m2", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            let kept = try #require(try HistoryReader(path: store.path).deliveries(of: "m1", limit: 1).first)
            #expect(kept.tries == 2 && kept.dueAt == Self.start + 305)
            #expect(receiver.ids("team") == ["m1", "m1", "m1"])
        }
    }

    @Test func `a channel that hangs delays no other`() async throws {
        let receiver = receiver
        let hanging = AsyncStream<Void>.makeStream()
        try await sending(
            to: "hangs", "team",
            deliver: { message, channel in
                if channel.name == "hangs" { for await _ in hanging.stream {} }
                return receiver.take(message, channel.name)
            }
        ) { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["hangs", "team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            #expect(try states() == ["m1 hangs": .due, "m1 team": .delivered])
        }
    }

    @Test func `nobody is asked again who says that he is gone`() async throws {
        receiver.answer("team", .gone)
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", "m2", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await clock.sleepers(1)
            #expect(receiver.ids("team") == ["m1"])
            #expect(try states() == ["m1 team": .refused, "m2 team": .due])
        }
    }

    @Test func `what could not be sent for two days is summed up in the next message`() async throws {
        receiver.answer("team", .retry(after: nil, why: "status 500"), .delivered)
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            try await put("m1", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            clock.advance(by: .seconds(3 * 86_400))
            try await put("m2", to: ["team"])
            await sender.wake()
            await arrivals(1, of: &stream)
            #expect(receiver.messages.last?.id == "m2")
            #expect(
                receiver.messages.last?.remark
                    == "Could not be sent for 2 days: title of m1. rankctl alerts log shows them.")
        }
    }

    @Test func `a sender that is cut off leaves the message to the next one, under the same id`() async throws {
        let receiver = receiver
        let began = AsyncStream<Void>.makeStream()
        try await sending(
            to: "team",
            deliver: { _, _ in
                began.continuation.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return .retry(after: nil, why: "cut off")
            }
        ) { sender async throws in
            try await put("m1", to: ["team"])
            await sender.wake()
            var iterator = began.stream.makeAsyncIterator()
            _ = await iterator.next()
        }
        clock.advance(by: .seconds(120))
        try await sending(to: "team") { sender async throws in
            var stream = receiver.arrivals.stream.makeAsyncIterator()
            await sender.wake()
            await arrivals(1, of: &stream)
            await clock.sleepers(1)
            #expect(receiver.ids("team") == ["m1"])
            let (states, tries) = (
                try states(), try HistoryReader(path: store.path).deliveries(limit: 1).first?.tries
            )
            #expect(states == ["m1 team": .delivered])
            #expect(tries == 1)
        }
    }
}
