extension Document {
    /// The same in brief, for a page that shows several reports and leads to each: sentences and charts as they are, the
    /// first rows of each table and list, and no small print.
    ///
    /// - Parameter rows: how many of a table stand below each of its headings; with 0 there are no tables where a chart or a
    ///   list before them says the same.
    package func excerpt(rows wanted: Int) -> Document {
        var document = withoutMoment
        // What stands behind the tables, such as lists that are damaged, is about something else.
        let before = blocks.prefix { if case .table = $0 { false } else { true } }
        let isToldElsewhere =
            blocks.contains { if case .chart = $0 { true } else { false } }
            || before.contains { if case .list = $0 { true } else { false } }
        let rows = wanted == 0 && !isToldElsewhere ? Self.fewestRows : wanted
        document.blocks = document.blocks.compactMap { block in
            switch block {
            case .heading, .paragraph, .chart: block
            case .list(let lines): .list(Self.excerpt(lines))
            case .table(let table): rows == 0 ? nil : .table(table.excerpt(rows: rows))
            case .notes, .legend: nil
            }
        }
        return document
    }

    /// Lines of a list that an excerpt has, and rows of a table that nothing else tells.
    private static let mostLines = 5
    private static let fewestRows = 3

    private static func excerpt(_ lines: [StyledText]) -> [StyledText] {
        let more = lines.count - mostLines
        return lines.prefix(mostLines) + (more > 0 ? [StyledText("and \(Figures.grouped(more)) more", .faint)] : [])
    }

    /// Whether there is anything in rows.
    package var hasTable: Bool { blocks.contains { if case .table = $0 { true } else { false } } }
}

extension Table {
    fileprivate func excerpt(rows most: Int) -> Table {
        var table = self
        var shown = 0
        table.rows = rows.filter { row in
            guard case .cells = row else {
                shown = 0
                return true
            }
            shown += 1
            return shown <= most
        }
        return table
    }
}
