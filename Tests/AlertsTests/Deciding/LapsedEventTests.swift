import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// What is not confirmed any more by the day on which it is decided.
@Suite struct LapsedEventTests {
    private func event(
        _ kind: AlertKind = .moved, _ app: String = "com.me", sensitivity: Sensitivity = .normal,
        isOfStorm: Bool = false, hasLapsed: Bool = true
    ) throws -> AlertEvent {
        var scope = AlertScope()
        scope.countries = [try #require(Country(code: "us"))]
        let (from, to) = (try #require(Position(40)), try #require(Position(12)))
        var event = AlertEvent(
            kind: kind, subject: .pair(query("timer"), bundle(app)), onset: noon.day - 3, sameWithin: 7, way: .up,
            sensitivity: sensitivity, at: noon - day, facts: .move(from: from, to: to, places: 28),
            isOfStorm: isOfStorm, scope: scope, names: .init(app: app))
        event.lapsedOn = hasLapsed ? noon.day : nil
        return event
    }

    private func decide(
        _ events: [AlertEvent], _ rules: [AlertRule] = [AlertRule(when: [.moved])], told: [ToldEvent] = [],
        now: Timestamp = noon
    ) -> AlertDecision {
        AlertDecision(
            events, told: told, .init(settings: settings(rules), start: noon.day - 90, now: now, zone: .gmt))
    }

    @Test func `of a shuffled day's moves those that lapsed bring no message about that day`() throws {
        let lapsed = try event(isOfStorm: true)
        #expect(decide([lapsed]).messages.isEmpty)
        #expect(decide([lapsed], now: noon - day).messages.count == 1)
        let lasting = try event(.moved, "com.rival", isOfStorm: true, hasLapsed: false)
        #expect(decide([lapsed, lasting]).messages.map(\.message.lines.count) == [1])
        #expect(decide([lapsed, lasting]).told.allSatisfy { $0.subject != lapsed.topic.key })
    }

    @Test func `a slide that waits for a day with room is told as long as it is seen to go on`() throws {
        let rules = [AlertRule(when: [.drift])]
        let slide = try event(.drift)
        var waiting = ToldEvent(slide, at: noon - day)
        waiting.waiting = ["team"]
        #expect(decide([slide], rules, told: [waiting]).messages.isEmpty)
        #expect(decide([try event(.drift, hasLapsed: false)], rules, told: [waiting]).messages.count == 1)
    }

    @Test func `a move that lapsed for the keen alone is told to the others`() throws {
        var (keen, calm) = (AlertRule(when: [.moved]), AlertRule(when: [.moved]))
        (keen.sensitivity, keen.to) = (.keen, ["hook"])
        (calm.sensitivity, calm.to) = (.calm, ["team"])
        let decision = decide(
            [try event(sensitivity: .keen), try event(sensitivity: .calm, hasLapsed: false)], [keen, calm])
        #expect(decision.messages.map(\.channels) == [["team"]])
        #expect(decision.told.map(\.sensitivity) == [.calm])
    }

    @Test func `a line goes on with what else it tells when one of its events is over`() throws {
        let moved = NewEvent(try event(), at: noon)
        var entry = try event(.entered)
        entry.top = 20
        let entered = NewEvent(entry, at: noon)
        let line = AlertCandidate(moved, AlertAdmission())
        line.add(entered, AlertAdmission())
        #expect(line.event.kind == .entered && line.others.map(\.event.kind) == [.moved])
        #expect(line.drop(entered.told))
        #expect(line.event.kind == .moved && line.others.isEmpty)
        #expect(!line.drop(moved.told))
    }
}
