import Judging
import RankKit

extension MoversReport {
    /// Losses that are told one by one: with what stands below each they leave room for the head of the report on a screen
    /// of 24 lines.
    static let mostLosses = 5

    /// What fell or left of mine, the biggest loss first, each with whether it was the store or mine alone, and who
    /// passed it.
    ///
    /// - Parameters:
    ///   - title: the heading; `nil` for one that says what is told.
    ///   - most: how many are told one by one.
    ///   - rest: how to see the others.
    ///   - withPassers: whether it is told who passed each.
    func losses(
        _ title: String? = nil, most: Int = mostLosses, rest: String, withPassers: Bool = true
    ) -> [Document.Block] {
        let all = Self.farthestFirst(movers.rows.filter { $0.loss != nil })
        guard !all.isEmpty else { return [] }
        var table = table(
            of: all.prefix(most),
            below: (
                withPassers ? [Self.causeColumn, Self.passersColumn] : [Self.causeColumn],
                { beside($0, withPassers: withPassers) }
            ))
        let more = all.count - min(all.count, most)
        if more > 0 { table.rows.append(.heading(StyledText("and \(Figures.grouped(more)) more: \(rest)", .faint))) }
        return [.heading(title ?? Self.heading(of: all)), .table(table)]
    }

    /// The farthest move on `PositionScale` first; equal ones stay in their order. Entries and exits of the month come last:
    /// they are older than the moves of the week, and each is farther than nearly all of these.
    static func farthestFirst(_ rows: [Movers.Row]) -> [Movers.Row] {
        let parts = [rows.filter { !$0.isPassageOfMonth }, rows.filter(\.isPassageOfMonth)]
        return parts.flatMap(sortedByDistance)
    }

    private static func sortedByDistance(_ rows: [Movers.Row]) -> [Movers.Row] {
        rows.enumerated().sorted { left, right in
            let (a, b) = (left.element.toldDistance, right.element.toldDistance)
            return a == b ? left.offset < right.offset : a > b
        }.map(\.element)
    }

    /// What these moves have in common: `fell or left the list`, `rose`, or `moved`.
    static func heading(of moves: [Movers.Row]) -> String {
        let ways = Set(moves.compactMap(\.told.way))
        if ways.count == 1, let way = ways.first { return way.past }
        return switch ways {
        case [.up, .entered]: "rose or entered the list"
        case [.down, .left]: "fell or left the list"
        default: "moved"
        }
    }

    private static let causeColumn = Table.Column("store or mine", below: .plain)
    private static let passersColumn = Table.Column("who passed it", below: .plain)

    /// What is known beside a loss, a sentence each; nothing beside what is only likely one.
    func besideLoss(_ row: Movers.Row) -> [StyledText] {
        beside(row, withPassers: true).filter { !$0.text.isEmpty }.map { StyledText([$0]) }
    }

    /// What is known beside a loss; nothing beside what is only likely one.
    private func beside(_ row: Movers.Row, withPassers: Bool) -> [Cell] {
        let fall = falls.first { $0.query == row.query && $0.app.bundleID == row.app.bundleID }
        let cause = fall.map { Cell($0.context.words(in: $0.query.country, today: generatedAt.reportDay)) } ?? .empty
        return withPassers ? [cause, fall.map(passers) ?? .empty] : [cause]
    }

    /// `passed by Habitly (competitor), Tally, Streakly and 26 more, between 16 and 20 Nov`, with fewer names where a line has
    /// no room for them.
    private func passers(of fall: Fall) -> Cell {
        guard let passers = fall.passers else {
            return Cell("who passed it is not known: a list of these days is damaged or no longer kept", .caution)
        }
        let days = DayNames.between(
            fall.was.checkedAt.reportDay, fall.now.checkedAt.reportDay, today: generatedAt.reportDay)
        guard !passers.isEmpty else { return Cell("passed by nobody \(days)", .faint) }
        let texts = (1...Self.mostNamed).reversed().map { most in
            let names = passers.prefix(most).map { $0.app.markedTitle(longest: Self.longestName) }
            let more = passers.count - names.count
            let last = more > 0 ? ["\(Figures.grouped(more)) more"] : []
            return "passed by \((names + last).inWords), \(days)"
        }
        return Cell(texts[0], brief: texts.first { TerminalText.width($0) <= Self.lineWidth } ?? texts.last)
    }

    /// Columns that a line below a row has in a terminal of 80.
    private static let lineWidth = 76

    /// Columns of the name of an app that passed.
    private static let longestName = 18

    /// Apps that are named below a loss; data has more.
    private static let mostNamed = 3
}

extension Movers.Row {
    /// Whether it came into the list or left it within the month, and not within the week.
    fileprivate var isPassageOfMonth: Bool { monthMove.map { !$0.isReal } ?? false }

    /// The usual places that it went from and to, if it is one of mine that fell or left, or that likely did; `to` is
    /// `nil` for out of the list.
    var loss: (from: Position, to: Position?)? {
        guard mine, !isBack else { return nil }
        return switch told {
        case .real(let move), .unconfirmed(let move): move.direction == .down ? (move.from, move.to) : nil
        case .left(let from, _): (from, nil)
        case .entered, .withinNoise, .notJudged: nil
        }
    }

    /// From the usual place before to that since.
    fileprivate var toldDistance: Double { told.distance(before: from, since: to) }
}

extension MoveJudgement {
    /// How far it went on `PositionScale`, from the usual place before to that since; out of the list is at least one
    /// place below its end. 0 where nothing moved.
    ///
    /// - Parameters:
    ///   - before: a reading of before the move, and
    ///   - since: one of since then, each with how long the list was.
    func distance(before: Reading, since: Reading) -> Double {
        guard change != nil else { return 0 }
        func value(_ place: Position?, _ reading: Reading) -> Double {
            place.map { PositionScale.value($0) } ?? PositionScale.value(Double(reading.within + 1))
        }
        return abs(value(to, since) - value(from, before))
    }
}
