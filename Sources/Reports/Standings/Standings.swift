import History
import Judging
package import RankKit

/// Where every active pair stands: the value behind `rankctl report`.
package struct Standings: Sendable {
    var generatedAt: Timestamp
    /// What the summary compares with; `nil` for each pair's last good check a day before its newest.
    var since: Timestamp?
    /// The moment that the rows are of: `generatedAt`, or an earlier one.
    var until: Timestamp
    /// The rows in report order: my apps first, each with its queries in the watchlist's order.
    package var rows: [Row]
    /// What was out of the ordinary with the store on the days that `newsDays` says.
    var remarks: [StoreRemark] = []
    /// How the stores of their countries were, day by day.
    var weather: [StoreWeather] = []
    /// My apps at a glance; empty where nothing asked for the trend.
    var overviews: [AppOverview] = []
    /// Lists that cannot be read, and without which it is unknown how hard their queries are.
    var damaged: [DamagedLists] = []

    init(generatedAt: Timestamp, since: Timestamp? = nil, until: Timestamp? = nil, rows: [Row]) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until ?? generatedAt
        self.rows = rows
    }

    /// A move that began on or before the first of these days is no news: a week, or back to `since` where that
    /// is longer. It takes days for a move to be told from noise, so that those of one day alone would never be shown.
    /// Queries that are asked less often than every other day have longer (`JudgedSpan.news`).
    var newsDays: ClosedRange<Int64> {
        let last = until.reportDay
        return min(since?.reportDay ?? last, last - 7)...last
    }

    /// One pair.
    package struct Row: Sendable {
        /// As written in the watchlist.
        var question: Query
        var bundleID: BundleID
        var alias: String?
        /// `nil` until the app has been seen in any answer.
        var appID: AppID?
        var appName: String?
        package var mine: Bool
        var tags: [String] = []
        /// Of the newest check.
        var outcome: Outcome
        /// What was seen of a check that failed, such as its status.
        var detail: String?
        var checkedAt: Timestamp?
        /// The newest good check, which may be older than the newest check.
        var lastGood: Reading?
        var change1d: Change?
        var change7d: Change?
        var change30d: Change?
        /// Against the last good check at `since`; where that is `nil`, as `change1d`.
        var changeSince: Change?
        /// Whether it moved on `newsDays`, or only wobbled; `nil` if nothing asked for it.
        var judgement: MoveJudgement?
        /// Where it stood at the beginning of the days of which `judgement` tells news, if it entered or left since; `nil`
        /// if that is not known.
        var newsFrom: Reading?
        /// Its move over `NoiseModel.monthDays`, its entry or its exit, where it only wobbled otherwise.
        var monthMove: MoveJudgement?
        /// Of its query; `nil` if no good list is kept.
        var difficulty: QueryDifficulty?
        /// How many ratings the app has in the query's storefront; `nil` if that never named any.
        var ratingCount: Int64?
        var best: Extreme?
        var worst: Extreme?
        /// How old the newest good check may be, in seconds, before it says nothing about today: the larger of a day
        /// and two cadences.
        var freshFor: Int64 = Timestamp.secondsPerDay
        /// How far back the query's cadence has one look.
        var span = JudgedSpan(cadence: Timestamp.secondsPerDay)
        /// The last reading of each of the last 30 days, oldest first, today last; `nil` for a day without a
        /// good check. Empty where nothing asked for it.
        package var trend: [Reading?] = []
        /// Where the country's storefront is taken not to sell the app.
        var unknown: UnknownApp?

        /// Whether it is where it was before it entered or left.
        var isBack: Bool { judgement.map { $0.leadsBack(from: newsFrom, to: lastGood) } ?? false }

        /// Whether its newest good check is too old to say anything about `moment`.
        func isStale(at moment: Timestamp) -> Bool { lastGood.map { $0.checkedAt + freshFor < moment } ?? false }

        var query: String { question.text }
        var country: Country { question.country }
        var platform: Platform { question.platform }
        var source: Source { question.source }
        var language: String? { question.language }

        var state: Outcome.State { outcome.state }
        /// The place in the newest check.
        var position: Position? { outcome.position }
        /// How many places the newest check saw; `nil` where its list does not count.
        var within: Int? { outcome.isGood ? outcome.within : nil }
    }

    package typealias Reading = RankKit.Reading
    typealias Extreme = RankKit.Extreme

    /// The newest good check against an earlier one.
    enum Change: Sendable, Hashable {
        /// Places gained; negative when lost; 0 also where absent at both moments.
        case places(Int)
        case entered
        case left

        /// `nil` if an absence says nothing: the list was too short to show the place that the app has in the other one.
        init?(from earlier: Reading, to later: Reading) {
            switch (earlier.position, later.position) {
            case (let before?, let after?): self = .places(before.number - after.number)
            case (nil, let after?):
                guard after.number <= earlier.within else { return nil }
                self = .entered
            case (let before?, nil):
                guard before.number <= later.within else { return nil }
                self = .left
            case (nil, nil): self = .places(0)
            }
        }
    }
}
