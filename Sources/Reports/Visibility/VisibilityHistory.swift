package import Judging
package import RankKit

/// How visible apps are on the user's queries, day by day: the value behind `rankctl report visibility`.
///
/// A day's value is `Visibility` over the readings that speak for that day: of each query the newest of that day or,
/// where that day has none, of one before it that is not more than the larger of a day and two cadences older. A query
/// that is asked once a week so counts on each day, and one that has not been read for longer counts on none: nothing is
/// carried on beyond that. Weights are what the watchlist says now, for all days.
package struct VisibilityHistory: Sendable {
    package var generatedAt: Timestamp
    /// UTC days, counted from 1970-01-01. The report is about the last.
    package var days: ClosedRange<Int64>
    /// By app, then country and platform, in the order in which the watchlist first names them.
    package var rows: [Row]
    /// Active pairs that were asked about, competitors' included.
    package var pairs: Int

    /// The share of the weight that has to have a reading for there to be a value. Below it the queries that are missing
    /// could have moved the value further than anything that is shown.
    package static let leastCoverage = 2.0 / 3

    package init(generatedAt: Timestamp, days: ClosedRange<Int64>, rows: [Row], pairs: Int? = nil) {
        self.generatedAt = generatedAt
        self.days = days
        self.rows = rows
        self.pairs = pairs ?? rows.count
    }

    /// One app's queries in one country on one platform.
    package struct Row: Sendable, Hashable {
        package var country: Country
        package var platform: Platform
        package var queries: Int
        /// Whether the queries weigh by popularity, or all alike.
        package var isWeighted: Bool
        /// The app whose queries these are, then its competitors that are tracked on them.
        package var series: [Series]

        package init(country: Country, platform: Platform, queries: Int, isWeighted: Bool, series: [Series]) {
            self.country = country
            self.platform = platform
            self.queries = queries
            self.isWeighted = isWeighted
            self.series = series
        }
    }

    package struct Series: Sendable, Hashable {
        package var app: ReportedApp
        /// One a day.
        package var points: [Point]
        package var change7d: Change?
        package var change30d: Change?

        package init(app: ReportedApp, points: [Point], change7d: Change? = nil, change30d: Change? = nil) {
            self.app = app
            self.points = points
            self.change7d = change7d
            self.change30d = change30d
        }

        package var now: Point { points.last ?? Point() }
    }

    /// One day.
    package struct Point: Sendable, Hashable {
        /// 0–100; `nil` below `leastCoverage`.
        package var score: Double?
        /// The share of the weight that has a reading: 0–1.
        package var coverage = 0.0
        /// The queries that have one.
        package var counted = 0

        package init() {}

        package init(_ visibility: Visibility?) {
            guard let visibility else { return }
            coverage = visibility.coverage
            counted = visibility.counted
            score = VisibilityHistory.isEnough(coverage) ? visibility.score : nil
        }
    }

    /// Of two days, on the queries that have a reading on both: one that was added in between, or that failed on one of
    /// them, moves nothing. It can therefore differ from the difference of the two values.
    package struct Change: Sendable, Hashable {
        /// Gained; negative where lost.
        package var points: Double
        /// The share of the weight that has a reading on both days: at least `leastCoverage`.
        package var coverage: Double

        package init(points: Double, coverage: Double) {
            self.points = points
            self.coverage = coverage
        }
    }

    /// What sums of weights lose in the last digit is no lack of coverage.
    static func isEnough(_ coverage: Double) -> Bool { coverage >= leastCoverage - 1e-9 }
}
