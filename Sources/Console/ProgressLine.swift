import Foundation
import Reports
import Synchronization

/// One line on stderr that says how far long work has got, where stderr is a terminal.
package final class ProgressLine: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
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

/// A screenful that is drawn again in place, on the terminal's other screen, so that what was there before is there
/// afterwards.
package struct LiveScreen: Sendable {
    package init() { Terminal.show("\u{1B}[?1049h\u{1B}[?25l") }

    /// Draws what fits into `rows`, from the top.
    package func draw(_ text: String, rows: Int) { Terminal.show(Self.frame(text, rows: rows)) }

    /// Each line is cleared to its end as it is written, so that nothing flickers.
    static func frame(_ text: String, rows: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        let shown =
            lines.count > rows
            ? lines.prefix(max(0, rows - 1)) + ["… \(lines.count - rows + 1) more lines"] : lines
        return "\u{1B}[H" + shown.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J"
    }

    package func end() { Terminal.show("\u{1B}[?25h\u{1B}[?1049l") }
}
