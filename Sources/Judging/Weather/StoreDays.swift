package import RankKit

/// Days of stores, found by the readings that were taken on them, while readings have the days of another zone.
///
/// After another `timeZone` days of stores keep the zone that they were counted in, until a clean-up has counted them by the
/// new one. Until then a day of readings is a day of stores by its moments, not by its date.
package struct StoreDays: Sendable, Hashable {
    /// Whose days those of stores are.
    package let zone: ZoneDays
    /// Whose days those of readings are.
    private let readings: ZoneDays

    /// - Returns: `nil` if they have the same days.
    package init?(of zone: ZoneDays, readings: ZoneDays) {
        guard zone.name != readings.name else { return nil }
        (self.zone, self.readings) = (zone, readings)
    }

    /// The days of stores on which the pair was checked on `day`, whose last good reading that is.
    ///
    /// - Parameter cadence: in seconds. Of a pair with a check a day that is the day of its reading; one that is checked more
    ///   often had checks before.
    package func days(of reading: Reading, on day: Int64, cadence: Int64) -> ClosedRange<Int64> {
        let before = Timestamp.secondsPerDay - min(cadence, Timestamp.secondsPerDay)
        let first = max(readings.start(of: day), reading.checkedAt - before)
        let last = zone.day(of: reading.checkedAt)
        return min(zone.day(of: first), last)...last
    }

    /// The days of stores that a day without a reading meets.
    package func days(on day: Int64) -> ClosedRange<Int64> {
        let first = zone.day(of: readings.start(of: day))
        return first...max(first, zone.day(of: readings.end(of: day)))
    }

    /// The first day of stores that is not over when `day` of readings begins.
    func open(on day: Int64) -> Int64 { zone.day(of: readings.start(of: day)) }
}
