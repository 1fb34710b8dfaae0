/// What one good check said about an app: a place, or an absence from `within` places.
package struct Reading: Sendable, Hashable {
    /// `nil` if the app was not in the list.
    package var position: Position?
    /// How many places the list had.
    package var within: Int
    /// When the request began.
    package var checkedAt: Timestamp

    package init(position: Position?, within: Int, checkedAt: Timestamp) {
        self.position = position
        self.within = within
        self.checkedAt = checkedAt
    }

    /// When an earlier reading may lie to stand for "`days` ago" beside one of `moment`. The last in it counts.
    ///
    /// It begins the larger of a day and two cadences (in seconds) before that time. It ends half a cadence after it, as
    /// no two checks come at the same second of the day; yet no nearer to `moment` than half of the days.
    package static func window(before moment: Timestamp, days: Int64, cadence: Int64) -> ClosedRange<Timestamp> {
        let distance = days * Timestamp.secondsPerDay
        let then = moment - distance
        return then - reach(cadence)...then + leeway(distance, cadence)
    }

    /// When a reading may lie to stand for `since` beside the newest one of `until` or before.
    ///
    /// So many whole days before `until` are counted back from that newest reading, as "7 days ago" is. Any other moment
    /// means what it says: the reading was there by then.
    ///
    /// - Parameter newest: when that newest reading was made.
    package static func window(
        since: Timestamp, until: Timestamp, newest: Timestamp, cadence: Int64
    ) -> ClosedRange<Timestamp> {
        let distance = until - since
        let latest =
            distance > 0 && distance % Timestamp.secondsPerDay == 0
            ? max(since, min(newest, until) - distance + leeway(distance, cadence)) : since
        return since - reach(cadence)...latest
    }

    /// How much older a reading may be than the time that it stands for, in seconds.
    private static func reach(_ cadence: Int64) -> Int64 { max(Timestamp.secondsPerDay, 2 * cadence) }

    /// How much later, in seconds.
    private static func leeway(_ distance: Int64, _ cadence: Int64) -> Int64 { min(distance, cadence) / 2 }
}

/// The best or worst place that an app ever held, and when it first did.
package struct Extreme: Sendable, Hashable {
    package var position: Position
    package var at: Timestamp

    package init(position: Position, at: Timestamp) {
        self.position = position
        self.at = at
    }
}
