package import RankKit

/// A piece of text in one ink. Making one is what makes foreign text safe, so no report can forget to.
package struct Cell: Sendable, Hashable {
    let text: String
    let ink: Ink
    /// In columns.
    let width: Int
    /// What stands for the text where more than characters can be drawn.
    let graphic: Graphic?
    /// What it is called where the text has no room, such as an app's alias; safe as well.
    let brief: String?
    /// What the text names and a page can have a page of.
    private(set) var subject: Subject?

    package enum Subject: Sendable, Hashable {
        case app(BundleID)
        case query(Query)
        /// An app on a query.
        case pair(BundleID, Query)
    }

    /// A drawing the size of a few words.
    enum Graphic: Sendable, Hashable {
        case sparkline(Sparkline)
        /// A bar of a share of the longest one's length, 0–1.
        case bar(share: Double)
    }

    package init(_ text: String, _ ink: Ink = .plain, brief: String? = nil) {
        self.init(safe: SafeText.escaped(text), ink, brief: brief.map(SafeText.escaped))
    }

    init(_ sparkline: Sparkline, _ ink: Ink = .plain) {
        let text = sparkline.text
        self.init(safe: text, ink, text.isEmpty ? nil : .sparkline(sparkline))
    }

    /// A bar of `count` beside others of which the longest stands for `most`, in at most `columns` columns. The smallest
    /// that is not 0 shows as well.
    init(barOf count: Int, most: Int, columns: Int, _ ink: Ink = .plain) {
        guard count > 0, most > 0 else {
            self = .empty
            return
        }
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let eighths = max(1, min(count, most) * columns * parts.count / most)
        let text = String(repeating: "█", count: eighths / parts.count) + parts[eighths % parts.count]
        self.init(safe: text, ink, .bar(share: min(1, Double(count) / Double(most))))
    }

    static let empty = Cell("")

    /// The same text, said to be of `subject`.
    func about(_ subject: Subject) -> Cell {
        var cell = self
        cell.subject = subject
        return cell
    }

    /// The same where it says of options what they are called without hyphens (`String.namingParameters`); a name of an
    /// app or a query is what it is.
    func namingParameters(unless isKept: (_ name: String, _ before: Character?) -> Bool = { _, _ in false }) -> Cell {
        guard subject == nil, graphic == nil, brief == nil, text.contains("--") else { return self }
        return Cell(safe: text.namingParameters(unless: isKept), ink)
    }

    /// By the shorter name where there is one.
    var briefly: Cell { brief.map { Cell(safe: $0, ink) } ?? self }

    /// The same ink on what fits into `columns`.
    func fitted(to columns: Int, cut: TerminalText.Cut = .end) -> Cell {
        width <= columns ? self : Cell(safe: TerminalText.fitted(text, to: columns, cut: cut), ink)
    }

    /// The same on a line of text, where it must not turn round what follows.
    fileprivate var closed: Cell {
        let closed = TerminalText.closed(text)
        return closed == text ? self : Cell(safe: closed, ink)
    }

    /// For a part of a text that is safe already.
    fileprivate init(safe text: String, _ ink: Ink, _ graphic: Graphic? = nil, brief: String? = nil) {
        self.text = text
        self.ink = ink
        self.graphic = graphic
        self.brief = brief
        width = TerminalText.width(text)
    }
}

/// A line of prose in several inks.
package struct StyledText: Sendable, Hashable {
    var cells: [Cell]
    /// The cell that gives way, down to a few columns, where the line is too long; the end does where there is none.
    var yielding: Int?

    init(_ cells: [Cell], yielding: Int? = nil) {
        self.cells = cells
        self.yielding = yielding
    }

    init(_ text: String, _ ink: Ink = .plain) { cells = [Cell(text, ink)] }

    var width: Int { cells.reduce(0) { $0 + $1.width } }

    /// As people read it where there is neither ink nor an edge.
    var text: String { cells.map(\.text).joined() }

    /// Columns that a cell that yields keeps.
    private static let leastYielding = 12

    /// One line of at most the style's width.
    func line(_ style: TerminalStyle) -> String {
        var shown = cells.map(\.closed)
        if let yielding, shown.indices.contains(yielding) {
            let others = width - shown[yielding].width
            shown[yielding] = cells[yielding].fitted(to: max(style.width - others, Self.leastYielding)).closed
        }
        return Self.line(shown, width: style.width, style)
    }

    /// Lines of at most the style's width, broken at spaces; all but the first begin with `indent` spaces.
    func wrapped(_ style: TerminalStyle, indent: Int = 0) -> [String] {
        if let line = whole(style) { return [line] }
        var lines: [[Cell]] = [[]]
        var used = 0
        for word in words() {
            let width = word.reduce(0) { $0 + $1.width }
            let start = lines.count == 1 ? 0 : indent
            if lines[lines.count - 1].isEmpty {
                used = start + width
            } else if used + 1 + width <= style.width {
                lines[lines.count - 1].append(Cell(" ", word[0].ink))
                used += 1 + width
            } else {
                lines.append([])
                used = indent + width
            }
            lines[lines.count - 1].append(contentsOf: word)
        }
        return lines.enumerated().map { index, cells in
            let start = index == 0 ? 0 : indent
            return String(repeating: " ", count: start) + Self.line(cells, width: style.width - start, style)
        }
    }

    /// As `wrapped` has it, of a text in one ink that needs no more than one line: most are such.
    private func whole(_ style: TerminalStyle) -> String? {
        guard cells.count == 1, let cell = cells.first?.closed, cell.width <= style.width, !cell.text.isEmpty else {
            return nil
        }
        // Of several spaces one is left, and of those around it none.
        var last = UInt8(ascii: " ")
        for byte in cell.text.utf8 {
            if byte == last, byte == UInt8(ascii: " ") { return nil }
            last = byte
        }
        return last == UInt8(ascii: " ") ? nil : style.painted(cell.text, cell.ink)
    }

    /// What stands between spaces; a word can change its ink within.
    private func words() -> [[Cell]] {
        var words: [[Cell]] = [[]]
        for cell in cells {
            for (index, piece) in cell.closed.text.split(separator: " ", omittingEmptySubsequences: false).enumerated()
            {
                if index > 0 { words.append([]) }
                if !piece.isEmpty { words[words.count - 1].append(Cell(safe: String(piece), cell.ink)) }
            }
        }
        return words.filter { !$0.isEmpty }.reduce(into: []) { words, word in
            if let last = words.last, Self.isTime(last, of: word) {
                words[words.count - 1] += [Cell(safe: " ", word[0].ink)] + word
            } else {
                words.append(word)
            }
        }
    }

    /// Whether these are a time of day and its zone, which belong on one line: `12:00` and `UTC`.
    private static func isTime(_ word: [Cell], of next: [Cell]) -> Bool {
        guard let zone = next.first?.text, zone.hasPrefix("UTC"), let text = word.last?.text else { return false }
        return text.suffix(5).wholeMatch(of: /[0-9]{2}:[0-9]{2}/) != nil
    }

    private static func line(_ cells: [Cell], width: Int, _ style: TerminalStyle) -> String {
        var shown: [Cell] = []
        var left = width
        for cell in cells where left > 0 {
            let part = cell.fitted(to: left)
            left = part.text == cell.text ? left - part.width : 0
            if let last = shown.last, last.ink == part.ink {
                shown[shown.count - 1] = Cell(safe: last.text + part.text, last.ink)
            } else {
                shown.append(part)
            }
        }
        return shown.map { style.painted($0.text, $0.ink) }.joined()
    }
}
