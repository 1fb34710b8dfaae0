package import History
package import RankKit

/// The daily readings of all pairs and what of their moves is noise: what every report that tells real moves apart is
/// computed from.
///
/// The noise is learnt from all active pairs, whatever the report is filtered to: a pair's own history is often too
/// short, and a report on one app must not judge it otherwise than a report on all.
package struct JudgedPairs: Sendable {
    package struct Pair: Hashable, Sendable {
        package var query: Query
        package var bundleID: BundleID

        package init(_ query: Query, _ bundleID: BundleID) {
            self.query = query
            self.bundleID = bundleID
        }
    }

    /// The newest day (UTC) that is judged.
    package let day: Int64
    package let pairs: [Pair: PairDays]
    /// The pairs, mine first, then in the watchlist's order.
    package let ordered: [PairDays]
    package let weather: [StoreWeather]
    private let series: [Pair: NoiseModel.Series]
    private let model: NoiseModel

    /// - Parameter weather: of all days that the noise is learnt from.
    package init(_ pairs: [PairDays], weather: [StoreWeather], upTo day: Int64) {
        self.day = day
        self.weather = weather
        ordered = pairs
        var byPair: [Pair: PairDays] = [:]
        var series: [Pair: NoiseModel.Series] = [:]
        byPair.reserveCapacity(pairs.count)
        series.reserveCapacity(pairs.count)
        for pair in pairs {
            let key = Pair(pair.query, pair.bundleID)
            byPair[key] = pair
            series[key] = NoiseModel.Series(country: pair.query.country, cadence: pair.cadence, days: pair.days)
        }
        self.pairs = byPair
        self.series = series
        let moves = weather.map { store in
            (
                store.country,
                Weather(
                    moves: Dictionary(
                        store.days.compactMap { day in day.figure.map { (day.day, $0) } },
                        uniquingKeysWith: { first, _ in first }))
            )
        }
        model = NoiseModel(
            pairs.compactMap { series[Pair($0.query, $0.bundleID)] },
            weather: Dictionary(moves, uniquingKeysWith: { first, _ in first }), upTo: day)
    }

    /// Reads what there is up to `until`. How the store was on a day is known once that day is over, so an earlier moment
    /// within a day takes no weather of it.
    package init(from reader: HistoryReader, until: Timestamp, now: Timestamp) throws(HistoryError) {
        let day = until.day
        let lastSky = until < now ? (until + 1).day - 1 : day
        let memory = day - NoiseModel.memory...day
        self.init(
            try reader.pairDays(days: memory, until: until, cadences: JudgedSpan.rememberedCadences),
            weather: try StoreWeather.of(day - NoiseModel.memory - Weather.window...lastSky, from: reader), upTo: day)
    }

    /// - Parameter since: the day to compare with: what moved by then is no news.
    /// - Returns: `nil` for a pair that is not active.
    package func judgement(of query: Query, _ bundleID: BundleID, since: Int64? = nil) -> MoveJudgement? {
        series[Pair(query, bundleID)].map { model.judgement(of: $0, since: since, at: day) }
    }

    /// The pair's slow move over `NoiseModel.slideDays`; `nil` where there is none, or the pair is not active.
    package func slide(of query: Query, _ bundleID: BundleID) -> LastingMove? {
        series[Pair(query, bundleID)].flatMap { model.slide(of: $0, at: day) }
    }

    /// Whether the pair's newest move is news: one that began since `since` or, where that is longer ago, within the time
    /// that it takes to tell a move of a query that is asked so seldom.
    ///
    /// - Returns: `nil` for a pair that is not active.
    package func news(of query: Query, _ bundleID: BundleID, since: Int64) -> MoveJudgement? {
        series[Pair(query, bundleID)].map {
            model.judgement(of: $0, since: min(since, day - $0.span.news), at: day)
        }
    }
}

extension MoveJudgement {
    /// Whether the pair is elsewhere now than it used to be: a move, an entry or an exit that is no noise.
    package var isBeyondNoise: Bool {
        switch self {
        case .real, .entered, .left: true
        case .unconfirmed, .withinNoise, .notJudged: false
        }
    }

    /// The first day (UTC) of the new place; `nil` where there is none.
    package var since: Int64? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.since
        case .entered(_, let since), .left(_, let since): since
        case .withinNoise, .notJudged: nil
        }
    }
}
