package import History
package import RankKit

/// What of a pair's moves is noise: what every report that tells real moves apart asks, one pair after the other.
///
/// The noise is learnt from all active pairs, or from those that represent them (`NoiseSample`), whatever the report is
/// filtered to: a pair's own history is often too short, and a report on one app must not judge it otherwise than a
/// report on all.
package struct PairJudge: Sendable {
    /// The newest day that is judged.
    let day: Int64
    /// How keenly.
    package let sensitivity: Sensitivity
    /// The oldest day that is read, at least.
    private let oldest: Int64
    package let weather: [StoreWeather]
    let model: NoiseModel
    /// All active pairs, where the noise was learnt from them all.
    private let known: [PairDays]?
    /// The last moment that is read.
    private let until: Timestamp?

    /// - Parameters:
    ///   - weather: of all days that the noise is learnt from.
    ///   - since: the oldest day that will be asked about, where it is more than a month ago.
    init(
        _ sample: NoiseSample, weather: [StoreWeather], upTo day: Int64, since: Int64? = nil,
        until: Timestamp? = nil, sensitivity: Sensitivity = .normal
    ) {
        self.day = day
        self.sensitivity = sensitivity
        oldest = NoiseModel.oldest(since: since, at: day)
        self.weather = weather
        self.until = until
        known = sample.isWhole ? sample.pairs : nil
        model = NoiseModel(sample.pairs.map(NoiseModel.Series.init), weather: weather.byStore, upTo: day)
    }

    /// Reads what there is up to `until`.
    ///
    /// - Parameters:
    ///   - since: the oldest day that will be asked about, where it is more than a month ago.
    ///   - most: how many pairs the noise is learnt from.
    ///   - sensitivity: `nil` for the watchlist's.
    package init(
        from reader: HistoryReader, since: Int64? = nil, until: Timestamp, now: Timestamp,
        most: Int = NoiseSample.most, sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let day = reader.days.day(of: until)
        let oldest = NoiseModel.oldest(since: since, at: day)
        let wanted = if let sensitivity { sensitivity } else { try reader.sensitivity() }
        self.init(
            try reader.noiseSample(
                days: oldest...day, until: until, cadences: JudgedSpan.rememberedCadences, most: most),
            weather: try StoreWeather.of(
                oldest - Weather.window...day, until: until, now: now, from: reader), upTo: day, since: since,
            until: until, sensitivity: wanted)
    }

    /// The readings that a pair is judged by.
    package var wantedDays: WantedDays {
        let pairs = (known ?? []).map { ($0.id, $0.days) }
        return WantedDays(
            oldest...day, until: until, cadences: JudgedSpan.rememberedCadences,
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

    /// A pair usually stands at one place now, however far back the question looks: where a move of its week is confirmed,
    /// that is where the longer time leads too.
    ///
    /// - Parameter since: the day to compare with: what moved by then is no news.
    package func judgement(of series: NoiseModel.Series, since: Int64? = nil) -> MoveJudgement {
        let whole = model.judgement(of: series, since: since, at: day, sensitivity: sensitivity)
        let week = day - series.span.news
        guard let since, since < week, whole.isMove else { return whole }
        return whole.ending(with: model.judgement(of: series, since: week, at: day, sensitivity: sensitivity))
    }

    /// The pair's move over `NoiseModel.monthDays`, its entry or its exit, where nothing is to be said of its week.
    package func monthMove(of series: NoiseModel.Series) -> MoveJudgement? {
        model.monthMove(of: series, at: day, sensitivity: sensitivity)
    }

    /// Whether the pair's newest move is news: one that began since `since` or, where that is longer ago, within the time
    /// that it takes to tell a move of a query that is asked so seldom.
    package func news(of series: NoiseModel.Series, since: Int64) -> MoveJudgement {
        judgement(of: series, since: min(since, day - series.span.news))
    }
}

extension [StoreWeather] {
    /// The figures of each store.
    var byStore: [Store: Weather] {
        let figures = map { store in
            (
                store.store,
                Weather(
                    moves: Dictionary(
                        store.days.compactMap { day in day.figure.map { (day.day, $0) } },
                        uniquingKeysWith: { first, _ in first }), byReadings: store.byReadings)
            )
        }
        return Dictionary(figures, uniquingKeysWith: { first, _ in first })
    }
}

extension NoiseModel.Series {
    package init(_ pair: PairDays) {
        self.init(store: pair.query.store, cadence: pair.cadence, days: pair.days)
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
    package var sensitivity: Sensitivity { judge.sensitivity }

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
    ///
    /// - Parameters:
    ///   - since: the oldest day that will be asked about, where it is more than a month ago.
    ///   - sensitivity: `nil` for the watchlist's.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Int64? = nil, until: Timestamp,
        now: Timestamp, sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let judge = try PairJudge(from: reader, since: since, until: until, now: now, sensitivity: sensitivity)
        self.init(try judge.pairs(filter, from: reader), judge)
    }

    /// - Parameter since: the day to compare with: what moved by then is no news.
    /// - Returns: `nil` for a pair that is not among these.
    package func judgement(of query: Query, _ bundleID: BundleID, since: Int64? = nil) -> MoveJudgement? {
        series[Pair(query, bundleID)].map { judge.judgement(of: $0, since: since) }
    }

    /// What is to be said of the pair's month, or of four cadences where these are longer.
    ///
    /// - Returns: `nil` for a pair that is not among these.
    package func monthsJudgement(of query: Query, _ bundleID: BundleID) -> MoveJudgement? {
        series[Pair(query, bundleID)].map { series in
            judge.judgement(of: series, since: judge.day - max(NoiseModel.monthDays, series.span.news))
        }
    }

    /// The pair's move over `NoiseModel.monthDays`, its entry or its exit, where nothing is to be said of its week; `nil`
    /// too if the pair is not among these.
    package func monthMove(of query: Query, _ bundleID: BundleID) -> MoveJudgement? {
        series[Pair(query, bundleID)].flatMap { judge.monthMove(of: $0) }
    }
}
