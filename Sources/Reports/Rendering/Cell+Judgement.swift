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

    /// Since when, with `≈` where the store may have moved everybody on that day.
    static func since(_ judgement: MoveJudgement?, today: Int64) -> Cell {
        guard let since = judgement?.since else { return .empty }
        var isStormy = false
        if case .real(let move)? = judgement {
            // A drift began on no one day.
            if move.isSlow { return .empty }
            isStormy = move.weather == .stormy
        }
        let day = DayNames.short(since, today: today)
        return isStormy ? Cell("\(day) \(Chart.Weather.mark)", .caution) : Cell(day)
    }
}

/// What the marks of these judgements mean, for the small print: of those that occur.
///
/// - Parameters:
///   - hasSlides: whether moves of the month are among them.
///   - marksConfirmed: whether those that are confirmed have a mark.
///   - marksStorms: whether those of a shuffled day have one.
func judgementNotes(
    _ judgements: some Sequence<MoveJudgement?>, hasSlides: Bool = false, marksConfirmed: Bool = true,
    marksStorms: Bool = true
) -> [String] {
    let marks = Set(judgements.map { Cell.mark($0, isMine: true).text }).subtracting(marksConfirmed ? [] : ["●"])
    let slides = "\(Table.month): too slowly or too early to show in a week"
    let meanings = [
        ("●", "● confirmed: it moved and stayed"), ("~", "~ drift: it moved slowly, in many small steps"),
        ("?", "? likely: the next checks will confirm it or not"),
    ].filter { marks.contains($0.0) }.map(\.1)
    let isStormy =
        marksStorms
        && judgements.contains {
            if case .real(let move)? = $0 { !move.isSlow && move.weather == .stormy } else { false }
        }
    let storms = "\(Chart.Weather.mark) a shuffled day"
    let notes = meanings + (isStormy ? [storms] : []) + (hasSlides ? [slides] : [])
    return notes.isEmpty ? [] : [notes.joined(separator: "; ")]
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
