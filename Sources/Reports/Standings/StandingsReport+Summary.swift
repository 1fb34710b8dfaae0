import Algorithms
import Judging
import RankKit

extension StandingsReport {
    func summary() -> StyledText {
        let summary = standings.summary
        guard summary.pairs > 0 else { return StyledText(NoSuchPair.competitors(standings.rows.count)) }
        let (news, isNews) = (summary.news, tellsNews)
        let changes = [
            Self.count(summary.up, "up", .good), Self.count(summary.down, "down", .bad),
            Self.count(summary.entered, "entered", .good), Self.count(summary.left, "left", .bad),
            Self.count(summary.unchanged, "unchanged"),
            summary.compared > 0 ? Self.count(summary.uncompared, "not comparable yet") : nil,
        ]
        let faults = [
            summary.staleSince.flatMap {
                Self.count(summary.stale, "not checked since \(CivilTime.reportDate($0))", .bad)
            },
            Self.count(summary.failed, "failed", .caution), Self.count(summary.suspect, "suspect", .caution),
            Self.count(summary.pending, "not checked yet"),
        ]
        var cells = [Cell("mine: ", .strong)]
        if isNews || summary.compared > 0 {
            cells += (isNews ? news.cells : changes.compactMap(\.self)).listed
        } else if summary.stale > 0 {
            cells.append(Cell(Figures.counted(summary.pairs, "pair")))
        } else {
            cells.append(Cell("\(Figures.counted(summary.pairs, "pair")), no earlier day to compare with yet"))
        }
        let faultCells = faults.compactMap(\.self).listed
        if !faultCells.isEmpty { cells += [Cell("; ")] + faultCells }
        if isNews {
            cells.append(Cell(" · since \(newsSince)", .faint))
        } else if summary.compared > 0 {
            let since = standings.since.map { CivilTime.minuteInZone($0) } ?? "yesterday"
            cells.append(Cell(" · since \(since)", .faint))
        }
        return StyledText(cells)
    }

    /// Whether the summary tells what is news of the week, or of the time that was asked for, which is what stands below it
    /// too; else the changes since a later moment, or since yesterday where nothing can be told from wobble yet.
    var tellsNews: Bool {
        standings.since.map { $0.reportDay <= standings.newsDays.lowerBound } ?? true && standings.summary.news.isTold
    }

    /// The first day of what is news.
    var newsSince: String { DayNames.short(standings.newsDays.lowerBound, today: generatedAt.reportDay) }

    private static func count(_ number: Int, _ what: String, _ ink: Ink = .plain) -> Cell? {
        number > 0 ? Cell("\(Figures.grouped(number)) \(what)", ink) : nil
    }

    /// How many apps that are not sold are named.
    private static let namedUnknown = 5

    /// Also about competitors that are not shown: a slip of the pen is one there too.
    var notes: [StyledText] {
        let unknown = Array(standings.rows.compactMap(\.unknown).uniqued())
        let more = unknown.count - Self.namedUnknown
        return unknown.prefix(Self.namedUnknown).map { StyledText([Cell($0.note, .caution)]) }
            + (more > 0 ? [StyledText([Cell("and \(more) more such notes: see \(Self.allNotes)", .caution)])] : [])
    }

    private static var allNotes: String { ReportAudience.words("--format json", tools: "form: json") }

    /// - Parameters:
    ///   - shown: the rows of the table.
    ///   - moves: those above it.
    ///   - slides: those of the month.
    func footer(
        _ shown: [Standings.FoldedRow], _ moves: [Standings.FoldedRow], _ slides: [Standings.FoldedRow]
    ) -> [StyledText] {
        var lines = judgementNotes(
            (moves + shown).map(\.row.judgement) + slides.map(\.row.monthMove),
            hasSlides: !slides.isEmpty)
        if moves.contains(where: { $0.row.judgement?.since.map { $0 <= standings.newsDays.lowerBound } ?? false }) {
            lines.append(seldomNote)
        }
        if shown.contains(where: { ($0.row.state == .failed || $0.row.state == .suspect) && $0.row.lastGood != nil }) {
            lines.append("○ the last good position: the newest check failed or is suspect")
        }
        if shown.contains(where: \.differsInPast) {
            lines.append("iPhone+iPad: equal today; best and trend are the iPhone's")
        }
        let hidden = standings.rows.count { !$0.mine }
        if hidden > 0, !options.competitors {
            lines.append(
                "\(Figures.counted(hidden, "pair")) of competitors hidden: show them with "
                    + ReportAudience.flag("competitors"))
        }
        return (lines + [provenance]).map { StyledText($0, .faint) }
    }
}
