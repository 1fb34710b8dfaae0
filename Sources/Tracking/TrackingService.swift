import AppStore
import History
package import Logging
package import RankKit
import ServiceLifecycle

/// The timer: runs a pass whenever a query is due, and sleeps until a computed instant in between.
package struct TrackingService<C: Clock>: Service where C.Duration == Duration {
    private let plan: CurrentPlan
    private let pass: TrackingPass<C>
    private let clock: C
    private let log: Logger
    private let report: @Sendable (State) -> Void

    /// What the service is doing, for whoever watches over it. Reported after the history has answered, so that a
    /// report proves that work is possible.
    package enum State: Sendable, Hashable {
        /// Nothing is due before `until`; `nil` where nothing is watched.
        case idle(until: Timestamp?)
        case asking(done: Int, of: Int)
    }

    /// The longest the loop sleeps at a stretch: what a clock that jumps, or a suspend, can cost at most.
    private static var longestSleep: Duration { .seconds(60) }
    /// How long a query that Apple's throttle turned away is left alone.
    private static var throttleRest: Int64 { 60 }

    package init(
        plan: CurrentPlan, pass: TrackingPass<C>, clock: C, log: Logger,
        report: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.plan = plan
        self.pass = pass
        self.clock = clock
        self.log = log
        self.report = report
    }

    /// Runs until the task is cancelled or a graceful shutdown begins, then returns with everything that had been
    /// answered recorded.
    ///
    /// - Throws: `HistoryError` where the history can no longer be read or written.
    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            var housekeeping = HousekeepingWatch(history: pass.history, log: log)
            do {
                try await loop(&housekeeping)
            } catch is CancellationError {
                await housekeeping.stop()
            } catch {
                await housekeeping.stop()
                throw error
            }
        }
    }

    private func loop(_ housekeeping: inout HousekeepingWatch) async throws {
        var attempts: [Query: Attempts] = [:]
        var throttledUntil: Timestamp?
        var edition = -1
        var newest = pass.now()
        while true {
            try Task.checkCancellation()
            let now = pass.now()
            let current = await plan.edition
            if current != edition || now < newest {
                if now < newest { log.notice("the clock was set back", metadata: ["by": "\(newest - now)s"]) }
                attempts = try await pass.history.attempts(asOf: now)
                edition = current
            }
            newest = now
            let queries = await plan.watchlist.scheduledQueries
            let due = Schedule.due(queries, attempts: attempts, now: now)
            let resting = throttledUntil.map { now < $0 } ?? false
            if due.isEmpty || resting {
                let wake = resting ? throttledUntil : Schedule.nextWake(queries, attempts: attempts, now: now)
                try await pass.history.answer()
                report(.idle(until: wake))
                await sleep(until: wake, now: now, edition: edition)
                continue
            }
            let result = try await run(due, edition: edition, attempts: &attempts)
            throttledUntil = result.throttled > 0 ? pass.now() + Self.throttleRest : nil
            try await housekeeping.startIfDue(now: pass.now())
        }
    }

    private func run(
        _ due: [ScheduledQuery], edition: Int, attempts: inout [Query: Attempts]
    ) async throws -> PassResult {
        var done = 0
        log.info("pass started", metadata: ["due": "\(due.count)"])
        report(.asking(done: 0, of: due.count))
        let plan = plan
        let result = try await pass.run(due, goesOn: { await plan.edition == edition }) { event in
            done += 1
            report(.asking(done: done, of: due.count))
            log.log(event)
            if case .recorded(let check) = event {
                attempts[check.query, default: Attempts()] = attempts[check.query, default: Attempts()]
                    .adding(good: check.failure == nil, at: check.at)
            }
        }
        log.info(
            "pass ended",
            metadata: [
                "asked": "\(result.asked)", "succeeded": "\(result.succeeded)", "failed": "\(result.failed)",
                "throttled": "\(result.throttled)", "seconds": "\(result.finishedAt - result.startedAt)",
            ])
        return result
    }

    /// Sleeps until `wake`, a new edition of the plan, or a minute has gone by.
    private func sleep(until wake: Timestamp?, now: Timestamp, edition: Int) async {
        let wanted = wake.map { Duration.seconds(max(1, $0 - now)) } ?? Self.longestSleep
        let duration = min(wanted, Self.longestSleep)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                // Cancellation ends the sleep early, which the loop sees for itself.
                do { try await clock.sleep(for: duration) } catch {}
            }
            group.addTask { [plan] in await plan.changed(from: edition) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension Logger {
    /// Writes one line for an event of a pass: failures as warnings, the rest only when asked to be wordy.
    package func log<C>(_ event: TrackingPass<C>.Event) {
        switch event {
        case .recorded(let check):
            guard let failure = check.failure else {
                debug("check recorded", metadata: metadata(check.query, ["within": "\(check.within ?? 0)"]))
                return
            }
            warning(
                "check failed",
                metadata: metadata(
                    check.query, ["reason": "\(failure.reason.rawValue)", "detail": "\(failure.detail)"]))
        case .throttled(let query, let status):
            warning("throttled by the App Store", metadata: metadata(query, ["status": "\(status)"]))
        }
    }

    private func metadata(_ query: Query, _ more: Logger.Metadata) -> Logger.Metadata {
        ["query": "\(query.text)", "country": "\(query.country)", "platform": "\(query.platform.rawValue)"]
            .merging(more) { $1 }
    }
}
