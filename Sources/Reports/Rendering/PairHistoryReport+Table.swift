import RankKit

extension PairHistoryReport {
    /// Lines of changes that can be taken in at a glance.
    private static let mostLines = 40
    /// Columns of the sparkline.
    private static let longestTrend = 60

    func table(_ style: TerminalStyle) -> String {
        var lines = [title.line(style)]
        guard let first = history.checks.first, let last = history.checks.last else {
            lines += StyledText("\(history.query.text) \(history.query.whereAsked): no check in this time").wrapped(
                style)
            return lines.map { $0 + "\n" }.joined()
        }
        lines += summary(first, last).wrapped(style, indent: 2)
        if let extremes { lines += extremes.wrapped(style, indent: 2) }
        lines += [""] + trend(style) + table(of: history.folded(limit: Self.mostLines)).lines(style) + [""]
        if history.checks.contains(where: { $0.reading == nil }) {
            lines.append(
                StyledText("· a gap: the check failed or is suspect, and says nothing about the place", .faint).line(
                    style))
        }
        lines += StyledText("times in UTC; \(history.query.source.provenance)", .faint).wrapped(style)
        return lines.map { $0 + "\n" }.joined()
    }

    private var title: StyledText {
        let app = history.app
        let role: String? =
            switch app.mark {
            case .mine: "mine"
            case .competitor: "competitor"
            case nil: nil
            }
        let rest = [app.title == app.bundleID.text ? nil : app.bundleID.text, role].compactMap(\.self)
        return StyledText([Cell(app.title, .strong), Cell(rest.map { " · " + $0 }.joined(), .faint)])
    }

    private func summary(_ first: PairHistory.Check, _ last: PairHistory.Check) -> StyledText {
        let counts: [(Standings.State, String)] = [
            (.ranked, "ranked"), (.absent, "absent"), (.failed, "failed"), (.suspect, "suspect"),
        ]
        let parts = counts.compactMap { state, word in
            let count = history.checks.count { $0.state == state }
            return count > 0 ? "\(Figures.grouped(count)) \(word)" : nil
        }
        let from = CivilTime.date(first.checkedAt)
        let through = CivilTime.date(last.checkedAt)
        return StyledText([
            Cell(history.query.text, .strong),
            Cell(
                " \(history.query.whereAsked) · \(Figures.counted(history.checks.count, "check")) "
                    + (from == through ? "on \(from)" : "from \(from) to \(through)")
                    + ": " + parts.joined(separator: ", ")),
        ])
    }

    /// The best and the worst place, and when first.
    private var extremes: StyledText? {
        let ranked = history.checks.filter { $0.position != nil }
        guard let best = ranked.min(by: { ($0.position?.number ?? 0) < ($1.position?.number ?? 0) }),
            let worst = ranked.min(by: { ($0.position?.number ?? 0) > ($1.position?.number ?? 0) }),
            let top = best.position, let bottom = worst.position
        else { return StyledText("never in the list in this time", .faint) }
        return StyledText(
            "best \(top) on \(CivilTime.date(best.checkedAt)) · worst \(bottom) on \(CivilTime.date(worst.checkedAt))")
    }

    private func trend(_ style: TerminalStyle) -> [String] {
        let (readings, daysEach) = history.trend(columns: min(Self.longestTrend, style.width - 2))
        let text = Sparkline(readings).text
        guard !text.isEmpty else { return [] }
        let scale =
            switch daysEach {
            case nil: "a check each"
            case 1?: "a day each"
            case let days?: "\(days) days each"
            }
        return [StyledText([Cell("  " + text), Cell("  " + scale, .faint)]).line(style), ""]
    }

    private func table(of folded: (stretches: [PairHistory.Stretch], by: PairHistory.Folding)) -> Table {
        let since =
            switch folded.by {
            case .changes: "since"
            case .days(1): "day"
            case .days: "from"
            }
        var table = Table(
            columns: [
                .init(since), .init("place", .right), .init("between", priority: 2), .init("change", .right),
                .init("checks", .right, priority: 1), .init("note", minimum: 20, priority: 3),
            ], indent: 2)
        var before: Reading?
        for stretch in folded.stretches {
            table.rows.append(.cells(cells(of: stretch, after: before, by: folded.by)))
            before = stretch.last ?? before
        }
        return table
    }

    private func cells(
        of stretch: PairHistory.Stretch, after before: Reading?, by folding: PairHistory.Folding
    ) -> [Cell] {
        let place: Cell =
            switch stretch.last {
            case let last?:
                last.position.map { Cell($0.description, .strong) } ?? Cell(">\(last.within)")
            case nil: Cell(String(Sparkline.gap), .faint)
            }
        let change = before.flatMap { before in stretch.last.map { Standings.Change(from: before, to: $0) } }
        return [
            Cell(folding == .changes ? CivilTime.minute(stretch.from) : CivilTime.date(stretch.from)), place,
            Cell(Self.range(stretch)), .move(change, of: history.app.mark),
            Cell(Figures.grouped(stretch.checks), .faint),
            Cell(Self.note(stretch, by: folding), .caution),
        ]
    }

    private static func range(_ stretch: PairHistory.Stretch) -> String {
        guard let best = stretch.best, let worst = stretch.worst, best != worst else { return "" }
        return "\(best) to \(worst)"
    }

    private static func note(_ stretch: PairHistory.Stretch, by folding: PairHistory.Folding) -> String {
        let why = stretch.reason.map { ": \(explanation(of: $0))" } ?? ""
        if folding == .changes {
            if stretch.failed > 0 { return "failed" + why }
            return stretch.suspect > 0 ? "suspect" + why : ""
        }
        let parts = [(stretch.absent, "absent"), (stretch.failed, "failed"), (stretch.suspect, "suspect")]
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        // A day of nothing but absences says so by its place.
        return stretch.absent == stretch.checks ? "" : parts.joined(separator: ", ")
    }
}
