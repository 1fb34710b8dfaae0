package import History
import Judging
package import RankKit

/// `rankctl report`: where every pair stands.
package struct StandingsReport: ReportValue {
    struct Options: Sendable, Hashable {
        /// Whether people's forms show competitors as well; JSON and CSV always have every row.
        var competitors: Bool
        /// Whether they show every pair, rather than what fits a screen.
        var all: Bool
        /// What every form's rows are sorted by; in the watchlist's order where it is `nil`.
        var order: StandingsOrder?
        var isReversed: Bool
        /// How many rows every form shows at most.
        var limit: Int?
        /// Which `limit` rows, from 1.
        var page: Int

        init(
            competitors: Bool = false, all: Bool = false, order: StandingsOrder? = nil, isReversed: Bool = false,
            limit: Int? = nil, page: Int = 1
        ) {
            self.competitors = competitors || all
            self.all = all
            self.order = order
            self.isReversed = isReversed
            self.limit = limit
            self.page = page
        }

        /// Those of `elements` that are shown, in their order.
        func listed<Element>(_ elements: [Element], by row: (Element) -> Standings.Row) -> ArraySlice<Element> {
            let sorted = order?.sorted(elements, isReversed: isReversed, by: row) ?? elements
            return paging(of: sorted.count).map { sorted[$0.rows] } ?? sorted[...]
        }

        func paging(of count: Int) -> Paging? { limit.map { Paging(page: page, limit: $0, count: count) } }
    }

    var standings: Standings
    var options: Options
    /// While no pair can be judged yet.
    var firstVerdict: FirstVerdict?
    /// Who is around mine; only while no pair can be judged yet.
    var neighbours: [Standings.Neighbours] = []

    init(_ standings: Standings, options: Options = Options()) {
        self.standings = standings
        self.options = options
    }

    package var generatedAt: Timestamp { standings.generatedAt }
    package var damaged: [DamagedLists] { standings.damaged }
    /// My apps at a glance: for a page, which tells them beside the first of its rows.
    package var overviews: [AppOverview] { isFirstPage ? standings.overviews : [] }
    package var isFirstPage: Bool { options.page == 1 }
    package var paging: Paging? { options.paging(of: shownBlocks().reduce(0) { $0 + $1.count }) }

    package static let shape = ReportShape<StandingsReport>(
        "standings", command: "rankctl report",
        [
            .value("since", "What the summary compares with; null for a day before each pair's newest check.") {
                $0.standings.since
            },
            .value("until", "The moment that the rows are of.") { $0.standings.until },
            FirstVerdict.field { $0.firstVerdict },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: how "
                    + "hard their queries are is unknown, and null. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "standings", "A row a pair: mine first, in the watchlist's order.", onLines: true, Standings.Row.shape
            ) {
                Array($0.options.listed($0.standings.rows) { $0 })
            },
        ],
        csv: .each(
            "standings", "one pair", Query.columns,
            [
                "bundleId", "alias", "appId", "appName", "mine", "tags", "state", "position", "within", "checkedAt",
                "reason",
            ], Reading.columns("lastGood"),
            [
                "change.1d", "change.7d", "change.30d", "best.position", "best.at", "worst.position", "worst.at",
                "note",
                "changeSince",
            ], MoveJudgement.columns, QueryDifficulty.fieldColumns, MoveJudgement.monthColumns,
            MoveJudgement.evidenceColumns
        ).short(
            "query", "country", "platform", "bundleId", "appName", "mine", "state", "position", "checkedAt", "change1d",
            "change7d", "change30d", "note", "changeSince"))
}

extension Standings.Row {
    fileprivate static let shape = ObjectShape<Standings.Row>(
        fields: Query.fields { $0.question },
        [
            .value("bundleId", "The bundle identifier.") { $0.bundleID },
            .value("alias", "The watchlist's name for the app.") { $0.alias },
            .value("appId", "Apple's number; null until the app was seen.") { $0.appID },
            .value("appName", "As the storefront calls it.") { $0.appName },
            .value("mine", "Whether the app is mine.") { $0.mine },
            .value("tags", "Of the pair.") { $0.tags },
            .value(
                "state",
                "What the newest check said: the app's place was seen; it was not in the list; no answer; an answer that is "
                    + "not believed; never checked."
            ) { $0.state },
            .value("position", "Of the newest check; only where the state is ranked.") { $0.position },
            .value(
                "within", "How many places the newest check saw; where the state is ranked or absent.",
                .optional(.integer(minimum: 0))
            ) { $0.within },
            .value("checkedAt", "When the newest check began.") { $0.checkedAt },
            .value("reason", "Why the newest check failed or is suspect.") { $0.outcome.gap?.reason },
            .value("detail", Gap.detailMeaning) { $0.detail },
            .optional("lastGood", "The newest good check, which may be older than the newest.", Reading.shape) {
                $0.lastGood
            },
            .group(
                "change", "The newest good check against the last good one so many days before.",
                [
                    .value("1d") { $0.change1d }, .value("7d") { $0.change7d }, .value("30d") { $0.change30d },
                ]),
            .optional("best", "The best place ever.", Extreme.shape) { $0.best },
            .optional("worst", "The worst place ever.", Extreme.shape) { $0.worst },
            .value("note", "Says that the storefront seems not to sell the app; else null.") { $0.unknown?.note },
            .value(
                "changeSince", "Like change, against the last good check at `since`; null if `since` is null."
            ) { $0.changeSince },
            .optional(
                "judgement",
                "Whether it moved or only wobbled, over the longest of three times: the last week, the time since `since`, "
                    + "and four cadences of its query.", MoveJudgement.shape
            ) { $0.judgement },
            .optional("difficulty", "How hard the query is to climb.", QueryDifficulty.shape) {
                QueryDifficulty.Beside($0.difficulty, own: $0.ratingCount)
            },
            .optional("slide", "`month`, if it is a step or a drift.", LastingMove.slideShape) { $0.monthMove?.slide },
            .optional("month", Movers.Row.monthMoveMeaning, MoveJudgement.monthShape) { $0.monthMove },
        ])
}
