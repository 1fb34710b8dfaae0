extension ReportValue {
    /// The report in lines for a program that reads them by their words: no drawing, no markup but headings, no name
    /// longer than a stranger's should be. Made within `ReportAudience.tools`.
    ///
    /// - Parameters:
    ///   - mostInCell: columns of a cell of a table, and of a heading.
    ///   - mostInLine: columns of a piece of prose.
    package func toolLines(mostInCell: Int, mostInLine: Int) -> [ToolLine] {
        document.namingParameters.bounded(mostInCell: mostInCell, mostInLine: mostInLine).toolLines
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
                    case .cells(let cells): .cells(cells.map { $0.fittedUnlessDrawn(to: mostInCell) })
                    case .heading(let text): .heading(text.bounded(to: mostInCell))
                    case .blank: .blank
                    }
                }
                return .table(table)
            case .chart(var chart):
                chart.title = TerminalText.fitted(chart.title, to: mostInCell)
                chart.bound(to: mostInCell)
                return .chart(chart)
            case .legend: return block
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

extension Cell {
    /// A drawing stays one.
    fileprivate func fittedUnlessDrawn(to columns: Int) -> Cell { graphic == nil ? fitted(to: columns) : self }
}

extension Chart {
    /// No name and no event is longer than that.
    fileprivate mutating func bound(to columns: Int) {
        switch content {
        case .positions(let lines):
            content = .positions(
                lines.map { line in
                    var line = line
                    line.name = TerminalText.fitted(line.name, to: columns)
                    return line
                })
        case .values(let lines, let range):
            content = .values(
                lines.map { line in
                    var line = line
                    line.name = TerminalText.fitted(line.name, to: columns)
                    return line
                }, range: range)
        case .stack: break
        }
        for index in events.indices { events[index].label = TerminalText.fitted(events[index].label, to: columns) }
    }
}
