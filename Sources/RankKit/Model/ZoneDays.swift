package import Foundation

/// The days of one time zone, each known by its date: as days since 1970-01-01, the way that `Timestamp.day` counts UTC's.
///
/// A day begins with the first moment whose local date it is. That is not always midnight: where clocks go forward then
/// (Santiago, Cairo, Havana), it is 01:00. It lasts until the next day begins, also where clocks go back over midnight
/// and show the end of the day before once more. A zone that changed sides of the date line has dates that never were.
package struct ZoneDays: Sendable, Hashable {
    package let zone: TimeZone
    /// Whether they are UTC's, which the history keeps.
    package let isUTC: Bool

    package init(_ zone: TimeZone) {
        isUTC = Self.namesOfUTC.contains(zone.identifier)
        self.zone = isUTC ? .gmt : zone
    }

    package static let utc = ZoneDays(.gmt)

    /// UTC as tzdata calls it, with all links to it. Sources: `etcetera` and `backward` of the IANA time zone database.
    package static let namesOfUTC: Set<String> = Set(
        ["GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich", "UCT", "UTC", "Universal", "Zulu"].flatMap { [$0, "Etc/" + $0] })

    /// What people call the zone: `Europe/Berlin`; one word for UTC, which is GMT as well.
    package var name: String { isUTC ? "UTC" : zone.identifier }

    /// `2026-11-20 10:00 UTC`: for people. Seconds are left out.
    package func minute(_ moment: Timestamp) -> String {
        let text = CivilTime.iso8601(local(moment))
        return (text.utf8.count == 20 ? String(text.prefix(16)).replacing("T", with: " ") : text) + " " + name
    }

    /// The same of a moment up to which people wait: a started minute is waited for whole.
    package func minute(until moment: Timestamp) -> String { minute(moment + 59) }

    /// What its clocks show at `moment`, as the moment at which UTC's show the same.
    package func local(_ moment: Timestamp) -> Timestamp { isUTC ? moment : moment + offset(at: moment) }

    /// The day that `moment` lies in.
    package func day(of moment: Timestamp) -> Int64 {
        if isUTC { return moment.day }
        let offset = offset(at: moment)
        let day = (moment + offset).day
        // Clocks that went back over midnight show the date of a day that is over.
        let wentBack = offset < self.offset(at: moment - Timestamp.secondsPerDay)
        return wentBack && start(of: day + 1) <= moment ? day + 1 : day
    }

    /// The first moment of `day`; of a date that never was the first moment after it.
    package func start(of day: Int64) -> Timestamp { moment(on: day, second: 0) }

    /// All seconds of `day`; `nil` if the zone left that date out.
    package func seconds(of day: Int64) -> ClosedRange<Timestamp>? {
        let (first, next) = (start(of: day), start(of: day + 1))
        return first < next ? first...next - 1 : nil
    }

    /// The last moment of `day`; of a date that never was the last moment before it.
    package func end(of day: Int64) -> Timestamp { start(of: day + 1) - 1 }

    /// When clocks show `second` of `day` for the first time. A time of day that they leave out is as much later by the
    /// clock as they go forward, except that a day never begins later than with the first moment of its date.
    package func moment(on day: Int64, second: Int64) -> Timestamp {
        let local = Timestamp.startOfDay(day) + second
        if isUTC { return local }
        let (early, late) = (local - Self.reach, local + Self.reach)
        let (before, after) = (local - offset(at: early), local - offset(at: late))
        if before == after { return before }
        let change = self.change(from: early, to: late)
        if before < change { return before }
        if after >= change { return after }
        return second == 0 ? change : before
    }

    /// A date and a time of day as clocks of the zone show them: see `moment(on:second:)`.
    ///
    /// - Returns: `nil` if there is no such date, in this zone or at all, or no such time of day.
    package func moment(_ date: CivilTime.Date, hour: Int, minute: Int, second: Int = 0) -> Timestamp? {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            let day = CivilTime.day(date), seconds(of: day) != nil
        else { return nil }
        return moment(on: day, second: Int64((hour * 60 + minute) * 60 + second))
    }

    /// What every difference of these clocks from UTC is a multiple of, in seconds: an hour in most zones, by the rules of
    /// this decade.
    package var grain: Int64 {
        // A winter and a summer: 2026-01-14 and half a year later.
        let offsets = [20_467, 20_648].map { offset(at: .startOfDay($0)) }
        return [3_600, 1_800].first { grain in offsets.allSatisfy { $0.isMultiple(of: grain) } } ?? 900
    }

    /// Seconds east of UTC.
    private func offset(at moment: Timestamp) -> Int64 { Int64(zone.secondsFromGMT(for: moment.date)) }

    /// The first moment with another offset than `early`, if there is one change in the span.
    private func change(from early: Timestamp, to late: Timestamp) -> Timestamp {
        let before = offset(at: early)
        var (same, other) = (early, late)
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if offset(at: middle) == before { same = middle } else { other = middle }
        }
        return other
    }

    /// In seconds: no zone is further from UTC.
    private static let reach: Int64 = 16 * 3_600
}
