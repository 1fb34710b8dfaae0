import Judging
import RankKit

/// `rankctl report visibility`: how visible apps are on the user's queries.
struct VisibilityReport: ReportValue {
    var history: VisibilityHistory
    /// While some pairs cannot be judged yet.
    var firstVerdict: FirstVerdict?
    /// The day of the first check, where it is told from when on days can be compared.
    var begins: Int64?

    init(_ history: VisibilityHistory) { self.history = history }

    var generatedAt: Timestamp { history.generatedAt }

    static let shape = ReportShape<VisibilityReport>(
        "visibility", command: VisibilityRequest.about.command,
        [
            .value("day", "The last day: score, coverage, counted and change are about it.") {
                DateValue($0.history.days.upperBound)
            },
            .value("since", "The first of the days.") { DateValue($0.history.days.lowerBound) },
            .value("leastCoverage", "The coverage below which there is no score and no change.", .share) { _ in
                VisibilityHistory.leastCoverage
            },
            .list(
                "visibility",
                "One element an app, country and platform: each of my apps, followed by its competitors on the same "
                    + "queries.", onLines: true, Element.shape
            ) { $0.elements },
        ],
        csv: .each(
            "visibility.days", "one app, country, platform and day",
            [
                "day", "queriesOf", "country", "platform", "bundleId", "alias", "appId", "appName", "mark", "queries",
                "weighted", "score", "coverage", "counted",
            ]
        ).short("day", "queriesOf", "country", "platform", "bundleId", "appName", "mark", "score", "coverage"))

    private var elements: [Element] {
        history.rows.flatMap { row in row.series.map { Element(row: row, series: $0, days: history.days) } }
    }

    /// An app on the queries of one of mine.
    fileprivate struct Element: Sendable {
        let row: VisibilityHistory.Row
        let series: VisibilityHistory.Series
        let days: ClosedRange<Int64>

        var points: [DayPoint] { zip(days, series.points).map { DayPoint(day: $0, point: $1) } }
    }

    fileprivate struct DayPoint: Sendable {
        let day: Int64
        let point: VisibilityHistory.Point
    }
}

extension VisibilityReport.Element {
    fileprivate static let shape = ObjectShape<Self>(
        fields: [
            .value("queriesOf", "The bundle id of the app whose queries these are.") {
                $0.row.series.first?.app.bundleID
            },
            .value("country", "The country's two letters.") { $0.row.country },
            .value("platform") { $0.row.platform },
        ], ReportedApp.fields { $0.series.app },
        [
            .value("queries", "How many queries the number is about.", .count) { $0.row.queries },
            .value("weighted", "Whether popularity is the weight; if not, all queries count the same.") {
                $0.row.isWeighted
            },
        ], VisibilityHistory.Point.fields { $0.series.now },
        [
            .group(
                "change",
                "Points gained on the queries that were read on both days; null where these have too little of the weight.",
                [
                    .value("7d") { $0.series.change7d?.points }, .value("30d") { $0.series.change30d?.points },
                ]),
            .list("days", "Every day from since to day.", VisibilityReport.DayPoint.shape) { $0.points },
        ])
}

extension VisibilityReport.DayPoint {
    fileprivate static let shape = ObjectShape<Self>(
        fields: [.value("day") { DateValue($0.day) }], VisibilityHistory.Point.fields { $0.point })
}

extension VisibilityHistory.Point {
    fileprivate static func fields<Row>(of get: @escaping @Sendable (Row) -> Self) -> [Field<Row>] {
        shape.fields.map { $0.of(get) }
    }

    private static let shape = ObjectShape<Self>(fields: [
        .value("score", "0–100; null below the least coverage.", .optional(.number(minimum: 0))) { $0.score },
        .value("coverage", "The share of the weight that queries with a fresh good check have.", .share) {
            $0.coverage
        },
        .value("counted", "The queries with a fresh good check.", .count) { $0.counted },
    ])
}

extension FieldShape {
    /// From 0 to 1.
    fileprivate static var share: FieldShape { .number(minimum: 0) }
}
