package import History
package import RankKit

/// The background clean-up: at most once a day, in steps so short that a recording never waits more than a moment.
package struct Housekeeping: Sendable {
    package var history: HistoryStore
    /// Awaited before each step: throws `CancellationError` where the clean-up is to end, and takes its time where
    /// something else comes first.
    package var turn: @Sendable () async throws -> Void

    package init(
        history: HistoryStore, turn: @escaping @Sendable () async throws -> Void = { try Task.checkCancellation() }
    ) {
        self.history = history
        self.turn = turn
    }

    /// Failed checks are kept one by one for so many days, then as daily counts.
    package static let failureDays: Int64 = 90
    private static let passesKept = 5_000
    private static let stepSize = 200
    /// Lists that go into pages in one step.
    private static let compactionStep = 512

    /// What a clean-up did.
    package struct Outcome: Sendable, Hashable {
        package var daysRolledUp = 0
        package var failuresThinned = 0
        package var listsCompacted = 0
        /// Lists that cannot be put into a page, because they or it cannot be read.
        package var listsDamaged = 0
    }

    /// Whether the last clean-up is a day old, or in the future because the clock was set back.
    package func isDue(at now: Timestamp) async throws -> Bool {
        guard let last = try await history.lastHousekeeping() else { return true }
        return last + Timestamp.secondsPerDay <= now || now < last
    }

    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done.
    package func run(now: Timestamp) async throws -> Outcome {
        var outcome = Outcome()
        try await turn()
        while let day = try await history.nextDayToRollUp(today: now.day) {
            var pair: Int64? = 0
            while let last = pair {
                try await turn()
                pair = try await history.rollUp(day: day, after: last, limit: Self.stepSize)
            }
            outcome.daysRolledUp += 1
        }
        try await compact(before: .startOfDay(now.day), &outcome)
        let horizon = now - Self.failureDays * Timestamp.secondsPerDay
        while true {
            try await turn()
            let thinned = try await history.thinFailures(before: horizon, limit: Self.stepSize)
            outcome.failuresThinned += thinned
            if thinned < Self.stepSize { break }
        }
        try await turn()
        try await history.thinPasses(keeping: Self.passesKept)
        try await turn()
        var unused = Int.max
        while true {
            let left = try await history.giveBack(pages: Self.stepSize)
            guard 0 < left, left < unused else { break }
            unused = left
            try await turn()
        }
        try await history.optimize()
        try await turn()
        try await history.checkpoint()
        try await history.finishHousekeeping(at: now)
        return outcome
    }

    private func compact(before moment: Timestamp, _ outcome: inout Outcome) async throws {
        try await turn()
        for query in try await history.queriesToCompact(before: moment) {
            var mark: HistoryStore.CompactionMark?
            repeat {
                try await turn()
                let step = try await history.compact(
                    query: query, after: mark, before: moment, limit: Self.compactionStep)
                outcome.listsCompacted += step.lists
                outcome.listsDamaged += step.damaged
                mark = step.next
            } while mark != nil
        }
    }
}
