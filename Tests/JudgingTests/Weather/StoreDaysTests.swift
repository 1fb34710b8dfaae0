import Foundation
import RankKit
import TestSupport
import Testing

@testable import Judging

/// Which day of a store a reading was taken on, where days of readings are of another zone.
@Suite struct StoreDaysTests {
    private let saoPaulo: ZoneDays
    private let days: StoreDays

    init() throws {
        saoPaulo = ZoneDays(try #require(TimeZone(identifier: "America/Sao_Paulo")))
        days = try #require(StoreDays(of: .utc, readings: saoPaulo))
    }

    /// Counted from the day of UTC on which the reading was taken.
    private func found(_ moment: String, cadence: Int64) -> ClosedRange<Int64> {
        let at = time(moment)
        let found = days.days(
            of: Reading(position: nil, within: 100, checkedAt: at), on: saoPaulo.day(of: at), cadence: cadence)
        return found.lowerBound - at.day...found.upperBound - at.day
    }

    @Test func `a reading a day is of the day of the store in which it was taken`() {
        #expect(found("2026-11-23T01:30:00Z", cadence: 86_400) == 0...0)
        #expect(found("2026-11-23T23:30:00Z", cadence: 86_400) == 0...0)
        #expect(found("2026-11-23T01:30:00Z", cadence: 7 * 86_400) == 0...0)
    }

    @Test func `the last of several readings a day is of every day of the store on which there was one`() {
        #expect(found("2026-11-24T02:50:00Z", cadence: 3_600) == -1...0)
        #expect(found("2026-11-23T20:00:00Z", cadence: 3_600) == 0...0)
    }

    @Test func `zones with the same days need no such search`() {
        #expect(StoreDays(of: .utc, readings: ZoneDays(.gmt)) == nil)
        #expect(StoreDays(of: saoPaulo, readings: saoPaulo) == nil)
    }
}
