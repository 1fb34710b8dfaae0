package import History
import Logging
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

    private static let passesKept = 5_000
    private static let stepSize = 100
    /// Lists that go into pages in one step.
    private static let compactionStep = 192
    /// Pages of lists that are dropped in one step, and lists by themselves.
    private static let droppedPages = 20
    /// Pages whose first places are kept apart in one step.
    private static let keptPages = 20

    /// In seconds, after which what was decided to be told is forgotten: `rankctl alerts log` shows the last year, and a rule may be
    /// silent about something for that long (`AlertLimits.cooldown`).
    private static let alertsKept: Int64 = 400 * Timestamp.secondsPerDay
    /// Messages that are forgotten in one step, and events that are looked at.
    private static let forgottenMessages = 25
    private static let eventStep = 500

    /// Days of the store that are derived in one sweep through the lists, and in one clean-up.
    private static let sweptDays: Int64 = 31
    private static let mostSweptDays: Int64 = 12 * sweptDays
    /// The same of days that are derived anew, from pages that hold months.
    private static let renewedDays: Int64 = 3 * sweptDays

    /// Whether the last clean-up is a day old, or in the future because the clock was set back.
    package func isDue(at now: Timestamp) async throws -> Bool {
        guard let last = try await history.lastHousekeeping() else { return true }
        return last + Timestamp.secondsPerDay <= now || now < last
    }

    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done.
    package func run(now: Timestamp) async throws -> CleanUp {
        var outcome = CleanUp()
        try await judgeEarlyLists()
        try await turn()
        while let day = try await history.nextDayToRollUp(today: now.day) {
            var pair: Int64? = 0
            while let last = pair {
                try await turn()
                pair = try await history.rollUp(day: day, after: last, limit: Self.stepSize)
            }
            outcome.daysRolledUp += 1
        }
        // From lists that are still by themselves, which are the quickest to read.
        try await deriveCountryDays(now: now, &outcome)
        try await compact(before: .startOfDay(now.day), &outcome)
        let retention = try await history.retention()
        if let kept = retention.lists { try await dropLists(keeping: kept, now: now, &outcome) }
        try await keepTops()
        if let kept = retention.failures { try await thinFailures(keeping: kept, now: now, &outcome) }
        try await forgetAlerts(now: now, &outcome)
        try await turn()
        try await history.thinPasses(keeping: Self.passesKept)
        try await turn()
        var unused = Int.max
        let bytes = try await history.databaseBytes()
        while true {
            let left = try await history.giveBack(pages: Self.stepSize)
            guard 0 < left, left < unused else { break }
            unused = left
            try await turn()
        }
        outcome.bytesFreed = max(0, bytes - (try await history.databaseBytes()))
        try await history.optimize()
        try await turn()
        // So that little is left for what holds the writer.
        try await history.moveLog()
        try await turn()
        try await history.checkpoint()
        try await history.finishHousekeeping(outcome, at: now)
        return outcome
    }

    private func judgeEarlyLists() async throws {
        var query: Int64? = 0
        while let last = query {
            try await turn()
            query = try await history.judgeEarlyLists(after: last, limit: Self.stepSize).last
        }
    }

    /// The days that have closed, of older ones as many as one clean-up has time for, those that late checks have
    /// changed, and those that another rule derived.
    private func deriveCountryDays(now: Timestamp, _ outcome: inout CleanUp) async throws {
        try await turn()
        let reader = try HistoryReader(path: history.path)
        var swept: Int64 = 0
        while swept < Self.mostSweptDays,
            let days = try await history.nextCountryDays(now: now, limit: Self.sweptDays)
        {
            try await derive(try CountryDayDraft(days, from: reader), from: reader)
            swept += Int64(days.count)
        }
        outcome.countryDays += Int(swept)
        for (store, days) in try await history.countryDaysDue(now: now, limit: Int(Self.mostSweptDays)) {
            try await derive(try CountryDayDraft(days, of: store, from: reader), from: reader)
            outcome.countryDays += days.count
        }
        var renewed: Int64 = 0
        while renewed < Self.mostSweptDays,
            let days = try await history.nextOutdatedCountryDays(limit: Self.renewedDays)
        {
            try await derive(try CountryDayDraft(days, from: reader), from: reader)
            renewed += Int64(days.count)
        }
        outcome.countryDays += Int(renewed)
    }

    private func derive(_ draft: CountryDayDraft, from reader: HistoryReader) async throws {
        var draft = draft
        repeat { try await turn() } while try draft.countNext(from: reader)
        try await turn()
        try await history.enter(draft)
    }

    private func dropLists(keeping kept: Int64, now: Timestamp, _ outcome: inout CleanUp) async throws {
        try await turn()
        guard let moment = try await history.firstListNeeded(keeping: kept, now: now) else { return }
        for query in try await history.queriesWithLists(before: moment) {
            var isDone = false
            while !isDone {
                try await turn()
                let step = try await history.dropLists(of: query, before: moment, limit: Self.droppedPages)
                outcome.listsDropped += step.lists
                isDone = step.isDone
            }
            try await turn()
            outcome.listsDropped += try await history.trimLists(of: query, before: moment)
        }
    }

    /// Of pages that were written before tops were kept.
    private func keepTops() async throws {
        var last: Int64 = 0
        while true {
            try await turn()
            let pages = try await history.pagesWithoutTops(after: last, limit: Self.keptPages)
            try await history.keepTops(ofPages: pages)
            guard let newest = pages.last, pages.count == Self.keptPages else { return }
            last = newest
        }
    }

    private func thinFailures(keeping kept: Int64, now: Timestamp, _ outcome: inout CleanUp) async throws {
        try await turn()
        guard let moment = try await history.firstFailureNeeded(keeping: kept, now: now) else { return }
        while true {
            try await turn()
            let thinned = try await history.thinFailures(before: moment, limit: Self.stepSize)
            outcome.failuresThinned += thinned
            if thinned < Self.stepSize { return }
        }
    }

    private func forgetAlerts(now: Timestamp, _ outcome: inout CleanUp) async throws {
        guard let moment = try await history.firstAlertNeeded(keeping: Self.alertsKept, now: now) else { return }
        var messages = 0
        repeat {
            try await turn()
            messages = try await history.forgetMessages(before: moment, most: Self.forgottenMessages)
            outcome.messagesForgotten = (outcome.messagesForgotten ?? 0) + messages
        } while messages == Self.forgottenMessages
        var event: OutboxEvent.Identity?
        repeat {
            try await turn()
            event = try await history.forgetEvents(before: moment, after: event, limit: Self.eventStep).next
        } while event != nil
    }

    private func compact(before moment: Timestamp, _ outcome: inout CleanUp) async throws {
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

extension BackgroundJob {
    static func cleanUp(_ housekeeping: Housekeeping, log: Logger) -> BackgroundJob {
        BackgroundJob("housekeeping", log: log, isDue: { try await housekeeping.isDue(at: $0) }) { now in
            try await housekeeping.run(now: now).write(to: log)
        }
    }
}

extension CleanUp {
    func write(to log: Logger) {
        log.info(
            "housekeeping ended",
            metadata: [
                "daysRolledUp": "\(daysRolledUp)", "countryDays": "\(countryDays)",
                "failuresThinned": "\(failuresThinned)", "listsCompacted": "\(listsCompacted)",
                "listsDropped": "\(listsDropped)", "messagesForgotten": "\(messagesForgotten ?? 0)",
                "bytesFreed": "\(bytesFreed)",
            ])
        if listsDamaged > 0 {
            log.warning("damaged result lists were not compressed", metadata: ["damaged": "\(listsDamaged)"])
        }
    }
}
