import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Messages of which a preview only wants to know how many there would have been.
@Suite struct CountedMessagesTests {
    private func moved(_ app: String, from: Int, to: Int, at: Timestamp = noon - 60) throws -> AlertEvent {
        let (old, new) = (try #require(Position(from)), try #require(Position(to)))
        return AlertEvent(
            kind: .moved, subject: .pair(query("timer"), bundle(app)), onset: noon.day - 2, sameWithin: 7,
            way: to < from ? .up : .down, sensitivity: .normal, at: at,
            facts: .move(from: old, to: new, places: abs(from - to)), names: .init(app: app))
    }

    @Test func `they are as many as are sent, of the same events, each with an id of its own and no words`() throws {
        let events = [try moved("com.one", from: 40, to: 12), try moved("com.two", from: 30, to: 9)]
        var far = AlertRule(name: "far", when: [.moved])
        (far.places, far.to) = (25, ["hook"])
        let rules = [AlertRule(name: "all", when: [.moved]), far]
        var situation = AlertDecision.Situation(
            settings: settings(rules), start: noon.day - 30, now: noon, zone: .gmt)
        let worded = AlertDecision(events, told: [], situation)
        situation.isCounted = true
        let counted = AlertDecision(events, told: [], situation)
        func terms(_ decision: AlertDecision) -> [[String]] {
            decision.told.map { [$0.event, "\($0.messages.count)"] + $0.channels + $0.rules }
        }
        #expect(terms(counted) == terms(worded) && worded.told.count == 2)
        #expect(Set(counted.messages.map(\.message.id)).count == 2 && worded.messages.count == 2)
        #expect(counted.messages.allSatisfy { $0.message.lines.isEmpty })
        #expect(Set(counted.messages.map(\.channels)) == Set(worded.messages.map(\.channels)))
    }

    @Test func `events are in the order of their moments, then of their keys`() throws {
        let events = [
            try moved("com.two", from: 40, to: 12), try moved("com.one", from: 12, to: 40),
            try moved("com.one", from: 40, to: 12), try moved("com.zero", from: 40, to: 12, at: noon - 120),
        ]
        let sorted = events.sorted { ($0.at, $0.key, $0.onset) < ($1.at, $1.key, $1.onset) }
        #expect(events.sorted(by: AlertEvent.isEarlier) == sorted)
    }
}
