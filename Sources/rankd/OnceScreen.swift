import Console
import Foundation
import History
import Logging
import RankKit
import Reports
import Tracking

/// What `rankd --once` shows: on a terminal a bar, else one line a check; at the end what it came to.
final class OnceScreen {
    private let log: Logger
    private var bar: ProgressBar
    private let isTerminal = Terminal.isTerminal
    /// Whether what was last shown was taken. Where it was not, nothing more is waited for: a pass that waits for a reader
    /// would be deaf to the signal that is to end it.
    private var isRead = true

    /// Whose clock times are told by.
    private let days: ZoneDays

    init(_ watchlist: Watchlist, log: Logger) {
        bar = ProgressBar(done: 0, failed: 0, total: 0, perMinute: Double(watchlist.service.requestsPerMinute))
        days = watchlist.days
        self.log = log
    }

    func show(_ event: TrackingEvent) {
        switch event {
        case .nothingDue(let next):
            Terminal.say("nothing is due" + (next.map { " before \(days.minute(until: $0))" } ?? ""))
        case .began(let due, _):
            bar.total += due
            draw()
        case .recorded(let check):
            count(isFailed: check.failure != nil)
            show(Self.line(check))
        case .landed(let check):
            show(Self.line(check))
        case .throttled(let query, let status):
            count(isFailed: true)
            show("throttled \(Self.words(query)) status=\(status)")
        case .waits:
            count(isFailed: false)
            draw()
        case .ended(let result, let source, let backlog): end(result, of: source, backlog)
        case .health(let health, let endpoint, _, let until):
            guard !endpoint.isOfLookups, let until else { return }
            let why =
                switch health.pause {
                case .offline: "the machine seems to be offline"
                case .failing: "Apple answers with errors"
                case .throttled, nil: "Apple asks for fewer requests"
                }
            let what = endpoint.name == Endpoint.name(of: .usual) ? "nothing" : "\(endpoint.name) nothing"
            Terminal.say("\(why): rankd asks \(what) before \(days.minute(until: until))")
        case .lookingUp(let apps):
            guard isTerminal else { return }
            Terminal.say("looking up \(apps) \(apps == 1 ? "app" : "apps") that no list has shown …")
        case .lookedUp(let event): log.log(event)
        case .filledIn(let outcome):
            for lists in outcome.damaged { Terminal.say(gap(lists)) }
            if let error = outcome.unread {
                Terminal.say("some history of new pairs could not be filled in: \(SafeText.escaped(error.description))")
            }
        case .settled, .wasBadDay, .mended, .rested, .lost: break
        }
    }

    private func count(isFailed: Bool) {
        bar.done += 1
        if isFailed { bar.failed += 1 }
    }

    /// - Parameter backlog: what was not recorded, although it was asked.
    private func end(_ result: PassResult, of source: Source, _ backlog: Backlog?) {
        if isTerminal { write("\n") }
        let left = result.due - result.asked
        let unrecorded = backlog.map { $0.checks + $0.dropped } ?? 0
        let parts = [
            "\(result.succeeded) of \(result.due) \(unrecorded > 0 ? "answered" : "checked")",
            "\(result.failed) failed",
            result.suspect > 0 ? "\(result.suspect) suspect" : nil,
            result.throttled > 0 ? "\(result.throttled) refused by Apple (too many requests), still due" : nil,
            left > 0 ? "\(left) not asked, still due" : nil,
            unrecorded > 0 ? "\(unrecorded) of them could not be recorded, still due" : nil,
        ]
        let name = source == .usual ? "" : "\(source.rawValue): "
        Terminal.say(name + parts.compactMap { $0 }.joined(separator: ", "))
    }

    private func gap(_ lists: DamagedLists) -> String {
        let query = "“\(SafeText.escaped(lists.query.text))” (\(lists.query.side))"
        return "the lists of \(query) from \(days.minute(lists.from)) to \(days.minute(lists.through)) "
            + "are damaged and leave a gap in the history of new pairs: see rankctl verify"
    }

    /// A line, or on a terminal the bar.
    private func show(_ line: String) { if isTerminal { draw() } else { write(line + "\n") } }

    private func write(_ text: String) { isRead = Terminal.show(text, patience: isRead ? 5_000 : 0) }

    private func draw() {
        guard isTerminal else { return }
        write("\r\u{1B}[K" + bar.line(width: max(20, (Terminal.columns ?? 80) - 1)))
    }

    /// The number is the check's in the history: the line is written after its commit.
    private static func line(_ check: RecordedCheck) -> String {
        let head = "check=\(check.id) at=\(check.at) \(words(check.query))"
        guard let failure = check.failure else {
            let outcome = check.suspicion.map { "suspect reason=\($0.rawValue)" } ?? "good"
            return head + " outcome=\(outcome) within=\(check.within ?? 0) ranked=\(check.ranked) pairs=\(check.pairs)"
        }
        let detail = failure.detail.isEmpty ? "" : " detail=\(quoted(failure.detail))"
        return head + " outcome=failed reason=\(failure.reason.rawValue)" + detail
    }

    private static func words(_ query: Query) -> String {
        "query=\(quoted(query.text)) country=\(query.country) platform=\(query.platform.rawValue)"
            + (query.language.map { " language=\($0)" } ?? "")
            + (query.source == .usual ? "" : " source=\(query.source.rawValue)")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + SafeText.escaped(text).replacing("\"", with: "\\\"") + "\""
    }
}
