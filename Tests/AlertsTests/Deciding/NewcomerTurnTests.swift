import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct NewcomerTurnTests {
    private let midnight = Timestamp.startOfDay(20_000)

    /// Of looks at these hours after midnight, each with what was to be looked at: the day, counted from 20,000.
    private func days(
        offset: Int64, _ looks: [Double], from first: Double = -1, oldestChecks: [Int: Int64] = [:]
    ) -> [Int64?] {
        let turn = NewcomerTurn(offset: offset * 3_600)
        var last = midnight + Int64(first * 3_600)
        return looks.enumerated().map { index, hours in
            let now = midnight + Int64(hours * 3_600)
            let look = EarlierLook(at: last, oldestCheck: oldestChecks[index].map { $0 + 20_000 } ?? last.day)
            last = now
            return turn.firstDay(after: look, now: now).map { $0 - 20_000 }
        }
    }

    @Test(arguments: 0..<NewcomerTurn.hours)
    func `each query is looked at once a day, back to the day before`(offset: Int64) {
        let looks = stride(from: 0.25, to: 72, by: 1).map(\.self)
        let found = days(offset: offset, looks)
        #expect(found.indices.filter { found[$0] != nil } == [0, 1, 2].map { $0 * 24 + Int(offset) })
        #expect(found.compactMap(\.self) == [-1, 0, 1])
    }

    @Test func `who looks once a day looks at all queries`() {
        for offset in 0..<NewcomerTurn.hours {
            #expect(days(offset: offset, [9, 33, 57], from: -15) == [-1, 0, 1])
        }
    }

    @Test func `after days without a look all of them are looked at`() {
        #expect(days(offset: 5, [104], from: 6) == [0])
        #expect(days(offset: 5, [104], from: 4) == [-1])
    }

    @Test func `a list of the day before that comes after the turn has it looked at again`() {
        #expect(days(offset: 5, [5.2, 6.2, 7.2], oldestChecks: [2: -1]) == [-1, nil, -1])
        // One that comes before is seen at the turn.
        #expect(days(offset: 5, [3.2, 4.2, 5.2], oldestChecks: [1: -1]) == [nil, nil, -1])
        #expect(days(offset: 5, [3.2, 4.2, 5.2], oldestChecks: [1: -4]) == [nil, -4, -1])
    }

    @Test func `a clock that is set back over the turn has it looked at again`() {
        #expect(days(offset: 5, [4, 6], from: 29) == [-1, -1])
    }

    @Test func `the turns of many queries are spread over all hours, and stay`() throws {
        let us = try #require(Country(code: "us"))
        let turns = (0..<400).map { NewcomerTurn(of: Query(text: "query \($0)", country: us)) }
        let counts = Dictionary(grouping: turns, by: \.offset).mapValues(\.count)
        #expect(counts.count == Int(NewcomerTurn.hours) && counts.values.allSatisfy { 25...75 ~= $0 })
        #expect(NewcomerTurn(of: Query(text: "QUERY 0", country: us)).offset == turns[0].offset)
    }
}
