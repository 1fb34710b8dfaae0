extension ReportValue {
    /// The report as Markdown in which no name is longer than a stranger's should be.
    ///
    /// - Parameters:
    ///   - mostInCell: columns of a cell of a table, and of a heading.
    ///   - mostInLine: columns of a piece of prose.
    package func markdown(mostInCell: Int, mostInLine: Int) -> String {
        document.bounded(mostInCell: mostInCell, mostInLine: mostInLine).markdown
    }
}

extension Document {
    fileprivate func bounded(mostInCell: Int, mostInLine: Int) -> Document {
        var document = self
        document.title = TerminalText.fitted(title, to: mostInCell)
        document.blocks = blocks.map { block in
            switch block {
            case .heading(let text): return .heading(TerminalText.fitted(text, to: mostInCell))
            case .paragraph(let text): return .paragraph(text.bounded(to: mostInLine))
            case .list(let lines): return .list(lines.map { $0.bounded(to: mostInLine) })
            case .notes(let lines): return .notes(lines.map { $0.bounded(to: mostInLine) })
            case .table(var table):
                table.rows = table.rows.map { row in
                    switch row {
                    case .cells(let cells): .cells(cells.map { $0.fitted(to: mostInCell) })
                    case .heading(let text): .heading(text.bounded(to: mostInCell))
                    case .blank: .blank
                    }
                }
                return .table(table)
            // Its lines are drawn to a width.
            case .chart, .legend: return block
            }
        }
        return document
    }
}

extension StyledText {
    fileprivate func bounded(to columns: Int) -> StyledText {
        StyledText(cells.map { $0.fitted(to: columns) }, yielding: yielding)
    }
}
