import History
package import Logging
import RankKit
import Synchronization

/// Writes what happens to the log: changes of state one line each, failures by the minute, the rest only when asked to
/// be wordy.
package struct EventLog<C: Clock>: Sendable where C.Duration == Duration, C.Instant: Sendable {
    private let log: Logger
    private let clock: C
    private var limiter = LogLimiter<C.Instant>()
    private var isWaiting = false
    private var isDropping = false

    package init(_ log: Logger, clock: C) {
        self.log = log
        self.clock = clock
    }

    package mutating func write(_ event: TrackingEvent) {
        switch event {
        case .began(let due, let source):
            log.info("pass started", metadata: source.logged.merging(["due": "\(due)"]) { $1 })
        case .recorded(let check), .landed(let check): write(check)
        case .throttled(let query, let status):
            write(
                .warning, "throttled by the App Store", of: "\(status)",
                Self.metadata(query, ["status": "\(status)"]))
        case .ended(let result, let source, _): write(result, of: source)
        case .health(let health, let endpoint, let before, _): write(health, of: endpoint, before: before)
        case .waits(let check, let reason):
            log.debug("check waits to be recorded", metadata: Self.metadata(check.query, [:]))
            writeWaiting(because: reason)
        case .settled(let count, let dropped):
            if isWaiting || count > 0 {
                log.notice(
                    "the waiting results are recorded", metadata: ["checks": "\(count)", "dropped": "\(dropped)"])
            }
            (isWaiting, isDropping) = (false, false)
        case .wasBadDay(let result, let source): writeBadDay(result, of: source)
        case .mended(let error):
            write(
                .error, "the disk failed: opening the history again and repeating the write", of: "write",
                ["reason": "\(error)"])
        case .rested(let backlog): writeRest(backlog)
        case .lost(let backlog):
            guard backlog.checks + backlog.dropped > 0 else { return }
            log.error(
                "results are lost",
                metadata: ["checks": "\(backlog.checks + backlog.dropped)", "reason": "\(backlog.reason)"])
        case .lookedUp(let event): log.log(event)
        case .nothingDue, .lookingUp, .filledIn: break
        }
    }

    private mutating func write(_ check: RecordedCheck) {
        if let suspicion = check.suspicion {
            write(
                .notice, "check suspect", of: suspicion.rawValue,
                Self.metadata(check, ["reason": "\(suspicion.rawValue)", "within": "\(check.within ?? 0)"]))
        } else if let failure = check.failure {
            write(
                .warning, "check failed", of: failure.reason.rawValue,
                Self.metadata(check, ["reason": "\(failure.reason.rawValue)", "detail": "\(failure.detail)"]))
        } else {
            log.debug("check recorded", metadata: Self.metadata(check, ["within": "\(check.within ?? 0)"]))
        }
    }

    private func write(_ result: PassResult, of source: Source) {
        log.info(
            "pass ended",
            metadata: source.logged.merging(
                [
                    "asked": "\(result.asked)", "succeeded": "\(result.succeeded)", "failed": "\(result.failed)",
                    "throttled": "\(result.throttled)", "seconds": "\(result.finishedAt - result.startedAt)",
                ]) { $1 })
        if result.isBadDay { writeBadDay(result, of: source) }
    }

    private func writeBadDay(_ result: PassResult, of source: Source) {
        log.warning(
            "a bad day of the store",
            metadata: source.logged.merging(["suspect": "\(result.suspect)", "asked": "\(result.asked)"]) { $1 })
    }

    /// One line where asking has stopped, or goes on again.
    private func write(_ health: EndpointHealth, of endpoint: Endpoint, before: EndpointHealth.Pause?) {
        if let pause = health.pause {
            log.warning(
                "asking paused",
                metadata: [
                    "endpoint": "\(endpoint.name)", "reason": "\(pause.rawValue)",
                    "until": "\(health.pausedUntil ?? health.pausedAt)",
                ])
        } else if before != nil {
            log.notice("asking resumed", metadata: ["endpoint": "\(endpoint.name)"])
        }
    }

    private mutating func writeWaiting(because reason: HistoryError) {
        if !isWaiting {
            log.error(
                "results wait in memory: the history cannot be written for now", metadata: ["reason": "\(reason)"])
        }
        isWaiting = true
    }

    /// Says what is left to say while nothing is asked.
    private mutating func writeRest(_ backlog: Backlog?) {
        for (name, heldBack) in limiter.overdue(at: clock.now) {
            log.warning("the same message again", metadata: ["what": "\(name)", "more": "\(heldBack)"])
        }
        guard let backlog else { return }
        writeWaiting(because: backlog.reason)
        if backlog.dropped > 0, !isDropping {
            log.error("too many results wait in memory: the oldest are dropped")
            isDropping = true
        }
    }

    private mutating func write(
        _ level: Logger.Level, _ message: String, of kind: String, _ metadata: Logger.Metadata
    ) {
        guard let heldBack = limiter.admit("\(message): \(kind)", at: clock.now) else { return }
        let more: Logger.Metadata = heldBack > 0 ? ["more": "\(heldBack)"] : [:]
        log.log(level: level, "\(message)", metadata: metadata.merging(more) { $1 })
    }

    /// The number is the check's in the history: the line is written after its commit.
    private static func metadata(_ check: RecordedCheck, _ more: Logger.Metadata) -> Logger.Metadata {
        metadata(check.query, more.merging(["check": "\(check.id)"]) { $1 })
    }

    private static func metadata(_ query: Query, _ more: Logger.Metadata) -> Logger.Metadata {
        query.logged.merging(more) { $1 }
    }
}

/// The event log of several loops: what one of them has said the others need not say again.
final class SharedEventLog<C: Clock>: Sendable where C.Duration == Duration, C.Instant: Sendable {
    private let log: Mutex<EventLog<C>>

    init(_ log: EventLog<C>) { self.log = Mutex(log) }

    func write(_ event: TrackingEvent) { log.withLock { $0.write(event) } }
}

extension Query {
    /// What names it in a line of the log.
    var logged: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "query": "\(text)", "country": "\(country)", "platform": "\(platform.rawValue)",
        ]
        if let language { metadata["language"] = "\(language)" }
        return metadata.merging(source.logged) { $1 }
    }
}

extension Source {
    /// What names it in a line of the log: nothing where it is the usual one.
    fileprivate var logged: Logger.Metadata { self == .usual ? [:] : ["source": "\(rawValue)"] }
}

extension Logger {
    /// Writes one line if an app turns out not to be sold, or to be sold after all; the rest only at level debug.
    package func log(_ event: TrackingEvent.Lookup) {
        switch event {
        case .unknown(let app, wasListed: true):
            warning(
                """
                the App Store of \(app.country) no longer sells \(app.bundleID): it is in none of its lists any more, and two \
                look-ups did not find it
                """)
        case .unknown(let app, wasListed: false):
            warning("the App Store of \(app.country) does not sell \(app.bundleID): check the bundleId for a typo")
        case .foundAgain(let app):
            notice("the App Store of \(app.country) sells \(app.bundleID) after all")
        case .failed(let failure, let apps):
            debug(
                "look-up failed",
                metadata: [
                    "apps": "\(apps)", "reason": "\(failure.reason.rawValue)", "detail": "\(failure.detail)",
                ])
        case .unrecorded(let error):
            debug("look-up not recorded", metadata: ["reason": "\(error)"])
        case .throttled(let status):
            debug("look-up throttled by the App Store", metadata: ["status": "\(status)"])
        }
    }
}
