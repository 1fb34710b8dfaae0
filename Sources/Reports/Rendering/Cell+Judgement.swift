import Judging
import RankKit

extension Cell {
    /// `●` beside a move that is confirmed, `~` beside a drift, `?` beside what is likely one and awaits its confirmation.
    /// Only what my apps do is good or bad news.
    static func mark(_ judgement: MoveJudgement?, isMine: Bool) -> Cell {
        guard let judgement else { return .empty }
        func ink(isUp: Bool) -> Ink { isMine ? isUp ? .good : .bad : .plain }
        return switch judgement {
        case .real(let move): Cell(move.isSlow ? "~" : "●", ink(isUp: move.direction == .up))
        case .entered: Cell("●", ink(isUp: true))
        case .left: Cell("●", ink(isUp: false))
        case .unconfirmed: Cell("?", .caution)
        case .withinNoise, .notJudged: .empty
        }
    }

    /// From which usual place to which: `#24 → #12`.
    static func usual(_ judgement: MoveJudgement?) -> Cell {
        switch judgement {
        case .real(let move), .unconfirmed(let move): Cell("\(move.from) → \(move.to)")
        case .entered(let position, _): Cell("absent → \(position)")
        case .left(let position, _): Cell("\(position) → absent")
        case .withinNoise, .notJudged, nil: .empty
        }
    }

    /// Since when, and the weather of that day where it may have moved everybody.
    static func since(_ judgement: MoveJudgement?, today: Int64) -> Cell {
        guard let since = judgement?.since else { return .empty }
        var isStormy = false
        if case .real(let move)? = judgement {
            // A drift began on no one day.
            if move.isSlow { return .empty }
            isStormy = move.weather == .stormy
        }
        return Cell(DayNames.short(since, today: today) + (isStormy ? ", a shuffle" : ""), isStormy ? .caution : .plain)
    }
}

extension Table {
    /// What stands above the moves of a month of which nothing is to be said of the week.
    static let slidesHeading =
        "moved over \(NoiseModel.monthDays) days: too slowly or too early to show in the week above"

    /// Such moves, each with its query, where that is asked, and its app.
    static func slides(
        _ rows: [(query: Query, platforms: String, app: Cell, slide: LastingMove, now: Cell)],
        of mark: AppMark = .mine, today: Int64, figuresOf sensitivity: Sensitivity? = nil
    ) -> Table {
        Table(
            columns: [
                .init(""), .init("query", minimum: 12), .init("in"), .init("on"),
                .init("app", minimum: 8, comfort: 14),
                .init("usually"), .init("change", .right), .init("now", .right), .init("since", priority: 3),
            ] + (sensitivity == nil ? [] : figureColumns),
            rows: rows.map { row in
                let places = row.slide.direction == .up ? row.slide.places : -row.slide.places
                let judgement = MoveJudgement.real(row.slide)
                return .cells(
                    [
                        .mark(judgement, isMine: mark == .mine), .query(row.query), .storefront(of: row.query),
                        Cell(row.platforms), row.app, .usual(judgement), .move(.places(places), of: mark), row.now,
                        .since(judgement, today: today),
                    ] + (sensitivity.map { figures(of: judgement, $0) } ?? []))
            }, indent: 2)
    }

    /// What was weighed.
    static let figureColumns: [Table.Column] = [
        .init("steps", .right, meaning: "how large the move is, in steps that are usual for the pair"),
        .init(
            "evidence", .right,
            meaning: "steps, corrected by the likelihood, beside what the sensitivity needs"),
    ]

    static func figures(of judgement: MoveJudgement, _ sensitivity: Sensitivity) -> [Cell] {
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

/// What the marks of these judgements mean, for the small print: of those that occur.
func judgementNotes(_ judgements: some Sequence<MoveJudgement?>) -> [String] {
    let marks = Set(judgements.map { Cell.mark($0, isMine: true).text })
    let meanings = [
        ("●", "● confirmed: it moved and stayed"), ("~", "~ drift: it moved slowly, in many small steps"),
        ("?", "? likely: the next checks will confirm it or not"),
    ].filter { marks.contains($0.0) }.map(\.1)
    return meanings.isEmpty ? [] : [meanings.joined(separator: "; ")]
}

/// Why a move may be older than what the report is asked about, for the small print.
let seldomNote = "queries asked less often than every other day are compared over their last four checks"

extension QueryDifficulty {
    /// Headings of `cells`. What is told of the query gives way later than what is told of the app.
    static let columns: [Table.Column] = [
        .init(
            "top 10", .right, priority: 4, meaning: "the median number of ratings of the query's first ten apps"),
        .init("own", .right, priority: 1, meaning: "the app's own number of ratings"),
        .init(
            "named", .right, priority: 2,
            meaning: "how many of the first ten apps have all words of the query in their names"),
    ]

    /// - Parameter ratingCount: the app's own.
    static func cells(_ difficulty: QueryDifficulty?, own ratingCount: Int64?) -> [Cell] {
        guard let difficulty else { return [.empty, .empty, .empty] }
        let missing = Cell("–", .faint)
        return [
            difficulty.medianRatings.map { Cell(Figures.short($0)) } ?? missing,
            ratingCount.map { Cell(Figures.short(Double($0))) } ?? missing,
            difficulty.withWords.map { Cell("\($0)/\(difficulty.named)") } ?? missing,
        ]
    }
}
