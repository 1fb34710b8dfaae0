import Judging
import RankKit

extension GridReport {
    var document: Document {
        let app = grid.app
        var document = Document(title: "\(app.title), day by day", generatedAt: generatedAt)
        document.paragraph(
            StyledText([
                .title(app, .strong),
                Cell(
                    " · last good position of each day (\(ReportZone.days.name)), "
                        + "\(DayNames.short(grid.days.lowerBound, today: today)) to "
                        + DayNames.short(grid.days.upperBound, today: today)),
            ]))
        document.table(table)
        document.damaged(damaged)
        let cells = grid.rows.flatMap(\.cells)
        var legend: [String] = []
        if let within = cells.lazy.compactMap(\.reading).first(where: { $0.position == nil })?.within {
            legend.append(">\(within): not among the \(Figures.counted(within, "result")) seen")
        }
        if cells.contains(.gap) { legend.append("\(Sparkline.gap) no good check on that day") }
        if cells.contains(.unknown) {
            legend.append("\(GridReport.unknown) unknown: \(GridReport.whyUnknown)")
        }
        if cells.contains(.notYet) { legend.append("empty: before the query's first check") }
        document.notes((legend.isEmpty ? [] : [legend.joined(separator: "; ")]) + [provenance])
        return document
    }

    private var today: Int64 { generatedAt.reportDay }

    /// The newest day stays on a narrow terminal; the oldest drops out first.
    private var table: Table {
        var table = Table(
            columns: [.init("query", minimum: 12, comfort: 24)]
                + grid.days.enumerated().map {
                    .init(
                        title(of: $1), .right, priority: $0, inRow: DayNames.short($1, today: today))
                }, indent: 2)
        for rows in grid.rows.grouped(by: \.query.whereAsked) {
            guard let first = rows.first else { continue }
            if !table.rows.isEmpty { table.rows.append(.blank) }
            table.rows.append(.heading(StyledText(first.query.whereAsked, .strong)))
            table.rows += rows.map { row in .cells([.query(row.query)] + row.cells.map(Self.cell)) }
        }
        return table
    }

    /// The number of the day; with its month at the end of that, and on the newest.
    private func title(of day: Int64) -> String {
        let name = DayNames.short(day, today: today)
        let number = String(name.prefix { $0 != " " })
        let isLast = day == grid.days.upperBound || DayNames.short(day + 1, today: today).hasPrefix("1 ")
        return isLast ? name : number
    }

    private static func cell(_ day: Grid.Day) -> Cell {
        switch day {
        case .notYet: .empty
        case .gap: Cell(String(Sparkline.gap), .faint)
        case .unknown: Cell(GridReport.unknown, .faint)
        case .reading(let reading):
            reading.position.map { Cell($0.description, $0.number <= Newcomer.top ? .strong : .plain) }
                ?? Cell(">\(reading.within)", .faint)
        }
    }
}
