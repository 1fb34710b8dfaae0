import Foundation
import RankKit
import Testing

/// Whole years of slots in zones whose clocks are changed in every way there is.
@Suite struct DaylightSavingTests {
    struct Year: Sendable, CustomTestStringConvertible {
        let zone: String
        let year: Int
        var testDescription: String { "\(zone) \(year)" }

        init(_ zone: String, _ year: Int) {
            self.zone = zone
            self.year = year
        }
    }

    static let years = [
        Year("Europe/Berlin", 2026), Year("Europe/Berlin", 2027), Year("America/New_York", 2026),
        // Half an hour, in the southern summer.
        Year("Australia/Lord_Howe", 2026), Year("Asia/Kolkata", 2026),
        // Midnight comes twice, and midnight is left out.
        Year("America/Havana", 2026), Year("Africa/Cairo", 2026),
        // 2011-12-30 does not exist.
        Year("Pacific/Apia", 2011),
    ]

    /// Some lie in the hours that changes leave out or repeat.
    private let times = ["00:00", "00:30", "01:45", "02:15", "12:00"].map { TimeOfDay($0)! }

    private func calendar(_ year: Year) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: year.zone))
        return calendar
    }

    private func days(_ year: Year, _ calendar: Calendar) throws -> (first: Timestamp, end: Timestamp) {
        let first = try #require(calendar.date(from: DateComponents(year: year.year, month: 1, day: 1)))
        let end = try #require(calendar.date(from: DateComponents(year: year.year + 1, month: 1, day: 1)))
        return (Timestamp(first), Timestamp(end))
    }

    @Test(arguments: years) func `each time of day starts one slot on each local day`(_ year: Year) throws {
        let calendar = try calendar(year)
        let (first, end) = try days(year, calendar)
        let cadence = Cadence.at(times, calendar.timeZone)
        var starts: [Timestamp] = []
        var slot = cadence.slot(containing: first)
        while slot.start < end {
            if slot.start >= first { starts.append(slot.start) }
            let next = cadence.slot(containing: slot.end)
            #expect(next.start == slot.end)
            slot = next
        }
        let perDay = Dictionary(grouping: starts) { calendar.startOfDay(for: $0.date) }
        #expect(perDay.count == (year.zone == "Pacific/Apia" ? 364 : 365))
        #expect(perDay.allSatisfy { $0.value.count == times.count })
    }

    @Test(arguments: years) func `a year of waking asks once in each slot, whatever the clocks do`(_ year: Year) throws
    {
        let calendar = try calendar(year)
        let (first, end) = try days(year, calendar)
        let scheduled = ScheduledQuery(
            query: Query(text: "a", country: Country(code: "us")!),
            cadences: [.at([times[3], times[4]], calendar.timeZone)])
        var attempts = Attempts(lastGood: first - 1)
        var asked: [Timestamp] = []
        var now = first
        while now < end {
            let due = Schedule.nextDue(scheduled, attempts: attempts, now: now)
            if due <= now {
                asked.append(now)
                attempts = Attempts(lastGood: now)
            } else {
                now = due
            }
        }
        let perDay = Dictionary(grouping: asked) { calendar.startOfDay(for: $0.date) }
        // The first of them is for the slot of the day before, which had its check already.
        #expect(perDay.allSatisfy { $0.value.count == 2 })
        #expect(perDay.count == (year.zone == "Pacific/Apia" ? 364 : 365))
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `an interval has as many slots in a day of 23 or 25 hours as in that many hours`() throws {
        let calendar = try calendar(Year("Europe/Berlin", 2026))
        let cadence = Cadence.every(seconds: 3_600)
        for (day, hours) in [("2026-10-24T22:00:00Z", 25), ("2027-03-27T23:00:00Z", 23)] {
            var now = Timestamp(iso8601: day)!
            let end = Timestamp(calendar.date(byAdding: .day, value: 1, to: now.date)!)
            var count = 0
            while now < end {
                count += 1
                now = cadence.slot(containing: now).end
            }
            #expect(count == hours && now == end)
        }
    }

    @Test func `times that a change lets fall together are one slot`() throws {
        // 02:30 is left out and starts an hour later, which is when 03:30 does.
        let cadence = Cadence.at([TimeOfDay("02:30")!, TimeOfDay("03:30")!], TimeZone(identifier: "Europe/Berlin")!)
        let slot = cadence.slot(containing: Timestamp(iso8601: "2027-03-28T12:00:00Z")!)
        #expect(slot.start == Timestamp(iso8601: "2027-03-28T01:30:00Z"))
        #expect(slot.end == Timestamp(iso8601: "2027-03-29T00:30:00Z"))
        let before = cadence.slot(containing: slot.start - 1)
        #expect(before.start == Timestamp(iso8601: "2027-03-27T02:30:00Z") && before.end == slot.start)
    }

    @Test func `intervals and times of day mixed are asked at the union of their slots through a change`() throws {
        let berlin = TimeZone(identifier: "Europe/Berlin")!
        let scheduled = ScheduledQuery(
            query: Query(text: "a", country: Country(code: "us")!),
            cadences: [.every(seconds: 21_600), .at([TimeOfDay("03:00")!], berlin)])
        var asked: [String] = []
        var attempts = Attempts(lastGood: Timestamp(iso8601: "2026-10-24T18:00:00Z")!)
        var now = Timestamp(iso8601: "2026-10-24T18:00:01Z")!
        while now < Timestamp(iso8601: "2026-10-26T06:00:00Z")! {
            now = Schedule.nextDue(scheduled, attempts: attempts, now: now)
            asked.append(String(now.description.dropFirst(8).prefix(5)))
            attempts = Attempts(lastGood: now)
        }
        // 03:00 is 02:00 UTC once the clocks are back.
        #expect(
            asked == [
                "25T00", "25T02", "25T06", "25T12", "25T18", "26T00", "26T02", "26T06",
            ])
    }

    @Test func `a clock at either end of what can be told makes no slot trap`() {
        let berlin = TimeZone(identifier: "Europe/Berlin")!
        for seconds in [0, 1, -1, 4_102_444_800, 253_402_300_799] as [Int64] {
            let now = Timestamp(secondsSinceEpoch: seconds)
            for cadence in [Cadence.every(seconds: 1), .every(seconds: 28 * 86_400), .at(times, berlin)] {
                #expect(cadence.slot(containing: now).contains(now))
            }
        }
    }
}
