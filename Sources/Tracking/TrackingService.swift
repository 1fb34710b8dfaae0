import AppStore
package import History
package import Logging
package import RankKit
import ServiceLifecycle

/// The timer: runs a pass whenever a query is due, and sleeps until a computed instant in between.
package struct TrackingService<C: Clock>: Service where C.Duration == Duration {
    private let plan: CurrentPlan
    let pass: TrackingPass<C>
    private let clock: C
    let log: Logger
    private let report: @Sendable (State) -> Void

    /// What the service is doing, for whoever watches over it. Reported after the history has answered, so that a
    /// report proves that work is possible.
    package enum State: Sendable, Hashable {
        /// Nothing is due before `until`; `nil` where nothing is watched.
        case idle(until: Timestamp?)
        case asking(done: Int, of: Int)
        /// Apple's throttle, or a machine that is offline: nothing is asked before `until`.
        case paused(until: Timestamp)
        /// The history cannot be written for now; nothing is asked until it can.
        case stalled(HistoryError)
    }

    /// The longest the loop sleeps at a stretch: what a clock that jumps, or a suspend, can cost at most.
    private let longestSleep: Duration

    /// - Parameters:
    ///   - watchdog: within what time each report has to follow the one before while nothing is being asked.
    ///   - report: told what the service is doing.
    package init(
        plan: CurrentPlan, pass: TrackingPass<C>, clock: C, log: Logger, watchdog: Duration? = nil,
        report: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.plan = plan
        self.pass = pass
        self.clock = clock
        self.log = log
        self.report = report
        longestSleep = min(.seconds(60), watchdog.map { $0 / 3 } ?? .seconds(60))
    }

    /// Runs until the task is cancelled or a graceful shutdown begins, then returns with everything that had been
    /// answered recorded.
    ///
    /// A history that cannot be written for now (a full disk, somebody's lock) is waited for: nothing is asked until
    /// it can be.
    ///
    /// - Throws: `HistoryError` where the history can no longer be read or written.
    package func run() async throws {
        let housekeeping = HousekeepingWatch(history: pass.history, log: log)
        do {
            try await cancelWhenGracefulShutdown { try await loop(housekeeping) }
        } catch is CancellationError {
            await housekeeping.stop()
        } catch {
            await housekeeping.stop()
            throw error
        }
    }

    private func loop(_ housekeeping: HousekeepingWatch) async throws {
        var memory = Memory()
        while true {
            try Task.checkCancellation()
            do {
                try await turn(&memory, housekeeping)
                if memory.isStalled { log.notice("the history can be written again") }
                memory.isStalled = false
            } catch let error as HistoryError where error.mayPass {
                if !memory.isStalled { log.error("nothing is asked for now", metadata: ["reason": "\(error)"]) }
                memory.isStalled = true
                memory.edition = nil
                report(.stalled(error))
                await sleep(until: nil, now: pass.now(), edition: await plan.edition)
            }
        }
    }

    /// What the loop knows from one turn to the next.
    private struct Memory {
        var attempts: [Query: Attempts] = [:]
        /// The edition of the plan that `attempts` is about; `nil` before the first turn and after a failure.
        var edition: Int?
        var unseen = UnseenApps()
        /// The latest time seen on the wall clock.
        var newest: Timestamp?
        var isStalled = false
    }

    /// Runs a pass if anything is due, else sleeps.
    private func turn(_ memory: inout Memory, _ housekeeping: HousekeepingWatch) async throws {
        let now = pass.now()
        let (watchlist, edition) = await plan.current
        let setBack = memory.newest.map { $0 - now } ?? 0
        if memory.edition != edition || setBack > 0 {
            if setBack > 0 { log.notice("the clock was set back", metadata: ["by": "\(setBack)s"]) }
            memory.attempts = try await pass.history.attempts(asOf: now)
            if pass.lookups != nil { memory.unseen = UnseenApps(apps: try await pass.history.unseenApps()) }
            memory.edition = edition
        }
        if memory.newest == nil { try await warnOfClock(now) }
        memory.newest = now
        if memory.isStalled { try await pass.history.probe() }
        let queries = watchlist.scheduledQueries
        let due = try await unanswered(
            Schedule.due(queries, attempts: memory.attempts, now: now), &memory.attempts, now: now)
        let pause = await pass.pace.pauseLeft
        if due.isEmpty || pause != nil {
            // A part of a second left counts as one.
            let pauseEnd = pause.map { now + $0.components.seconds + 1 }
            let wake = pauseEnd ?? Schedule.nextWake(queries, attempts: memory.attempts, now: now)
            // A machine that is offline for searches is offline for look-ups, until a search gets through.
            let isOffline = await pass.pace.health.pause == .offline
            try await pass.history.answer()
            report(pauseEnd.map { .paused(until: $0) } ?? .idle(until: wake))
            if !isOffline, try await lookUp(&memory.unseen, until: wake) { return }
            let lookup = isOffline ? nil : await nextLookup(memory.unseen, now: now)
            await sleep(until: [wake, lookup].compactMap(\.self).min(), now: now, edition: edition)
            return
        }
        try await run(due, watchlist, edition, &memory)
        try await refresh(&memory.unseen)
        try await housekeeping.startIfDue(now: pass.now())
    }

    /// Says that the clock may not have been set yet. It is not waited for: what is due follows from the stored checks
    /// whatever the clock says, and the unit starts after the time is in order where something sees to that.
    private func warnOfClock(_ now: Timestamp) async throws {
        guard let last = try await pass.history.lastRequest(), last - now > 600 else { return }
        log.warning("the clock is behind the last request", metadata: ["by": "\(last - now)s"])
    }

    /// Those of `due` whose slots have no stored check: slots that a clock set back brings round again have theirs.
    private func unanswered(
        _ due: [ScheduledQuery], _ attempts: inout [Query: Attempts], now: Timestamp
    ) async throws -> [ScheduledQuery] {
        guard !due.isEmpty else { return due }
        let stored = try await pass.history.attempts(of: due, asOf: now)
        let wanted = Set(Schedule.due(due, attempts: stored, now: now).map(\.query))
        for query in due.map(\.query) where !wanted.contains(query) { attempts[query] = stored[query] }
        return due.filter { wanted.contains($0.query) }
    }

    private func run(
        _ due: [ScheduledQuery], _ watchlist: Watchlist, _ edition: Int, _ memory: inout Memory
    ) async throws {
        var attempts = memory.attempts
        defer { memory.attempts = attempts }
        var done = 0
        let before = await pass.pace.health.pause
        let lookupsBefore = await pass.lookups?.lookup.pace.health.pause
        log.info("pass started", metadata: ["due": "\(due.count)"])
        report(.asking(done: 0, of: due.count))
        var pass = pass
        pass.parallelism = watchlist.service.parallelism
        let plan = plan
        let result = try await pass.run(
            due, beside: memory.unseen.heldUp(now: pass.now()),
            until: nextSearch(after: due, of: watchlist.scheduledQueries, attempts),
            goesOn: { await plan.edition == edition }
        ) { event in
            log.log(event)
            if case .lookedUp = event { return }
            done += 1
            report(.asking(done: done, of: due.count))
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
        if result.isBadDay {
            log.warning(
                "a bad day of the store", metadata: ["suspect": "\(result.suspect)", "asked": "\(result.asked)"])
        }
        log.change(of: await pass.pace.health, from: before)
        if let lookups = pass.lookups, await lookups.lookup.pace.health.pause != lookupsBefore {
            log.change(of: await lookups.lookup.pace.health, from: lookupsBefore, endpoint: lookups.endpoint.name)
        }
    }

    /// When a search falls due again where all of `due` succeed now.
    private func nextSearch(
        after due: [ScheduledQuery], of queries: [ScheduledQuery], _ attempts: [Query: Attempts]
    ) -> Timestamp? {
        let now = pass.now()
        let supposed = attempts.merging(due.map { ($0.query, Attempts(lastGood: now)) }) { $1 }
        return Schedule.nextWake(queries, attempts: supposed, now: now)
    }

    /// Sleeps until `wake`, a new edition of the plan, or a minute has gone by.
    private func sleep(until wake: Timestamp?, now: Timestamp, edition: Int) async {
        let wanted = wake.map { Duration.seconds(max(1, $0 - now)) } ?? longestSleep
        let duration = min(wanted, longestSleep)
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
    /// Writes one line where asking has stopped, or goes on again.
    func change(of health: EndpointHealth, from before: EndpointHealth.Pause?, endpoint: String = "search") {
        switch (before, health.pause) {
        case (_, let pause?):
            warning(
                "asking stops for a while",
                metadata: [
                    "endpoint": "\(endpoint)", "reason": "\(pause.rawValue)",
                    "until": "\(health.pausedUntil ?? health.pausedAt)",
                ])
        case (.some, nil): notice("asking goes on", metadata: ["endpoint": "\(endpoint)"])
        case (nil, nil): break
        }
    }

    /// Writes one line for an event of a pass: failures as warnings, the rest only when asked to be wordy.
    package func log<C>(_ event: TrackingPass<C>.Event) {
        switch event {
        case .recorded(let check):
            if let suspicion = check.suspicion {
                notice(
                    "check suspect",
                    metadata: metadata(
                        check.query, ["reason": "\(suspicion.rawValue)", "within": "\(check.within ?? 0)"]))
                return
            }
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
        case .lookedUp(let event):
            log(event)
        }
    }

    private func metadata(_ query: Query, _ more: Logger.Metadata) -> Logger.Metadata {
        ["query": "\(query.text)", "country": "\(query.country)", "platform": "\(query.platform.rawValue)"]
            .merging(more) { $1 }
    }
}
