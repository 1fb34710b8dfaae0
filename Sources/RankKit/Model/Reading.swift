/// What one good check said about an app: a place, or an absence from `within` places.
package struct Reading: Sendable, Hashable {
    /// `nil` where the app was not in the list.
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

    /// When an earlier reading may lie to stand for "`days` ago" beside one of `moment`: at the latest so many days
    /// before it, and not more than the larger of a day and two cadences (in seconds) older than that.
    package static func window(before moment: Timestamp, days: Int64, cadence: Int64) -> ClosedRange<Timestamp> {
        let latest = moment - days * Timestamp.secondsPerDay
        return (latest - max(Timestamp.secondsPerDay, 2 * cadence))...latest
    }
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
