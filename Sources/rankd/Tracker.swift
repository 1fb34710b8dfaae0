import Alerts
import AppStore
import ArgumentParser
import Console
import Foundation
import History
import Logging
import Monitoring
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
    /// Where Prometheus is answered; `nil` for nowhere.
    let metrics: HostPort?

    static let now: @Sendable () -> Timestamp = { Timestamp(Date()) }

    /// Asks what is due now and ends.
    ///
    /// - Throws: `ExitStatus.unavailable` if queries were due and not one search succeeded, and `ExitCode` 130 if a signal
    ///   came before all of them had been asked.
    func runOnce(_ decoded: DecodedWatchlist) async throws {
        let (result, isStopped): (PassResult?, Bool) = try await withPass(decoded, try await open(decoded)) { pass in
            try await pass.history.noteNoService()
            let service = TrackingService(plan: CurrentPlan(decoded.watchlist), pass: pass, log: log)
            return try await Interruption.cancelling(on: .sigterm, .sigint) {
                let screen = OnceScreen(decoded.watchlist, log: log)
                let result = try await service.runOnce { screen.show($0) }
                let isStopped = Task.isCancelled
                if !isStopped { await sendAlerts(of: decoded.watchlist.alerts, in: pass.history) }
                return (result, isStopped)
            }
        }
        guard let result else { return }
        // As shells report an end by SIGINT: what is still due says nothing about the App Store, and is not done either.
        if isStopped, result.succeeded + result.suspect + result.failed < result.due { throw ExitCode(130) }
        if result.succeeded + result.suspect == 0 { throw ExitStatus.unavailable }
    }

    /// Runs the timer until SIGTERM or SIGINT.
    func runUntilStopped(_ decoded: DecodedWatchlist) async throws {
        warn(decoded.warnings)
        try await withPass(decoded, try await openPatiently(decoded)) { pass in
            let plan = CurrentPlan(decoded.watchlist)
            let notifier = notifier
            let alerts = AlertDispatcher(
                history: pass.history, clock: ContinuousClock(), zone: .gmt, log: log, now: Self.now)
            await adopt(decoded.watchlist.alerts, in: alerts)
            let clock = StatusClock(decoded.watchlist)
            let own = DaemonMetrics(database: pass.history.path, startedAt: Self.now(), now: Self.now)
            let rest = Mutex(Rest())
            let tracking = TrackingService(plan: plan, pass: pass, log: log, watchdog: notifier.watchdog) {
                notifier.alive($0.status(clock.days))
                own.note($0.metrics)
                if case .idle = $0 {
                    Allocator.giveBack()
                    alerts.passEnded()
                    if rest.withLock({ $0.needsLess(at: .now) }) { ProgramPages.giveBack() }
                } else {
                    rest.withLock { $0 = Rest() }
                }
            }
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            let reloading = ReloadService(hangups: hangups) {
                await reload(plan: plan, pass: pass, alerts: alerts, clock)
            }
            let begin: @Sendable () -> Void = {
                notifier.ready("watching \(decoded.watchlist.queries.count) queries")
                log.notice("started", metadata: ["version": "\(Release.version)", "origin": "\(origin)"])
            }
            let watching: [ServiceGroupConfiguration.ServiceConfiguration] =
                metrics.map { services(tracking, answering: $0, with: own, begin) } ?? [.init(service: tracking)]
            if metrics == nil { begin() }
            let group = ServiceGroup(
                configuration: .init(
                    // Stopped in reverse order: the notice first.
                    services: [.init(service: reloading), .init(service: AlertService(dispatcher: alerts))] + watching
                        + [
                            .init(service: StopNotice(notifier: notifier))
                        ],
                    gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet(log)))
            try await group.run()
            await noteEnd(in: pass.history)
            log.notice("stopped")
        }
    }

    /// A disk that does not take it is no reason to fail at the end: `rankctl status` then misses the service.
    private func noteEnd(in history: HistoryStore) async {
        do { try await history.noteServiceEnd(at: Self.now()) } catch {
            log.warning("the history could not record that rankd ended", metadata: ["error": "\(error)"])
        }
    }

    /// The service group's own messages are about itself.
    private func quiet(_ log: Logger) -> Logger {
        var log = log
        log.logLevel = max(log.logLevel, .error)
        return log
    }

    // MARK: Parts

    /// Opens the history and makes the watchlist its plan.
    private func open(_ plan: DecodedWatchlist) async throws -> HistoryStore {
        let history = try HistoryStore(path: database)
        if log.logLevel == .trace {
            await history.timeAccesses { [log] time in
                log.trace(
                    "history accessed",
                    metadata: [
                        "step": "\(time.step)", "milliseconds": "\(time.wall / .milliseconds(1))",
                        "computing": "\(time.processor / .milliseconds(1))",
                    ])
            }
        }
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
                "the history file has a second name (a hard link): a program that writes through that name damages it",
                metadata: ["database": "\(database)"])
        }
        return history
    }

    /// Opens the history as soon as it can be used. A signal ends the wait as it ends any program.
    private func openPatiently(_ plan: DecodedWatchlist) async throws -> HistoryStore {
        let isWaiting = Mutex(false)
        let patience = OpeningPatience(clock: ContinuousClock()) { [log, notifier] error, wait in
            notifier.starting("waiting: \(error.short)", for: wait)
            let wasWaiting = isWaiting.withLock { state in
                defer { state = true }
                return state
            }
            if !wasWaiting { log.error("waiting for the history", metadata: ["reason": "\(error)"]) }
        }
        return try await patience {
            let history = try await open(plan)
            try await history.noteServiceStart(at: Self.now())
            return history
        }
    }

    /// Runs `body` with the pass that serves the watchlist.
    private func withPass<Value>(
        _ plan: DecodedWatchlist, _ history: HistoryStore, _ body: (TrackingPass<ContinuousClock>) async throws -> Value
    ) async throws -> Value {
        let service = plan.watchlist.service
        let (search, lookup) = (Endpoint.search(at: origin.description), Endpoint.lookup(at: origin.description))
        let web = Endpoint.search(.web, at: origin.serving(.web).description)
        let perMinute = service.requestsPerMinute
        let searchPace = try await pace(of: search, perMinute, lastAsked: history.lastRequest(), history)
        let lookupPace = try await pace(of: lookup, perMinute, lastAsked: history.lastLookup(), history)
        let webPace = try await pace(
            of: web, WebStorePage.requestsPerMinute, lastAsked: history.lastRequest(of: .web), history)
        let value = try await AppStore.withHTTP(origin) { store in
            try await body(
                TrackingPass(
                    lane: store.searches(as: search, pace: searchPace, clock: ContinuousClock(), now: Self.now),
                    others: [
                        .web: store.searches(as: web, pace: webPace, clock: ContinuousClock(), now: Self.now)
                    ],
                    lookups: store.lookups(as: lookup, pace: lookupPace, clock: ContinuousClock(), now: Self.now),
                    history: history, parallelism: service.parallelism))
        }
        try await history.close()
        return value
    }

    /// The pace of an endpoint, which goes on from what an earlier run left of it.
    private func pace(
        of endpoint: Endpoint, _ requestsPerMinute: Int, lastAsked: Timestamp?, _ history: HistoryStore
    ) async throws -> Pace<ContinuousClock> {
        Pace(
            requestsPerMinute: requestsPerMinute,
            sinceLastRequest: lastAsked.map { Duration.seconds(Self.now() - $0) },
            health: try await history.health(of: endpoint), now: Self.now(),
            shared: turns(of: endpoint, beside: history.path), clock: ContinuousClock())
    }

    /// The turns that rankd shares with whoever else asks from here.
    private func turns(of endpoint: Endpoint, beside database: String) -> SharedTurns {
        SharedTurns(
            TurnsFile(beside: database), of: endpoint, for: "rankd", keeper: getpid(), now: Self.now
        ) { [log] trouble in
            if case .held? = trouble {
                log.warning(
                    "another program kept rankd waiting for its turn: rankd keeps its own pace for an hour, without it",
                    metadata: ["reason": "\(trouble.map { "\($0)" } ?? "")"])
            } else if let trouble {
                log.warning(
                    "rankd cannot share its pace with other programs: it keeps its own, and rankweb does not search",
                    metadata: ["reason": "\(trouble)"])
            } else {
                log.notice("rankd shares its pace with other programs again")
            }
        }
    }
}

/// A time in which nothing is asked.
private struct Rest {
    /// When what the start and a pass needed was given back.
    private var begin: ContinuousClock.Instant?
    private var isOver = false

    /// Alerts, clean-up and look-ups come after the first report of a rest, and need much of it once more.
    private static let busy = Duration.seconds(60)

    /// Whether what was needed is to be given back: at the first report, and at the first that comes a minute later.
    mutating func needsLess(at now: ContinuousClock.Instant) -> Bool {
        guard let begin else {
            begin = now
            return true
        }
        guard !isOver, now - begin >= Self.busy else { return false }
        isOver = true
        return true
    }
}
