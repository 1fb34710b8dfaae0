import History
import RankKit

/// The days, of the report's zone, that a report over days shows.
struct DaySpan {
    let shown: ClosedRange<Int64>
    /// The moment up to which there are readings.
    let until: Timestamp

    /// It begins with `since`, or `defaultDays` ago. A longer one begins no earlier than the first check that is kept: before
    /// it there is nothing to show, and a value for each day of a century takes more memory than the site has.
    init(
        since: Timestamp?, until: Timestamp?, now: Timestamp, defaultDays: Int64, from reader: HistoryReader
    ) throws(HistoryError) {
        self.until = min(until ?? now, now)
        let last = self.until.reportDay
        let usual = last - defaultDays
        var first = min(since?.reportDay ?? usual, last)
        if first < usual { first = max(first, min(try reader.firstOwnDay() ?? usual, usual)) }
        shown = max(first, last - Self.longest)...last
    }

    /// A hundred years.
    private static let longest: Int64 = 36_525
}
