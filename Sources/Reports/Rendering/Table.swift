/// Rows in aligned columns that fit the terminal: nothing wraps, no line ends in a space.
///
/// On a narrow terminal columns shrink, and then drop out, the one of lowest priority first.
package struct Table: Sendable {
    package struct Column: Sendable {
        package var title: String
        package var alignment: TerminalText.Alignment
        /// Columns below which it does not shrink, its title's width at least; `nil` for one that keeps its natural width.
        package var minimum: Int?
        /// The lowest shrinks and drops out first; `nil` never drops out.
        package var priority: Int?
        package var cut: TerminalText.Cut
        /// Where there is no room beside the others at their natural width, the cells stand on lines of their own
        /// below their rows.
        package var goesBelow: Bool

        package init(
            _ title: String, _ alignment: TerminalText.Alignment = .left, minimum: Int? = nil, priority: Int? = nil,
            cut: TerminalText.Cut = .end, goesBelow: Bool = false
        ) {
            self.title = title
            self.alignment = alignment
            self.minimum = minimum
            self.priority = priority
            self.cut = cut
            self.goesBelow = goesBelow
        }
    }

    package enum Row: Sendable {
        /// One cell a column.
        case cells([Cell])
        /// A line across all columns, not indented.
        case heading(StyledText)
        case blank
    }

    package var columns: [Column]
    package var rows: [Row]
    /// Spaces before each row.
    package var indent: Int

    static let gap = 2

    package init(columns: [Column], rows: [Row] = [], indent: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.indent = indent
    }

    /// The header and the rows. A column whose cells are all empty is left out; with no titles at all there is no
    /// header.
    package func lines(_ style: TerminalStyle) -> [String] {
        let widths = columnWidths(within: style.width - indent)
        var lines: [String] = []
        let titles = columns.map { Cell($0.title, .faint) }
        if titles.contains(where: { !$0.text.isEmpty }) { lines.append(line(titles, widths, style, isHeader: true)) }
        for row in rows {
            switch row {
            case .blank: lines.append("")
            case .heading(let text): lines.append(text.line(style))
            case .cells(let cells):
                lines.append(line(cells, widths, style))
                for (index, cell) in cells.enumerated()
                where columns[index].goesBelow && widths[index] == nil && !cell.text.isEmpty {
                    let start = indent + Self.gap
                    let shown = cell.fitted(to: style.width - start)
                    lines.append(String(repeating: " ", count: start) + style.painted(shown.text, shown.ink))
                }
            }
        }
        return lines
    }

    private func line(_ cells: [Cell], _ widths: [Int?], _ style: TerminalStyle, isHeader: Bool = false) -> String {
        var line = ""
        var spaces = indent
        for (index, cell) in cells.enumerated() {
            guard let width = widths[index] else { continue }
            let shown = cell.fitted(to: width, cut: isHeader ? .end : columns[index].cut)
            let padding = width - shown.width
            if columns[index].alignment == .right { spaces += padding }
            if !shown.text.isEmpty {
                line += String(repeating: " ", count: spaces) + style.painted(shown.text, shown.ink)
                spaces = 0
            }
            if columns[index].alignment == .left { spaces += padding }
            spaces += Self.gap
        }
        return line
    }
}
