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

    /// The earliest moment at which any of the queries is due, not before `now`; `nil` if there are none.
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

/// The stretch of time in which one good check is wanted.
package struct Slot: Hashable, Sendable {
    package let start: Timestamp
    /// The start of the next slot: not part of this one.
    package let end: Timestamp

    package init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }

    package func contains(_ moment: Timestamp) -> Bool { start <= moment && moment < end }

    /// The slot that `moment` lies in when a query is wanted at all of `cadences`: from the latest start of any
    /// of them to the earliest next one (the union of their slots).
    ///
    /// - Precondition: `cadences` is not empty.
    package static func containing(_ moment: Timestamp, cadences: [Cadence]) -> Slot {
        let slots = cadences.map { $0.slot(containing: moment) }
        return Slot(
            start: slots.map(\.start).max() ?? moment,
            end: slots.map(\.end).min() ?? moment)
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

/// What a query has behind it, as far as due-ness needs to know.
package struct Attempts: Hashable, Sendable {
    /// When the newest good or suspect check began.
    package var lastGood: Timestamp?
    /// When the newest failed check began, where it is newer than `lastGood`.
    package var lastFailed: Timestamp?
    /// Failed checks since the last good one.
    package var failuresInARow: Int

    package init(lastGood: Timestamp? = nil, lastFailed: Timestamp? = nil, failuresInARow: Int = 0) {
        self.lastGood = lastGood
        self.lastFailed = lastFailed
        self.failuresInARow = failuresInARow
    }

    /// What is behind the query after one more check at `moment`.
    package func adding(good: Bool, at moment: Timestamp) -> Attempts {
        good
            ? Attempts(lastGood: moment)
            : Attempts(lastGood: lastGood, lastFailed: moment, failuresInARow: failuresInARow + 1)
    }
}

/// A query and how often it is wanted.
package struct ScheduledQuery: Hashable, Sendable {
    package let query: Query
    /// Never empty; more than one where several lines want the query at different cadences.
    package let cadences: [Cadence]

    package init(query: Query, cadences: [Cadence]) {
        self.query = query
        self.cadences = cadences
    }

    /// The shortest of the cadences, in seconds.
    package var shortestCadence: Int64 { cadences.map(\.seconds).min() ?? Timestamp.secondsPerDay }
}
