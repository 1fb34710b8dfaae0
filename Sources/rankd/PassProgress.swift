import Console
import Foundation
import History
import RankKit
import Reports
import Tracking

/// Shows how `rankd --once` is getting on: a bar on a terminal, else one line a check.
final class PassProgress {
    private var bar: ProgressBar
    private let isTerminal = Terminal.isTerminal
    /// Whether what was last shown was taken. Where it was not, nothing more is waited for: a pass that waits for a reader
    /// would be deaf to the signal that is to end it.
    private var isRead = true

    init(total: Int, requestsPerMinute: Int) {
        bar = ProgressBar(done: 0, failed: 0, total: total, perMinute: Double(requestsPerMinute))
        draw()
    }

    func show<C>(_ event: TrackingPass<C>.Event) {
        switch event {
        case .lookedUp: return
        case .recorded(let check):
            bar.done += 1
            if check.failure != nil { bar.failed += 1 }
            if !isTerminal { show(Self.line(check) + "\n") }
        case .landed(let check):
            if !isTerminal { show(Self.line(check) + "\n") }
        case .throttled(let query, let status):
            bar.done += 1
            bar.failed += 1
            if !isTerminal { show("throttled \(Self.words(query)) status=\(status)\n") }
        case .waits:
            bar.done += 1
        case .settled, .mended:
            break
        }
        draw()
    }

    /// - Parameter backlog: what was not recorded, although it was asked.
    func end<C>(_ result: PassResult, backlog: Recorder<C>.Backlog?) {
        if isTerminal { show("\n") }
        let left = result.due - result.asked
        let unrecorded = backlog.map { $0.checks + $0.dropped } ?? 0
        let parts = [
            "\(result.succeeded) of \(result.due) \(unrecorded > 0 ? "answered" : "checked")",
            "\(result.failed) failed",
            result.suspect > 0 ? "\(result.suspect) suspect" : nil,
            result.throttled > 0 ? "\(result.throttled) turned away by Apple's throttle, still due" : nil,
            left > 0 ? "\(left) not asked, still due" : nil,
            unrecorded > 0 ? "\(unrecorded) of them could not be recorded, still due" : nil,
        ]
        Terminal.say(parts.compactMap { $0 }.joined(separator: ", "))
    }

    private func show(_ text: String) { isRead = Terminal.show(text, patience: isRead ? 5_000 : 0) }

    private func draw() {
        guard isTerminal else { return }
        show("\r\u{1B}[K" + bar.line(width: max(20, (Terminal.columns ?? 80) - 1)))
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
    }

    private static func quoted(_ text: String) -> String {
        "\"" + SafeText.escaped(text).replacing("\"", with: "\\\"") + "\""
    }
}
