import Algorithms
import Judging
import RankKit

extension StandingsReport {
    func summary() -> StyledText {
        let summary = standings.summary
        guard summary.pairs > 0 else { return StyledText("mine: " + NoSuchPair.noneOfMine) }
        let moves = [
            Self.count(summary.up, "up", .good), Self.count(summary.down, "down", .bad),
            Self.count(summary.entered, "entered", .good), Self.count(summary.left, "left", .bad),
            Self.count(summary.unchanged, "unchanged"),
            summary.compared > 0 ? Self.count(summary.uncompared, "not comparable yet") : nil,
        ]
        let faults = [
            summary.staleSince.flatMap {
                Self.count(summary.stale, "not checked since \(CivilTime.date($0))", .bad)
            },
            Self.count(summary.failed, "failed", .caution), Self.count(summary.suspect, "suspect", .caution),
            Self.count(summary.pending, "not checked yet"),
        ]
        var cells = [Cell("mine: ", .strong)]
        if summary.compared > 0 {
            cells += Self.list(moves)
        } else if summary.stale > 0 {
            cells.append(Cell(Figures.counted(summary.pairs, "pair")))
        } else {
            cells.append(Cell("\(Figures.counted(summary.pairs, "pair")), no earlier day to compare with yet"))
        }
        let faultCells = Self.list(faults)
        if !faultCells.isEmpty { cells += [Cell("; ")] + faultCells }
        if summary.compared > 0 {
            let since = standings.since.map { CivilTime.minute($0) + " UTC" } ?? "yesterday"
            cells.append(Cell(" · since \(since)", .faint))
        }
        return StyledText(cells)
    }

    private static func count(_ number: Int, _ what: String, _ ink: Ink = .plain) -> Cell? {
        number > 0 ? Cell("\(Figures.grouped(number)) \(what)", ink) : nil
    }

    private static func list(_ cells: [Cell?]) -> [Cell] {
        Array(cells.compactMap(\.self).map { [$0] }.joined(separator: [Cell(", ")]))
    }

    /// How many apps that are not sold are named.
    private static let namedUnknown = 5

    /// Also about competitors that are not shown: a slip of the pen is one there too.
    var notes: [StyledText] {
        let unknown = Array(standings.rows.compactMap(\.unknown).uniqued())
        let more = unknown.count - Self.namedUnknown
        return unknown.prefix(Self.namedUnknown).map { StyledText([Cell($0.note, .caution)]) }
            + (more > 0 ? [StyledText([Cell("and \(more) more such notes: see --format json", .caution)])] : [])
    }

    /// - Parameters:
    ///   - shown: the rows of the table.
    ///   - moves: those above it.
    func footer(_ shown: [Standings.FoldedRow], _ moves: [Standings.FoldedRow]) -> [StyledText] {
        var lines = judgementNotes((moves + shown).map(\.row.judgement))
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
            lines.append("\(Figures.counted(hidden, "pair")) of competitors hidden: show them with --competitors")
        }
        return (lines + [provenance]).map { StyledText($0, .faint) }
    }
}
