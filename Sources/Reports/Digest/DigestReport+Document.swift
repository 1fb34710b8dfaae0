import History
import Judging
import RankKit

extension DigestReport {
    /// Of what there can be hundreds of.
    private static let mostRivalMoves = 10
    private static let mostTroubled = 10
    private static let mostVersions = 20

    package var document: Document {
        var document = Document(
            title: "Digest of \(CivilTime.date(digest.until))", generatedAt: generatedAt)
        if digest.movers.pairs == 0 { document.paragraph(NoSuchPair.report) } else { document.paragraph(summary) }
        if !digest.movers.remarks.isEmpty {
            document.paragraph(digest.movers.remarks.map(\.text).joined(separator: "; "), .caution)
        }
        moves(&document)
        if !digest.newcomers.isEmpty {
            document.heading("New in the top \(Newcomer.top): candidates to watch")
            document.table(newcomers)
        }
        document.damaged(damaged)
        if !digest.versions.isEmpty || !digest.notes.isEmpty {
            document.heading("Versions and notes")
            document.list(versions + notes)
        }
        if !digest.troubled.isEmpty {
            document.heading("Checks without an answer to rely on")
            document.list(reasons)
            document.table(troubled)
        }
        document.heading("Service")
        document.list([asked, service] + (backup.map { [$0] } ?? []))
        document.notes(smallPrint)
        return document
    }

    private var summary: StyledText {
        let counts = Self.counts(digest.movers.summary)
        var cells = [Cell("mine: ", .strong)]
        if let quiet = digest.movers.quiet { cells.append(Cell(quiet)) }
        for (index, count) in counts.enumerated() {
            cells += [Cell(index == 0 ? "" : ", "), Cell("\(Figures.grouped(count.count)) \(count.word)", count.ink)]
        }
        let noise = digest.movers.summary.noise
        if noise > 0 { cells.append(Cell("; \(Figures.counted(noise, "other move")) within noise")) }
        let open = digest.movers.summary.unconfirmed
        if open > 0 { cells.append(Cell("; \(open) to be confirmed")) }
        let slides = digest.movers.summary.slides
        if slides > 0 { cells.append(Cell("; \(slides) slowly over \(NoiseModel.slideDays) days")) }
        cells.append(Cell(" · \(Figures.counted(digest.pairs, "pair"))"))
        let moves = digest.movers.since
        cells.append(
            Cell(
                moves == digest.since
                    ? " · \(CivilTime.minute(digest.since)) to \(CivilTime.minute(digest.until)) UTC"
                    : " · moves since \(CivilTime.minute(moves)), all else since \(CivilTime.minute(digest.since)) UTC",
                .faint))
        return StyledText(cells)
    }

    /// The movers' own tables, with the biggest moves alone of competitors.
    private func moves(_ document: inout Document) {
        var report = MoversReport(digest.movers)
        let rows = digest.movers.rows.filter { $0.judgement.isBeyondNoise || $0.slide != nil }
        report.movers.rows = rows.filter(\.mine) + rows.filter { !$0.mine }.prefix(Self.mostRivalMoves)
        for block in report.document.blocks {
            switch block {
            case .heading(let text): document.heading(text.prefix(1).uppercased() + text.dropFirst())
            case .table: document.blocks.append(block)
            case .paragraph, .list, .chart, .notes, .legend: break
            }
        }
    }

    private var newcomers: Table {
        Table(
            columns: [
                .init("app", minimum: 12), .init("bundle id", minimum: 12, priority: 1, isForWidePages: true),
                .init("on", minimum: 16, below: .plain),
            ],
            rows: digest.newcomers.map { newcomer in
                let entries = newcomer.entries.map {
                    "\($0.position) \($0.query.text) (\($0.query.country), \($0.query.platform.displayName))"
                }
                return .cells([
                    Cell(newcomer.app.title, .strong),
                    Cell(newcomer.app.name == nil ? "" : newcomer.app.bundleID.text, .faint),
                    Cell(entries.joined(separator: ", ")),
                ])
            }, indent: 2)
    }

    private var versions: [StyledText] {
        var lines = digest.versions.prefix(Self.mostVersions).map { version in
            let isMine = version.app.mark == .mine
            return StyledText([
                Cell("\(CivilTime.date(version.release.at)) · ", .faint), Cell(version.app.title, .strong),
                Cell(" \(version.release.version ?? "–")"), Cell(isMine ? "" : " · competitor", .faint),
            ])
        }
        let more = digest.versions.count - lines.count
        if more > 0 { lines.append(StyledText("and \(Figures.counted(more, "more version"))", .faint)) }
        return lines
    }

    private var notes: [StyledText] {
        digest.notes.map { note in
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
                    Cell(query.query.text), Cell(query.query.country.code), Cell(query.query.platform.displayName),
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
            Cell(isTooMuch ? "; the watchlist wants more than the pace allows: rankctl plan" : "", .caution),
        ])
    }

    /// Nothing where those made are not known.
    private var requests: String {
        guard let made = digest.requests, let budget = digest.budget else { return "" }
        return "; \(Figures.grouped(made)) of \(Figures.counted(budget, "possible request"))"
    }

    private var service: StyledText {
        let status = digest.status
        let level: Cell =
            switch status.level {
            case .fine: Cell("● fine", .good)
            case .degraded: Cell("○ degraded: rankctl status", .caution)
            case .down: Cell("▼ down: rankctl status", .bad)
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
            Cell("status: ", .faint), level, Cell("; history \(Figures.bytes(status.database.bytes))"),
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
        let hidden =
            digest.movers.rows.count { !$0.mine && $0.judgement.isBeyondNoise } - Self.mostRivalMoves
        var notes: [String] = []
        if hidden > 0 { notes.append("\(Figures.counted(hidden, "more move")) of competitors: rankctl report movers") }
        if digest.unshownNewcomers > 0 {
            notes.append("\(Figures.counted(digest.unshownNewcomers, "more candidate")): rankctl report competitors")
        }
        notes += judgementNotes(digest.movers.rows.filter(\.judgement.isBeyondNoise).map(\.judgement))
        if digest.movers.rows.contains(where: { $0.since != nil && $0.judgement.isBeyondNoise }) {
            notes.append(seldomNote)
        }
        if !digest.newcomers.isEmpty {
            notes.append("candidates: apps that the watchlist does not name, before below place \(Newcomer.far)")
        }
        return notes + [provenance]
    }
}
