import Judging
import RankKit

/// A move as a row of a table. In whatever report it stands, it has one size: from the usual place before it to the usual
/// place since.
struct MoveRow {
    let query: Query
    let bundleID: BundleID
    /// `iPhone+iPad`.
    let platforms: String
    /// Empty where all moves are of one app.
    let app: Cell
    let mark: AppMark
    let judgement: MoveJudgement
    /// Whether it is one of the month, of which the week tells nothing.
    let isOfMonth: Bool
    /// The newest reading.
    let now: Cell
    /// What lines of their own below it say.
    var below: [Cell] = []
}

extension Table {
    /// When it was, of a move that the week does not show; the history may be younger than that.
    static let withinTheMonth = "within \(month)"
    static let month = "\(NoiseModel.monthDays) days"

    /// - Parameters:
    ///   - below: the columns whose cells stand below the moves.
    ///   - hasSeveralPlatforms: whether a row has to say which platform it is about, however narrow the table is.
    ///   - sensitivity: whose threshold stands beside what was weighed; `nil` to leave the figures out.
    static func moves(
        _ moves: some Sequence<MoveRow>, below: [Table.Column] = [], hasSeveralPlatforms: Bool, today: Int64,
        figuresOf sensitivity: Sensitivity? = nil
    ) -> Table {
        Table(
            columns: [
                .init(""), .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 1), .init("app", minimum: 8, comfort: 14),
                .init("usually", priority: 3), .init("change", .right, meaning: changeMeaning), .init("now", .right),
                .init("since", minimum: 7, priority: 2),
            ] + (sensitivity == nil ? [] : figureColumns) + below,
            rows: moves.map { move in
                .cells(
                    [
                        .mark(move.judgement, isMine: move.mark == .mine), .query(move.query),
                        .storefront(of: move.query), Cell(move.platforms), move.app,
                        .usual(move.judgement).about(.pair(move.bundleID, move.query)),
                        .move(move.judgement.change, of: move.mark), move.now, since(of: move, today: today),
                    ] + (sensitivity.map { figures(of: move.judgement, $0) } ?? []) + move.below)
            }, indent: 2, foldsOnPhones: true)
    }

    private static func since(of move: MoveRow, today: Int64) -> Cell {
        let since = Cell.since(move.judgement, today: today)
        guard move.isOfMonth else { return since }
        return since.text.isEmpty ? Cell(month, .faint) : Cell("\(since.text), \(month)", since.ink, brief: since.text)
    }

    private static let changeMeaning = "from the usual place before to the usual place since"
    /// Of the columns that compare two checks.
    static let rawMeaning = "raw, from one check to another; either may be a spike"

    /// What was weighed.
    private static let figureColumns: [Table.Column] = [
        .init("steps", .right, meaning: "how large the move is, in steps that are usual for the pair"),
        .init(
            "evidence", .right,
            meaning: "steps, corrected by the likelihood, beside what the sensitivity needs"),
    ]

    private static func figures(of judgement: MoveJudgement, _ sensitivity: Sensitivity) -> [Cell] {
        switch judgement {
        case .real(let move), .unconfirmed(let move):
            [
                Cell(Figures.decimal(move.strength, places: 1)),
                Cell(
                    Figures.decimal(move.evidence, places: 1) + " (needs "
                        + Figures.decimal(sensitivity.threshold, places: 1) + ")"),
            ]
        case .entered, .left, .withinNoise, .notJudged: [.empty, .empty]
        }
    }
}

extension MoveJudgement {
    /// Which way it went, confirmed or likely; `nil` where nothing moved.
    var way: MoveDirection? {
        if case .unconfirmed(let move) = self { return MoveDirection(move.direction) }
        return MoveDirection(self)
    }

    /// Between the usual places before and since, confirmed or likely; `nil` where nothing moved.
    var change: Standings.Change? {
        switch self {
        case .real(let move), .unconfirmed(let move):
            .places(move.direction == .up ? move.places : -move.places)
        case .entered: .entered
        case .left: .left
        case .withinNoise, .notJudged: nil
        }
    }
}

extension MoveDirection {
    /// `rose`, `left the list`.
    var past: String {
        switch self {
        case .up: "rose"
        case .down: "fell"
        case .entered: "entered the list"
        case .left: "left the list"
        }
    }
}
