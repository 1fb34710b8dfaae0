package import History
package import RankKit

/// What of a pair's moves is noise: what every report that tells real moves apart asks, one pair after the other.
///
/// The noise is learnt from all active pairs, or from those that represent them (`NoiseSample`), whatever the report is
/// filtered to: a pair's own history is often too short, and a report on one app must not judge it otherwise than a
/// report on all.
package struct PairJudge: Sendable {
    /// The newest day (UTC) that is judged.
    let day: Int64
    package let weather: [StoreWeather]
    private let model: NoiseModel
    /// All active pairs, where the noise was learnt from them all.
    private let known: [PairDays]?
    /// The last moment that is read.
    private let until: Timestamp?

    /// - Parameter weather: of all days that the noise is learnt from.
    init(
        _ sample: NoiseSample, weather: [StoreWeather], upTo day: Int64, until: Timestamp? = nil
    ) {
        self.day = day
        self.weather = weather
        self.until = until
        known = sample.isWhole ? sample.pairs : nil
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
            sample.pairs.map(NoiseModel.Series.init),
            weather: Dictionary(moves, uniquingKeysWith: { first, _ in first }), upTo: day)
    }

    /// Reads what there is up to `until`.
    ///
    /// - Parameter most: how many pairs the noise is learnt from.
    package init(
        from reader: HistoryReader, until: Timestamp, now: Timestamp, most: Int = NoiseSample.most
    ) throws(HistoryError) {
        let day = until.day
        self.init(
            try reader.noiseSample(
                days: day - NoiseModel.memory...day, until: until, cadences: JudgedSpan.rememberedCadences,
                most: most),
            weather: try StoreWeather.of(
                day - NoiseModel.memory - Weather.window...day, until: until, now: now, from: reader), upTo: day,
            until: until)
    }

    /// The readings that a pair is judged by.
    package var wantedDays: WantedDays {
        let pairs = (known ?? []).map { ($0.id, $0.days) }
        return WantedDays(
            day - NoiseModel.memory...day, until: until, cadences: JudgedSpan.rememberedCadences,
            known: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }

    /// The pairs that `filter` admits with the readings that they are judged by: mine first, then in the watchlist's
    /// order.
    package func pairs(_ filter: PairFilter, from reader: HistoryReader) throws(HistoryError) -> [PairDays] {
        if let known {
            return known.filter {
                filter.admits(query: $0.query, bundleID: $0.bundleID, alias: $0.alias, tags: $0.tags)
            }
        }
        let wanted = wantedDays
        return try reader.pairDays(filter, days: wanted.days, until: wanted.until, cadences: wanted.cadences)
    }

    /// - Parameter since: the day to compare with: what moved by then is no news.
    package func judgement(of series: NoiseModel.Series, since: Int64? = nil) -> MoveJudgement {
        model.judgement(of: series, since: since, at: day)
    }

    /// What was to be said of the pair on an earlier day (UTC), by the readings up to it.
    func judgement(of series: NoiseModel.Series, since: Int64, at day: Int64) -> MoveJudgement {
        model.judgement(of: series, since: since, at: day)
    }

    /// The pair's slow move over `NoiseModel.slideDays`; `nil` where there is none.
    package func slide(of series: NoiseModel.Series) -> LastingMove? { model.slide(of: series, at: day) }

    /// Whether the pair's newest move is news: one that began since `since` or, where that is longer ago, within the time
    /// that it takes to tell a move of a query that is asked so seldom.
    package func news(of series: NoiseModel.Series, since: Int64) -> MoveJudgement {
        model.judgement(of: series, since: min(since, day - series.span.news), at: day)
    }
}

extension NoiseModel.Series {
    package init(_ pair: PairDays) {
        self.init(country: pair.query.country, cadence: pair.cadence, days: pair.days)
    }
}

/// The daily readings of pairs and what of their moves is noise, for reports that look at the pairs several times.
package struct JudgedPairs: Sendable {
    struct Pair: Hashable, Sendable {
        var query: Query
        var bundleID: BundleID

        init(_ query: Query, _ bundleID: BundleID) {
            self.query = query
            self.bundleID = bundleID
        }
    }

    let pairs: [Pair: PairDays]
    /// The pairs, mine first, then in the watchlist's order.
    package let ordered: [PairDays]
    private let series: [Pair: NoiseModel.Series]
    private let judge: PairJudge

    package var weather: [StoreWeather] { judge.weather }

    private init(_ pairs: [PairDays], _ judge: PairJudge) {
        self.judge = judge
        ordered = pairs
        var byPair: [Pair: PairDays] = [:]
        var series: [Pair: NoiseModel.Series] = [:]
        byPair.reserveCapacity(pairs.count)
        series.reserveCapacity(pairs.count)
        for pair in pairs {
            let key = Pair(pair.query, pair.bundleID)
            byPair[key] = pair
            series[key] = NoiseModel.Series(pair)
        }
        self.pairs = byPair
        self.series = series
    }

    /// Reads the pairs that `filter` admits up to `until`.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), until: Timestamp, now: Timestamp
    ) throws(HistoryError) {
        let judge = try PairJudge(from: reader, until: until, now: now)
        self.init(try judge.pairs(filter, from: reader), judge)
    }

    /// - Parameter since: the day to compare with: what moved by then is no news.
    /// - Returns: `nil` for a pair that is not among these.
    package func judgement(of query: Query, _ bundleID: BundleID, since: Int64? = nil) -> MoveJudgement? {
        series[Pair(query, bundleID)].map { judge.judgement(of: $0, since: since) }
    }

    /// The pair's slow move over `NoiseModel.slideDays`; `nil` if there is none, or the pair is not among these.
    package func slide(of query: Query, _ bundleID: BundleID) -> LastingMove? {
        series[Pair(query, bundleID)].flatMap { judge.slide(of: $0) }
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

    /// The first day (UTC) of the new place; `nil` if there is none.
    package var since: Int64? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.since
        case .entered(_, let since), .left(_, let since): since
        case .withinNoise, .notJudged: nil
        }
    }
}

/// How far back a judgement of a pair looks, in days. All of it is counted in readings where these are rare: a query that
/// is asked once a week has one or two in any seven days, and no move of it could ever be told from a spike.
package struct JudgedSpan: Sendable, Hashable {
    /// Days from one reading to the next at the query's cadence, rounded up; 1 if there are several a day.
    package let interval: Int64

    /// - Parameter cadence: the shortest of the query's, in seconds.
    package init(cadence: Int64) {
        interval = Cadence.days(every: cadence)
    }

    /// So many cadences are looked at where they are more than `NoiseModel.memory`: enough for 14 readings before a move
    /// and 7 since.
    static let rememberedCadences: Int64 = 24

    /// In which a move is news: a week, or four cadences. A move takes three readings, and one of four may fail.
    package var news: Int64 { max(7, 4 * interval) }
    /// How many days back a move may have begun where nothing is said of it.
    var recent: Int64 { max(NoiseModel.recent, 4 * interval) }
    /// Days before the one asked about that are looked at.
    package var memory: Int64 { max(NoiseModel.memory, Self.rememberedCadences * interval) }
    /// How many days old the newest reading may be.
    var staleness: Int64 { max(NoiseModel.staleness, 2 * interval) }
}
