import Judging
import RankKit

extension VisibilityReport {
    var document: Document {
        var document = Document(title: "Visibility", generatedAt: generatedAt)
        guard !history.rows.isEmpty else {
            document.paragraph(
                history.pairs > 0 ? NoSuchPair.onlyCompetitors(history.pairs) : NoSuchPair.report)
            return document
        }
        document.paragraph(summary)
        document.paragraph(firstVerdict)
        document.table(table)
        for rows in byApp { if let chart = chart(rows) { document.chart(chart) } }
        document.notes(
            markNotes(history.rows.flatMap { $0.series.map(\.app.mark) }) + [
                "100: first on every query; 0: on none. 100 × Σ weight ÷ log2(1 + position) ÷ Σ weight; "
                    + (history.rows.contains(where: \.isWeighted)
                        ? "popularity is the weight if all queries of a number have one"
                        : "all queries count the same")
            ])
        document.legend()
        let isCompared = history.rows.contains { row in
            row.series.contains { $0.change7d != nil || $0.change30d != nil }
        }
        document.notes(
            (isCompared ? ["changes: only queries with a fresh check on both days count"] : []) + [provenance])
        return document
    }

    private var today: Int64 { generatedAt.reportDay }

    /// The rows of each app whose queries they are.
    private var byApp: [[VisibilityHistory.Row]] {
        var turns: [BundleID?: Int] = [:]
        var groups: [[VisibilityHistory.Row]] = []
        for row in history.rows {
            let owner = row.series.first?.app.bundleID
            if let turn = turns[owner] {
                groups[turn].append(row)
            } else {
                turns[owner] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    /// `: the first from about 29 Dec`; nothing where the days before are there.
    private var firstCompared: String {
        guard let begins else { return "" }
        let day = begins + VisibilityHistory.longestChange
        return day > today ? ": the first from about \(DayNames.short(day, today: today))" : ""
    }

    /// How many of my numbers rose and fell; what rounds to no change is none.
    private var summary: StyledText {
        let mine = history.rows.compactMap(\.series.first).filter { $0.app.mark == .mine }
        let changes = mine.compactMap(\.change30d?.points).map(Self.rounded)
        let isNow = history.days.upperBound == today
        let day = Cell(isNow ? "" : " · as of \(DayNames.short(history.days.upperBound, today: today))", .faint)
        let name = Cell(mine.isEmpty ? "competitors" : "mine", .strong)
        guard !mine.isEmpty, !changes.isEmpty else {
            let numbers = Figures.counted(mine.isEmpty ? history.rows.count : mine.count, "number")
            let why = mine.isEmpty ? "" : ", none can be compared with 30 days before yet" + firstCompared
            return StyledText([name, Cell(": \(numbers)\(why)"), day])
        }
        let (rose, fell) = (changes.count { $0 > 0 }, changes.count { $0 < 0 })
        let counts: [(Int, String, Ink)] = [
            (rose, "rose", .good), (fell, "fell", .bad), (changes.count - rose - fell, "unchanged", .plain),
            (mine.count - changes.count, "not comparable yet", .plain),
        ]
        let cells = counts.filter { $0.0 > 0 }.map { [Cell("\(Figures.grouped($0)) \($1)", $2)] }
        return StyledText(
            [name, Cell(": ")] + cells.joined(separator: [Cell(", ")]) + [Cell(" · over 30 days", .faint), day])
    }

    private var table: Table {
        let isDivided = Set(history.rows.map(\.platform)).count > 1
        var table = Table(
            columns: [
                .init("in"), .init(isDivided ? "on" : ""), .init(""),
                .init("app", minimum: 8, comfort: 14, namesRow: true),
                .init(
                    history.days.upperBound == today ? "now" : DayNames.short(history.days.upperBound, today: today),
                    .right),
                .init("7d", .right), .init("30d", .right),
                .init("queries", .right, priority: 1, meaning: Self.queriesMeaning),
            ], indent: 2)
        for (index, rows) in byApp.enumerated() {
            if index > 0 { table.rows.append(.blank) }
            guard let owner = rows.first?.series.first?.app else { continue }
            table.rows.append(
                .heading(
                    StyledText([
                        .title(owner, .strong), Cell(owner.mark == .mine ? " · mine" : " · competitor", .faint),
                    ])))
            for row in rows {
                for (index, series) in row.series.enumerated() {
                    table.rows.append(.cells(cells(series, of: row, isFirst: index == 0, isDivided: isDivided)))
                }
            }
        }
        return table
    }

    private static let queriesMeaning =
        "how many have a fresh good check, from the last day or, if longer, the last two cadences; a value needs two "
        + "thirds of the weight"

    private func cells(
        _ series: VisibilityHistory.Series, of row: VisibilityHistory.Row, isFirst: Bool, isDivided: Bool
    ) -> [Cell] {
        let isMine = series.app.mark == .mine
        let isWhole = series.now.counted == row.queries
        return [
            isFirst ? Cell(row.country.code) : .empty,
            isFirst && isDivided ? Cell(row.platform.displayName) : .empty, .of(series.app.mark),
            .app(series.app), Self.score(series.now.score, isFirst ? .strong : .plain),
            Self.change(series.change7d, isMine), Self.change(series.change30d, isMine),
            Cell("\(series.now.counted) of \(row.queries)", isWhole ? .faint : .caution),
        ]
    }

    private static func score(_ score: Double?, _ ink: Ink) -> Cell {
        score.map { Cell(Figures.decimal($0, places: 1), ink) } ?? Cell("–", .faint)
    }

    private static func change(_ change: VisibilityHistory.Change?, _ isMine: Bool) -> Cell {
        guard let change else { return .empty }
        let points = rounded(change.points)
        guard points != 0 else { return Cell("=", .faint) }
        let text = (points > 0 ? "▲" : "▼") + Figures.decimal(points.magnitude, places: 1)
        return Cell(text, isMine ? (points > 0 ? .good : .bad) : .plain)
    }

    /// As it is written.
    private static func rounded(_ points: Double) -> Double { (points * 10).rounded() / 10 }

    // MARK: Charts

    /// Lines that a reader can tell apart.
    private static let mostLines = 6

    /// An app beside its competitors or, where it has several numbers, its numbers beside each other.
    private func chart(_ rows: [VisibilityHistory.Row]) -> Chart? {
        guard let owner = rows.first?.series.first?.app else { return nil }
        let isDivided = Set(rows.map(\.platform)).count > 1
        func place(_ row: VisibilityHistory.Row) -> String {
            row.country.code + (isDivided ? " \(row.platform.displayName)" : "")
        }
        let all: [(name: String, series: VisibilityHistory.Series)] =
            rows.count == 1
            ? rows[0].series.map { ($0.app.title, $0) }
            : rows.compactMap { row in row.series.first.map { (place(row), $0) } }
        let known = all.filter { $0.series.points.contains { $0.score != nil } }
        let shown = known.prefix(Self.mostLines)
        // Days before the first value would be an empty half of the drawing.
        guard let start = shown.compactMap({ $0.series.points.firstIndex { $0.score != nil } }).min() else {
            return nil
        }
        let days = Array(history.days)[start...]
        guard days.count > 1, let first = days.first, let last = days.last else { return nil }
        let lines = shown.map { name, series in
            Chart.ValueLine(
                name: name, mark: rows.count == 1 ? series.app.mark : nil,
                points: zip(days, series.points[start...]).map { .init(at: .startOfReportDay($0), value: $1.score) })
        }
        let place = rows.count == 1 ? " in \(place(rows[0]))" : ""
        let rest = known.count - shown.count
        return Chart(
            title: "Visibility of \(owner.title)\(place)",
            summary: shown.map { name, series in
                "\(name): " + (series.now.score.map { Figures.decimal($0, places: 1) } ?? "–")
            }.joined(separator: ", ") + " on \(DayNames.short(last, today: today))"
                + (rest > 0 ? "; \(rest) more are not drawn." : "."),
            // The figures stand beside the lines' names.
            caption: shown.count == 1 ? nil : rest > 0 ? "\(rest) more are not drawn" : "",
            span: .startOfReportDay(first) ... .startOfReportDay(last), content: .values(lines, range: nil))
    }
}
