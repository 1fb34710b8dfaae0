import RankKit
import TestSupport
import Testing

@Suite struct BeliefTests {
    private let now = time("2026-11-10T00:00:00Z")
    private let usual = [200, 190, 200, 180, 200]

    private func suspect(hoursAgo: Int64, _ length: Int, bad: Bool = false) -> Belief.Suspect {
        Belief.Suspect(at: now - hoursAgo * 3_600, length: length, onBadDay: bad)
    }

    @Test func `with fewer than three good lists whatever comes is accepted`() {
        #expect(Belief(goodLengths: [200, 200]).verdict(length: 0, at: now) == .accepted)
        #expect(Belief(goodLengths: [200, 200, 200]).verdict(length: 0, at: now) == .collapsed)
    }

    @Test func `a list shorter than half the median has collapsed`() {
        let belief = Belief(goodLengths: usual)
        #expect(belief.verdict(length: 100, at: now) == .accepted)
        #expect(belief.verdict(length: 99, at: now) == .collapsed)
        #expect(belief.verdict(length: 500, at: now) == .accepted)
    }

    @Test func `the median is of the last ten lists alone`() {
        let belief = Belief(goodLengths: Array(repeating: 20, count: 10) + Array(repeating: 200, count: 50))
        #expect(belief.baseline == 20)
        #expect(belief.verdict(length: 10, at: now) == .accepted)
    }

    @Test func `a query that never found anything is not suspected for finding nothing`() {
        #expect(Belief(goodLengths: [0, 0, 0, 0]).verdict(length: 0, at: now) == .accepted)
    }

    @Test func `a collapse is believed after three suspects over 48 hours`() {
        let two = [suspect(hoursAgo: 48, 10), suspect(hoursAgo: 24, 12)]
        #expect(Belief(goodLengths: usual, suspects: two).verdict(length: 9, at: now) == .believed)
        #expect(Belief(goodLengths: usual, suspects: two).verdict(length: 9, at: now - 1) == .collapsed)
        #expect(Belief(goodLengths: usual, suspects: [two[0]]).verdict(length: 9, at: now) == .collapsed)
    }

    @Test func `hourly suspects need their 48 hours too`() {
        let suspects = (1...47).reversed().map { suspect(hoursAgo: $0, 10) }
        #expect(Belief(goodLengths: usual, suspects: suspects).verdict(length: 10, at: now) == .collapsed)
        let more = [suspect(hoursAgo: 48, 10)] + suspects
        #expect(Belief(goodLengths: usual, suspects: more).verdict(length: 10, at: now) == .believed)
    }

    @Test func `suspects that are unlike each other prove nothing`() {
        let unlike = [suspect(hoursAgo: 72, 10), suspect(hoursAgo: 24, 30)]
        #expect(Belief(goodLengths: usual, suspects: unlike).verdict(length: 30, at: now) == .collapsed)
        let emptyOnce = [suspect(hoursAgo: 72, 0), suspect(hoursAgo: 24, 1)]
        #expect(Belief(goodLengths: usual, suspects: emptyOnce).verdict(length: 0, at: now) == .collapsed)
        let empty = [suspect(hoursAgo: 72, 0), suspect(hoursAgo: 24, 0)]
        #expect(Belief(goodLengths: usual, suspects: empty).verdict(length: 0, at: now) == .believed)
    }

    @Test func `bad days of the store prove nothing`() {
        let bad = [suspect(hoursAgo: 72, 10), suspect(hoursAgo: 24, 10, bad: true)]
        #expect(Belief(goodLengths: usual, suspects: bad).verdict(length: 10, at: now) == .collapsed)
        let fine = [suspect(hoursAgo: 72, 10), suspect(hoursAgo: 24, 10)]
        #expect(Belief(goodLengths: usual, suspects: fine).verdict(length: 10, at: now, onBadDay: true) == .collapsed)
    }

    @Test func `half of ten queries are a bad day, half of nine are not`() {
        #expect(Belief.isBadDay(collapsed: 5, answered: 10))
        #expect(!Belief.isBadDay(collapsed: 4, answered: 10))
        #expect(!Belief.isBadDay(collapsed: 9, answered: 9))
    }
}
