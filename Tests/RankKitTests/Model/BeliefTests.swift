import RankKit
import TestSupport
import Testing

@Suite struct BeliefTests {
    private let now = time("2026-11-10T00:00:00Z")
    private let usual = [200, 190, 200, 180, 200]

    private func suspect(hoursAgo: Int64, _ length: Int, bad: Bool = false) -> Belief.Suspect {
        Belief.Suspect(at: now - hoursAgo * 3_600, length: length, onBadDay: bad)
    }

    @Test func `with fewer than three good lists ten places are accepted, whatever came before`() {
        #expect(Belief(goodLengths: [200, 200]).verdict(length: 10, at: now) == .accepted)
        #expect(Belief(goodLengths: [200, 200, 200]).verdict(length: 10, at: now) == .collapsed)
        #expect(Belief().verdict(length: 10, at: now) == .accepted)
    }

    @Test(arguments: [0, 1, 3, 9])
    func `a first list of fewer than ten places needs support`(length: Int) {
        #expect(Belief().verdict(length: length, at: now) == .unsupported)
        #expect(Belief().verdict(length: length, at: now, isSupported: true) == .believed)
        #expect(Belief(goodLengths: [200]).verdict(length: length, at: now) == .unsupported)
    }

    @Test func `the pass supports no first list on a bad day, nor one of a query that had a longer one`() {
        #expect(Belief().verdict(length: 0, at: now, onBadDay: true, isSupported: true) == .unsupported)
        #expect(Belief(goodLengths: [40]).verdict(length: 0, at: now, isSupported: true) == .unsupported)
        let longer = Belief(suspects: [suspect(hoursAgo: 1, 8)])
        #expect(longer.verdict(length: 3, at: now, isSupported: true) == .unsupported)
    }

    @Test func `after a bad day of the store no pass supports a short first list for 24 hours`() {
        let bad = [3, 2, 1].map { suspect(hoursAgo: $0, 0, bad: true) }
        #expect(Belief(suspects: bad).verdict(length: 0, at: now, isSupported: true) == .unsupported)
        let older = [suspect(hoursAgo: 24, 0, bad: true)] + bad
        #expect(Belief(suspects: older).verdict(length: 0, at: now, isSupported: true) == .believed)
        #expect(Belief(suspects: older).verdict(length: 0, at: now - 1, isSupported: true) == .unsupported)
    }

    @Test func `short first lists are believed after three suspects over 24 hours`() {
        let two = [suspect(hoursAgo: 24, 0), suspect(hoursAgo: 12, 0)]
        #expect(Belief(suspects: two).verdict(length: 0, at: now) == .believed)
        #expect(Belief(suspects: two).verdict(length: 0, at: now - 1) == .unsupported)
        #expect(Belief(suspects: two).verdict(length: 1, at: now) == .unsupported)
        let bad = [suspect(hoursAgo: 24, 0, bad: true), suspect(hoursAgo: 12, 0)]
        #expect(Belief(suspects: bad).verdict(length: 0, at: now) == .unsupported)
    }

    @Test func `a short list is supported by one of its kind that is believed`() {
        #expect(Belief(goodLengths: [4]).verdict(length: 4, at: now) == .accepted)
        #expect(Belief(goodLengths: [4]).verdict(length: 2, at: now) == .accepted)
        #expect(Belief(goodLengths: [4]).verdict(length: 1, at: now) == .unsupported)
        #expect(Belief(goodLengths: [0]).verdict(length: 0, at: now) == .accepted)
    }

    @Test func `a third of ten new queries without a result is a bad day of the store`() {
        #expect(Belief.isBadDay(collapsed: 0, answered: 30, new: 30, emptyNew: 10))
        #expect(!Belief.isBadDay(collapsed: 0, answered: 30, new: 30, emptyNew: 9))
        #expect(!Belief.isBadDay(collapsed: 0, answered: 30, new: 9, emptyNew: 9))
    }

    // MARK: First lists and what came later

    private func outgrown(_ lengths: [(hours: Int64, places: Int)]) -> [Int] {
        Belief.outgrown(lengths.map { Belief.Length(at: now + $0.hours * 3_600, places: $0.places) })
    }

    @Test func `three longer lists in a row speak against the short ones before them`() {
        #expect(outgrown([(0, 0), (1, 3), (2, 150), (3, 150), (4, 150)]) == [0, 1])
        #expect(outgrown([(0, 0), (1, 150), (2, 0), (3, 150), (4, 150), (5, 150)]) == [0, 2])
        #expect(outgrown([(0, 0), (1, 150), (2, 150), (3, 0), (4, 150)]) == [])
        #expect(outgrown([(0, 150), (1, 150), (2, 150), (3, 0)]) == [])
        #expect(outgrown([(0, 0), (1, 8), (2, 12), (3, 12), (4, 12)]) == [0])
    }

    @Test func `short first lists of a week were short`() {
        let longer: [(Int64, Int)] = [(500, 150), (501, 150), (502, 150)]
        #expect(outgrown([(0, 4), (24, 4), (168, 4)] + longer) == [])
        #expect(outgrown([(0, 4), (24, 4), (167, 4)] + longer) == [0, 1, 2])
        #expect(outgrown([(0, 4), (400, 4)] + longer) == [0, 1])
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
