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
