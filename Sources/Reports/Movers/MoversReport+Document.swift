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
                        + (firstVerdict.map { "The " + $0.wordsAndPlaces }
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
        if let firstVerdict { document.paragraph(firstVerdict.wordsAndPlaces, .faint) }
        if !movers.remarks.isEmpty {
            document.paragraph(movers.remarks.map(\.text).joined(separator: "; "), .caution)
        }
        document.blocks += losses(
            most: options.all ? .max : Self.mostLosses, rest: "show them with \(ReportAudience.flag("all"))")
        document.blocks += told(mine: true)
        document.blocks += told(mine: false)
        document.legend()
        document.notes(notes)
        return document
    }

    /// What is told of.
    private var shown: [Movers.Row] {
        movers.rows.filter { options.all || $0.monthMove != nil || $0.judgement.isBeyondNoise || $0.isOpen }
    }

    /// The moves of mine that are no losses, or those of competitors; then what is no move.
    func told(mine: Bool) -> [Document.Block] {
        let rows = shown.filter { $0.mine == mine && $0.loss == nil }
        let whose = mine ? "" : "competitors that "
        var document = Document(title: "", generatedAt: generatedAt)
        let moves = Self.farthestFirst(rows.filter(\.isMove))
        if !moves.isEmpty {
            document.heading(whose + Self.heading(of: moves))
            document.table(table(of: moves))
        }
        let others = rows.filter { !$0.isMove && !$0.isBack }
        let groups = [
            ("came and went, or left and came back", rows.filter(\.isBack)),
            ("changed place no more than usual", others.filter { $0.change != nil }),
            ("cannot be compared: one list is too short to show the place", others.filter { $0.change == nil }),
        ]
        for (title, rows) in groups where !rows.isEmpty {
            document.heading(whose + title)
            document.table(table(ofRaw: rows))
        }
        return document.blocks
    }

    private var summary: StyledText {
        var cells = movers.mine.pairs == 0 ? [] : [Cell("mine: ", .strong)]
        if movers.isTooShort || movers.mine.compared == 0, let quiet = movers.quiet {
            cells.append(Cell(quiet))
            let counts = movers.summary.cells.listed
            if movers.mine.compared > 0, !counts.isEmpty { cells += [Cell("; ")] + counts }
        } else {
            cells += movers.summary.cells.listed
        }
        let unread = movers.mine.pairs - movers.mine.compared
        if unread > 0, movers.mine.compared > 0 {
            cells.append(Cell("; \(Figures.grouped(unread)) without a good check at both moments"))
        }
        cells.append(
            Cell(movers.sensitivity == .normal ? "" : " · \(movers.sensitivity.rawValue)", .faint))
        cells.append(
            Cell(" · \(CivilTime.minute(movers.since)) to \(CivilTime.minuteInZone(movers.until))", .faint))
        return StyledText(cells)
    }

    private var hasSeveralPlatforms: Bool { Set(movers.rows.map(\.query.platform)).count > 1 }

    /// - Parameter below: the columns whose cells stand below each row, and the cells of one.
    func table(
        of rows: some Sequence<Movers.Row>,
        below: (columns: [Table.Column], cells: (Movers.Row) -> [Cell]) = ([], { _ in [] })
    ) -> Table {
        .moves(
            rows.map { row in
                MoveRow(
                    query: row.query, bundleID: row.app.bundleID, platforms: row.query.platform.displayName,
                    app: app(of: row),
                    mark: row.mine ? .mine : .competitor, judgement: row.told, isOfMonth: row.monthMove != nil,
                    now: Self.place(row.to), below: below.cells(row))
            }, below: below.columns, hasSeveralPlatforms: hasSeveralPlatforms, today: generatedAt.reportDay,
            figuresOf: options.figures ? movers.sensitivity : nil)
    }

    private func app(of row: Movers.Row) -> Cell { hasSeveralApps || !row.mine ? .app(row.app) : .empty }

    /// Of what is no move: from one reading to the other.
    private func table(ofRaw rows: [Movers.Row]) -> Table {
        Table(
            columns: [
                .init(""), .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 2), .init("app", minimum: 8, comfort: 14),
                .init("was", .right), .init("now", .right),
                .init("raw change", .right, meaning: Table.rawMeaning),
                .init("since", priority: 3),
            ],
            rows: rows.map { row in
                .cells([
                    .mark(row.judgement, isMine: row.mine), .query(row.query), .storefront(of: row.query),
                    Cell(row.query.platform.displayName), app(of: row), Self.place(row.from),
                    Self.place(row.to).about(.pair(row.app.bundleID, row.query)),
                    .move(row.change, of: row.mine ? .mine : .competitor),
                    .since(row.judgement, today: generatedAt.reportDay),
                ])
            }, indent: 2, foldsOnPhones: true)
    }

    static func place(_ reading: Reading) -> Cell {
        reading.position.map { Cell($0.description) } ?? Cell(">\(reading.within)", .faint)
    }

    private var notes: [String] {
        let shown = shown
        let hidden = movers.rows.count - shown.count
        let hint =
            "\(Figures.counted(hidden, "other change")) of place hidden: show them with \(ReportAudience.flag("all"))"
        let order = "the biggest moves come first, and places near the top count for more"
        return (hidden > 0 ? [hint] : [])
            + judgementNotes(shown.map(\.told), hasSlides: shown.contains { $0.monthMove != nil })
            + (shown.contains { $0.since != nil } ? [seldomNote] : [])
            + (tooSeldom.map { [$0] } ?? []) + (shown.isEmpty ? [] : [order]) + [provenance]
    }

    /// How many pairs are asked too seldom for the moment that was chosen.
    private var tooSeldom: String? {
        guard movers.mine.tooSeldom > 0 else { return nil }
        return
            "not judged, because they are checked too rarely for this --since: "
            + "\(Figures.counted(movers.mine.tooSeldom, "pair")) of mine. Leave out --since to judge them"
    }
}
