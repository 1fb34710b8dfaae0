import Foundation
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct NewcomerTurnTests {
    private let midnight = Timestamp.startOfDay(20_000)

    /// Of looks at these hours after midnight, each with what was to be looked at: the day, counted from 20,000.
    private func days(_ looks: [Double], from first: Double = -1, oldestChecks: [Int: Int64] = [:]) -> [Int64?] {
        var last = midnight + Int64(first * 3_600)
        return looks.enumerated().map { index, hours in
            let now = midnight + Int64(hours * 3_600)
            let look = EarlierLook(at: last, oldestCheck: oldestChecks[index].map { $0 + 20_000 } ?? last.day)
            last = now
            return NewcomerTurn(zone: .utc).firstDay(after: look, now: now).map { $0 - 20_000 }
        }
    }

    @Test func `they are looked for once a day, from the day before on`() {
        let found = days(stride(from: 0.25, to: 72, by: 1).map(\.self))
        #expect(found.indices.filter { found[$0] != nil } == [7, 31, 55])
        #expect(found.compactMap(\.self) == [-1, 0, 1])
        #expect(days([9, 33, 57], from: -15) == [-1, 0, 1])
    }

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo", "Pacific/Kiritimati"])
    func `the turn is at seven by the zone's clocks`(_ name: String) throws {
        let zone = ZoneDays(try #require(TimeZone(identifier: name)))
        let turn = NewcomerTurn(zone: zone)
        let moment = turn.moment(after: 20_000)
        #expect(zone.local(moment) == .startOfDay(20_001) + 7 * 3_600)
        #expect(turn.day(at: moment) == 20_001 && turn.day(at: moment - 1) == 20_000)
        #expect(turn.firstDay(after: EarlierLook(at: moment - 1), now: moment) == 20_000)
        #expect(turn.firstDay(after: EarlierLook(at: moment), now: moment + 3_600) == nil)
    }

    @Test func `after days without a look all of them are looked at`() {
        #expect(days([104], from: 8) == [0])
        #expect(days([104], from: 4) == [-1])
    }

    @Test func `a list of the day before that comes after the turn has it looked at again`() {
        #expect(days([7.2, 8.2, 9.2], oldestChecks: [2: -1]) == [-1, nil, -1])
        // One that comes before is seen at the turn.
        #expect(days([5.2, 6.2, 7.2], oldestChecks: [1: -1]) == [nil, nil, -1])
        #expect(days([5.2, 6.2, 7.2], oldestChecks: [1: -4]) == [nil, -4, -1])
    }

    @Test func `a clock that is set back over the turn has it looked at again`() {
        #expect(days([4, 8], from: 31) == [-2, -1])
        let ahead = midnight + 10 * 86_400
        for hours: Int64 in [1, 9, 33] {
            let now = midnight + hours * 3_600
            let first = NewcomerTurn(zone: .utc).firstDay(after: EarlierLook(at: ahead), now: now)
            #expect(first == NewcomerTurn(zone: .utc).day(at: now) - 1)
        }
    }
}
