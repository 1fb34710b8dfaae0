import AppStore
import Console
import Foundation
import History
import Logging
import RankKit
import ServiceLifecycle
import Synchronization
import Tracking
import UnixSignals

/// The program: what is composed of which parts, for one pass and for the service.
struct Tracker: Sendable {
    let file: WatchlistSource
    let database: String
    let origin: Origin
    let log: Logger
    let notifier: SystemdNotifier

    private var endpoint: Endpoint { .search(at: origin.description) }

    static let now: @Sendable () -> Timestamp = { Timestamp(Date()) }

    /// A history that has taken up the watchlist, and what it knows of earlier runs.
    private struct Opened {
        let history: HistoryStore
        let sinceLastRequest: Duration?
        let health: EndpointHealth
    }

    /// Opens the history and makes the watchlist its plan.
    private func open(_ plan: DecodedWatchlist) async throws -> Opened {
        let history = try HistoryStore(path: database)
        let adoption = try await history.adopt(plan.watchlist, now: Self.now())
        log.info(
            "watchlist adopted",
            metadata: [
                "watchlist": "\(file.path)", "database": "\(database)", "queries": "\(plan.watchlist.queries.count)",
                "pairs": "\(plan.watchlist.pairCount)", "pairsAdded": "\(adoption.pairsAdded)",
                "pairsRetired": "\(adoption.pairsRetired)",
            ])
        if history.otherNames > 0 {
            log.warning(
                "the history has a second name (a hard link): a program that writes it by that one damages it",
                metadata: ["database": "\(database)"])
        }
        return Opened(
            history: history,
            sinceLastRequest: try await history.lastRequest().map { Duration.seconds(Self.now() - $0) },
            health: try await history.health(of: endpoint))
    }

    /// Opens the history as soon as it can be used. A signal ends the wait as it ends any program.
    private func openPatiently(_ plan: DecodedWatchlist) async throws -> Opened {
        let isWaiting = Mutex(false)
        let patience = HistoryPatience(clock: ContinuousClock()) { [log, notifier] error, wait in
            notifier.starting("waiting: \(Self.short(error))", for: wait)
            let wasWaiting = isWaiting.withLock { state in
                defer { state = true }
                return state
            }
            if !wasWaiting { log.error("waiting for the history", metadata: ["reason": "\(error)"]) }
        }
        return try await patience { try await open(plan) }
    }

    /// Runs `body` with the pass that serves the watchlist.
    private func withPass<Value>(
        _ plan: DecodedWatchlist, _ opened: Opened, _ body: (TrackingPass<ContinuousClock>) async throws -> Value
    ) async throws -> Value {
        let history = opened.history
        let service = plan.watchlist.service
        let lookups = Endpoint.lookup(at: origin.description)
        let sinceLastLookup = try await history.lastLookup().map { Duration.seconds(Self.now() - $0) }
        let lookupHealth = try await history.health(of: lookups)
        let value = try await AppStore.withHTTP(origin) { store in
            try await body(
                TrackingPass(
                    store: store,
                    pace: Pace(
                        requestsPerMinute: service.requestsPerMinute, sinceLastRequest: opened.sinceLastRequest,
                        health: opened.health,
                        now: Self.now(), clock: ContinuousClock()),
                    history: history, endpoint: endpoint, parallelism: service.parallelism, clock: ContinuousClock(),
                    lookups: LookupPass(
                        PacedLookup(
                            store: store,
                            pace: Pace(
                                requestsPerMinute: service.requestsPerMinute, sinceLastRequest: sinceLastLookup,
                                health: lookupHealth, now: Self.now(), clock: ContinuousClock()),
                            clock: ContinuousClock(), now: Self.now),
                        history: history, endpoint: lookups),
                    now: Self.now))
        }
        try await history.close()
        return value
    }

    // MARK: Once

    /// Asks what is due now and ends.
    ///
    /// - Throws: `ExitStatus.unavailable` where queries were due and not one search succeeded.
    func runOnce(_ plan: DecodedWatchlist) async throws {
        let result: PassResult? = try await withPass(plan, try await open(plan)) { pass -> PassResult? in
            let attempts = try await pass.history.attempts(asOf: Self.now())
            let due = Schedule.due(plan.watchlist.scheduledQueries, attempts: attempts, now: Self.now())
            guard !due.isEmpty else {
                let next = Schedule.nextWake(
                    plan.watchlist.scheduledQueries, attempts: attempts, now: Self.now())
                Terminal.say("nothing is due" + (next.map { " before \($0)" } ?? ""))
                try await Interruption.cancelling(on: .sigterm, .sigint) {
                    try await lookUp(with: pass)
                    try await fillIn(pass.history)
                }
                return nil
            }
            return try await Interruption.cancelling(on: .sigterm, .sigint) {
                let result = try await ask(due, pass, requestsPerMinute: plan.watchlist.service.requestsPerMinute)
                if !Task.isCancelled {
                    try await Backups(history: pass.history, log: log, pause: .zero)
                        .runIfDue(plan.watchlist.service.backup, now: Self.now())
                }
                return result
            }
        }
        if let result, result.succeeded + result.suspect == 0 { throw ExitStatus.unavailable }
    }

    /// - Returns: `nil` where a signal ended it early: that nothing succeeded then says nothing about the App Store.
    private func ask(
        _ due: [ScheduledQuery], _ pass: TrackingPass<ContinuousClock>, requestsPerMinute: Int
    ) async throws -> PassResult? {
        let progress = PassProgress(total: due.count, requestsPerMinute: requestsPerMinute)
        // What cannot be recorded need not be asked.
        let result = try await pass.run(
            due, goesOn: { await pass.recorder.backlog == nil },
            progress: { event in
                progress.show(event)
                if case .lookedUp(let event) = event { log.log(event) }
            })
        for event in try await pass.recorder.land(isLastChance: true) { progress.show(event) }
        let backlog = await pass.recorder.backlog
        progress.end(result, backlog: backlog)
        if let backlog { throw backlog.reason }
        if let pause = await pass.pace.pauseLeft {
            let why =
                await pass.pace.health.pause == .offline
                ? "the machine seems to be offline" : "Apple asks for fewer requests"
            Terminal.say("\(why): nothing is asked before \(Self.now().end(of: pause))")
        }
        if Task.isCancelled { return nil }
        try await lookUp(with: pass)
        if Task.isCancelled { return result }
        try await fillIn(pass.history)
        let housekeeping = Housekeeping(history: pass.history)
        guard try await housekeeping.isDue(at: Self.now()) else { return result }
        // What a signal leaves undone the next run does.
        do { _ = try await housekeeping.run(now: Self.now()) } catch is CancellationError {}
        return result
    }

    /// Looks up what is due of the apps that no list has shown, unless the machine has turned out to be offline.
    private func lookUp(with pass: TrackingPass<ContinuousClock>) async throws {
        guard pass.lookups != nil, await pass.pace.health.pause != .offline else { return }
        let batches = LookupSchedule.batches(try await pass.history.unseenApps(), now: Self.now())
        guard !batches.isEmpty else { return }
        if Terminal.isTerminal {
            let count = batches.reduce(0) { $0 + $1.bundleIDs.count }
            Terminal.say("looking up \(count) \(count == 1 ? "app" : "apps") that no list has shown …")
        }
        for event in try await pass.lookUp(batches) { log.log(event) }
    }

    /// Gives pairs that are new to the watchlist their past. What a signal leaves undone the next run does, and lists
    /// that cannot be read undo nothing of the pass.
    private func fillIn(_ history: HistoryStore) async throws {
        do {
            for lists in try await BackFill(history: history).run().damaged {
                let query = "“\(SafeText.escaped(lists.query.text))” in \(lists.query.country)"
                Terminal.say(
                    "the lists of \(query) on \(lists.query.platform.displayName) from \(lists.from) to \(lists.through) "
                        + "are damaged and leave a gap in the history of new pairs: see rankctl verify")
            }
        } catch is CancellationError {
        } catch let error as HistoryError {
            guard case .corrupt = error else { throw error }
            Terminal.say("not all history could be filled in: \(SafeText.escaped(error.description))")
        }
    }

    // MARK: Service

    /// Runs the timer until SIGTERM or SIGINT.
    func runUntilStopped(_ decoded: DecodedWatchlist) async throws {
        warn(decoded.warnings)
        try await withPass(decoded, try await openPatiently(decoded)) { pass in
            let plan = CurrentPlan(decoded.watchlist)
            let log = log
            let notifier = notifier
            let tracking = TrackingService(
                plan: plan, pass: pass, clock: ContinuousClock(), log: log, watchdog: notifier.watchdog
            ) {
                notifier.alive(Self.status($0))
                if case .idle = $0 { Allocator.giveBack() }
            }
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            let reloading = ReloadService(hangups: hangups) { await reload(plan: plan, pass: pass) }
            notifier.ready("watching \(decoded.watchlist.queries.count) queries")
            log.notice("started", metadata: ["version": "\(Release.version)", "origin": "\(origin)"])
            let group = ServiceGroup(
                configuration: .init(
                    // Stopped in reverse order: the notice first.
                    services: [
                        .init(service: reloading), .init(service: tracking),
                        .init(service: StopNotice(notifier: notifier)),
                    ],
                    gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet(log)))
            try await group.run()
            log.notice("stopped")
        }
    }

    private static func status(_ state: TrackingService<ContinuousClock>.State) -> String {
        switch state {
        case .idle(let until): until.map { "idle, next due \($0)" } ?? "idle, nothing to watch"
        case .asking(let done, let total): "asking, \(done) of \(total) done"
        case .paused(let until): "nothing is asked before \(until)"
        case .stalled(let error): "stalled: \(short(error))"
        case .waiting(let checks, let error, let state):
            "\(checks) checks wait to be recorded: \(short(error)); \(status(state))"
        }
    }

    private static func short(_ error: HistoryError) -> String {
        SafeText.escaped(error.description).cut(toBytes: 200)
    }

    /// The service group's own messages are about itself.
    private func quiet(_ log: Logger) -> Logger {
        var log = log
        log.logLevel = max(log.logLevel, .error)
        return log
    }
}

/// Tells systemd that the end has begun.
private struct StopNotice: Service {
    let notifier: SystemdNotifier

    func run() async throws {
        try await gracefulShutdown()
        notifier.stopping()
    }
}
