import Judging
import RankKit

extension Cell {
    /// `●` beside what is no noise, `?` beside what may turn out to be none. Only what my apps do is good or bad news.
    static func mark(_ judgement: MoveJudgement?, isMine: Bool) -> Cell {
        guard let judgement else { return .empty }
        func ink(isUp: Bool) -> Ink { isMine ? isUp ? .good : .bad : .plain }
        return switch judgement {
        case .real(let move): Cell("●", ink(isUp: move.direction == .up))
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
        let isStormy = if case .real(let move)? = judgement { move.weather == .stormy } else { false }
        return Cell(DayNames.short(since, today: today) + (isStormy ? ", a shuffle" : ""), isStormy ? .caution : .plain)
    }
}

extension Table {
    /// What stands above slow moves.
    static let slidesHeading = "moved slowly over \(NoiseModel.slideDays) days, in steps within noise"

    /// Slow moves of mine, each with its query, where that is asked, and its app.
    static func slides(
        _ rows: [(query: String, country: Country, platforms: String, app: Cell, slide: LastingMove, now: Cell)]
    )
        -> Table
    {
        Table(
            columns: [
                .init("query", minimum: 12), .init("in"), .init("on"), .init("app", minimum: 8, comfort: 14),
                .init("usually"), .init("change", .right), .init("now", .right),
            ],
            rows: rows.map { row in
                let places = row.slide.direction == .up ? row.slide.places : -row.slide.places
                return .cells([
                    Cell(row.query), Cell(row.country.code), Cell(row.platforms), row.app, .usual(.real(row.slide)),
                    .move(.places(places), of: .mine), row.now,
                ])
            }, indent: 2)
    }
}

/// What the marks of these judgements mean, for the small print: of those that occur.
func judgementNotes(_ judgements: some Sequence<MoveJudgement?>) -> [String] {
    let marks = Set(judgements.map { Cell.mark($0, isMine: true).text })
    let (isReal, isOpen) = (marks.contains("●"), marks.contains("?"))
    switch (isReal, isOpen) {
    case (true, true): return ["● moved beyond its own noise and stayed; ? may have: the next checks will tell"]
    case (true, false): return ["● moved beyond its own noise and stayed"]
    case (false, true): return ["? may have moved beyond its own noise: the next checks will tell"]
    case (false, false): return []
    }
}

/// Why a move may be older than what the report is asked about, for the small print.
let seldomNote = "queries asked less often than every other day: over their last four checks"

extension QueryDifficulty {
    /// Headings of `cells`. What is told of the query gives way later than what is told of the app.
    static let columns: [Table.Column] = [
        .init(
            "top 10", .right, priority: 4, meaning: "the median number of ratings of the query's first ten apps"),
        .init("own", .right, priority: 1, meaning: "the app's own number of ratings"),
        .init("named", .right, priority: 2, meaning: "how many of the first ten have the query's words in their names"),
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
