/// Rows in aligned columns that fit the terminal: nothing wraps, no line ends in a space.
///
/// On a narrow terminal columns shrink, and then drop out, the one of lowest priority first.
package struct Table: Sendable {
    package struct Column: Sendable {
        var title: String
        var alignment: TerminalText.Alignment
        /// Columns below which it does not shrink, its title's width at least; `nil` for one that keeps its natural width.
        var minimum: Int?
        /// Columns that it keeps as long as another column can drop out instead; `minimum` where it is `nil`.
        var comfort: Int?
        /// The lowest shrinks and drops out first; `nil` never drops out.
        var priority: Int?
        var cut: TerminalText.Cut
        var below: Below
        /// Whether its cells say what their rows are about: for those to whom a page is read aloud.
        var namesRow: Bool
        /// Whether a page leaves it out on a phone, because it repeats at length what another column says.
        var isForWidePages: Bool
        /// What its title means, for the small print.
        var meaning: String?
        /// What it is called beside a table that has no room for it, if it is one of a row of columns such as days: those
        /// that are left out of it are told from the first to the last.
        var inRow: String?
        /// How a report is asked for its rows in the order of this column; `nil` if it cannot be.
        var sorting: Sorting?

        package struct Sorting: Sendable, Hashable {
            /// What is asked with.
            var word: String
            /// Whether what is most comes first.
            var startsDescending: Bool
        }

        /// What becomes of the cells where there is no room beside the others at their natural width.
        package enum Below: Sendable, Hashable {
            case never
            /// They stand on lines of their own below their rows, by their shorter names where they need more than one.
            case plain
            /// The same, each behind the column's title.
            case titled
            /// Each stands beside its row where it fits there, else below it; in a page all stand below if one is long.
            case overflow
        }

        package init(
            _ title: String, _ alignment: TerminalText.Alignment = .left, minimum: Int? = nil, comfort: Int? = nil,
            priority: Int? = nil, cut: TerminalText.Cut = .end, below: Below = .never, namesRow: Bool = false,
            isForWidePages: Bool = false, meaning: String? = nil, inRow: String? = nil, sorting: Sorting? = nil
        ) {
            self.title = title
            self.alignment = alignment
            self.minimum = minimum
            self.comfort = comfort
            self.priority = priority
            self.cut = cut
            self.below = below
            self.namesRow = namesRow
            self.isForWidePages = isForWidePages
            self.meaning = meaning
            self.inRow = inRow
            self.sorting = sorting
        }

        /// What stands below a row.
        func textBelow(_ cell: Cell) -> StyledText {
            StyledText(below == .titled ? [Cell(title + " ", .faint), cell] : [cell])
        }
    }

    package enum Row: Sendable {
        /// One cell a column.
        case cells([Cell])
        /// A line across all columns, not indented.
        case heading(StyledText)
        case blank
    }

    var columns: [Column]
    package var rows: [Row]
    /// Spaces before each row.
    var indent: Int
    /// Whether a page folds each row into two lines on a phone: what it is about with where that stands, and the rest.
    var foldsOnPhones = false

    static let gap = 2

    package init(columns: [Column], rows: [Row] = [], indent: Int = 0, foldsOnPhones: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.indent = indent
        self.foldsOnPhones = foldsOnPhones
    }

    /// The header and the rows. A column whose cells are all empty is left out; with no titles at all there is no
    /// header.
    package func lines(_ style: TerminalStyle) -> [String] {
        let layout = layout(within: style.width - indent)
        var lines: [String] = []
        let titles = columns.map { Cell($0.title, .faint) }
        if titles.contains(where: { !$0.text.isEmpty }) { lines.append(line(titles, layout, style, isHeader: true)) }
        for row in rows {
            switch row {
            case .blank: lines.append("")
            case .heading(let text): lines.append(text.line(style))
            case .cells(let cells):
                let below = cells.indices.filter { standsBelow(cells[$0], columns[$0], layout.widths[$0]) }
                var beside = cells
                for index in below { beside[index] = .empty }
                lines.append(line(beside, layout, style))
                for index in below { lines += self.below(columns[index], cells[index], style) }
            }
        }
        return lines
    }

    /// - Parameter width: of its column; `nil` for one that has no room.
    private func standsBelow(_ cell: Cell, _ column: Column, _ width: Int?) -> Bool {
        guard column.below != .never, !cell.text.isEmpty else { return false }
        return width.map { column.below == .overflow && cell.width > $0 } ?? true
    }

    private func below(_ column: Column, _ cell: Cell, _ style: TerminalStyle) -> [String] {
        let start = indent + Self.gap
        let rest = TerminalStyle(colour: style.colour, width: max(1, style.width - start))
        return column.textBelow(cell.width > rest.width ? cell.briefly : cell).wrapped(rest).map {
            String(repeating: " ", count: min(start, style.width - 1)) + $0
        }
    }

    private func line(_ cells: [Cell], _ layout: Layout, _ style: TerminalStyle, isHeader: Bool = false) -> String {
        var line = ""
        var spaces = indent
        for (index, cell) in cells.enumerated() {
            guard let width = layout.widths[index] else { continue }
            let cell = layout.isBrief[index] ? cell.briefly : cell
            let shown = cell.fitted(to: width, cut: isHeader ? .end : columns[index].cut)
            let padding = width - shown.width
            if columns[index].alignment == .right { spaces += padding }
            if !shown.text.isEmpty {
                line +=
                    String(repeating: " ", count: spaces) + style.painted(TerminalText.closed(shown.text), shown.ink)
                spaces = 0
            }
            if columns[index].alignment == .left { spaces += padding }
            spaces += Self.gap
        }
        return line
    }
}
