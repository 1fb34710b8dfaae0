/// When queries are due: pure functions of what is wanted, what was tried, and now.
package enum Schedule {
    /// Seconds until the first retry after a failed check; doubles with each further failure.
    package static let firstRetry: Int64 = 5 * 60
    /// The longest wait between retries, in seconds.
    package static let longestRetry: Int64 = 60 * 60

    /// The queries that are due at `now`: those without any good check first, then the longest without one.
    package static func due(
        _ queries: [ScheduledQuery], attempts: [Query: Attempts], now: Timestamp
    ) -> [ScheduledQuery] {
        var slots = SlotTable(now: now)
        return queries.enumerated()
            .filter { slots.nextDue($0.element, attempts: attempts[$0.element.query]) <= now }
            .sorted { left, right in
                let leftGood = attempts[left.element.query]?.lastGood?.secondsSinceEpoch ?? .min
                let rightGood = attempts[right.element.query]?.lastGood?.secondsSinceEpoch ?? .min
                return (leftGood, left.offset) < (rightGood, right.offset)
            }
            .map(\.element)
    }

    /// The earliest moment at which any of the queries is due, not before `now`; `nil` where there are none.
    package static func nextWake(
        _ queries: [ScheduledQuery], attempts: [Query: Attempts], now: Timestamp
    ) -> Timestamp? {
        var slots = SlotTable(now: now)
        return queries.map { slots.nextDue($0, attempts: attempts[$0.query]) }.min()
    }

    /// The first moment from `now` at which a query is due; `now` itself where it is due already.
    package static func nextDue(_ scheduled: ScheduledQuery, attempts: Attempts, now: Timestamp) -> Timestamp {
        var slots = SlotTable(now: now)
        return slots.nextDue(scheduled, attempts: attempts)
    }

    /// Seconds from a failed check to the next try: 5 minutes, doubling up to the smaller of an hour and the cadence.
    package static func retryDelay(afterFailures failures: Int, cadence: Int64) -> Int64 {
        let doublings = min(max(failures - 1, 0), 8)
        return min(firstRetry << Int64(doublings), longestRetry, cadence)
    }
}

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
    fileprivate mutating func nextDue(_ scheduled: ScheduledQuery, attempts: Attempts?) -> Timestamp {
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
