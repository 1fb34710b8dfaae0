import History
import RankKit
import Testing

/// The rule by which a day's reading may stand for a later one.
struct PairDaysTests {
    private func pair(cadence: Int64, _ days: [Int64]) throws -> PairDays {
        let query = Query(text: "timer", country: try #require(Country(code: "us")), platform: .iphone)
        let readings = days.map { day in
            (day, Reading(position: Position(5), within: 100, checkedAt: Timestamp.startOfDay(day)))
        }
        return PairDays(
            query: query, bundleID: try #require(BundleID("com.a")), cadence: cadence,
            days: DailyReadings(Dictionary(uniqueKeysWithValues: readings)))
    }

    @Test func `a day without a reading takes the one of the day before`() throws {
        let pair = try pair(cadence: 3_600, [100])
        #expect(pair.reading(asOf: 100)?.checkedAt.day == 100)
        #expect(pair.reading(asOf: 101)?.checkedAt.day == 100)
        #expect(pair.reading(asOf: 102) == nil)
    }

    @Test func `a weekly query's reading stands for two weeks`() throws {
        let pair = try pair(cadence: 7 * Timestamp.secondsPerDay, [100])
        #expect(pair.reading(asOf: 114)?.checkedAt.day == 100)
        #expect(pair.reading(asOf: 115) == nil)
    }

    @Test func `no reading speaks for a day before it`() throws {
        #expect(try pair(cadence: 3_600, [100]).reading(asOf: 99) == nil)
    }
}
