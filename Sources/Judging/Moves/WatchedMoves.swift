package import History
package import RankKit

/// What `report movers` calls real on each of some days, pair by pair: for whoever tells of moves as they are confirmed.
///
/// The readings of all active pairs are read once. Each pair is then judged on each of its days by the readings up to it.
/// They are judged by the noise that is known at `until`, as the report of that moment judges them, or looked at one after
/// the other as they were: each by the noise that was known on it.
package struct WatchedMoves: Sendable {
    /// So many of its `news` a pair is looked at before the first day: a move that turns back began at most two before,
    /// and is known from its first day on.
    static let lookBack: Int64 = 3
    /// Days from one on which the month is judged to the next.
    private static let monthStep: Int64 = 3
    /// A slide that was not seen for so many days is another one.
    private static let slideGap: Int64 = 15

    /// Those that are judged, with their readings: mine first, then in the watchlist's order.
    package let pairs: [PairDays]
    /// How the stores were, on the days that are told of and before.
    package let weather: [StoreWeather]
    private let days: ClosedRange<Int64>
    /// The day of the last moment that is read.
    private let today: Int64
    private let until: Timestamp
    /// Whose days these are.
    private let zone: ZoneDays
    /// The noise by which each day is judged: one for all of them, or one each from `firstJudged` on.
    private let models: [NoiseModel]
    private let isDaily: Bool
    private let firstJudged: Int64
    /// Whether the month is judged on each day, its steps too, as reports judge it where nothing is to be said of the week.
    private let followsMonth: Bool

    /// Reads all active pairs with what they are judged by; the parameters are those of `init`.
    package static func pairs(
        _ days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [PairDays] {
        let wanted = wanted(days, until: until, from: reader)
        return try reader.pairDays(days: wanted.days, until: until, cadences: wanted.cadences)
    }

    /// The days that are read, and the cadences of a query that is asked more rarely.
    private static func wanted(
        _ days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) -> (days: ClosedRange<Int64>, cadences: Int64) {
        let today = reader.days.day(of: until)
        let days = Self.days(days, upTo: today)
        return (
            days.lowerBound - lookBack * 7 - NoiseModel.memory...today,
            JudgedSpan.rememberedCadences + lookBack * 4 + days.upperBound - days.lowerBound
        )
    }

    private static func days(_ days: ClosedRange<Int64>, upTo today: Int64) -> ClosedRange<Int64> {
        min(days.lowerBound, today)...min(days.upperBound, today)
    }

    /// - Parameters:
    ///   - pairs: those of the same days and moment.
    ///   - days: those that are told of, of the reader's zone, counted from 1970-01-01.
    ///   - until: the last moment that is read; not in the future.
    ///   - asTheyWere: whether each day is looked at as it was.
    ///   - most: how many pairs the noise is learnt from.
    ///   - processors: how many may be busy with it.
    package init(
        of pairs: [PairDays], _ days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        asTheyWere: Bool = false, most: Int = NoiseSample.most, processors: Int = 1, from reader: HistoryReader
    ) throws(HistoryError) {
        try self.init(
            of: pairs, NoiseSample(of: pairs, most: most), days, until: until, now: now, asTheyWere: asTheyWere,
            processors: processors, from: reader)
    }

    /// Reads the active pairs that `filter` admits, to look at each day as it was, and at its week and month as reports do.
    ///
    /// - Parameters:
    ///   - days: those that are told of, of the reader's zone, counted from 1970-01-01.
    ///   - until: the last moment that is read; not in the future.
    package static func asTheyWere(
        _ filter: PairFilter, on days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        from reader: HistoryReader
    ) throws(HistoryError) -> WatchedMoves {
        let wanted = wanted(days, until: until, from: reader)
        let sample = try reader.noiseSample(days: wanted.days, until: until, cadences: wanted.cadences)
        let pairs =
            sample.isWhole
            ? sample.pairs.filter {
                filter.admits(query: $0.query, bundleID: $0.bundleID, alias: $0.alias, tags: $0.tags)
            } : try reader.pairDays(filter, days: wanted.days, until: until, cadences: wanted.cadences)
        return try WatchedMoves(
            of: pairs, sample, days, until: until, now: now, asTheyWere: true, followsMonth: true, from: reader)
    }

    /// - Parameter sample: what the noise is learnt from.
    private init(
        of pairs: [PairDays], _ sample: NoiseSample, _ days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        asTheyWere: Bool, followsMonth: Bool = false, processors: Int = 1, from reader: HistoryReader
    ) throws(HistoryError) {
        self.followsMonth = followsMonth
        let today = reader.days.day(of: until)
        let days = Self.days(days, upTo: today)
        self.days = days
        self.today = today
        self.until = until
        zone = reader.days
        isDaily = asTheyWere
        self.pairs = pairs
        let oldest = NoiseModel.oldest(since: nil, at: days.lowerBound) - Weather.window
        let weather = try StoreWeather.of(oldest...today, until: until, now: now, from: reader)
        self.weather = weather
        firstJudged = days.lowerBound - Self.lookBack * (pairs.map { JudgedSpan(cadence: $0.cadence).news }.max() ?? 0)
        if asTheyWere {
            models = NoiseModel.daily(
                sample.pairs.map(NoiseModel.Series.init), weather: weather.byStore, on: firstJudged...today,
                processors: processors)
        } else if sample.isWhole {
            let known = weather.since(NoiseModel.oldest(since: nil, at: today))
            models = [PairJudge(sample, weather: known, upTo: today, until: until).model]
        } else {
            models = [try PairJudge(from: reader, until: until, now: now, most: sample.pairs.count).model]
        }
    }

    private func model(on day: Int64) -> NoiseModel { models[isDaily ? Int(day - firstJudged) : 0] }

    /// What was confirmed of a pair, in order of confirmation, as keenly as each of `sensitivities`; also before `days`, as
    /// far as that is looked at.
    ///
    /// - Parameters:
    ///   - known: moves of the pair that somebody was told of.
    ///   - withSlides: whether the month is judged as well.
    ///   - slidesSince: the first day on which a slide may be seen that is not known; `nil` for all days.
    package func moves(
        of pair: PairDays, _ sensitivities: Set<Sensitivity>, known: [Sensitivity: [KnownMove]] = [:],
        withSlides: Bool = true, slidesSince: Int64? = nil
    ) -> [Sensitivity: [ConfirmedMove]] {
        if withSlides, let slidesSince {
            let found = moves(of: pair, sensitivities, known, slidesFrom: slidesSince)
            let isKnown = found.allSatisfy { sensitivity, moves in
                moves.allSatisfy { move in
                    !move.isSlide
                        || (known[sensitivity] ?? []).contains { $0.slidOn != nil && $0.began == move.began }
                }
            }
            // Of another one it has to be known since when it is seen.
            if isKnown { return found }
        }
        return moves(of: pair, sensitivities, known, slidesFrom: withSlides ? .min : nil)
    }

    /// - Parameter slidesFrom: the first day on which the month is judged; `nil` for none.
    private func moves(
        of pair: PairDays, _ sensitivities: Set<Sensitivity>, _ known: [Sensitivity: [KnownMove]],
        slidesFrom: Int64?
    ) -> [Sensitivity: [ConfirmedMove]] {
        let table = ReadingTable(pair.days, stores: weather.first?.byReadings, cadence: pair.cadence)
        let shifts = ShiftTable(table, lengths: MoveDetection.firmLengths)
        let span = JudgedSpan(cadence: pair.cadence)
        let monthStep = span.interval == 1 && !followsMonth ? Self.monthStep : 1
        let keenestFirst = sensitivities.sorted { $0.threshold < $1.threshold }
        var tracked = keenestFirst.map { sensitivity in
            var moves = TrackedMoves(
                news: span.news, slideGap: Self.slideGap, keepsPast: isDaily, followsMonth: followsMonth)
            moves.take(known[sensitivity] ?? [], zone)
            return moves
        }
        let first = table.index(after: days.lowerBound - Self.lookBack * span.news - 1)
        let end = table.index(after: days.upperBound)
        guard first < end else { return Dictionary(uniqueKeysWithValues: zip(keenestFirst, tracked.map(\.moves))) }
        let terms = model(on: table.days[first]).terms(of: pair.query.store)
        var turnedTo: Int64?
        func judged(
            since: Int64, _ sensitivities: [Sensitivity], at day: Int64, by moment: Timestamp,
            _ wanted: MoveDetection.Wanted = .firm
        ) -> [MoveJudgement] {
            let model = model(on: day)
            if isDaily, day != turnedTo {
                // How the store was on a day is known once that is over.
                terms.turn(to: model, before: (weather.first?.byReadings?.zone ?? zone).day(of: moment))
                turnedTo = day
            }
            return model.judgements(
                of: span, table, shifts, .init(since: since, day: day, sensitivities: sensitivities, wanted: wanted),
                terms)
        }
        /// A report judges the newest reading by what is known on its own day, even if that is a later one.
        func judgeAgain(on day: Int64) {
            guard tracked.contains(where: \.isConfirmed) else { return }
            let says = judged(since: day - span.news, keenestFirst, at: day, by: min(until, zone.end(of: day)))
            for (index, judgement) in says.enumerated() { tracked[index].judgeAgain(judgement, today: day) }
        }
        for index in first..<end {
            let day = table.days[index]
            let reading = pair.days.elements[index].reading
            let week = judged(since: day - span.news, keenestFirst, at: day, by: reading.checkedAt)
            var quiet: [Int] = []
            for (place, judgement) in week.enumerated() {
                tracked[place].take(judgement, by: reading, on: day)
                guard !judgement.isBeyondNoise else { continue }
                tracked[place].noticeReturn(in: table, at: index, of: pair.days.elements)
                quiet.append(place)
            }
            if let slidesFrom, day >= slidesFrom, day % monthStep == 0, !quiet.isEmpty {
                let month = judged(
                    since: day - NoiseModel.monthDays, quiet.map { keenestFirst[$0] }, at: day,
                    by: reading.checkedAt,
                    followsMonth || quiet.contains { tracked[$0].hasSlide(by: day) } ? .firm : .slow)
                for (place, judgement) in zip(quiet, month) {
                    tracked[place].take(month: judgement, by: reading, on: day)
                }
            }
            guard isDaily else { continue }
            let next = index + 1 < end ? table.days[index + 1] : days.upperBound + 1
            for quietDay in day + 1..<next where quietDay <= day + span.staleness + 1 { judgeAgain(on: quietDay) }
        }
        if !isDaily, days.upperBound == today, table.days[end - 1] < today { judgeAgain(on: today) }
        return Dictionary(uniqueKeysWithValues: zip(keenestFirst, tracked.map(\.moves)))
    }
}

extension [StoreWeather] {
    /// As a report reads it that looks back to the day `oldest`.
    fileprivate func since(_ oldest: Int64) -> [StoreWeather] {
        map { store in
            var known = store
            known.days.removeAll { $0.day < oldest - Weather.window }
            return known
        }
    }
}
