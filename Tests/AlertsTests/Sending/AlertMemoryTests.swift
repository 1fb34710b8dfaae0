import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertMemoryTests {
    private let history: AlertHistory

    init() async throws {
        history = try AlertHistory()
        try await history.adopt()
    }

    private func told(_ kind: AlertKind, daysAgo: Int64, in messages: [String] = []) -> OutboxEvent {
        let thing = "\(kind.rawValue)\tsubject"
        return ToldEvent(
            key: "\t" + thing, onset: noon.day - daysAgo, thing: thing, subject: "subject", kind: kind,
            at: noon - daysAgo * day, messages: messages
        ).stored(confirmedAt: nil)
    }

    private func decide(_ events: [OutboxEvent]) async throws {
        let mark = AlertMark(since: noon, check: 1, judgedAt: noon)
        #expect(try await history.store.decide(OutboxDecision(mark: mark, events: events), from: nil))
    }

    /// Kinds with the days that have passed since.
    private func known(_ settings: AlertSettings) throws -> [String] {
        var memory = try AlertMemory(settings, now: noon, from: history.reader)
        return try memory.all().map { "\($0.kind.rawValue) \(noon.day - $0.onset)" }.sorted()
    }

    @Test func `moves are remembered for two months, newcomers for one, all else as long as it is kept`()
        async throws
    {
        try await decide(
            [.moved, .drift, .newcomer, .weather, .service].flatMap { kind in
                [25, 65, 110, 130].map { told(kind, daysAgo: $0) }
            })
        #expect(
            try known(settings([AlertRule(when: [.moved])])) == [
                "drift 110", "drift 25", "drift 65", "moved 25", "moved 65", "newcomer 25", "service 110", "service 25",
                "service 65", "weather 110", "weather 25", "weather 65",
            ])
    }

    @Test func `what a rule is silent about for longer is remembered as long`() async throws {
        try await decide(
            [.moved, .newcomer].flatMap { kind in [25, 99, 110].map { told(kind, daysAgo: $0, in: ["m1"]) } })
        var rule = AlertRule(when: [.moved])
        rule.cooldown = 100 * day
        #expect(try known(settings([rule])) == ["moved 25", "moved 99", "newcomer 25", "newcomer 99"])
    }

    @Test func `what a rule is silent about for a year is remembered for a year, and that it was sent`() async throws {
        try await history.store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
        let message = OutboxMessage(id: "m1", decidedAt: noon - 300 * day, content: "", channels: ["team"])
        var event = told(.moved, daysAgo: 300)
        var known = try #require(ToldEvent(event, sent: [:]))
        (known.messages, known.sentTo, known.isOver) = (["m1"], ["team"], true)
        event = known.stored(confirmedAt: nil)
        let decision = OutboxDecision(
            mark: AlertMark(since: noon, check: 1, judgedAt: noon), messages: [message],
            events: [
                event, told(.moved, daysAgo: 363, in: ["m0"]), told(.weather, daysAgo: 363, in: ["m0"]),
                told(.moved, daysAgo: 370, in: ["m0"]),
            ])
        #expect(try await history.store.decide(decision, from: nil))
        _ = try await history.store.beginTry(
            on: "team", at: noon - 300 * day, oldest: noon - 301 * day, lease: 60)
        var rule = AlertRule(when: [.moved])
        rule.cooldown = 364 * day
        #expect(try self.known(settings([rule])) == ["moved 300", "moved 363", "weather 363"])
        var memory = try AlertMemory(settings([rule]), now: noon, from: history.reader)
        #expect(try memory.all().filter(\.isSent).map(\.onset) == [noon.day - 300])
        #expect(try self.known(settings([AlertRule(when: [.moved])])) == [])
    }

    @Test func `moves of a query that is asked once a week are remembered as long as they are kept`() async throws {
        try await history.store.adopt(watchlist([(query("timer"), ["com.me"])], every: 7 * day), now: noon)
        try await decide([25, 110, 130].map { told(.moved, daysAgo: $0) })
        #expect(try known(settings([AlertRule(when: [.moved])])) == ["moved 110", "moved 25"])
    }

    @Test func `before there is anything to look at, only what no check shows is read`() async throws {
        try await decide([.moved, .service, .digest].map { told($0, daysAgo: 5) })
        let known = try AlertMemory(settings([AlertRule(when: [.moved])]), now: noon, from: history.reader).ofNoCheck()
        #expect(known.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.digest, .service])
    }

    private var silentForAYear: AlertSettings { settings([AlertRule(when: [.moved], cooldown: 364 * day)]) }

    @Test func `of what was only noted, a long cooldown has nothing more read but turns of the service`() async throws {
        try await decide(
            [.moved, .newcomer, .weather, .service].flatMap { kind in
                [told(kind, daysAgo: 300), told(kind, daysAgo: 200, in: ["m1"])]
            })
        #expect(
            try known(silentForAYear) == ["moved 200", "newcomer 200", "service 200", "service 300", "weather 200"])
    }

    @Test func `turns of the service are known from one and the same day on, whatever else is read`() async throws {
        try await decide([140, 363, 370].map { told(.service, daysAgo: $0) })
        var memory = try AlertMemory(silentForAYear, now: noon, from: history.reader)
        #expect(try memory.ofNoCheck().map { noon.day - $0.onset } == [363, 140])
        #expect(try memory.all() == memory.ofNoCheck())
    }

    @Test func `one look reads what was told once`() async throws {
        try await decide([told(.moved, daysAgo: 5)])
        var memory = try AlertMemory(silentForAYear, now: noon, from: history.reader)
        let first = try memory.all()
        let known = try history.reader.alertMark()
        let more = OutboxDecision(
            mark: AlertMark(since: noon, check: 2, judgedAt: noon), events: [told(.moved, daysAgo: 4)])
        #expect(try await history.store.decide(more, from: known))
        #expect(try memory.all() == first)
    }
}
