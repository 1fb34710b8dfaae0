import RankKit

/// The days (UTC) that a report over days shows.
struct DaySpan {
    let shown: ClosedRange<Int64>
    /// The moment up to which there are readings.
    let until: Timestamp

    init(since: Timestamp?, until: Timestamp?, now: Timestamp, defaultDays: Int64) {
        self.until = min(until ?? now, now)
        let last = self.until.day
        let first = since?.day ?? last - defaultDays
        shown = max(min(first, last), last - Self.longest)...last
    }

    /// A hundred years.
    private static let longest: Int64 = 36_525
}
