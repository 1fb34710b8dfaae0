extension ReportValue {
    /// The report as Markdown for whoever asks by names and values: no name in it is longer than a stranger's should
    /// be, and what it says of options calls them as such a reader does.
    ///
    /// - Parameters:
    ///   - mostInCell: columns of a cell of a table, and of a heading.
    ///   - mostInLine: columns of a piece of prose.
    package func markdown(mostInCell: Int, mostInLine: Int) -> String {
        document.namingParameters.bounded(mostInCell: mostInCell, mostInLine: mostInLine).markdown
    }
}

extension Document {
    /// The same in which sentences name options without hyphens (`String.namingParameters`). Names of apps and queries
    /// stay.
    fileprivate var namingParameters: Document {
        var document = self
        document.blocks = blocks.map { block in
            switch block {
            case .paragraph(let text): .paragraph(text.namingParameters)
            case .list(let lines): .list(lines.map(\.namingParameters))
            case .notes(let lines): .notes(lines.map(\.namingParameters))
            case .heading, .table, .chart, .legend: block
            }
        }
        return document
    }

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
    fileprivate var namingParameters: StyledText {
        StyledText(cells.map { $0.namingParameters() }, yielding: yielding)
    }

    fileprivate func bounded(to columns: Int) -> StyledText {
        StyledText(cells.map { $0.fitted(to: columns) }, yielding: yielding)
    }
}
