import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct FirstPlacesTests {
    private func places(_ apps: [Int64?], at moment: Int64, after before: FirstPlaces? = nil) -> FirstPlaces {
        FirstPlaces(apps, StoredList.Key(at: moment, check: moment), after: before)
    }

    @Test func `who was there at a moment is told from the first list on`() {
        let first = places([1, 2, 3], at: 100)
        let second = places([4, 3, 1], at: 200, after: first)
        let third = places([1, 4], at: 300, after: second)
        #expect(third.apps == [1, 4])
        #expect(third.held(at: 99) == nil)
        #expect([100, 199].map { third.held(at: $0) } == [[1, 2, 3], [1, 2, 3]])
        #expect([200, 299].map { third.held(at: $0) } == [[1, 3, 4], [1, 3, 4]])
        #expect([300, .max].map { third.held(at: $0) } == [[1, 4], [1, 4]])
    }

    @Test func `one that left and came back was away in between`() {
        let gone = places([2], at: 200, after: places([1, 2], at: 100))
        let back = places([1, 2], at: 300, after: gone)
        #expect([100, 200, 300].map { back.held(at: $0)?.contains(1) } == [true, false, true])
    }

    @Test func `places beyond the first twenty count as not being there`() {
        let first = places(Array(1...21), at: 100)
        #expect(first.apps == Array(1...20))
        let second = places([21, 20], at: 200, after: first)
        #expect(second.held(at: 150)?.contains(21) == false)
    }

    @Test func `an app that stands twice is one, and an unreadable place is nobody`() {
        let second = places([7, nil, 8, 7], at: 200, after: places([nil, 7, 7], at: 100))
        #expect(second.apps == [7, nil, 8, 7])
        #expect(second.held(at: 100) == [7])
        #expect(second.held(at: 200) == [7, 8])
    }

    @Test func `lists with the same apps in another order are no change`() {
        let second = places([2, 1], at: 200, after: places([1, 2], at: 100))
        #expect(second.changes.isEmpty && second.since == 100)
    }

    @Test func `of a list that has become known late nothing is told, nor of those before the newest`() {
        let newest = places([1, 2], at: 300, after: places([2, 3], at: 200, after: places([3, 4], at: 100)))
        var early = newest
        early.meetLate(at: 99)
        #expect(early == newest)
        var late = newest
        late.meetLate(at: 100)
        #expect(late.held(at: 299) == nil && late.held(at: 300) == [1, 2])
        #expect(places([5], at: 400, after: late).held(at: 350) == [1, 2])
    }

    @Test func `what is older than eight days is forgotten`() {
        var newest: FirstPlaces?
        let day = Timestamp.secondsPerDay
        for number in 0..<30 as Range<Int64> { newest = places([number + 1], at: number * day, after: newest) }
        #expect(newest?.since == 21 * day)
        #expect(newest?.held(at: 21 * day - 1) == nil)
        #expect(newest?.held(at: 21 * day) == [22] && newest?.held(at: 28 * day + 1) == [29])
    }

    @Test func `of very many changes the oldest are forgotten`() {
        var newest: FirstPlaces?
        for number in 0..<1_000 as Range<Int64> { newest = places([number + 1], at: number, after: newest) }
        #expect(newest?.changes.count == FirstPlaces.mostChanges)
        let since = 999 - Int64(FirstPlaces.mostChanges)
        #expect(newest?.held(at: since - 1) == nil && newest?.held(at: since) == [since + 1])
    }

    private func again(_ places: FirstPlaces) -> FirstPlaces? {
        FirstPlaces(places.key, appBytes: places.appBytes, since: places.since, changeBytes: places.changeBytes)
    }

    @Test(arguments: [[], [nil], [1, 2, 3], [.max, nil, 1, 1], Array(1...40)] as [[Int64?]])
    func `first places survive the round trip exactly`(apps: [Int64?]) {
        let old = places([9, 8, 7], at: -4_000_000_000)
        let middle = places(apps.reversed(), at: 4_000_000_000, after: old)
        for places in [old, middle, places(apps, at: 4_000_000_000 + 70_000, after: middle)] {
            #expect(again(places) == places)
        }
    }

    @Test(arguments: [.min, .min + 1, .max] as [Int64]) func `times of any size survive`(moment: Int64) {
        let places = places([1], at: moment, after: moment == .max ? places([2], at: 0) : nil)
        #expect(again(places) == places)
    }

    @Test(
        arguments: [
            ([0x80], 0, []), (Array(repeating: 1, count: 21), 0, []),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], 0, []), ([1], 101, []), ([1], .min, []),
            ([1], 0, [1]), ([1], 0, [101, 0, 0]), ([1], 0, [60, 0, 0, 41, 0, 0]), ([1], 0, [1, 21, 0]),
            ([1], 0, [1, 1, 1, 1]),
        ] as [([UInt8], Int64, [UInt8])])
    func `bytes that are no first places are not taken for any`(apps: [UInt8], since: Int64, changes: [UInt8]) {
        #expect(
            FirstPlaces(StoredList.Key(at: 100, check: 1), appBytes: apps, since: since, changeBytes: changes) == nil)
    }
}
