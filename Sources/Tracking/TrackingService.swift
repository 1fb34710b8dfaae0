import AppStore
package import History
package import Logging
package import RankKit
import ServiceLifecycle

/// Tracking: asks what is due, looks up what no list has shown, and keeps the history in order beside it. One loop runs
/// as the service and, for a single turn, as `rankd --once`; `TrackingService+Turn` says what a turn is. Each further
/// source has a loop of its own beside it (`TrackingService+Sources`).
package struct TrackingService<C: Clock>: Service where C.Duration == Duration {
    let plan: CurrentPlan
    private(set) var pass: TrackingPass<C>
    let upkeep: BackgroundWork
    let log: Logger
    private(set) var report: @Sendable (State) -> Void
    /// The longest the loop sleeps at a stretch: what a clock that jumps, or a suspend, can cost at most.
    let longestSleep: Duration
    /// Whether somebody ends a service that does not report in time.
    private(set) var hasWatchdog: Bool

    var clock: C { pass.lane.clock }

    /// What the service is doing, for whoever watches over it. Reported after the history has answered, so that a
    /// report proves that work is possible; `stalled` alone proves no more than that the loop moves.
    package enum State: Sendable, Hashable {
        /// Nothing is due before `until`; `nil` if nothing is watched.
        case idle(until: Timestamp?)
        case asking(done: Int, of: Int)
        /// Apple's throttle, or a machine that is offline: nothing is asked before `until`.
        case paused(until: Timestamp)
        /// The history cannot even be read for now; nothing is asked until it can. Reported although it did not answer:
        /// a restart would not mend what may pass by itself, and would go on for ever.
        case stalled(HistoryError)
        /// So many checks wait in memory because the history cannot be written for now.
        indirect case waiting(checks: Int, because: HistoryError, while: State)

        /// The same, with what waits while it is so.
        func with(_ backlog: Backlog?) -> State {
            backlog.map { .waiting(checks: $0.checks, because: $0.reason, while: self) } ?? self
        }
    }

    /// - Parameters:
    ///   - watchdog: the longest time from one report to the next; `nil` if nobody waits for reports.
    ///   - report: called with what the service is doing.
    package init(
        plan: CurrentPlan, pass: TrackingPass<C>, log: Logger, watchdog: Duration? = nil,
        report: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.plan = plan
        self.pass = pass
        self.log = log
        self.report = report
        upkeep = BackgroundWork(history: pass.history, plan: plan, log: log)
        hasWatchdog = watchdog != nil
        longestSleep = min(.seconds(60), watchdog.map { $0 / 3 } ?? .seconds(60))
    }

    /// Runs until the task is cancelled or a graceful shutdown begins, then returns with everything that had been
    /// answered recorded.
    ///
    /// While the history cannot be written for now (a full disk, somebody's lock) results wait in memory and asking goes
    /// on; while it cannot be read, nothing is asked.
    ///
    /// - Throws: `HistoryError` if the history can no longer be read or written.
    package func run() async throws {
        let events = SharedEventLog(EventLog(log, clock: clock))
        let result: Result<Void, any Error>
        do {
            result = .success(try await cancelWhenGracefulShutdown { try await loopAll { events.write($0) } })
        } catch {
            result = .failure(error)
        }
        await upkeep.stop()
        do {
            do { try result.get() } catch is CancellationError {
                for event in try await pass.recorder.land(isLastChance: true) { events.write(event) }
            }
        } catch {
            if let backlog = await pass.recorder.backlog { events.write(.lost(backlog)) }
            throw error
        }
        if let backlog = await pass.recorder.backlog { events.write(.lost(backlog)) }
    }

    /// Does what is due now to its end.
    ///
    /// - Returns: how the searches went, as far as they did if the task was cancelled; `nil` if nothing was due.
    /// - Throws: `HistoryError` also where results could not be recorded.
    package func runOnce(_ tell: @escaping (TrackingEvent) -> Void) async throws -> PassResult? {
        let memory = memory(.once, tell)
        return try await finish(try await searchAll(tell), memory)
    }

    /// The loops of the sources that are asked beside the usual one. Nobody waits for their reports: the usual source's
    /// loop proves that the service lives.
    var others: [TrackingService] {
        pass.otherSources.compactMap { source in
            pass.of(source).map { pass in
                var service = self
                (service.pass, service.report, service.hasWatchdog) = (pass, { _ in }, false)
                return service
            }
        }
    }

    /// Whether this is the loop of the usual source, which also looks apps up and does the upkeep.
    var isMain: Bool { pass.source == .usual }

    /// How long the loop goes on.
    enum Extent { case once, untilStopped }

    /// What the loop knows from one turn to the next.
    struct Memory {
        let extent: Extent
        let tell: (TrackingEvent) -> Void
        /// The edition of the plan that was taken up; `nil` before the first turn and after a failure.
        var edition: Int?
        var unseen = UnseenApps()
        /// The latest time seen on the wall clock.
        var newest: Timestamp?
        var isStalled = false
        var isLogLarge = false
        /// When nothing was left to ask the last time.
        var rested: C.Instant
        /// When the history last got a sign of life.
        var beat: Timestamp?
        /// When a step of the upkeep was last let through during a pass.
        var stepped: C.Instant
    }

    func memory(_ extent: Extent, _ tell: @escaping (TrackingEvent) -> Void) -> Memory {
        Memory(extent: extent, tell: tell, rested: clock.now, stepped: clock.now)
    }

    /// Runs the loops of all sources. None ends before it is cancelled, or fails: then all end.
    ///
    /// - Throws: what a loop failed with; `CancellationError` if none failed.
    private func loopAll(_ tell: @escaping @Sendable (TrackingEvent) -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { loops in
            for service in [self] + others { loops.addTask { try await service.loop(tell) } }
            var failure: (any Error)?
            while let result = await loops.nextResult() {
                if case .failure(let error) = result, failure == nil || failure is CancellationError { failure = error }
                loops.cancelAll()
            }
            if let failure { throw failure }
        }
    }

    private func loop(_ tell: @escaping (TrackingEvent) -> Void) async throws {
        var memory = memory(.untilStopped, tell)
        while true {
            try Task.checkCancellation()
            do {
                try await turn(&memory)
                if memory.isStalled, isMain { log.notice("the history can be read again") }
                memory.isStalled = false
            } catch let error as HistoryError where error.mayPass {
                if !memory.isStalled, isMain {
                    log.error("asking stopped: the history cannot be read for now", metadata: ["reason": "\(error)"])
                }
                memory.isStalled = true
                memory.edition = nil
                report(.stalled(error))
                await sleep(until: nil, now: pass.now(), edition: await plan.edition)
            }
        }
    }

    /// Sleeps until `wake`, a new edition of the plan, or a minute has gone by.
    func sleep(until wake: Timestamp?, now: Timestamp, edition: Int) async {
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
