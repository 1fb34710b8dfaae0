import Judging
import RankKit

extension MoversReport {
    var document: Document {
        var document = Document(title: "Movers", generatedAt: generatedAt)
        guard movers.pairs > 0 else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        guard movers.compared > 0 else {
            if let begins = movers.begins, begins > movers.since {
                document.paragraph(
                    "there is no check from before \(CivilTime.minuteInZone(movers.since)): the first one was on "
                        + "\(CivilTime.reportDate(begins)). "
                        + (firstVerdict.map { "The " + $0.words }
                            ?? "Choose a later --since, or ask again in a few days"))
                document.notes([provenance])
                return document
            }
            document.paragraph(
                "no pair has a good check at both \(CivilTime.minute(movers.since)) and "
                    + "\(CivilTime.minuteInZone(movers.until)): choose others with --since and --until, or loosen the "
                    + "filter")
            document.notes([provenance])
            return document
        }
        document.paragraph(summary)
        if let firstVerdict { document.paragraph(firstVerdict.words, .faint) }
        if !movers.remarks.isEmpty {
            document.paragraph(movers.remarks.map(\.text).joined(separator: "; "), .caution)
        }
        document.blocks += losses(
            most: options.all ? .max : Self.mostLosses, rest: "show them with \(ReportAudience.flag("all"))")
        document.blocks += told(mine: true)
        if !falls.isEmpty {
            document.heading("who took my place")
            document.table(fallsTable)
        }
        document.blocks += told(mine: false)
        document.legend()
        document.notes(notes(shown, slides))
        return document
    }

    private var slides: [Movers.Row] { movers.rows.filter { $0.slide != nil } }

    /// The moves of the week that are told of.
    private var shown: [Movers.Row] {
        movers.rows.filter { $0.slide == nil && (options.all || $0.judgement.isBeyondNoise || $0.isOpen) }
    }

    /// The moves of mine that are no losses, or those of competitors.
    func told(mine: Bool) -> [Document.Block] {
        let rows = shown.filter { $0.mine == mine && $0.loss == nil }
        let whose = mine ? "" : "competitors that "
        func isTold(_ row: Movers.Row) -> Bool { !mine || row.judgement.isBeyondNoise || row.isOpen }
        let moved = rows.filter { if case .places = $0.outcome { !$0.isBack } else { false } }
        let groups: [(String, [Movers.Row])] = [
            (mine ? "rose" : "moved", moved.filter(isTold)),
            ("entered the list", rows.filter { $0.outcome == .entered }),
            ("left the list", rows.filter { $0.outcome == .left }),
            ("came and went, or left and came back", rows.filter(\.isBack)),
            ("changed place no more than usual", moved.filter { !isTold($0) }),
            ("cannot be compared: one list is too short to show the place", rows.filter { $0.outcome == nil }),
        ]
        var document = Document(title: "", generatedAt: generatedAt)
        for (title, rows) in groups where !rows.isEmpty {
            document.heading(whose + title)
            document.table(table(of: rows))
        }
        let months = slides.filter { $0.mine == mine && $0.loss == nil }
        if !months.isEmpty {
            document.heading(whose + Table.slidesHeading)
            document.table(table(ofSlides: months))
        }
        return document.blocks
    }

    private var summary: StyledText {
        let summary = movers.summary
        let counts: [(Int, String, Ink)] = [
            (summary.up, "up", .good), (summary.down, "down", .bad), (summary.entered, "entered", .good),
            (summary.left, "left", .bad), (summary.cameAndWent, Movers.Summary.cameAndWent, .plain),
            (summary.returned, Movers.Summary.returned, .plain),
        ]
        let told = counts.filter { $0.0 > 0 }.map { Cell("\(Figures.grouped($0.0)) \($0.1)", $0.2) }
        var clauses = [Array(told.map { [$0] }.joined(separator: [Cell(", ")]))]
        if let quiet = movers.quiet, !summary.isToldByCounts { clauses.append([Cell(quiet)]) }
        if summary.unconfirmed > 0 { clauses.append([Cell("\(summary.unconfirmed) likely", .caution)]) }
        if summary.noise > 0 {
            let what = summary.isTooShort ? "changed place" : "moved no more than usual"
            clauses.append([Cell("\(Figures.grouped(summary.noise)) \(what)")])
        }
        if summary.notJudged > 0 {
            clauses.append([Cell("\(Figures.counted(summary.notJudged, "move")) with too little history to judge")])
        }
        if summary.uncompared > 0 {
            clauses.append([Cell("\(Figures.grouped(summary.uncompared)) \(Movers.Summary.uncompared)")])
        }
        if summary.slides > 0 { clauses.append([Cell("\(summary.slides) moved over \(NoiseModel.monthDays) days")]) }
        var cells = movers.mine.pairs == 0 ? [] : [Cell("mine: ", .strong)]
        cells += clauses.filter { !$0.isEmpty }.joined(separator: [Cell("; ")])
        cells.append(
            Cell(movers.sensitivity == .normal ? "" : " · \(movers.sensitivity.rawValue)", .faint))
        cells.append(
            Cell(" · \(CivilTime.minute(movers.since)) to \(CivilTime.minuteInZone(movers.until))", .faint))
        return StyledText(cells)
    }

    private func table(of rows: [Movers.Row]) -> Table {
        let hasSeveralPlatforms = Set(movers.rows.map(\.query.platform)).count > 1
        return Table(
            columns: [
                .init(""), .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 2), .init("app", minimum: 8, comfort: 14),
                .init("was", .right), .init("now", .right), .init("change", .right), .init("usually", priority: 1),
                .init("since", priority: 3),
            ] + (options.figures ? Table.figureColumns : []),
            rows: rows.map { row in
                .cells(
                    [
                        .mark(row.judgement, isMine: row.mine), .query(row.query), .storefront(of: row.query),
                        Cell(row.query.platform.displayName),
                        hasSeveralApps || !row.mine ? .app(row.app) : .empty, Self.place(row.from), Self.place(row.to),
                        .move(row.outcome, of: row.mine ? .mine : .competitor),
                        .usual(row.judgement), .since(row.judgement, today: generatedAt.reportDay),
                    ] + (options.figures ? Table.figures(of: row.judgement, movers.sensitivity) : []))
            }, indent: 2)
    }

    private func table(ofSlides rows: [Movers.Row]) -> Table {
        .slides(
            rows.compactMap { row in
                row.slide.map { slide in
                    (
                        row.query, row.query.platform.displayName,
                        hasSeveralApps || !row.mine ? .app(row.app) : .empty, slide, Self.place(row.to)
                    )
                }
            }, of: rows.first?.mine == false ? .competitor : .mine, today: generatedAt.reportDay,
            figuresOf: options.figures ? movers.sensitivity : nil)
    }

    static func place(_ reading: Reading) -> Cell {
        reading.position.map { Cell($0.description) } ?? Cell(">\(reading.within)", .faint)
    }

    private func notes(_ shown: [Movers.Row], _ slides: [Movers.Row]) -> [String] {
        let hidden = movers.rows.count - shown.count - slides.count
        let hint = "\(Figures.counted(hidden, "other move")) hidden: show them with \(ReportAudience.flag("all"))"
        return (hidden > 0 ? [hint] : [])
            + judgementNotes(shown.map(\.judgement) + slides.map { $0.slide.map { .real($0) } })
            + (shown.contains { $0.since != nil } ? [seldomNote] : [])
            + (tooSeldom.map { [$0] } ?? []) + (order(of: shown).map { [$0] } ?? []) + [provenance]
    }

    /// How many pairs are asked too seldom for the moment that was chosen.
    private var tooSeldom: String? {
        guard movers.mine.tooSeldom > 0 else { return nil }
        return
            "not judged, because they are checked too rarely for this --since: "
            + "\(Figures.counted(movers.mine.tooSeldom, "pair")) of mine. Leave out --since to judge them"
    }

    /// Which change is told, and which comes first.
    private func order(of shown: [Movers.Row]) -> String? {
        guard !shown.isEmpty else { return nil }
        let order = "the biggest moves come first, and places near the top count for more"
        guard shown.contains(where: \.judgement.isBeyondNoise) else { return order }
        return "change: in marked rows, from the usual place before to the usual place now; " + order
    }
}
