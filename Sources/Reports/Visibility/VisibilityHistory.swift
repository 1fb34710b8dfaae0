import Judging
import RankKit

/// How visible apps are on the user's queries, day by day: the value behind `rankctl report visibility`.
///
/// A day's value is `Visibility` over the readings that speak for that day: of each query the newest of that day or,
/// where that day has none, of one before it that is not more than the larger of a day and two cadences older. A query
/// that is asked once a week so counts on each day, and one that has not been read for longer counts on none: nothing is
/// carried on beyond that. Weights are what the watchlist says now, for all days.
struct VisibilityHistory: Sendable {
    var generatedAt: Timestamp
    /// UTC days, counted from 1970-01-01. The report is about the last.
    var days: ClosedRange<Int64>
    /// By app, then country and platform, in the order in which the watchlist first names them.
    var rows: [Row]
    /// Active pairs that were asked about, competitors' included.
    var pairs: Int

    /// The share of the weight that has to have a reading for there to be a value. Below it the queries that are missing
    /// could have moved the value further than anything that is shown.
    static let leastCoverage = 2.0 / 3

    init(generatedAt: Timestamp, days: ClosedRange<Int64>, rows: [Row], pairs: Int? = nil) {
        self.generatedAt = generatedAt
        self.days = days
        self.rows = rows
        self.pairs = pairs ?? rows.count
    }

    /// One app's queries in one country on one platform.
    struct Row: Sendable, Hashable {
        var country: Country
        var platform: Platform
        var queries: Int
        /// Whether the queries weigh by popularity, or all alike.
        var isWeighted: Bool
        /// The app whose queries these are, then its competitors that are tracked on them.
        var series: [Series]
    }

    struct Series: Sendable, Hashable {
        var app: ReportedApp
        /// One a day.
        var points: [Point]
        var change7d: Change?
        var change30d: Change?

        var now: Point { points.last ?? Point() }
    }

    /// One day.
    struct Point: Sendable, Hashable {
        /// 0–100; `nil` below `leastCoverage`.
        var score: Double?
        /// The share of the weight that has a reading: 0–1.
        var coverage = 0.0
        /// The queries that have one.
        var counted = 0

        init() {}

        init(_ visibility: Visibility?) {
            guard let visibility else { return }
            coverage = visibility.coverage
            counted = visibility.counted
            score = VisibilityHistory.isEnough(coverage) ? visibility.score : nil
        }
    }

    /// Of two days, on the queries that have a reading on both: one that was added in between, or that failed on one of
    /// them, moves nothing. It can therefore differ from the difference of the two values.
    struct Change: Sendable, Hashable {
        /// Gained; negative where lost.
        var points: Double
        /// The share of the weight that has a reading on both days: at least `leastCoverage`.
        var coverage: Double
    }

    /// What sums of weights lose in the last digit is no lack of coverage.
    static func isEnough(_ coverage: Double) -> Bool { coverage >= leastCoverage - 1e-9 }
}
