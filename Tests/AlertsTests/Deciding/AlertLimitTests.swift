import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// What a day's limit and a cooldown let through, and what a shuffled day takes up.
@Suite struct AlertLimitTests {
    private func place(_ number: Int) -> Position { Position(number) ?? Position(1)! }

    private func moved(
        _ app: String = "com.me", from: Int = 40, to: Int = 12, on onset: Int64 = noon.day - 2, storm: Bool = false
    ) -> AlertEvent {
        var scope = AlertScope()
        scope.countries = [Country(code: "us")!]
        return AlertEvent(
            kind: .moved, subject: .pair(query("timer"), bundle(app)), onset: onset, sameWithin: 7,
            way: to < from ? .up : .down, sensitivity: .normal, at: .startOfDay(onset + 2),
            facts: .move(from: place(from), to: place(to), places: abs(from - to)), isOfStorm: storm, scope: scope,
            names: .init(app: app))
    }

    private func back(_ event: AlertEvent) -> AlertEvent {
        var back = event
        back.variant = "back"
        back.facts = .back(to: place(40))
        back.at = event.at + day
        return back
    }

    private func storm(on onset: Int64 = noon.day - 2) -> AlertEvent {
        var scope = AlertScope()
        scope.countries = [Country(code: "us")!]
        return AlertEvent(
            kind: .weather, subject: .country(Country(code: "us")!), onset: onset, variant: "shuffled",
            at: .startOfDay(onset + 1), facts: .text("shuffled"), isMine: false, scope: scope)
    }

    private func decide(
        _ events: [AlertEvent], _ rule: AlertRule, told: [ToldEvent] = [], now: Timestamp = noon, zone: String = "UTC"
    ) throws -> AlertDecision {
        AlertDecision(
            events, told: told,
            .init(
                settings: settings([rule]), start: noon.day - 90, now: now,
                zone: try #require(TimeZone(identifier: zone))))
    }

    private func sent(_ decision: AlertDecision) -> [ToldEvent] {
        decision.told.map { told in
            var told = told
            told.sentTo = Set(told.channels)
            return told
        }
    }

    @Test func `a message that was withdrawn before it was sent does not count towards the day's limit`() throws {
        let rule = AlertRule(when: [.moved], atMost: 1)
        let first = try decide([moved()], rule)
        let second = try decide([moved(), back(moved())], rule, told: first.told)
        #expect(second.withdrawn.count == 1)
        #expect(try decide([moved("com.b")], rule, told: second.told, now: noon + hour).messages.count == 1)
        // One that was sent counts.
        #expect(try decide([moved("com.b")], rule, told: sent(first), now: noon + hour).messages.isEmpty)
    }

    @Test func `a message that was withdrawn starts no cooldown`() throws {
        let rule = AlertRule(when: [.moved], cooldown: 60 * day)
        let first = try decide([moved()], rule)
        let second = try decide([moved(), back(moved())], rule, told: first.told)
        let later = moved(from: 40, to: 90, on: noon.day + 20)
        #expect(try decide([later], rule, told: second.told, now: noon + 22 * day).messages.count == 1)
        #expect(try decide([later], rule, told: sent(first), now: noon + 22 * day).messages.isEmpty)
    }

    @Test func `a day's limit begins anew at midnight of the watchlist's zone`() throws {
        let rule = AlertRule(when: [.moved], atMost: 1)
        // 23:00 in Auckland; at noon it is one o'clock there, of the next day.
        let evening = noon - 2 * hour
        let first = try decide([moved()], rule, now: evening, zone: "Pacific/Auckland")
        let again = try decide([moved("com.b")], rule, told: sent(first), now: noon, zone: "Pacific/Auckland")
        #expect(again.messages.count == 1)
        #expect(try decide([moved("com.b")], rule, told: sent(first), now: noon).messages.isEmpty)
    }

    @Test func `a move outside the storm is told beside it, in the same message`() throws {
        let moves = (0..<5).map { moved("com.a\($0)", storm: true) } + [moved("com.me", on: noon.day - 4)]
        let decision = try decide([storm()] + moves, AlertRule(when: [.moved]))
        let message = try #require(decision.messages.first?.message)
        #expect(decision.messages.count == 1 && message.lines.map(\.kind) == [.moved, .weather])
        #expect(message.lines.first?.app == "com.me")
    }

    @Test func `a storm over the day's limit is told the next day, once`() throws {
        let rule = AlertRule(when: [.moved], atMost: 1)
        var told = sent(try decide([moved("com.b")], rule))
        let events = [storm()] + (0..<5).map { moved("com.a\($0)", storm: true) }
        var lines: [[AlertKind]] = []
        for later in 0..<4 as Range<Int64> {
            let decision = try decide(events, rule, told: told, now: noon + 60 + later * day)
            let changed = Set(decision.told.map(\.event))
            told = told.filter { !changed.contains($0.event) } + sent(decision)
            lines.append(decision.messages.flatMap { $0.message.lines.map(\.kind) })
        }
        #expect(lines == [[], [.weather], [], []])
    }

    @Test func `a storm that one rule tells and another leaves for the next day is told once`() throws {
        let open = AlertRule(when: [.moved])
        var quiet = AlertRule(when: [.weather], whose: .all, atMost: 1)
        quiet.name = "weather"
        let rules = settings([quiet, open])
        func decide(_ events: [AlertEvent], _ told: [ToldEvent], _ now: Timestamp) -> AlertDecision {
            AlertDecision(events, told: told, .init(settings: rules, start: noon.day - 90, now: now, zone: .gmt))
        }
        // The day's message of the rule about the weather.
        var told = sent(decide([storm(on: noon.day - 5)], [], noon))
        #expect(told.contains { !$0.messages.isEmpty })
        var count = 0
        for later in 0..<3 as Range<Int64> {
            let events = [storm()] + (0..<5).map { moved("com.a\($0)", storm: true) }
            let decision = decide(events, told, noon + 60 + later * day)
            let changed = Set(decision.told.map(\.event))
            told = told.filter { !changed.contains($0.event) } + sent(decision)
            count += decision.messages.flatMap(\.message.lines).count { $0.kind == .weather }
        }
        #expect(count == 1)
    }

    @Test func `moves of a shuffled day that are confirmed weeks later are one message about that day`() throws {
        let moves = (0..<5).map { moved("com.a\($0)", on: noon.day - 21, storm: true) }
        let first = try decide(moves, AlertRule(when: [.moved]))
        #expect(first.messages.map(\.message.lines.count) == [1])
        #expect(first.messages.first?.message.lines.first?.text == "the US store shuffled on 2026-10-30")
        #expect(try decide(moves, AlertRule(when: [.moved]), told: sent(first)).messages.isEmpty)
    }
}
