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

extension JSONWriter {
    /// What the noise model says of a move; `null` where it was not asked.
    mutating func judgement(_ judgement: MoveJudgement?) {
        member("judgement", judgement) { writer, judgement in
            let fields = JudgementFields(judgement)
            writer.member("verdict", fields.verdict)
            writer.member("from", fields.from?.number)
            writer.member("to", fields.to?.number)
            writer.member("since", fields.since.map { CivilTime.date(.startOfDay($0)) })
            writer.member("strength", fields.strength)
            writer.member("weather", fields.weather?.rawValue)
            writer.member("shortage", fields.shortage?.rawValue)
        }
    }
}

extension JSONWriter {
    mutating func slide(_ slide: LastingMove?) {
        member("slide", slide) { writer, slide in
            writer.member("from", slide.from.number)
            writer.member("to", slide.to.number)
            writer.member("days", NoiseModel.slideDays)
        }
    }
}

extension CSVWriter {
    static let judgementHeader = [
        "judgement", "usualFrom", "usualTo", "movedOn", "strength", "weather", "shortage",
    ]

    static func fields(of judgement: MoveJudgement?) -> [Field] {
        guard let fields = judgement.map(JudgementFields.init) else { return judgementHeader.map { _ in .empty } }
        return [
            .text(fields.verdict), .optional(fields.from?.number), .optional(fields.to?.number),
            .optional(fields.since.map { CivilTime.date(.startOfDay($0)) }),
            fields.strength.map(Field.number) ?? .empty, .optional(fields.weather?.rawValue),
            .optional(fields.shortage?.rawValue),
        ]
    }
}

/// A judgement, flat.
private struct JudgementFields {
    var verdict: String
    var from: Position?
    var to: Position?
    /// In UTC, counted from 1970-01-01.
    var since: Int64?
    /// To a hundredth: more digits would be made up.
    var strength: Double?
    var weather: Weather.State?
    var shortage: MoveJudgement.Shortage?

    init(_ judgement: MoveJudgement) {
        switch judgement {
        case .real(let move):
            verdict = "real"
            take(move)
        case .unconfirmed(let move):
            verdict = "unconfirmed"
            take(move)
        case .withinNoise: verdict = "noise"
        case .entered(let position, let since):
            verdict = "entered"
            to = position
            self.since = since
        case .left(let position, let since):
            verdict = "left"
            from = position
            self.since = since
        case .notJudged(let shortage):
            verdict = "not-judged"
            self.shortage = shortage
        }
    }

    private mutating func take(_ move: LastingMove) {
        (from, to, since) = (move.from, move.to, move.since)
        strength = (move.strength * 100).rounded() / 100
        weather = move.weather
    }
}
