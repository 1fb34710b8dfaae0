import History
package import Judging
import RankKit

/// `rankctl report opportunities`: what to do first, and what to drop.
struct OpportunitiesReport: ReportValue {
    var opportunities: Opportunities
    /// While no pair can be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ opportunities: Opportunities) { self.opportunities = opportunities }

    var generatedAt: Timestamp { opportunities.generatedAt }
    var damaged: [DamagedLists] { opportunities.damaged }

    static let shape = ReportShape<OpportunitiesReport>(
        "opportunities", command: OpportunitiesRequest.about.command,
        [
            .value("until", "The moment that the rows are of.") { $0.opportunities.until },
            FirstVerdict.field { $0.firstVerdict },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: "
                    + "how hard their queries are is unknown, and null. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "opportunities",
                "Pairs of mine to push, to recover, to defend and to drop: the largest gain first, those to drop last.",
                onLines: true, Opportunities.Row.shape
            ) { $0.opportunities.rows },
        ],
        csv: .each(
            "opportunities", "one pair to push, to recover, to defend or to drop", ["kind"], Query.columns,
            ["bundleId", "alias", "appId", "appName", "tags", "popularity"],
            [
                .column("position", "reading.position"), .column("within", "reading.within"),
                .column("checkedAt", "reading.checkedAt"),
            ], ["reasons", "why", "usual", "usualBefore", "leftOn", "goodDays"], QueryDifficulty.fieldColumns,
            ["reach", "gain"]
        ).short("kind", "query", "country", "platform", "bundleId", "appName", "popularity", "position", "why", "gain"))

    // MARK: For people

    var document: Document {
        var document = Document(title: "Opportunities", generatedAt: generatedAt)
        guard opportunities.pairs > 0 else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        guard opportunities.mine > 0 else {
            document.paragraph(NoSuchPair.onlyCompetitors(opportunities.pairs))
            return document
        }
        guard !opportunities.rows.isEmpty else {
            document.paragraph(
                "nothing to push, to recover, to defend or to drop: no pair of mine meets one of the rules below, or there "
                    + "is too little history yet" + (firstVerdict.map { "; " + $0.wordsAndPlaces } ?? ""))
            document.damaged(damaged)
            document.notes([Self.rules(of: Opportunities.Kind.allCases), provenance])
            return document
        }
        let dropped = opportunities.rows.filter { $0.kind == .drop }
        let gaining = opportunities.rows.filter { $0.kind != .drop }
        if !gaining.isEmpty {
            document.heading("\(Figures.grouped(gaining.count)) to do, the largest gain first")
            document.table(table(of: gaining, withGain: true))
        }
        if !dropped.isEmpty {
            document.heading("\(Figures.grouped(dropped.count)) to drop: they bring nothing")
            document.table(table(of: dropped, withGain: false))
        }
        document.damaged(damaged)
        document.legend()
        let hasLosses = opportunities.rows.contains { row in
            row.reasons.contains { reason in
                switch reason {
                case .slipping, .sliding, .fell, .left: true
                case .rising, .fewRatings, .fewNames, .rival, .neverRanked: false
                }
            }
        }
        document.notes(
            [Self.rules(of: opportunities.rows.map(\.kind))]
                + (hasLosses
                    ? ["\(ReportAudience.quotedReport("movers", since: "30d")) shows who passed those that fell"] : [])
                + [
                    provenance
                ])
        return document
    }

    /// What makes a pair one of these.
    private static func rules(of kinds: [Opportunities.Kind]) -> String {
        Opportunities.Kind.allCases.filter(kinds.contains).map { kind in
            switch kind {
            case .push:
                "push: the app is at 11–30, and it moved up within \(NoiseModel.monthDays) days or the top ten is easy: "
                    + "no more ratings than the app, or the words in at most \(Opportunities.fewNames) names"
            case .recover:
                "recover: the app moved down within \(NoiseModel.monthDays) days, at once or slowly, or left the list"
            case .defend:
                "defend: the app is at 1–3 and falls, or fell from there, or a competitor climbed to at most "
                    + "\(Opportunities.closeBelow) places below it"
            case .drop: "drop: no good check of the last \(Opportunities.dropDays) days found the app"
            }
        }.joined(separator: "; ")
    }

    private static let lastWeek =
        "the median place of the last 7 days, if at least \(Opportunities.leastReadings) of them have one"

    private static let reach = "the place to win, to win back or to keep"
    private static let gain =
        "how many points of visibility (0–100) on this query alone the app would win or keep at that place, where an app "
        + "that is absent counts as standing below the list's end; a query of popularity "
        + "\(Int(2 * Opportunities.Row.middlePopularity)) counts twice as much as one of "
        + "\(Int(Opportunities.Row.middlePopularity)), and one without popularity counts like "
        + "\(Int(Opportunities.Row.middlePopularity))"

    /// - Parameter withGain: whether there is anything to gain, and so what is to be done.
    private func table(of rows: [Opportunities.Row], withGain: Bool) -> Table {
        let hasSeveralApps = Set(opportunities.rows.map(\.app.bundleID)).count > 1
        let hasSeveralPlatforms = Set(opportunities.rows.map(\.query.platform)).count > 1
        var columns: [Table.Column] = [
            .init("query", minimum: 12, comfort: 24), .init("in"), .init("on", priority: hasSeveralPlatforms ? nil : 5),
            .init("app", minimum: 8, comfort: 14), .init("now", .right),
        ]
        if withGain {
            columns += [
                .init("do"), .init("reach", .right, meaning: Self.reach), .init("gain", .right, meaning: Self.gain),
            ]
        }
        columns += [
            .init("last week", .right, priority: 7, meaning: Self.lastWeek),
            .init("earlier", .right, priority: 6, meaning: "the same three weeks ago"),
            .init("popularity", .right, priority: 0, meaning: "the query's, from the watchlist"),
        ]
        columns += QueryDifficulty.columns
        columns.append(.init("why", minimum: 60, priority: 8, below: .plain))
        return Table(
            columns: columns,
            rows: rows.map { row in
                var cells: [Cell] = [
                    .query(row.query), .storefront(of: row.query), Cell(row.query.platform.displayName),
                    hasSeveralApps ? .app(row.app) : .empty,
                    row.reading.position.map { Cell($0.description, .strong) } ?? Cell(">\(row.reading.within)"),
                ]
                if withGain {
                    cells += [
                        Cell(row.kind.rawValue), row.reach.map { Cell($0.description) } ?? .empty,
                        row.gain.map { Cell(Figures.decimal($0, places: 1), .strong) } ?? .empty,
                    ]
                }
                cells += [
                    Self.usual(row.recent), Self.usual(row.earlier),
                    row.popularity.map { Cell(Figures.decimal($0, places: 0)) } ?? .empty,
                ]
                cells +=
                    withGain ? QueryDifficulty.cells(row.difficulty, own: row.ratingCount) : [.empty, .empty, .empty]
                cells.append(Cell(Self.why(row), row.kind.ink))
                return .cells(cells)
            }, indent: 2, foldsOnPhones: true)
    }

    private static func usual(_ place: Double?) -> Cell {
        place.map { Cell("#" + Self.figure($0)) } ?? .empty
    }

    /// `12` or `12.5`.
    private static func figure(_ place: Double) -> String {
        Figures.decimal(place, places: place == place.rounded() ? 0 : 1)
    }

    /// The reasons in words, each with its figures.
    static func why(_ row: Opportunities.Row) -> String {
        row.reasons.map { reason in
            switch reason {
            case .rising: trend(row, "rising")
            case .slipping: trend(row, "slipping")
            case .sliding(let slide):
                "drifted down \(Figures.counted(slide.places, "place")) \(Table.withinTheMonth), usually "
                    + "\(slide.from) before"
            case .fell: trend(row, "fell")
            case .left: left(row)
            case .fewRatings: "the top 10 has no more ratings than the app"
            case .fewNames: names(row.difficulty)
            case .rival(let rival):
                "\(rival.app.title) climbed to \(rival.position), usually \(rival.usual) before"
            case .neverRanked:
                "absent on each of the \(Figures.counted(row.goodDays, "day")) with a good check, of the last "
                    + "\(Opportunities.dropDays)"
            }
        }.joined(separator: "; ")
    }

    /// The place that it had, and since when it has none.
    private static func left(_ row: Opportunities.Row) -> String {
        let place = row.had.map { "\($0)" } ?? "–"
        let day = row.leftOn.map { " since " + DayNames.short($0, today: row.reading.checkedAt.reportDay) } ?? ""
        return (row.kind == .drop ? "best \(place)" : "was at \(place)") + ", absent\(day)"
    }

    private static func names(_ difficulty: QueryDifficulty?) -> String {
        let (with, named) = (difficulty?.withWords ?? 0, difficulty?.named ?? 0)
        return switch with {
        case 0: "none of the top \(named) has the words in its name"
        case 1: "only 1 of the top \(named) has the words in its name"
        default: "only \(with) of the top \(named) have the words in their names"
        }
    }

    private static func trend(_ row: Opportunities.Row, _ word: String) -> String {
        guard let move = row.move else { return word }
        return "\(word): usually \(move.to), \(move.from) before it moved"
    }
}

extension Opportunities.Kind: FieldWord {}

extension Opportunities.Kind {
    fileprivate var ink: Ink {
        switch self {
        case .push: .good
        case .recover, .defend: .bad
        case .drop: .plain
        }
    }
}

extension Opportunities.Row {
    fileprivate static let shape = ObjectShape<Opportunities.Row>(
        fields: [
            .value(
                "kind",
                "push: within reach of the top ten; recover: farther down than it was, or out of the list; defend: in the "
                    + "first three, under pressure; drop: it brings nothing."
            ) { $0.kind }
        ], Query.fields { $0.query }, ReportedApp.fields { $0.app },
        [
            .value("tags", "Of the pair.") { $0.tags },
            .value("popularity", "The query's, as the watchlist gives it.", .optional(.number(minimum: 0))) {
                $0.popularity
            },
            .object("reading", "The newest good check.", Reading.shape) { $0.reading },
            .value("reach", "The place to win, to win back or to keep; null for a pair to drop.") { $0.reach },
            .value(
                "gain",
                "How many points of visibility (0–100) on this query alone the app would win or keep at reach, where an app that is "
                    + "absent counts as standing below the list's end; a query of popularity 100 counts "
                    + "twice as much as one of 50, and one without popularity counts like 50. null for a pair to drop.",
                .optional(.number(minimum: 0))
            ) { $0.gain },
            .value("reasons", "Why it is here; one at least.", .list(.word(reasonCodes))) { $0.reasons.map(\.code) },
            .value("why", "The reasons in words, with their figures.") { OpportunitiesReport.why($0) },
            .value(
                "usual", "Median place of the last 7 days; null with fewer than 4 of them in the list.",
                .optional(.number(minimum: 0))
            ) { $0.recent },
            .value("usualBefore", "The same of the 7 days three weeks earlier.", .optional(.number(minimum: 0))) {
                $0.earlier
            },
            .value("leftOn", "The first day of its absence, if that is a reason.") { $0.leftOn.map(DateValue.init) },
            .value("goodDays", "Days of the last 30 with a good check.", .integer(minimum: 0, maximum: 30)) {
                $0.goodDays
            },
            .optional("difficulty", "How hard the query is to climb.", QueryDifficulty.shape) {
                QueryDifficulty.Beside($0.difficulty, own: $0.ratingCount)
            },
            .optional("slide", "Where it is a reason.", LastingMove.slideShape) { $0.slide },
            .list("rivals", "Climbing competitors close below.", Opportunities.Rival.shape) { $0.rivals },
        ])

    private static let reasonCodes = [
        "rising", "few-ratings", "few-names", "slipping", "sliding", "fell", "left", "rival", "never-ranked",
    ]
}

extension Opportunities.Rival {
    fileprivate static let shape = ObjectShape<Opportunities.Rival>(
        fields: [
            .value("bundleId", "The bundle identifier.") { $0.app.bundleID },
            .value("position", "Its place in the newest good check.") { $0.position },
            .value("usualBefore", "Its usual place before it climbed.") { $0.usual },
        ])
}

extension Opportunities.Row {
    fileprivate var slide: LastingMove? {
        reasons.lazy.compactMap { if case .sliding(let slide) = $0 { slide } else { nil } }.first
    }

    fileprivate var rivals: [Opportunities.Rival] {
        reasons.compactMap { if case .rival(let rival) = $0 { rival } else { nil } }
    }
}
