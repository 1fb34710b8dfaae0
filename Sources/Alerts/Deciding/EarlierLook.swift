package import RankKit

/// The look before: what is to be looked at again depends on it.
package struct EarlierLook: Sendable, Hashable {
    /// Later than now if the clock was set back since.
    package var at: Timestamp
    /// The day, of the watchlist's zone, of the oldest check that was recorded since; `nil` if there was none.
    package var oldestCheck: Int64?

    package init(at: Timestamp, oldestCheck: Int64? = nil) {
        self.at = at
        self.oldestCheck = oldestCheck
    }

    /// The first day on which a slide may be seen that is new: the look may have missed the last checks of the day before
    /// it.
    ///
    /// - Parameter zone: whose days are judged.
    func slidesSince(now: Timestamp, _ zone: ZoneDays) -> Int64 { zone.day(of: min(at, now)) - 1 }
}

/// When newcomers are told: once a day, in the morning, by the lists of whole days. What a day's first lists show may be
/// gone by its last.
struct NewcomerTurn {
    /// Whose days and clocks these are: the watchlist's.
    let zone: ZoneDays

    /// The second of the day at which they are told.
    static let second: Int64 = 7 * 3_600

    /// When those are told that the lists of a day confirm.
    func moment(after day: Int64) -> Timestamp { zone.moment(on: day + 1, second: Self.second) }

    /// The day of the newest turn up to `moment`: the lists of the days before it have been looked at then.
    func day(at moment: Timestamp) -> Int64 {
        let day = zone.day(of: moment)
        return self.moment(after: day - 1) <= moment ? day : day - 1
    }

    /// The first day whose lists are to be looked at now.
    ///
    /// - Returns: `nil` if none are: they were since the turn, and no list came since that the next turn would not see.
    func firstDay(after look: EarlierLook, now: Timestamp) -> Int64? {
        let (last, newest) = (day(at: look.at), day(at: now))
        let isLate = look.oldestCheck.map { $0 < newest } ?? false
        guard last != newest || isLate else { return nil }
        // While a clock that was ahead is caught up with, `last` is a day to come.
        return [last, newest - 1, look.oldestCheck].compactMap(\.self).min()
    }
}
