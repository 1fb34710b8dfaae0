import Judging
import RankKit

extension DistributionReport {
    var document: Document {
        var document = Document(title: "Where the pairs stand", generatedAt: generatedAt)
        guard !distribution.rows.isEmpty else {
            document.paragraph(
                distribution.pairs > 0 ? NoSuchPair.onlyCompetitors(distribution.pairs) : NoSuchPair.report)
            return document
        }
        let total = total
        document.paragraph(summary(total))
        document.paragraph(comparison(total))
        document.paragraph(firstVerdict)
        document.table(bands(total))
        if distribution.rows.count > 1 { document.table(apps()) }
        if distribution.days.count > 1 { document.chart(chart(total)) }
        document.notes(distribution.rows.count > 1 ? markNotes(distribution.rows.map(\.app.mark)) : [])
        document.notes(smallPrint(total))
        return document
    }

    private func smallPrint(_ total: Total) -> [String] {
        let unchecked = total.shownUnchecked.contains { $0 > 0 }
        let added = (total.tally.notYet.first ?? 0) - (total.tally.notYet.last ?? 0)
        var notes: [String] = []
        if isCompared(total), total.compared.now.all < max(total.now.all, total.then.all) {
            notes.append("change: only pairs whose checks of both days can be compared count")
        }
        if isCompared(total), added > 0 {
            notes.append("\(Figures.counted(added, "pair")) first checked after \(then)")
        }
        notes.append(
            "each pair counts by its newest good check, from the last day or, if longer, the last two cadences; "
                + (unchecked ? Self.uncheckedTitle + ": there was none in that time; " : "")
                + "absent: not among Apple's results, which are 200 at most")
        return notes + [provenance]
    }

    private static let uncheckedTitle = "no fresh check"

    private struct Total {
        var name: String
        var isMine: Bool
        var tally: Distribution.Tally
        var now: Distribution.Count { tally.now }
        var then: Distribution.Count { tally.then }
        var compared: Distribution.Ends { tally.compared }

        /// Without a fresh check, one a day: on days gone by only of what was checked before.
        var shownUnchecked: [Int] {
            Array(zip(tally.counts, tally.notYet).map { $0.unchecked - $1 }.dropLast()) + [now.unchecked]
        }

        /// That of them which lies before the first check of all: the days that show nothing.
        var daysBefore: Int { zip(tally.counts, tally.notYet).prefix { $0.all == $1 }.count }
    }

    /// All of mine together or, where none of mine is told of, the others.
    private var total: Total {
        if distribution.rows.contains(where: { $0.app.mark == .mine }) {
            return Total(name: "mine", isMine: true, tally: distribution.mine)
        }
        return Total(name: "competitors", isMine: false, tally: distribution.tally(of: distribution.rows))
    }

    private var today: Int64 { generatedAt.reportDay }
    private var then: String { DayNames.short(distribution.days.lowerBound, today: today) }
    /// `now`, or the day that is told of instead.
    private var now: String {
        let last = distribution.days.upperBound
        return last == today ? "now" : DayNames.short(last, today: today)
    }

    /// Whether any pair stood somewhere on both days.
    private func isCompared(_ total: Total) -> Bool {
        distribution.days.count > 1 && total.compared.now.all > 0
    }

    private func summary(_ total: Total) -> StyledText {
        let (now, then) = (total.now, total.then)
        // Figures of other pairs beside these would look like a change.
        let isWhole = isCompared(total) && total.compared == Distribution.Ends(now: now, then: then)
        var cells = [
            Cell("\(total.name): ", .strong),
            Cell("\(Figures.grouped(now.top)) of \(Figures.counted(now.all, "pair")) in the top 10"),
        ]
        if isWhole { cells.append(Cell(" (\(Figures.grouped(then.top)) on \(self.then))")) }
        cells.append(Cell(", \(Figures.grouped(now[.absent])) absent"))
        if isWhole { cells.append(Cell(" (\(Figures.grouped(then[.absent])))")) }
        if now.unchecked > 0 {
            cells += [Cell("; "), Cell("\(Figures.grouped(now.unchecked)) without a fresh good check", .caution)]
        }
        if distribution.days.upperBound != today { cells.append(Cell(" · \(self.now)", .faint)) }
        return StyledText(cells)
    }

    /// What the pairs did that were checked on both days, where that is not all of them.
    private func comparison(_ total: Total) -> StyledText? {
        guard distribution.days.count > 1 else { return nil }
        guard isCompared(total) else {
            let before = total.daysBefore
            let first = distribution.days.lowerBound + Int64(before)
            let known =
                before > 0 && before < distribution.days.count
                ? "the first check was on \(DayNames.short(first, today: today))" + firstCompared(first)
                : "no pair has checks of both days that can be compared"
            return StyledText("nothing to compare with \(then): \(known)", .faint)
        }
        let (now, then) = (total.compared.now, total.compared.then)
        guard total.compared != Distribution.Ends(now: total.now, then: total.then) else { return nil }
        func change(_ from: Int, _ to: Int) -> String { "\(Figures.grouped(from)) → \(Figures.grouped(to))" }
        return StyledText(
            "since \(self.then), on the \(Figures.counted(now.all, "pair")) that can be compared: "
                + "\(change(then.top, now.top)) in the top 10, \(change(then[.absent], now[.absent])) absent")
    }

    /// From when on the same span can be compared.
    private func firstCompared(_ first: Int64) -> String {
        let span = distribution.days.upperBound - distribution.days.lowerBound
        guard distribution.days.upperBound == today else { return "" }
        return "; \(Figures.counted(Int(span), "day")) can be compared from about "
            + DayNames.short(first + span, today: today)
    }

    /// What is to be shown of every band: those beyond Apple's lists only where something stands there.
    private func shown(_ counts: [Distribution.Count]) -> [Distribution.Band] {
        Distribution.Band.allCases.filter { band in
            band != .beyond200 || counts.contains { $0[band] > 0 }
        }
    }

    private func bands(_ total: Total) -> Table {
        let isCompared = isCompared(total)
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
            let change = total.compared.now[band] - total.compared.then[band]
            table.rows.append(row(band.title, now[band], then[band], Self.change(change, band, total.isMine), .plain))
        }
        let uncheckedThen = total.shownUnchecked.first ?? 0
        if now.unchecked > 0 || isCompared && uncheckedThen > 0 {
            table.rows.append(row(Self.uncheckedTitle, now.unchecked, uncheckedThen, .empty, .caution))
        }
        return table
    }

    /// More in the top ten is good, more absent is not; what lies between can be either.
    private static func change(_ change: Int, _ band: Distribution.Band, _ isMine: Bool) -> Cell {
        guard change != 0 else { return Cell("=", .faint) }
        let text = change > 0 ? "+\(Figures.grouped(change))" : "−\(Figures.grouped(-change))"
        guard isMine else { return Cell(text) }
        switch band {
        case .first, .to3, .to10: return Cell(text, change > 0 ? .good : .bad)
        case .absent: return Cell(text, change > 0 ? .bad : .good)
        default: return Cell(text)
        }
    }

    /// An app on one line, and on the next what it was.
    private func apps() -> Table {
        let all = distribution.rows.flatMap { [$0.tally.now, $0.tally.then] }
        let bands = shown(all)
        var table = Table(
            columns: [.init(""), .init("app", minimum: 8), .init("", .right)] + bands.map { .init($0.title, .right) }
                + [.init(Self.uncheckedTitle, .right)], indent: 2)
        func line(
            _ mark: Cell, _ name: Cell, _ when: String, _ count: Distribution.Count, unchecked: Int, _ ink: Ink
        ) -> Table.Row {
            func cell(_ number: Int, _ ink: Ink) -> Cell { number > 0 ? Cell(Figures.grouped(number), ink) : .empty }
            return .cells(
                [mark, name, Cell(when, .faint)] + bands.map { cell(count[$0], ink) } + [cell(unchecked, .caution)])
        }
        for row in distribution.rows {
            let (now, then) = (row.tally.now, row.tally.then)
            table.rows.append(
                line(.of(row.app.mark), .app(row.app), self.now, now, unchecked: now.unchecked, .strong))
            let uncheckedThen = then.unchecked - (row.tally.notYet.first ?? 0)
            if distribution.days.count > 1, then.checked + uncheckedThen > 0 {
                table.rows.append(line(.empty, .empty, self.then, then, unchecked: uncheckedThen, .faint))
            }
        }
        return table
    }

    /// Nothing is drawn of the time before the first check.
    private func chart(_ total: Total) -> Chart {
        let counts = total.tally.counts
        let bands = shown(counts)
        let unchecked = total.shownUnchecked
        let hasUnchecked = unchecked.contains { $0 > 0 }
        let columns = distribution.days.enumerated().map { index, day in
            Chart.StackColumn(
                at: .startOfReportDay(day),
                counts: bands.map { counts[index][$0] } + (hasUnchecked ? [unchecked[index]] : []))
        }
        let span =
            Timestamp.startOfReportDay(
                distribution.days.lowerBound)...Timestamp.startOfReportDay(distribution.days.upperBound)
        return Chart(
            title: "\(total.name), day by day", summary: chartSummary(total), span: span,
            content: .stack(
                columns,
                parts: bands.map { Chart.StackPart($0.title) }
                    + (hasUnchecked ? [Chart.StackPart(Self.uncheckedTitle, isUnknown: true)] : [])),
            unit: "pair")
    }

    /// From the first day that anything is known of.
    private func chartSummary(_ total: Total) -> String {
        let last = distribution.days.upperBound
        func words(_ count: Distribution.Count, of pairs: String, _ day: Int64) -> String {
            "\(Figures.grouped(count.top)) of \(pairs) on \(DayNames.short(day, today: today))"
        }
        let first = total.daysBefore
        guard first < distribution.days.count - 1 else {
            return "In the top 10: \(words(total.now, of: Figures.counted(total.now.all, "pair"), last))."
        }
        let count = total.tally.counts[first]
        let pairs = Figures.counted(count.all - total.tally.notYet[first], "pair")
        return "In the top 10: \(words(count, of: pairs, distribution.days.lowerBound + Int64(first))), "
            + "\(words(total.now, of: Figures.grouped(total.now.all), last))."
    }
}
