import Judging
import RankKit

/// How many pairs did what. Each pair counts once, so that the counts add up to the pairs that were looked at.
struct MoveCounts: Sendable, Hashable {
    /// Confirmed, at once or slowly.
    var up = 0
    var down = 0
    var entered = 0
    var left = 0
    /// Those that came into the list and are out of it again.
    var cameAndWent = 0
    /// Those that left the list and are in it again.
    var returned = 0
    /// What awaits its confirmation.
    var likely = 0
    /// Moved over the month, and did no more than wobble in the week.
    var month = 0
    /// Did no more than wobble.
    var steady = 0
    /// With too little history to judge.
    var notJudged = 0
    /// A list was too short to compare.
    var uncompared = 0

    /// Whether anything could be told.
    var isTold: Bool { hasMoved || likely + month + steady > 0 }

    /// Whether a move of the time itself is confirmed.
    var hasMoved: Bool { up + down + entered + left + cameAndWent + returned > 0 }

    /// - Parameters:
    ///   - judgement: `nil` for a pair of which nothing is known, which does not count.
    ///   - isBack: whether it is where it was before it entered or left.
    ///   - isOfMonth: whether it moved over the month.
    mutating func count(_ judgement: MoveJudgement?, isBack: Bool, isOfMonth: Bool) {
        switch judgement {
        case _ where isOfMonth: month += 1
        case .real(let move): if move.direction == .up { up += 1 } else { down += 1 }
        case .entered where isBack: returned += 1
        case .left where isBack: cameAndWent += 1
        case .entered: entered += 1
        case .left: left += 1
        case .unconfirmed: likely += 1
        case .withinNoise: steady += 1
        case .notJudged(.shortList): uncompared += 1
        case .notJudged: notJudged += 1
        case nil: break
        }
    }

    /// The words for each of them, in the order in which a summary has them; those that are 0 too.
    private var all: [(count: Int, words: String, ink: Ink, isMove: Bool)] {
        [
            (up, "up", .good, true), (down, "down", .bad, true), (entered, "entered", .good, true),
            (left, "left", .bad, true), (cameAndWent, "came and went", .plain, true),
            (returned, "left and came back", .plain, true), (likely, "likely", .caution, false),
            (month, "moved \(Table.withinTheMonth)", .plain, false), (steady, "steady", .plain, false),
            (notJudged, "with too little history to judge", .plain, false),
            (uncompared, Self.uncomparedWords, .plain, false),
        ]
    }

    static let uncomparedWords = "not comparable: a list was too short"

    /// `2 up`, `13 steady`: those that are not 0.
    var cells: [Cell] { Self.cells(all) }

    /// The same of what moved and is confirmed, and within the month: `2 up`, `5 within 30 days`.
    var movedCells: [Cell] {
        Self.cells(all.filter(\.isMove) + [(month, Table.withinTheMonth, .plain, false)])
    }

    private static func cells(_ counts: [(count: Int, words: String, ink: Ink, isMove: Bool)]) -> [Cell] {
        counts.filter { $0.count > 0 }.map { Cell("\(Figures.grouped($0.count)) \($0.words)", $0.ink) }
    }
}

extension [Cell] {
    /// With commas between them.
    var listed: [Cell] { Array(map { [$0] }.joined(separator: [Cell(", ")])) }

    /// The same in words.
    var words: String { map(\.text).joined(separator: ", ") }
}
