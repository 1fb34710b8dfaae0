import Judging
import RankKit

/// What deserves two minutes: the summary, the real moves, what failed, and as many of my pairs as fit a screen.
extension StandingsReport {
    /// Lines of the whole report, about; where there is more, it is told how to see it.
    private static let screen = 40
    /// Real moves and failures that are told one by one, so that neither crowds out the rest.
    private static let mostMoves = 10
    private static let mostSlides = 5
    /// The same of a page, which is longer than a screen.
    private static let mostOnPage = 25
    private static let mostFaults = 6
    private static let mostRemarks = 4
    /// Rows of the table that are always worth showing.
    private static let fewestRows = 8
    /// Of an app: its name, and the blank line above it.
    private static let linesOfHeading = 2
    /// Headings, blank lines and the legend, about.
    private static let linesBeside = 11

    package var document: Document {
        var document = Document(title: "Standings", generatedAt: generatedAt)
        guard !standings.rows.isEmpty else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        document.asOf(standings.until)
        document.paragraph(summary())
        document.paragraph(remarks)
        let moves = moves()
        if let quiet = quiet(moves) { document.paragraph(quiet) }
        if let firstVerdict { document.paragraph(firstVerdict.words, .faint) }
        let blocks = shownBlocks()
        let count = blocks.reduce(0) { $0 + $1.count }
        let slides = slides()
        let isPaged = options.limit != nil
        let shownMoves = moves.prefix(options.all ? .max : isPaged ? Self.mostOnPage : Self.mostMoves)
        let shownSlides = slides.prefix(options.all ? .max : isPaged ? Self.mostOnPage : Self.mostSlides)
        let needed =
            count + blocks.count * Self.linesOfHeading + document.blocks.count + shownMoves.count + shownSlides.count
            + Self.linesBeside
        let fits = options.all || needed <= Self.screen && !isPaged
        guard options.page == 1 else { return withTable(of: blocks, in: document) }
        // Of an earlier moment people ask where they stood.
        let isPast = standings.until < generatedAt && !isPaged
        if !isPast { tell(shownMoves, of: moves.count, shownSlides, of: slides.count, in: &document) }
        var lines = Int.max
        if !fits {
            let faults = blocks.joined().filter { $0.row.state == .failed || $0.row.state == .suspect }
            if !faults.isEmpty {
                document.heading(Figures.counted(faults.count, "pair") + " without a good newest check")
                document.table(table(ofFaults: faults.prefix(Self.mostFaults)))
            }
            guard !isPaged else { return withTable(of: blocks, in: document) }
            lines =
                Self.screen
                - (needed - count - blocks.count * Self.linesOfHeading + min(faults.count, Self.mostFaults) + 3)
            if isPast { lines += shownMoves.count + shownSlides.count }
        }
        let shown = fits || options.order != nil ? blocks : Self.shares(of: blocks, lines: lines)
        let limit = options.order == nil ? Int.max : max(Self.fewestRows, lines)
        if options.order != nil {
            document.table(sortedTable(of: Array(blocks.joined()), first: limit, withNotes: fits))
        } else if !blocks.isEmpty {
            document.table(table(of: shown, withNotes: fits))
        }
        let rest = count - min(limit, shown.reduce(0) { $0 + $1.count })
        if rest > 0 {
            let apps = Figures.counted(blocks.count - shown.count, "app that is", "apps that are") + " not shown"
            document.notes([
                "and \(Figures.grouped(rest)) more\(shown.count < blocks.count ? ", also of \(apps)" : ""): "
                    + ReportAudience.flag("all")
            ])
        }
        if isPast { tell(shownMoves, of: moves.count, shownSlides, of: slides.count, in: &document) }
        if !neighbours.isEmpty {
            document.heading("around mine, by the newest lists")
            document.table(table(of: neighbours))
        }
        document.damaged(damaged)
        document.notes(notes)
        document.legend()
        document.notes(footer(Array(options.listed(Array(shown.joined()), by: \.row).prefix(limit)), moves, slides))
        return document
    }

    /// The moves of the week and those of the month, with how many are left out.
    private func tell(
        _ moves: ArraySlice<Standings.FoldedRow>, of allMoves: Int, _ slides: ArraySlice<Standings.FoldedRow>,
        of allSlides: Int, in document: inout Document
    ) {
        guard allMoves + allSlides > 0 else { return }
        document.heading(movesHeading(allMoves, allSlides), isDetail: true)
        document.table(table(of: moves.map { ($0, false) } + slides.map { ($0, true) }))
        let hidden = allMoves - moves.count + allSlides - slides.count
        if hidden > 0 { document.notes(["and \(Figures.grouped(hidden)) more of these: \(more)"]) }
    }

    /// As many rows of each app as fit in about so many lines: none is left out for the rows of the one before it, unless
    /// there are more apps than fit at all.
    private static func shares(of blocks: [[Standings.FoldedRow]], lines: Int) -> [[Standings.FoldedRow]] {
        var shown = blocks.prefix(max(1, lines / (linesOfHeading + 1)))
        var rest = max(fewestRows, lines - shown.count * linesOfHeading)
        while shown.count < blocks.count, shown.reduce(0, { $0 + $1.count }) < rest {
            shown = blocks.prefix(shown.count + 1)
        }
        var shares = shown.map { _ in 0 }
        while let next = shares.indices.filter({ shares[$0] < shown[$0].count }).min(by: { shares[$0] < shares[$1] }),
            rest > 0
        {
            shares[next] += 1
            rest -= 1
        }
        return zip(shown, shares).map { Array($0.prefix($1)) }
    }

    /// Where the rest of the moves is: `--all` goes with no pages.
    private var more: String { options.limit == nil ? ReportAudience.flag("all") : ReportAudience.report("movers") }

    /// The document with the rows of one page, and what belongs to them.
    private func withTable(of blocks: [[Standings.FoldedRow]], in document: Document) -> Document {
        var document = document
        let lines = Array(blocks.joined())
        guard let paging = options.paging(of: lines.count) else { return document }
        document.heading("standings")
        guard !paging.rows.isEmpty else {
            document.paragraph("There are \(Figures.counted(paging.pages, "page")), and no page \(paging.page).")
            return document
        }
        if options.order != nil {
            document.table(sortedTable(of: lines, first: .max, withNotes: false))
        } else {
            document.table(table(of: blocks, in: paging.rows, withNotes: false))
        }
        if paging.pages > 1 {
            document.notes([
                "rows \(Figures.grouped(paging.rows.lowerBound + 1)) to \(Figures.grouped(paging.rows.upperBound)) of "
                    + "\(Figures.grouped(paging.count)): page \(paging.page) of \(Figures.grouped(paging.pages))"
            ])
        }
        document.damaged(damaged)
        document.notes(notes)
        document.legend()
        let isFirst = options.page == 1
        document.notes(footer(Array(lines[paging.rows]), isFirst ? moves() : [], isFirst ? slides() : []))
        return document
    }

    /// What the store did: a drop on a day on which everything moved is not one's own doing.
    private var remarks: StyledText? {
        let texts = standings.remarks.map(\.text)
        guard !texts.isEmpty else { return nil }
        let more = texts.count > Self.mostRemarks ? ["and \(texts.count - Self.mostRemarks) more such days"] : []
        return StyledText((texts.prefix(Self.mostRemarks) + more).joined(separator: "; "), .caution)
    }

    // MARK: Real moves

    /// Those of mine that moved, or are likely to have, the newest first.
    func moves() -> [Standings.FoldedRow] {
        let rows = standings.rows.filter { $0.mine && $0.monthMove == nil && $0.judgement?.since != nil }
        return Standings.folded(rows) { one, other in
            one.judgement?.from == other.judgement?.from && one.judgement?.to == other.judgement?.to
                && one.isBack == other.isBack
                && one.isStale(at: standings.until) == other.isStale(at: standings.until)
        }
        .enumerated().sorted { left, right in
            let (a, b) = (left.element.row.judgement?.since ?? 0, right.element.row.judgement?.since ?? 0)
            return a == b ? left.offset < right.offset : a > b
        }.map(\.element)
    }

    /// Those of mine that moved over the month and not in its last week alone: what left the list, then the farthest,
    /// then what entered.
    private func slides() -> [Standings.FoldedRow] {
        func distance(_ folded: Standings.FoldedRow) -> Double {
            let move = folded.row.monthMove
            guard let from = move?.from else { return -.infinity }
            return move?.to.map { abs(PositionScale.value(from) - PositionScale.value($0)) } ?? .infinity
        }
        let rows = standings.rows.filter { $0.mine && $0.monthMove != nil }
        return Standings.folded(rows) { one, other in
            guard let one = one.monthMove, let other = other.monthMove else { return false }
            return one.from == other.from && one.to == other.to && (one.isReal || one.since == other.since)
        }
        .enumerated().sorted { left, right in
            let (a, b) = (distance(left.element), distance(right.element))
            return a == b ? left.offset < right.offset : a > b
        }.map(\.element)
    }

    /// `5 moves since 22 Nov, 3 within 30 days`.
    private func movesHeading(_ moves: Int, _ slides: Int) -> String {
        let week = moves == 0 ? nil : "\(Figures.counted(moves, "move")) since \(newsSince)"
        let month =
            (moves == 0 ? Figures.counted(slides, "move") : Figures.grouped(slides)) + " \(Table.withinTheMonth)"
        return [week, slides == 0 ? nil : month].compactMap(\.self).joined(separator: ", ")
    }

    /// That nothing did, where that could be told and the summary does not.
    private func quiet(_ moves: [Standings.FoldedRow]) -> StyledText? {
        let judged = standings.rows.filter(\.mine).compactMap(\.judgement)
        guard moves.isEmpty, !judged.isEmpty, !tellsNews, firstVerdict == nil else { return nil }
        let isTold = judged.contains { if case .notJudged = $0 { false } else { true } }
        if isTold { return StyledText("none of mine moved more than it usually wobbles since \(newsSince)", .faint) }
        return StyledText(
            judged.contains(.notJudged(.shortList))
                ? "no move is known since \(newsSince): a list was too short to compare"
                : "too little history yet to tell moves from wobble", .faint)
    }

    private func table(of moves: [(folded: Standings.FoldedRow, isOfMonth: Bool)]) -> Table {
        let hasSeveralApps = hasSeveralApps
        let rows = moves.compactMap { folded, isOfMonth in
            let row = folded.row
            return (isOfMonth ? row.monthMove : row.judgement).map { judgement in
                MoveRow(
                    query: row.question, bundleID: row.bundleID, platforms: folded.platforms,
                    app: hasSeveralApps ? Self.app(of: row) : .empty, mark: .mine, judgement: judgement,
                    isOfMonth: isOfMonth, now: Self.now(row))
            }
        }
        return .moves(
            rows, hasSeveralPlatforms: Set(rows.map(\.platforms)).count > 1, today: generatedAt.reportDay)
    }

    /// Whether more than one app could be meant.
    private var hasSeveralApps: Bool {
        Set(standings.rows.lazy.filter { $0.mine || options.competitors }.map(\.bundleID)).count > 1
    }

    static func app(of row: Standings.Row) -> Cell {
        Cell(row.appName ?? row.alias ?? row.bundleID.text, brief: row.alias).about(.app(row.bundleID))
    }

    private func table(ofFaults faults: some Sequence<Standings.FoldedRow>) -> Table {
        let hasSeveralApps = hasSeveralApps
        return Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("in"), .init("on"),
                .init("app", minimum: 8, comfort: 14), .init("last good", .right),
                .init("why", minimum: 40, below: .plain),
            ],
            rows: faults.map { folded in
                let row = folded.row
                return .cells([
                    .query(row.question), .storefront(of: row.question), Cell(folded.platforms),
                    hasSeveralApps ? Self.app(of: row) : .empty, Self.now(row), note(row),
                ])
            }, indent: 2)
    }
}
