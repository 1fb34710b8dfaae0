import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct TimeTicksTests {
    private func labels(_ first: String, _ last: String, columns: Int) -> [String] {
        TimeTicks.ticks(TimeScale(span: time(first)...time(last)), columns: columns).map(\.tick.label)
    }

    @Test func `the first day has its year, and so has the first day of another`() {
        #expect(
            labels("2025-12-14T00:00:00Z", "2026-01-06T00:00:00Z", columns: 60)
                == ["15 Dec 2025", "22 Dec", "29 Dec", "5 Jan 2026"])
        #expect(labels("2024-11-03T00:00:00Z", "2024-11-24T00:00:00Z", columns: 60).first == "4 Nov 2024")
    }

    @Test func `hours have the day that they begin on, and the year where another begins`() {
        #expect(
            labels("2026-12-31T17:00:00Z", "2027-01-01T07:00:00Z", columns: 60)
                == ["31 Dec 2026, 18:00", "1 Jan 2027", "06:00"])
    }

    @Test func `months have their year at first and in January`() {
        #expect(
            labels("2025-10-15T00:00:00Z", "2026-03-15T00:00:00Z", columns: 60)
                == ["Nov 2025", "Dec", "Jan 2026", "Feb", "Mar"])
    }
}
