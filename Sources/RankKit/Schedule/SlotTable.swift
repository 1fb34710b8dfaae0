/// The slots that one moment lies in, worked out once for each distinct set of cadences: thousands of queries share a
/// few of them, and the ones that follow a time zone are costly.
package struct SlotTable {
    private let now: Timestamp
    private var slots: [[Cadence]: Slot] = [:]

    package init(now: Timestamp) { self.now = now }

    /// The slot in which a query wanted at all of `cadences` now is.
    package mutating func slot(of cadences: [Cadence]) -> Slot {
        if let known = slots[cadences] { return known }
        let slot = Slot.containing(now, cadences: cadences)
        slots[cadences] = slot
        return slot
    }

    /// See `Schedule.nextDue`; a query of which nothing is known is due.
    mutating func nextDue(_ scheduled: ScheduledQuery, attempts: Attempts?) -> Timestamp {
        let slot = slot(of: scheduled.cadences)
        guard let attempts else { return now }
        if let good = attempts.lastGood, slot.contains(good) { return slot.end }
        guard let failed = attempts.lastFailed, attempts.failuresInARow > 0 else { return now }
        // A failure that lies in the future is a clock that was set back: it must not delay anything.
        guard failed <= now else { return now }
        let wait = Schedule.retryDelay(
            afterFailures: attempts.failuresInARow, cadence: scheduled.shortestCadence)
        return max(now, failed + wait)
    }
}
