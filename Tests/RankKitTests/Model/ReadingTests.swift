import RankKit
import TestSupport
import Testing

@Suite struct ReadingTests {
    private let day = Timestamp.secondsPerDay
    private let hour: Int64 = 3_600
    private let now = time("2026-11-20T08:00:00Z")

    @Test func `days ago end half a cadence later, and reach back a day or two cadences`() {
        let daily = Reading.window(before: now, days: 7, cadence: day)
        #expect(daily == now - 8 * day - day...now - 7 * day + 12 * hour)
        let hourly = Reading.window(before: now, days: 1, cadence: hour)
        #expect(hourly == now - 2 * day...now - day + hour / 2)
    }

    @Test(arguments: [1, 6, 24, 7 * 24, 28 * 24] as [Int64], [1, 7, 30] as [Int64])
    func `no reading is compared with itself, or with one nearer to it than half of the days`(
        hours: Int64, days: Int64
    ) {
        let window = Reading.window(before: now, days: days, cadence: hours * hour)
        #expect(window.upperBound <= now - days * day / 2)
    }

    @Test func `no days ago is that moment, and nothing later`() {
        #expect(Reading.window(before: now, days: 0, cadence: hour) == now - day...now)
    }

    // MARK: Since a moment

    private func latest(since: Timestamp, newest: Timestamp, cadence: Int64 = Timestamp.secondsPerDay) -> Timestamp {
        Reading.window(since: since, until: now, newest: newest, cadence: cadence).upperBound
    }

    @Test func `whole days are counted back from the newest reading`() {
        #expect(latest(since: now - 7 * day, newest: now - 60) == now - 7 * day - 60 + 12 * hour)
        #expect(latest(since: now - 7 * day, newest: now - 60, cadence: hour) == now - 7 * day - 60 + hour / 2)
    }

    @Test func `a newest reading of long ago does not take the earlier one back with it`() {
        #expect(latest(since: now - 7 * day, newest: now - 20 * hour) == now - 7 * day)
        #expect(latest(since: now - 7 * day, newest: now - 20 * day) == now - 7 * day)
    }

    @Test func `a newest reading from the future gives no more than one of now`() {
        #expect(latest(since: now - day, newest: now + 400 * day) == now - day + 12 * hour)
    }

    @Test func `any other moment means what it says`() {
        for since in [now - day - 1, now - 7 * day + hour, now] {
            #expect(latest(since: since, newest: now - 60) == since)
        }
        let window = Reading.window(since: now - hour, until: now, newest: now, cadence: day)
        #expect(window.lowerBound == now - hour - 2 * day)
    }
}
