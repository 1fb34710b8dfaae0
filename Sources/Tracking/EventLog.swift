import History
package import Logging
import RankKit

/// Writes what happens in passes to the log: changes of state one line each, failures by the minute, the rest only when
/// asked to be wordy.
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

    package mutating func write(_ event: TrackingPass<C>.Event) {
        switch event {
        case .recorded(let check), .landed(let check):
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
        case .throttled(let query, let status):
            write(
                .warning, "throttled by the App Store", of: "\(status)",
                Self.metadata(query, ["status": "\(status)"]))
        case .waits(let check, let reason):
            log.debug("check waits to be recorded", metadata: Self.metadata(check.query, [:]))
            if !isWaiting { log.error("results wait in memory", metadata: ["reason": "\(reason)"]) }
            isWaiting = true
        case .settled(let count, let dropped):
            if isWaiting || count > 0 {
                log.notice(
                    "results that waited are recorded", metadata: ["checks": "\(count)", "dropped": "\(dropped)"])
            }
            (isWaiting, isDropping) = (false, false)
        case .lookedUp(let event):
            log.log(event)
        case .mended(let error):
            write(
                .error, "the device failed: the history is opened anew and the write tried again", of: "write",
                ["reason": "\(error)"])
        }
    }

    /// Says what is left to say between passes.
    mutating func write(_ backlog: Recorder<C>.Backlog?) {
        for (name, heldBack) in limiter.overdue(at: clock.now) {
            log.warning("more of the same", metadata: ["what": "\(name)", "more": "\(heldBack)"])
        }
        guard let backlog else { return }
        if !isWaiting { log.error("results wait in memory", metadata: ["reason": "\(backlog.reason)"]) }
        isWaiting = true
        if backlog.dropped > 0, !isDropping {
            log.error("more results wait than memory allows, the oldest are dropped")
            isDropping = true
        }
    }

    /// Writes one line for what was never recorded.
    func lost(_ backlog: Recorder<C>.Backlog) {
        guard backlog.checks + backlog.dropped > 0 else { return }
        log.error(
            "results are lost",
            metadata: ["checks": "\(backlog.checks + backlog.dropped)", "reason": "\(backlog.reason)"])
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
        ["query": "\(query.text)", "country": "\(query.country)", "platform": "\(query.platform.rawValue)"]
            .merging(more) { $1 }
    }
}
