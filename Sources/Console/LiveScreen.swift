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
