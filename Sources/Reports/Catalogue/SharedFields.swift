import History
package import Judging
import RankKit

// What several reports say, declared once.

extension Query {
    /// `query`, `country`, `platform`, `source` and `language`, among the fields of whatever has a query.
    static func fields<Row>(of get: @escaping @Sendable (Row) -> Query) -> [Field<Row>] {
        shape.fields.map { $0.of(get) }
    }

    private static let shape = ObjectShape<Query>(fields: [
        .value("query", "The search text as the watchlist has it.") { $0.text },
        .value("country", "The country's two letters.") { $0.country },
        .value("platform") { $0.platform },
        .value("source", "itunes, web, or import: and the name of an imported table.") { $0.source },
        .value("language", "Apple's language code; null leaves the choice to the storefront.") { $0.language },
    ])

    /// The columns of a query.
    static let columns: [CSVColumn] = ["query", "country", "platform", "source", "language"]
}

extension ReportedApp {
    /// `bundleId`, `alias`, `appId`, `appName`, `developer` and `mark`, among the fields of whatever has an app.
    static func fields<Row>(of get: @escaping @Sendable (Row) -> ReportedApp) -> [Field<Row>] {
        shape.fields.map { $0.of(get) }
    }

    static let shape = ObjectShape<ReportedApp>(fields: [
        .value("bundleId", "The bundle identifier.") { $0.bundleID },
        .value("alias", "The watchlist's name for the app.") { $0.alias },
        .value("appId", "Apple's number; null until the app was seen.") { $0.appID },
        .value("appName", "As the storefront calls it.") { $0.name },
        .value("developer", "Who makes it; null until the app was seen.") { $0.developer },
        .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.mark },
    ])
}

extension AppMark: FieldWord {}

extension Reading {
    static let shape = ObjectShape<Reading>(
        "reading", "What one good check said.",
        [
            .value("position", "null: not among the places seen.") { $0.position },
            .value("within", "How many places the list had.", .integer(minimum: 0)) { $0.within },
            .value("checkedAt", "When the check began.") { $0.checkedAt },
        ])

    /// The same, which starts with `prefix` in a spreadsheet: `fromPosition`.
    static func columns(_ key: String) -> [CSVColumn] {
        ["position", "within", "checkedAt"].map { CSVColumn(stringLiteral: "\(key).\($0)") }
    }
}

extension Extreme {
    static let shape = ObjectShape<Extreme>(
        "extreme", "Of all good checks that found it; of equal places the first time it was there.",
        [.value("position") { $0.position }, .value("at") { $0.at }])
}

extension Standings.Change: FieldValue {
    static var shape: FieldShape { .change }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .places(let places): writer.integer(places)
        case .entered: writer.string("entered")
        case .left: writer.string("left")
        }
    }

    var cell: CSVWriter.Field {
        switch self {
        case .places(let places): .integer(Int64(places))
        case .entered: .text("entered")
        case .left: .text("left")
        }
    }
}

extension MoveJudgement {
    /// What is to be said of a move.
    static let shape = ObjectShape<MoveJudgement>(
        "judgement", nil,
        [
            .value(
                "verdict",
                "real: confirmed, it moved and stayed; drift: it moved slowly, in many small steps; unconfirmed: likely, "
                    + "the next checks will confirm it or not; noise: it wobbled no more than usual.",
                .word(["real", "drift", "unconfirmed", "noise", "entered", "left", "not-judged"])
            ) { $0.verdict },
            .value("from", "The usual place before.") { $0.from },
            .value("to", "The usual place since.") { $0.to },
            .value("since", "The first day of the new place.") { $0.since.map(DateValue.init) },
            .value(
                "strength",
                "How large the move is, in the pair's own steps: it stayed within one step in four of five moments of its "
                    + "past.", .optional(.number(minimum: 0))
            ) { $0.lastingMove.map { Self.rounded($0.strength) } },
            .value(
                "evidence",
                "strength, corrected by the likelihood. It is a move if this is above "
                    + Sensitivity.allCases.map { "\($0.threshold) (\($0.rawValue))" }.joined(separator: ", ") + ".",
                .optional(.number(minimum: 0))
            ) { $0.lastingMove.map { Self.rounded($0.evidence) } },
            .value("weather", "How the country's store was on that day; null where that is not known.") {
                $0.lastingMove?.weather
            },
            .value("shortage", "Why a move was not judged.") { $0.shortage },
        ])

    static let columns: [CSVColumn] = [
        .column("judgement", "judgement.verdict"), .column("usualFrom", "judgement.from"),
        .column("usualTo", "judgement.to"), .column("movedOn", "judgement.since"),
        .column("strength", "judgement.strength"), .column("weather", "judgement.weather"),
        .column("shortage", "judgement.shortage"),
    ]
    /// At the end of a record: programs may know the columns above by their places.
    static let evidenceColumns: [CSVColumn] = [.column("evidence", "judgement.evidence")]

    private var verdict: String {
        switch self {
        case .real(let move): move.isSlow ? "drift" : "real"
        case .unconfirmed: "unconfirmed"
        case .withinNoise: "noise"
        case .entered: "entered"
        case .left: "left"
        case .notJudged: "not-judged"
        }
    }

    private var lastingMove: LastingMove? {
        switch self {
        case .real(let move), .unconfirmed(let move): move
        case .withinNoise, .entered, .left, .notJudged: nil
        }
    }

    /// To a hundredth: more digits would be made up.
    fileprivate static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private var shortage: Shortage? { if case .notJudged(let shortage) = self { shortage } else { nil } }
}

extension Weather.State: FieldWord {}
extension Sensitivity: FieldWord {}
extension MoveJudgement.Shortage: FieldWord {}

extension LastingMove {
    /// As a move of a month.
    static let slideShape = ObjectShape<LastingMove>(
        "slide", "A move over a month.",
        [
            .value("from", "The usual place before these days.") { $0.from },
            .value("to", "The usual place now.") { $0.to },
            .value("days", nil, .integer(minimum: 1)) { _ in NoiseModel.monthDays },
            .value("slow", "Whether it drifted there, rather than at one step.") { $0.isSlow },
            .value("since", "The first day of the new place.") { DateValue($0.since) },
            .value("strength", "As in a judgement.", .number(minimum: 0)) { MoveJudgement.rounded($0.strength) },
            .value("evidence", "As in a judgement.", .number(minimum: 0)) { MoveJudgement.rounded($0.evidence) },
        ])
}

extension MoveJudgement {
    /// As a move, an entry or an exit of a month.
    static let monthShape = ObjectShape<MoveJudgement>(
        "month", "A move over a month, an entry or an exit.",
        [
            .value(
                "verdict", "real: at one step; drift: in many small steps.",
                .word(["real", "drift", "entered", "left"])
            ) { $0.verdict },
            .value("from", "The usual place before; null for out of the list.") { $0.from },
            .value("to", "The usual place since; null for out of the list.") { $0.to },
            .value("since", "The first day of the new place.") { $0.since.map(DateValue.init) },
        ])

    /// Where a move of the month led, in a spreadsheet: an entry has no place before, and an exit none since.
    static let monthColumns: [CSVColumn] = [.column("slideFrom", "month.from"), .column("slideTo", "month.to")]

    /// A step or a drift; `nil` for all else.
    var slide: LastingMove? { if case .real(let move) = self { move } else { nil } }
}

extension QueryDifficulty {
    /// With the number of ratings of the app that it is told beside.
    struct Beside: Sendable {
        var difficulty: QueryDifficulty
        var ownRatings: Int64?

        init?(_ difficulty: QueryDifficulty?, own ownRatings: Int64?) {
            guard let difficulty else { return nil }
            (self.difficulty, self.ownRatings) = (difficulty, ownRatings)
        }
    }

    static let shape = ObjectShape<Beside>(
        "difficulty", "Who stands in the query's first ten places; null where no good list is kept.",
        [
            .value("at", "Of the list that was looked at, the query's newest good one.") { $0.difficulty.at },
            .value(
                "medianRatings",
                "Median number of ratings of the first ten apps in this storefront; null with fewer than five known.",
                .optional(.number(minimum: 0))
            ) { $0.difficulty.medianRatings },
            .value("ownRatings", "The app's own number of ratings there.", .optional(.integer(minimum: 0))) {
                $0.ownRatings
            },
            .value(
                "withWords",
                "In how many of the names all of the query's words stand; null with fewer than five names.",
                .optional(.integer(minimum: 0))
            ) { $0.difficulty.withWords },
            .value("named", "How many of the first ten have a name.", .integer(minimum: 0, maximum: 10)) {
                $0.difficulty.named
            },
        ])

    static let fieldColumns: [CSVColumn] = [
        .column("topMedianRatings", "difficulty.medianRatings"), .column("ownRatings", "difficulty.ownRatings"),
        .column("topWithWords", "difficulty.withWords"), .column("topNamed", "difficulty.named"),
    ]
}

extension DamagedLists {
    /// `damagedLists`, of whatever report has them.
    static func field<Row>(
        _ meaning: String, of get: @escaping @Sendable (Row) -> [DamagedLists]
    ) -> Field<Row> {
        .list("damagedLists", meaning, shape, get)
    }

    private static let shape = ObjectShape<DamagedLists>(
        fields: Query.fields { $0.query },
        [
            .value("from", "When the first of them was asked for.") { $0.from },
            .value("through", "When the last of them was asked for.") { $0.through },
        ])
}
