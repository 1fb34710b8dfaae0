package import RankKit

/// Daily readings that are wanted of each pair.
package struct WantedDays: Sendable {
    /// Of the reader's zone, counted from 1970-01-01.
    package var days: ClosedRange<Int64>
    /// The last moment that is read, which may lie within a day; `nil` for all of `days`.
    package var until: Timestamp?
    /// Whether earlier days are read as well that can speak for the first of `days`.
    package var reachesBack = false
    /// So many of a pair's cadences before the last of `days` are read at least.
    package var cadences: Int64 = 0
    /// Those that are at hand, by the pair's number in the file: they are not read again.
    package var known: [Int64: DailyReadings] = [:]

    package init(
        _ days: ClosedRange<Int64>, until: Timestamp? = nil, reachesBack: Bool = false, cadences: Int64 = 0,
        known: [Int64: DailyReadings] = [:]
    ) {
        self.days = days
        self.until = until
        self.reachesBack = reachesBack
        self.cadences = cadences
        self.known = known
    }

    /// The days of a pair whose query is asked every `cadence` seconds.
    func days(cadence: Int64) -> ClosedRange<Int64> {
        let first = min(
            days.lowerBound - (reachesBack ? PairDays.freshness(cadence: cadence) : 0),
            days.upperBound - cadences * Cadence.days(every: cadence))
        return first...days.upperBound
    }
}
