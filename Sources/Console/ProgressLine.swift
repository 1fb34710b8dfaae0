import Foundation
import Reports
import Synchronization

/// One line on stderr that says how far long work has got, where stderr is a terminal.
package final class ProgressLine: Sendable {
    private let isTerminal = Terminal.isErrorTerminal
    private let shown = Mutex("")

    package init() {}

    /// - Parameters:
    ///   - what: what is being done, such as `copying`.
    ///   - done: how much of `total`, in whatever it is counted in.
    package func show(_ what: String, done: Int64, of total: Int64) {
        guard isTerminal else { return }
        let percent = total > 0 ? Int(min(100, max(0, Double(done) / Double(total) * 100))) : 0
        let bar = ProgressBar(done: percent, failed: 0, total: 100)
        draw("\(what) " + bar.line(width: max(20, (Terminal.columns ?? 80) - what.count - 2)))
    }

    package func show(_ what: String) { draw(what + " …") }

    /// Takes the line away.
    package func end() { draw("") }

    private func draw(_ line: String) {
        guard isTerminal else { return }
        let changed = shown.withLock { shown in
            defer { shown = line }
            return shown != line
        }
        if changed { Terminal.whisper("\r\u{1B}[K" + line) }
    }
}
