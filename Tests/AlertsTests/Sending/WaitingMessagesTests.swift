import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct WaitingMessagesTests {
    private let morning = noon + 19 * hour

    private func message(
        _ names: String..., mine: Bool = true, size: Double = 1, severity: AlertSeverity = .normal,
        to channels: [String] = ["team"]
    ) -> AlertMessage {
        let more = names.count > 1 ? ", and \(names.count - 1) more" : ""
        return AlertMessage(
            id: AlertWords.id(of: names, to: channels), at: noon, severity: severity,
            title: "headline of \(names[0])" + more,
            lines: names.prefix(10).enumerated().map { index, name in
                AlertMessage.Line(
                    kind: .moved, event: name, text: "text of \(name)", app: name, isMine: mine,
                    size: size - Double(index) / 100)
            }, omitted: max(0, names.count - 10), events: names)
    }

    private func untried(_ message: AlertMessage, to channels: [String] = ["team"], at due: Timestamp? = nil)
        -> UntriedMessage
    {
        UntriedMessage(id: message.id, content: message.stored, channels: channels, dueAt: due ?? morning)
    }

    private func outgoing(_ message: AlertMessage, at due: Timestamp?) -> AlertDecision.Outgoing {
        AlertDecision.Outgoing(message: message, channels: ["team"], notBefore: due)
    }

    // MARK: Joining

    @Test func `what waits for the same moment is one message: mine first, the biggest first`() throws {
        let (first, new) = (message("a", "b", mine: false, size: 9), message("c", size: 2, severity: .high))
        var waiting = WaitingMessages([untried(first)])
        let joined = try #require(waiting.joined(with: [outgoing(new, at: morning)]).first).message
        #expect(joined.lines.map(\.event) == ["c", "a", "b"] && joined.events == ["a", "b", "c"])
        #expect(joined.title == "headline of c, and 2 more" && joined.severity == .high && joined.omitted == 0)
        #expect(joined.id == AlertWords.id(of: ["a", "b", "c"], to: ["team"]))
        #expect(waiting.withdrawn == [first.id] && waiting.shortened.isEmpty)
    }

    @Test func `ten lines are shown at most, and the rest is counted`() throws {
        let names = (0..<12).map { "e\($0)" }
        let long = AlertMessage(
            id: "m", at: noon, severity: .normal, title: "headline of e0, and 11 more",
            lines: names.prefix(10).map { .init(kind: .moved, event: $0, text: $0, size: 5) }, omitted: 2,
            events: names)
        var waiting = WaitingMessages([untried(long)])
        let joined = try #require(waiting.joined(with: [outgoing(message("z", size: 1), at: morning)]).first).message
        #expect(joined.lines.count == 10 && joined.omitted == 3 && joined.events.count == 13)
        #expect(joined.title == "headline of e0, and 12 more")
    }

    @Test(arguments: [nil, noon + 100] as [Timestamp?])
    func `what is due at another time stays by itself`(due: Timestamp?) {
        let new = outgoing(message("b"), at: due)
        var waiting = WaitingMessages([untried(message("a"))])
        #expect(waiting.joined(with: [new]) == [new] && waiting.withdrawn.isEmpty)
    }

    @Test func `what goes to other channels stays by itself`() {
        let new = outgoing(message("b"), at: morning)
        var waiting = WaitingMessages([untried(message("a"), to: ["hook"])])
        #expect(waiting.joined(with: [new]) == [new] && waiting.withdrawn.isEmpty)
    }

    @Test func `each channel has one message, though another one gets less`() throws {
        let both = message("a", to: ["hook", "team"])
        var waiting = WaitingMessages([untried(both, to: ["hook", "team"])])
        let joined = waiting.joined(with: [outgoing(message("b"), at: morning)])
        #expect(joined.map(\.channels) == [["hook"], ["team"]])
        #expect(joined.map(\.message.events) == [["a"], ["a", "b"]] && waiting.withdrawn == [both.id])
        let told = ToldEvent(key: "a", onset: 1, thing: "", subject: "", kind: .moved, at: noon, messages: [both.id])
        #expect(waiting.renamed([told]).map(\.messages) == [joined.map(\.message.id).sorted()])
    }

    @Test func `two messages of a decision meet one that waits for the channels of both`() {
        var waiting = WaitingMessages([untried(message("a"), to: ["hook", "team"])])
        let new = [("b", "hook"), ("c", "team")].map { name, channel in
            AlertDecision.Outgoing(message: message(name), channels: [channel], notBefore: morning)
        }
        let joined = waiting.joined(with: new)
        #expect(joined.map(\.channels) == [["hook"], ["team"]])
        #expect(joined.map(\.message.events) == [["a", "b"], ["a", "c"]])
    }

    @Test func `what turned back is in no joined message`() throws {
        var waiting = WaitingMessages([untried(message("a", "b")), untried(message("c"))])
        waiting.withdraw(["a", "c"])
        let joined = try #require(waiting.joined(with: [outgoing(message("d"), at: morning)]).first).message
        #expect(joined.events == ["b", "d"] && waiting.shortened.isEmpty)
        #expect(Set(waiting.withdrawn) == [message("c").id, message("a", "b").id])
    }

    @Test func `an event is known by the message that tells of it now`() throws {
        let (first, new) = (message("a"), message("b"))
        var waiting = WaitingMessages([untried(first)])
        let joined = try #require(waiting.joined(with: [outgoing(new, at: morning)]).first).message
        func told(_ id: String) -> ToldEvent {
            ToldEvent(key: id, onset: 1, thing: "", subject: "", kind: .moved, at: noon, messages: [id, "other"])
        }
        let renamed = waiting.renamed([told(first.id), told(new.id), told("x")])
        #expect(renamed.map(\.messages) == Array(repeating: [joined.id, "other"].sorted(), count: 2))
    }

    // MARK: In a history

    @Test func `decisions of one quiet night are one message in the morning`() async throws {
        let history = try AlertHistory()
        let clock = query("clock")
        try await history.adopt([query("timer"), clock])
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        let quiet = settings(
            [AlertRule(when: [.moved])], quietHours: QuietHours(from: 11 * 60, to: 23 * 60))
        for one in [query("timer"), clock] { try await history.fill(jitter, on: one, last: 7) }
        try await history.look(quiet, at: noon - 7 * day)
        try await history.fill([12, 11, 12], last: 4)
        try await history.look(quiet, at: noon - 4 * day)
        try await history.fill([12, 11, 12], on: clock, last: 4)
        try await history.look(quiet, at: noon - 4 * day + 600)
        #expect(try history.states() == [.due, .withdrawn])
        let attempt = try await history.store.beginTry(
            on: "team", at: noon - 4 * day + 11 * hour, oldest: noon - 6 * day, lease: 60)
        let sent = try #require(attempt.flatMap { AlertMessage(stored: $0.content) })
        #expect(Set(sent.lines.map(\.query)) == ["timer", "clock"] && sent.title.hasSuffix(", and 1 more"))
        #expect(sent.id == attempt?.message && sent.at == noon - 4 * day + 600)
        let events = try history.reader.outboxEvents(since: 0)
        #expect(events.map(\.message) == [sent.id, sent.id])
        #expect(
            events.compactMap { ToldEvent($0, sent: [sent.id: ["team"]]) }.allSatisfy {
                $0.isSent && $0.messages == [sent.id]
            })
    }

    @Test func `a message that was withdrawn is sent if it is told after all`() async throws {
        let history = try AlertHistory()
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        func outbox(_ content: String, at now: Timestamp) -> OutboxMessage {
            OutboxMessage(id: "m", decidedAt: now, content: content, channels: ["team"], dueAt: morning)
        }
        func mark(_ check: Int64) -> AlertMark { AlertMark(since: noon, check: check, judgedAt: noon + check) }
        let first = OutboxDecision(mark: mark(1), messages: [outbox("old", at: noon)])
        #expect(try await history.store.decide(first, from: nil))
        var second = OutboxDecision(mark: mark(2))
        second.withdrawn = ["m"]
        #expect(try await history.store.decide(second, from: mark(1)))
        #expect(try history.states() == [.withdrawn])
        // In place of itself, and after it was gone.
        for check in 3...4 as ClosedRange<Int64> {
            var again = OutboxDecision(mark: mark(check), messages: [outbox("new", at: noon + check)])
            again.withdrawn = ["m"]
            #expect(try await history.store.decide(again, from: mark(check - 1)))
            #expect(try history.states() == [.due])
        }
        let attempt = try await history.store.beginTry(on: "team", at: morning, oldest: noon, lease: 60)
        #expect(attempt?.content == "new")
        let late = OutboxDecision(mark: mark(5), messages: [outbox("late", at: noon + 5)])
        #expect(try await history.store.decide(late, from: mark(4)))
        #expect(try history.reader.deliveries(limit: 5).map(\.content) == ["new"])
    }
}
