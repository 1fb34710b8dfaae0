import History
import Judging
import RankKit

/// `rankctl report history`: what every check of one query or more said about one app.
struct PairHistoryReport: ReportValue {
    var history: AppHistory
    /// While some of the queries cannot be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ history: AppHistory) { self.history = history }

    init(_ history: PairHistory) {
        self.init(AppHistory(generatedAt: history.generatedAt, app: history.app, queries: [history]))
    }

    var generatedAt: Timestamp { history.generatedAt }
    var damaged: [DamagedLists] { history.queries.flatMap(\.damaged) }

    static let shape = ReportShape<PairHistoryReport>(
        "history", command: HistoryRequest.about.command, onlyQuery,
        [
            .list(
                "queries", "What the history is of, one that had no check included.", onLines: true,
                ObjectShape<Query>(fields: Query.fields { $0 })
            ) { $0.history.queries.map(\.query) }
        ], ReportedApp.fields { $0.history.app },
        [
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: "
                    + "what they said of the app is unknown, and left out of history. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "weather",
                "The days, of those from the first check to the last, on which the store of a query's country was stormy "
                    + "or in trouble.", onLines: true, RemarkableDay.shape
            ) { $0.weather },
            .list(
                "history", "Every check, query by query in the order of queries, oldest first.", onLines: true,
                ToldCheck.shape
            ) { $0.checks },
        ],
        csv: .each(
            "history", "one check", Query.columns,
            ["bundleId", "checkedAt", "state", "position", "within", "reason"]
        ).short("query", "country", "platform", "bundleId", "checkedAt", "state", "position"))

    /// The members of the query stand at the top where it is the only one, and in every row in any case.
    private static var onlyQuery: [Field<PairHistoryReport>] {
        let fields: [Field<PairHistoryReport>] = Query.fields { $0.history.queries[0].query }
        return fields.map { $0.only("Only where the history is of one query.") { $0.history.queries.count == 1 } }
    }

    private var weather: [RemarkableDay] {
        history.weather.flatMap { store in
            store.days.filter(\.isRemarkable).map { RemarkableDay(country: store.country, day: $0) }
        }
    }

    private var checks: [ToldCheck] {
        history.queries.flatMap { pair in pair.checks.map { ToldCheck(query: pair.query, check: $0) } }
    }
}

/// A check with the query that it was of.
private struct ToldCheck: Sendable {
    let query: Query
    let check: PairHistory.Check

    static let shape = ObjectShape<ToldCheck>(
        fields: Query.fields { $0.query },
        [
            .value("checkedAt", "When the check began.") { $0.check.checkedAt },
            .value(
                "state",
                "What the check said: the app's place was seen; it was not in the list; no answer; an answer that is "
                    + "not believed. Never pending."
            ) { $0.check.outcome.state },
            .value("position", "Only where the state is ranked.") { $0.check.position },
            .value("within", "How many places the check saw; null where it failed.", .optional(.count)) {
                $0.check.outcome.within
            },
            .value("reason", "Why it failed or is suspect.") { $0.check.outcome.gap?.reason },
            .value("detail", Gap.detailMeaning) { $0.check.detail },
        ])
}

/// A day on which a store was out of the ordinary.
private struct RemarkableDay: Sendable {
    let country: Country
    let day: StoreWeather.Day

    static let shape = ObjectShape<RemarkableDay>(fields: [
        .value("country", "The country's two letters.") { $0.country },
        .value("day", "Of the watchlist's zone.") { DateValue($0.day.day) },
        .value("state", "How far all apps moved beside what is usual; null where that is not known.") {
            $0.day.weather?.state
        },
        .value("trouble", "What made a whole day of the country doubtful.") { $0.day.trouble },
    ])
}
