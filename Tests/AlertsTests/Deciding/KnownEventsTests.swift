import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct KnownEventsTests {
    private func told(_ key: String, onset: Int64 = 1, isOver: Bool = false) -> ToldEvent {
        ToldEvent(key: key, onset: onset, thing: key, subject: "timer", kind: .moved, at: noon, isOver: isOver)
    }

    @Test func `what was known before is not of this decision`() {
        let known = KnownEvents([told("a"), told("b")])
        #expect(known.all.count == 2 && known.new.isEmpty)
    }

    @Test func `what is remembered takes the place of what was known of the event`() {
        var known = KnownEvents([told("a"), told("b"), told("a", onset: 2)])
        known.remember(told("a", isOver: true))
        #expect(known.all == [told("b"), told("a", onset: 2), told("a", isOver: true)])
        #expect(Array(known.new) == [told("a", isOver: true)])
    }

    @Test func `what is remembered twice is of this decision once`() {
        var known = KnownEvents([told("a")])
        known.remember(told("b"))
        known.remember(told("c"))
        known.remember(told("b", isOver: true))
        #expect(Array(known.new) == [told("c"), told("b", isOver: true)])
        #expect(known.all.count == 3)
    }
}
