import Judging
import RankKit

extension DistributionReport {
    var document: Document {
        var document = Document(title: "Where the pairs stand", generatedAt: generatedAt)
        guard !distribution.rows.isEmpty else {
            document.paragraph(distribution.pairs > 0 ? "mine: " + NoSuchPair.noneOfMine : NoSuchPair.report)
            return document
        }
        let total = total
        document.paragraph(summary(total))
        document.table(bands(total))
        if distribution.rows.count > 1 { document.table(apps()) }
        if distribution.days.count > 1 { document.chart(chart(total)) }
        document.notes(distribution.rows.count > 1 ? markNotes(distribution.rows.map(\.app.mark)) : [])
        let unchecked = total.counts.contains { $0.unchecked > 0 }
        document.notes(
            [
                "by each pair's newest good check, not older than the larger of a day and two cadences; "
                    + (unchecked ? Self.uncheckedTitle + ": none so new, so neither ranked nor absent; " : "")
                    + "absent: not among the results that Apple gave, 200 at most", provenance,
            ])
        return document
    }

    private static let uncheckedTitle = "no fresh check"

    private struct Total {
        var name: String
        var isMine: Bool
        /// One a day.
        var counts: [Distribution.Count]
        var now: Distribution.Count { counts.last ?? Distribution.Count() }
        var then: Distribution.Count { counts.first ?? Distribution.Count() }
    }

    /// All of mine together or, where none of mine is told of, the others.
    private var total: Total {
        if distribution.rows.contains(where: { $0.app.mark == .mine }) {
            return Total(name: "mine", isMine: true, counts: distribution.mine)
        }
        var counts = Array(repeating: Distribution.Count(), count: distribution.days.count)
        for row in distribution.rows {
            for (index, count) in row.counts.enumerated() { counts[index] += count }
        }
        return Total(name: "competitors", isMine: false, counts: counts)
    }

    private var today: Int64 { generatedAt.day }
    private var then: String { DayNames.short(distribution.days.lowerBound, today: today) }
    /// `now`, or the day that is told of instead.
    private var now: String {
        let last = distribution.days.upperBound
        return last == today ? "now" : DayNames.short(last, today: today)
    }
    private var isCompared: Bool { distribution.days.count > 1 }

    private func summary(_ total: Total) -> StyledText {
        let (now, then) = (total.now, total.then)
        var cells = [
            Cell("\(total.name): ", .strong),
            Cell("\(Figures.grouped(now.top)) of \(Figures.counted(now.all, "pair")) in the top 10"),
        ]
        if isCompared, then.checked > 0 { cells.append(Cell(" (\(Figures.grouped(then.top)) on \(self.then))")) }
        cells.append(Cell(", \(Figures.grouped(now[.absent])) absent"))
        if isCompared, then.checked > 0 { cells.append(Cell(" (\(Figures.grouped(then[.absent])))")) }
        if now.unchecked > 0 {
            cells += [Cell("; "), Cell("\(Figures.grouped(now.unchecked)) without a fresh good check", .caution)]
        }
        if distribution.days.upperBound != today { cells.append(Cell(" · \(self.now)", .faint)) }
        return StyledText(cells)
    }

    /// What is to be shown of every band: those beyond Apple's lists only where something stands there.
    private func shown(_ counts: [Distribution.Count]) -> [Distribution.Band] {
        Distribution.Band.allCases.filter { band in
            band != .beyond200 || counts.contains { $0[band] > 0 }
        }
    }

    private func bands(_ total: Total) -> Table {
        var table = Table(
            columns: [
                .init("places"), .init(now, .right), .init(isCompared ? then : "", .right),
                .init(isCompared ? "change" : "", .right), .init("", minimum: 4, priority: 0),
            ], indent: 2)
        let (now, then) = (total.now, total.then)
        let most = max(Distribution.Band.allCases.map { now[$0] }.max() ?? 0, now.unchecked, 1)
        func row(_ title: String, _ count: Int, _ before: Int, _ change: Cell, _ ink: Ink) -> Table.Row {
            .cells([
                Cell(title, ink), Cell(Figures.grouped(count), count > 0 ? .strong : .faint),
                isCompared ? Cell(Figures.grouped(before), .faint) : .empty, isCompared ? change : .empty,
                Cell(barOf: count, most: most, columns: 24),
            ])
        }
        for band in shown([now, then]) {
            let change = now[band] - then[band]
            table.rows.append(row(band.title, now[band], then[band], Self.change(change, band, total.isMine), .plain))
        }
        if now.unchecked > 0 || then.unchecked > 0 {
            let change = Self.change(now.unchecked - then.unchecked, nil, total.isMine)
            table.rows.append(row(Self.uncheckedTitle, now.unchecked, then.unchecked, change, .caution))
        }
        return table
    }

    /// More in the top ten is good, more absent is not; what lies between can be either.
    private static func change(_ change: Int, _ band: Distribution.Band?, _ isMine: Bool) -> Cell {
        guard change != 0 else { return Cell("=", .faint) }
        let text = change > 0 ? "+\(Figures.grouped(change))" : "−\(Figures.grouped(-change))"
        guard isMine else { return Cell(text) }
        switch band {
        case .first?, .to3?, .to10?: return Cell(text, change > 0 ? .good : .bad)
        case .absent?: return Cell(text, change > 0 ? .bad : .good)
        default: return Cell(text)
        }
    }

    /// An app on one line, and on the next what it was.
    private func apps() -> Table {
        let all = distribution.rows.flatMap { [$0.now, $0.then] }
        let bands = shown(all)
        var table = Table(
            columns: [.init(""), .init("app", minimum: 8), .init("", .right)] + bands.map { .init($0.title, .right) }
                + [.init(Self.uncheckedTitle, .right)], indent: 2)
        func line(_ mark: Cell, _ name: Cell, _ when: String, _ count: Distribution.Count, _ ink: Ink) -> Table.Row {
            func cell(_ number: Int, _ ink: Ink) -> Cell { number > 0 ? Cell(Figures.grouped(number), ink) : .empty }
            return .cells(
                [mark, name, Cell(when, .faint)] + bands.map { cell(count[$0], ink) }
                    + [cell(count.unchecked, .caution)])
        }
        for row in distribution.rows {
            table.rows.append(line(.of(row.app.mark), .app(row.app), now, row.now, .strong))
            if isCompared { table.rows.append(line(.empty, .empty, then, row.then, .faint)) }
        }
        return table
    }

    private func chart(_ total: Total) -> Chart {
        let bands = shown(total.counts)
        let hasUnchecked = total.counts.contains { $0.unchecked > 0 }
        let columns = zip(distribution.days, total.counts).map { day, count in
            Chart.StackColumn(
                at: .startOfDay(day), counts: bands.map { count[$0] } + (hasUnchecked ? [count.unchecked] : []))
        }
        let span =
            Timestamp.startOfDay(distribution.days.lowerBound)...Timestamp.startOfDay(distribution.days.upperBound)
        return Chart(
            title: "\(total.name), day by day",
            summary:
                "In the top 10: \(Figures.grouped(total.then.top)) of \(Figures.counted(total.then.all, "pair")) on "
                + "\(then), \(Figures.grouped(total.now.top)) of \(Figures.grouped(total.now.all)) on "
                + "\(DayNames.short(distribution.days.upperBound, today: today)).",
            span: span,
            content: .stack(columns, parts: bands.map(\.title) + (hasUnchecked ? [Self.uncheckedTitle] : [])),
            unit: "pair")
    }
}
