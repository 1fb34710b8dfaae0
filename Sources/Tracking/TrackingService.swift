import AppStore
package import History
package import Logging
package import RankKit
import ServiceLifecycle

/// The timer: runs a pass whenever a query is due, and sleeps until a computed instant in between.
package struct TrackingService<C: Clock>: Service where C.Duration == Duration {
    let plan: CurrentPlan
    let pass: TrackingPass<C>
    let clock: C
    let log: Logger
    let activity = PassActivity()
    let report: @Sendable (State) -> Void

    /// What the service is doing, for whoever watches over it. Reported after the history has answered, so that a
    /// report proves that work is possible; `stalled` alone proves no more than that the loop moves.
    package enum State: Sendable, Hashable {
        /// Nothing is due before `until`; `nil` where nothing is watched.
        case idle(until: Timestamp?)
        case asking(done: Int, of: Int)
        /// Apple's throttle, or a machine that is offline: nothing is asked before `until`.
        case paused(until: Timestamp)
        /// The history cannot even be read for now; nothing is asked until it can. Reported although it did not answer:
        /// a restart would not mend what may pass by itself, and would go on for ever.
        case stalled(HistoryError)
        /// So many checks wait in memory because the history cannot be written for now.
        indirect case waiting(checks: Int, because: HistoryError, while: State)
    }

    /// The longest the loop sleeps at a stretch: what a clock that jumps, or a suspend, can cost at most.
    let longestSleep: Duration
    /// Whether somebody ends a service that does not report in time.
    let hasWatchdog: Bool

    /// - Parameters:
    ///   - watchdog: within what time each report has to follow the one before; `nil` where nobody waits for reports.
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
        hasWatchdog = watchdog != nil
        longestSleep = min(.seconds(60), watchdog.map { $0 / 3 } ?? .seconds(60))
    }

    /// Runs until the task is cancelled or a graceful shutdown begins, then returns with everything that had been
    /// answered recorded.
    ///
    /// While the history cannot be written for now (a full disk, somebody's lock) results wait in memory and asking goes
    /// on; while it cannot be read, nothing is asked.
    ///
    /// - Throws: `HistoryError` where the history can no longer be read or written.
    package func run() async throws {
        let housekeeping = HousekeepingWatch(history: pass.history, activity: activity, log: log)
        let result: Result<Void, any Error>
        do {
            result = .success(try await cancelWhenGracefulShutdown { try await loop(housekeeping) })
        } catch {
            result = .failure(error)
        }
        await housekeeping.stop()
        var events = EventLog(log, clock: clock)
        do {
            do { try result.get() } catch is CancellationError {
                for event in try await pass.recorder.land(isLastChance: true) { events.write(event) }
            }
        } catch {
            if let backlog = await pass.recorder.backlog { events.lost(backlog) }
            throw error
        }
        if let backlog = await pass.recorder.backlog { events.lost(backlog) }
    }

    private func loop(_ housekeeping: HousekeepingWatch) async throws {
        var memory = Memory(events: EventLog(log, clock: clock), rested: clock.now, stepped: clock.now)
        while true {
            try Task.checkCancellation()
            do {
                try await turn(&memory, housekeeping)
                if memory.isStalled { log.notice("the history can be read again") }
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
    struct Memory {
        var events: EventLog<C>
        var attempts: [Query: Attempts] = [:]
        /// The edition of the plan that `attempts` is about; `nil` before the first turn and after a failure.
        var edition: Int?
        var unseen = UnseenApps()
        /// The latest time seen on the wall clock.
        var newest: Timestamp?
        var isStalled = false
        var isLogLarge = false
        /// When nothing was left to ask the last time.
        var rested: C.Instant
        /// When a step of the clean-up was last let through during a pass.
        var stepped: C.Instant
    }

    /// Runs a pass if anything is due, else sleeps.
    private func turn(_ memory: inout Memory, _ housekeeping: HousekeepingWatch) async throws {
        let now = pass.now()
        let (watchlist, edition) = await plan.current
        let setBack = memory.newest.map { $0 - now } ?? 0
        if memory.edition != edition || setBack > 0 {
            if setBack > 0 { log.notice("the clock was set back", metadata: ["by": "\(setBack)s"]) }
            memory.attempts = try await pass.recorder.attempts(asOf: now)
            if pass.lookups != nil { memory.unseen = UnseenApps(apps: try await pass.history.unseenApps()) }
            if memory.edition != edition { await housekeeping.startBackFill(now: now) }
            memory.edition = edition
        }
        if memory.newest == nil { try await warnOfClock(now) }
        memory.newest = now
        try await housekeeping.requireSound()
        var hasSettled = false
        for event in try await pass.recorder.land() {
            memory.events.write(event)
            if case .settled = event { hasSettled = true }
        }
        await housekeeping.startBackFillAgain(now: now, hasPassed: hasSettled)
        let queries = watchlist.scheduledQueries
        let due = try await unanswered(
            Schedule.due(queries, attempts: memory.attempts, now: now), &memory.attempts, now: now)
        let pause = await pass.pace.pauseLeft
        if due.isEmpty || pause != nil {
            let pauseEnd = pause.map { now.end(of: $0) }
            let wake = pauseEnd ?? Schedule.nextWake(queries, attempts: memory.attempts, now: now)
            // A machine that is offline for searches is offline for look-ups, until a search gets through.
            let isOffline = await pass.pace.health.pause == .offline
            try await pass.history.answer()
            try await keepLogShort(&memory)
            let backlog = await pass.recorder.backlog
            memory.events.write(backlog)
            let state = pauseEnd.map { State.paused(until: $0) } ?? .idle(until: wake)
            report(Self.state(state, backlog))
            memory.rested = clock.now
            // What a look-up tells could not be kept either.
            let isHeldUp = isOffline || backlog != nil
            if backlog == nil { try await housekeeping.startBackup(watchlist.service.backup, now: now) }
            if !isHeldUp, try await lookUp(&memory.unseen, until: wake, while: state) { return }
            let lookup = isHeldUp ? nil : await nextLookup(memory.unseen, now: now)
            let nextTry = backlog.map { _ in now + Recorder<C>.retryInterval.components.seconds }
            await sleep(until: [wake, lookup, nextTry].compactMap(\.self).min(), now: now, edition: edition)
            return
        }
        await activity.begin()
        do {
            try await run(due, watchlist, edition, &memory)
        } catch {
            await activity.end()
            throw error
        }
        await activity.end()
        try await refresh(&memory.unseen)
        // Where one pass follows the other there is no other time for this.
        try await keepLogShort(&memory)
        let backlog = await pass.recorder.backlog
        memory.events.write(backlog)
        guard backlog == nil else { return }
        try await housekeeping.startIfDue(now: pass.now())
        try await housekeeping.startBackup(watchlist.service.backup, now: pass.now())
    }

    /// Empties a long write-ahead log between passes, and says where that does not help.
    private func keepLogShort(_ memory: inout Memory) async throws {
        if pass.history.logBytes > HistoryStore.logLimit {
            // Whatever else is wrong the next recording finds out, and mends or tells.
            do { try await pass.history.checkpoint() } catch let error as HistoryError where !error.isFinal {}
        }
        let isLarge = pass.history.logBytes > HistoryStore.largeLog
        if isLarge, !memory.isLogLarge {
            log.warning(
                "the write-ahead log grows: a program has been reading the history for long, end it",
                metadata: ["file": "\(pass.history.path)-wal", "bytes": "\(pass.history.logBytes)"])
        } else if !isLarge, memory.isLogLarge {
            log.notice("the write-ahead log is short again")
        }
        memory.isLogLarge = isLarge
    }

    /// Says that the clock may not have been set yet. It is not waited for: what is due follows from the stored checks
    /// whatever the clock says, and the unit starts after the time is in order where something sees to that.
    private func warnOfClock(_ now: Timestamp) async throws {
        guard let last = try await pass.history.lastRequest(), last - now > 600 else { return }
        log.warning("the clock is behind the last request", metadata: ["by": "\(last - now)s"])
    }

    /// Those of `due` whose slots have no check, stored or waiting: slots that a clock set back brings round again have theirs.
    private func unanswered(
        _ due: [ScheduledQuery], _ attempts: inout [Query: Attempts], now: Timestamp
    ) async throws -> [ScheduledQuery] {
        guard !due.isEmpty else { return due }
        let stored = try await pass.recorder.attempts(of: due, asOf: now)
        let wanted = Set(Schedule.due(due, attempts: stored, now: now).map(\.query))
        for query in due.map(\.query) where !wanted.contains(query) { attempts[query] = stored[query] }
        return due.filter { wanted.contains($0.query) }
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
}
