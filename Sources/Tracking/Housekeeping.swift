package import History
package import RankKit

/// The background clean-up: at most once a day, in steps so short that a recording never waits more than a moment.
package struct Housekeeping: Sendable {
    package var history: HistoryStore

    package init(history: HistoryStore) { self.history = history }

    /// Failed checks are kept one by one for so many days, then as daily counts.
    package static let failureDays: Int64 = 90
    private static let passesKept = 5_000
    private static let stepSize = 200

    /// What a clean-up did.
    package struct Outcome: Sendable, Hashable {
        package var daysRolledUp = 0
        package var failuresThinned = 0
    }

    /// Whether the last clean-up is a day old, or in the future because the clock was set back.
    package func isDue(at now: Timestamp) async throws -> Bool {
        guard let last = try await history.lastHousekeeping() else { return true }
        return last + Timestamp.secondsPerDay <= now || now < last
    }

    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done.
    package func run(now: Timestamp) async throws -> Outcome {
        var outcome = Outcome()
        while let day = try await history.nextDayToRollUp(today: now.day) {
            var pair: Int64? = 0
            while let last = pair {
                try Task.checkCancellation()
                pair = try await history.rollUp(day: day, after: last, limit: Self.stepSize)
            }
            outcome.daysRolledUp += 1
        }
        let horizon = now - Self.failureDays * Timestamp.secondsPerDay
        while true {
            try Task.checkCancellation()
            let thinned = try await history.thinFailures(before: horizon, limit: Self.stepSize)
            outcome.failuresThinned += thinned
            if thinned < Self.stepSize { break }
        }
        try await history.thinPasses(keeping: Self.passesKept)
        try Task.checkCancellation()
        var unused = Int.max
        while true {
            let left = try await history.giveBack(pages: Self.stepSize)
            guard 0 < left, left < unused else { break }
            unused = left
            try Task.checkCancellation()
        }
        try await history.optimize()
        try Task.checkCancellation()
        try await history.checkpoint()
        try await history.finishHousekeeping(at: now)
        return outcome
    }
}
