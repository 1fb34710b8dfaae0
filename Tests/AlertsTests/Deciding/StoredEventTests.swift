import History
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct StoredEventTests {
    private let told = ToldEvent(
        key: "normal\tmoved\tpair\ttimer\tus", onset: noon.day - 2, thing: "moved\tpair\ttimer\tus",
        subject: "pair\ttimer\tus", kind: .moved, sameWithin: 7, way: .up, sensitivity: .normal, from: 40, to: nil,
        at: noon, messages: ["m1", "m2"], channels: ["hook", "team"], waiting: ["mail"], rules: ["1 moved"])

    private func stored(_ change: (inout ToldEvent) -> Void = { _ in }) -> OutboxEvent {
        var event = told
        change(&event)
        return event.stored(confirmedAt: nil)
    }

    @Test func `an event is read as it was written`() {
        #expect(ToldEvent(stored(), sent: [:]) == told)
        #expect(stored().confirmedAt == noon && stored().message == "m2")
    }

    @Test func `it was sent if one of its messages was`() {
        #expect(ToldEvent(stored(), sent: ["m2": ["team"]])?.isSent == true)
        #expect(ToldEvent(stored(), sent: ["m3": ["team"]])?.isSent == false)
    }

    @Test func `it is noted, told, withdrawn or back`() {
        #expect(stored { $0.messages = [] }.state == .noted)
        #expect(stored().state == .told)
        #expect(stored { $0.isOver = true }.state == .withdrawn)
        #expect(stored { ($0.isOver, $0.sentTo) = (true, ["team"]) }.state == .back)
    }

    @Test func `what was noted on one day and told on another was decided upon on the other`() {
        var row = stored { $0.at = noon + 86_400 }
        row.decidedAt = noon
        #expect(ToldEvent(row, sent: [:])?.at == noon + 86_400)
    }

    @Test func `what another version wrote is no event`() {
        var (kind, facts) = (stored(), stored())
        kind.identity.kind = "something"
        facts.facts = "{}"
        #expect(ToldEvent(kind, sent: [:]) == nil)
        #expect(ToldEvent(facts, sent: [:]) == nil)
    }
}
