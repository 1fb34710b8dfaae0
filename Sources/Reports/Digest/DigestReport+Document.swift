import History
import Judging
import RankKit

extension DigestReport {
    /// Of what there can be hundreds of.
    private static let mostRivalMoves = 10
    private static let mostEntered = 10
    private static let mostCandidates = 8
    private static let mostOthers = 10
    private static let mostTroubled = 10
    private static let mostStill = 10
    private static let mostVersions = 20

    package var document: Document {
        var document = Document(
            title: "Digest of \(CivilTime.reportDate(digest.until))", generatedAt: generatedAt)
        if digest.movers.pairs == 0 { document.paragraph(NoSuchPair.report) } else { document.paragraph(opening) }
        if let newNames { document.paragraph(newNames) }
        if let firstVerdict { document.paragraph(firstVerdict.wordsAndPlaces, .faint) }
        if !digest.movers.remarks.isEmpty {
            document.paragraph(digest.movers.remarks.map(\.text).joined(separator: "; "), .caution)
        }
        let moves = moves
        document.blocks += Self.capitalised(
            moves.losses(rest: movers) + moves.told(mine: true))
        if !digest.entered.isEmpty || !digest.newcomers.isEmpty {
            document.heading("New in the top \(Newcomer.top)")
            document.table(newInTop)
        }
        document.blocks += stillLost
        document.damaged(damaged)
        document.blocks += Self.capitalised(moves.told(mine: false))
        let still = still
        if !still.isEmpty {
            document.heading("Earlier moves that still hold")
            document.list(still)
        }
        if !digest.versions.isEmpty || !digest.notes.isEmpty || !digest.renamed.isEmpty {
            document.heading("Versions and notes")
            document.list(renamed + versions + notes)
        }
        if !digest.troubled.isEmpty {
            document.heading("Failed and suspect checks")
            document.list(reasons)
            document.table(troubled)
        }
        document.heading("Service")
        document.list([asked, service] + (backup.map { [$0] } ?? []))
        document.notes(smallPrint)
        return document
    }

    var opening: StyledText {
        var counts = digest.fresh.summary.movedCells
        if digest.opened > 0 { counts.append(Cell("\(Figures.grouped(digest.opened)) likely", .caution)) }
        let still = digest.still.summary.movedCells.words
        let since = CivilTime.minuteInZone(digest.since)
        var cells = digest.movers.mine.pairs == 0 ? [] : [Cell(counts.isEmpty ? "mine: " : "mine ", .strong)]
        if !counts.isEmpty { cells += [Cell("since \(since): ")] + counts.listed }
        if !counts.isEmpty {
            // What is new is told.
        } else if still.isEmpty, digest.movers.mine.pairs > 0, digest.movers.mine.compared == 0 {
            cells.append(
                Cell(
                    "nothing to compare with yet: no pair has a good check both at "
                        + "\(CivilTime.minute(digest.movers.since)) and at \(CivilTime.minuteInZone(digest.movers.until))"
                ))
        } else if still.isEmpty, let quiet = digest.movers.quiet {
            cells.append(Cell(quiet))
        } else {
            cells.append(Cell("nothing new since \(since)"))
        }
        if !still.isEmpty { cells.append(Cell("; earlier moves that still hold: \(still)")) }
        let waiting = digest.movers.summary.likely
        if counts.isEmpty, waiting > 0 { cells.append(Cell("; \(Figures.grouped(waiting)) still likely", .caution)) }
        let uncompared = digest.movers.summary.uncompared
        if uncompared > 0 { cells.append(Cell("; \(Figures.grouped(uncompared)) \(MoveCounts.uncomparedWords)")) }
        cells.append(Cell(" · \(Figures.counted(digest.pairs, "pair"))"))
        if counts.isEmpty, still.isEmpty {
            cells.append(Cell(" · since \(since)", .faint))
        }
        return StyledText(cells)
    }

    /// `new in the top 10: Habits (mine) #4 habits (us, iPhone); Streaks (competitor) #9 streaks (gb, iPad) and 2 more
    /// lists; 6 more apps`: the table of them may stand far below.
    private var newNames: StyledText? {
        let named = (digest.entered + digest.newcomers).prefix(Self.mostNewNames)
        let more = digest.entered.count + digest.newcomers.count + digest.unshownNewcomers - named.count
        guard !named.isEmpty else { return nil }
        var cells = [Cell("new in the top \(Newcomer.top): ", .faint)]
        for (index, newcomer) in named.enumerated() {
            if index > 0 { cells.append(Cell("; ")) }
            cells.append(Cell(newcomer.app.markedTitle(longest: Self.longestNewName) + " ", .strong))
            let entries = newcomer.entries
            let others =
                entries.count > 1 ? " and \(Figures.counted(entries.count - 1, "more list"))" : ""
            cells.append(Cell(entries.first.map(Self.words) ?? ""))
            cells.append(Cell(others))
        }
        if more > 0 { cells.append(Cell("; \(Figures.counted(more, "more app"))")) }
        return StyledText(cells)
    }

    /// `#9 streaks (gb, iPad)`.
    private static func words(_ entry: Newcomer.Entry) -> String {
        "\(entry.position) \(entry.query.text) (\(entry.query.side))"
    }

    private static let mostNewNames = 3
    private static let longestNewName = 30

    /// What was lost before and has not come back.
    private var stillLost: [Document.Block] {
        MoversReport(digest.still, falls: digest.earlierLosses)
            .losses("Earlier losses that still hold", rest: movers, withPassers: false)
    }

    /// Over the days that the digest's own moves are of: a week, unless it was asked for more.
    private var movers: String {
        let isWeek = digest.since >= digest.until - Movers.defaultDays * Timestamp.secondsPerDay
        return ReportAudience.report("movers", leavingOut: isWeek ? ["since"] : [])
    }

    /// A line for each of what was told before and is no loss.
    private var still: [StyledText] {
        let rows = digest.still.rows.filter { $0.loss == nil }
        let lines = rows.prefix(Self.mostStill).map { row in
            StyledText([
                Cell("\(row.query.text) · \(row.query.place)", .strong)
                    .about(.query(row.query)),
                Cell(" · \(row.app.title): \(row.news)"),
            ])
        }
        let more = rows.count - lines.count
        let hint = StyledText("and \(Figures.grouped(more)) more: \(movers)", .faint)
        return lines + (more > 0 ? [hint] : [])
    }

    /// The movers' own tables of what is new, or may be, with the biggest moves alone of competitors.
    private var moves: MoversReport {
        var report = MoversReport(digest.movers, falls: digest.losses)
        let rows = digest.fresh.rows
        report.movers.rows = rows.filter(\.mine) + digest.open + rows.filter { !$0.mine }.prefix(Self.mostRivalMoves)
        return report
    }

    private static func capitalised(_ blocks: [Document.Block]) -> [Document.Block] {
        blocks.map { block in
            guard case .heading(let text) = block else { return block }
            return .heading(text.prefix(1).uppercased() + text.dropFirst())
        }
    }

    private var newInTop: Table {
        var table = Table(
            columns: [
                .init("app", minimum: 12), .init("bundle id", priority: 1, isForWidePages: true),
                .init("on", below: .overflow),
            ], indent: 2)
        let groups: [(title: String, newcomers: [Newcomer], most: Int, unknown: Int)] = [
            ("mine", digest.entered.filter { $0.app.mark == .mine }, .max, 0),
            ("competitors", digest.entered.filter { $0.app.mark != .mine }, Self.mostEntered, 0),
            ("others: candidates to watch", digest.candidates, Self.mostCandidates, 0),
            ("others", digest.newcomers.filter { !$0.isCandidate }, Self.mostOthers, digest.unshownNewcomers),
        ]
        for group in groups where group.newcomers.count + group.unknown > 0 {
            table.rows.append(.heading(StyledText(group.title, .faint)))
            table.rows += group.newcomers.prefix(group.most).map { .cells(Self.cells(of: $0)) }
            let more = max(0, group.newcomers.count - group.most) + group.unknown
            if more > 0 {
                let hint =
                    group.unknown > 0
                    ? ""
                    : ": "
                        + ReportAudience.words("\(ReportAudience.report("digest")) --format csv", tools: "form: rows")
                table.rows.append(
                    .heading(StyledText("and \(Figures.counted(more, "more app"))\(hint)", .faint)))
            }
        }
        return table
    }

    private static func cells(of newcomer: Newcomer) -> [Cell] {
        return [
            .title(newcomer.app, newcomer.app.mark == .mine ? .good : .strong),
            Cell(newcomer.app.name == nil ? "" : newcomer.app.bundleID.text, .faint),
            Cell(newcomer.entries.map(words).joined(separator: ", ")),
        ]
    }

    var renamed: [StyledText] {
        digest.renamed.map { renamed in
            StyledText([
                Cell("\(renamed.app.title): ", .strong),
                Cell("bundle ID \(renamed.change.from) became \(renamed.change.to)"),
            ])
        }
    }

    private var shownVersions: ArraySlice<Digest.Version> { digest.versions.prefix(Self.mostVersions) }

    var versions: [StyledText] {
        var lines = shownVersions.map { version in
            let isMine = version.app.mark == .mine
            let text = version.release.text
            return StyledText([
                Cell("\(CivilTime.reportDate(version.release.at)) · ", .faint), .title(version.app, .strong),
                Cell(" \(version.release.version ?? "–")"), Cell(isMine ? "" : " · competitor", .faint),
                Cell(text.isEmpty ? "" : " · “\(text)”"),
            ])
        }
        let more = digest.versions.count - shownVersions.count
        if more > 0 { lines.append(StyledText("and \(Figures.counted(more, "more version"))", .faint)) }
        return lines
    }

    /// Without those that stand beside their version.
    var notes: [StyledText] {
        let notes = digest.notes.filter { note in
            !shownVersions.contains {
                $0.app == note.app && $0.release.version == note.note.version && $0.release.text == note.note.text
            }
        }
        return notes.map { note in
            let version = note.note.version.map { " \($0)" } ?? ""
            return StyledText([
                Cell("\(note.note.on) · ", .faint), Cell(note.app.map { $0.title + version + " · " } ?? "", .strong),
                Cell("“\(note.note.text)”"),
            ])
        }
    }

    private var reasons: [StyledText] {
        digest.reasons.map { reason in
            StyledText([
                Cell(reason.gap.isSuspect ? "○ " : "▼ ", .caution),
                Cell(
                    "\(Figures.counted(reason.checks, "check")) of \(Figures.counted(reason.queries, "query", "queries")): "
                        + reason.gap.explanation),
            ])
        }
    }

    private var troubled: Table {
        var table = Table(
            columns: [
                .init("query", minimum: 12), .init("in"), .init("on"), .init("good", .right), .init("failed", .right),
                .init("suspect", .right), .init("last", priority: 1),
            ],
            rows: digest.troubled.prefix(Self.mostTroubled).map { query in
                let last = query.troubles.map(\.lastAt).max()
                return .cells([
                    .query(query.query), .storefront(of: query.query), Cell(query.query.platform.displayName),
                    Cell("\(query.good)", query.good == 0 ? .bad : .plain),
                    Cell(query.failed > 0 ? "\(query.failed)" : ""),
                    Cell(query.suspect > 0 ? "\(query.suspect)" : ""),
                    Cell(last.map { RelativeAge(of: $0, at: generatedAt).phrase } ?? "", .faint),
                ])
            }, indent: 2)
        let more = digest.troubled.count - Self.mostTroubled
        if more > 0 {
            table.rows.append(
                .heading(StyledText("and \(Figures.counted(more, "more query", "more queries"))", .faint)))
        }
        return table
    }

    // MARK: The service

    private var asked: StyledText {
        let good = digest.checks.reduce(0) { $0 + $1.good }
        let wanted = digest.status.requests.wantedPerDay ?? 0
        let isTooMuch = wanted > Double(digest.status.requests.budgetPerDay)
        return StyledText([
            Cell("asked: ", .faint),
            Cell(
                Figures.counted(good, "good check") + requests),
            Cell(isTooMuch ? "; the watchlist wants more than the pace allows: \(plan)" : "", .caution),
        ])
    }

    private var plan: String { ReportAudience.report("plan", command: "rankctl plan") }

    /// Nothing where those made are not known.
    private var requests: String {
        guard let made = digest.requests, let budget = digest.budget else { return "" }
        return "; \(Figures.grouped(made)) of \(Figures.counted(budget, "possible request"))"
    }

    var service: StyledText {
        let status = digest.status
        let more = ReportAudience.report("status", command: "rankctl status")
        let level: Cell =
            switch status.level {
            case .fine: Cell("● fine", .good)
            case .degraded: Cell("○ degraded: \(more)", .caution)
            case .down: Cell("▼ down: \(more)", .bad)
            }
        let trouble =
            switch status.database.trouble {
            case .noRoom?: ", no room left on its device"
            case .readOnly?: ", its file system is read-only"
            case .longLog?: ", its write-ahead log cannot be emptied"
            case nil: ""
            }
        let overdue =
            status.overdueCount > 0 ? "; \(Figures.counted(status.overdueCount, "query", "queries")) overdue" : ""
        return StyledText([
            Cell(digest.until < generatedAt ? "status now: " : "status: ", .faint), level,
            Cell(status.database.bytes.map { "; history \(Figures.bytes($0))" } ?? ""),
            Cell(trouble + overdue, .caution),
        ])
    }

    private var backup: StyledText? {
        guard let backups = digest.status.backups else { return nil }
        let isLate = backups.isLate(at: generatedAt)
        let last = backups.lastAt.map { RelativeAge(of: $0, at: generatedAt).phrase } ?? "none yet"
        return StyledText([
            Cell("backup: ", .faint), Cell(last, isLate ? .caution : .plain), Cell(isLate ? ", late" : "", .caution),
            Cell(backups.failedAt.map { ", failed \(RelativeAge(of: $0, at: generatedAt).phrase)" } ?? "", .caution),
        ])
    }

    private var smallPrint: [String] {
        let rivals = digest.fresh.rows.count { !$0.mine }
        let hidden =
            digest.movers.rows.count { !$0.mine && $0.judgement.isBeyondNoise } - min(rivals, Self.mostRivalMoves)
        var notes: [String] = []
        if hidden > 0 {
            let moves = Figures.counted(hidden, "more move")
            notes.append("\(moves) of competitors: \(movers)")
        }
        let told = digest.fresh.rows + digest.open
        notes += judgementNotes(told.map(\.told), hasSlides: told.contains { $0.monthMove != nil })
        if digest.fresh.rows.contains(where: digest.isConfirmedLate) {
            notes.append(
                "a move is new once it is confirmed: its first day can be before \(CivilTime.reportDate(digest.since))")
        }
        if digest.fresh.rows.contains(where: { $0.since != nil && $0.judgement.isBeyondNoise }) {
            notes.append(seldomNote)
        }
        if !digest.entered.isEmpty || !digest.newcomers.isEmpty {
            notes.append(
                "new in the top \(Newcomer.top): in it now, but not at \(CivilTime.minuteInZone(digest.since))"
                    + (digest.candidates.isEmpty ? "" : "; candidates: they were below place \(Newcomer.far) or absent")
            )
        }
        return notes + [provenance]
    }
}

extension Movers.Row {
    /// What happened to it, in a few words.
    var news: String {
        func since(_ day: Int64) -> String { "since \(CivilTime.date(.startOfDay(day)))" }
        if case .real(let move)? = monthMove {
            return "\(move.isSlow ? "drifted" : "moved") from \(move.from) to \(move.to) \(Table.withinTheMonth)"
        }
        return switch told {
        case .real(let move) where move.isSlow: "drifted from \(move.from) to \(move.to)"
        case .real(let move):
            "\(move.direction == .up ? "rose" : "fell") from \(move.from) to \(move.to), \(since(move.since))"
        case .entered(let at, let day) where monthMove != nil: "entered, usually at \(at) now, \(since(day))"
        case .entered(let at, let day): "entered at \(at), \(since(day))"
        case .left(let from, let day): "left from \(from), \(since(day))"
        case .unconfirmed, .withinNoise, .notJudged: ""
        }
    }
}
