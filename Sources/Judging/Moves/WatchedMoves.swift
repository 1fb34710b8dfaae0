package import History
package import RankKit

/// What `report movers` calls real on each of some days, pair by pair: for whoever tells of moves as they are confirmed.
///
/// The readings of all active pairs are read once. Each pair is then judged on each of its days by the readings up to it.
/// A few days are judged by the noise that is known at `until`, as the report of that moment judges them. More days are
/// judged in stretches, each by the noise that was known at its end, as `PastMove` does.
package struct WatchedMoves: Sendable {
    /// Days that are judged by the same noise, at most.
    private static let stretch: Int64 = 45
    /// So many of its `news` a pair is looked at before the first day: a move that turns back began at most two before,
    /// and is known from its first day on.
    static let lookBack: Int64 = 3
    /// Days from one on which the month is judged to the next.
    private static let monthStep: Int64 = 3
    /// A slide that was not seen for so many days is another one.
    private static let slideGap: Int64 = 15

    /// All active pairs with their readings: mine first, then in the watchlist's order.
    package let pairs: [PairDays]
    /// How the stores were, on the days that are told of and before.
    package let weather: [StoreWeather]
    private let days: ClosedRange<Int64>
    /// The day (UTC) of the last moment that is read.
    private let today: Int64
    /// By the last day of each, ascending.
    private let judges: [(last: Int64, judge: PairJudge)]

    /// Reads all active pairs with what they are judged by; the parameters are those of `init`.
    package static func pairs(
        _ days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [PairDays] {
        let days = Self.days(days, until)
        return try reader.pairDays(
            days: days.lowerBound - lookBack * 7 - NoiseModel.memory...until.day, until: until,
            cadences: JudgedSpan.rememberedCadences + lookBack * 4 + days.upperBound - days.lowerBound)
    }

    private static func days(_ days: ClosedRange<Int64>, _ until: Timestamp) -> ClosedRange<Int64> {
        min(days.lowerBound, until.day)...min(days.upperBound, until.day)
    }

    /// - Parameters:
    ///   - pairs: those of the same days and moment.
    ///   - days: those that are told of, in UTC, counted from 1970-01-01.
    ///   - until: the last moment that is read; not in the future.
    ///   - most: how many pairs the noise is learnt from.
    ///   - processors: how many may be busy with it.
    package init(
        of pairs: [PairDays], _ days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        most: Int = NoiseSample.most, processors: Int = 1, from reader: HistoryReader
    ) throws(HistoryError) {
        let days = Self.days(days, until)
        self.days = days
        today = until.day
        let span = days.upperBound - days.lowerBound
        self.pairs = pairs
        let oldest = NoiseModel.oldest(since: nil, at: days.lowerBound) - Weather.window
        let weather = try StoreWeather.of(oldest...until.day, until: until, now: now, from: reader)
        self.weather = weather
        var stretches: [(last: Int64, end: Timestamp)] = []
        var first = days.lowerBound
        while first <= until.day {
            let last = span <= Self.stretch ? until.day : min((first / Self.stretch + 1) * Self.stretch - 1, until.day)
            stretches.append((last, last == until.day ? until : .startOfDay(last + 1) - 1))
            first = last + 1
        }
        if pairs.count <= most {
            let sample = NoiseSample(pairs)
            judges = stretches.mapped(on: processors) { stretch in
                let weather = weather.since(NoiseModel.oldest(since: nil, at: stretch.last), to: stretch.last)
                return (
                    stretch.last, PairJudge(sample, weather: weather, upTo: stretch.last, until: stretch.end)
                )
            }
        } else {
            var judges: [(last: Int64, judge: PairJudge)] = []
            for stretch in stretches {
                judges.append(
                    (stretch.last, try PairJudge(from: reader, until: stretch.end, now: now, most: most)))
            }
            self.judges = judges
        }
    }

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
        let table = ReadingTable(pair.days)
        let shifts = ShiftTable(table, lengths: MoveDetection.firmLengths)
        let span = JudgedSpan(cadence: pair.cadence)
        let monthStep = span.interval == 1 ? Self.monthStep : 1
        let keenestFirst = sensitivities.sorted { $0.threshold < $1.threshold }
        var tracked = keenestFirst.map { sensitivity in
            var moves = TrackedMoves(news: span.news, slideGap: Self.slideGap)
            moves.take(known[sensitivity] ?? [])
            return moves
        }
        var next = table.index(after: days.lowerBound - Self.lookBack * span.news - 1)
        let end = table.index(after: days.upperBound)
        for (last, judge) in judges where next < end {
            // The last judge has the rest.
            let stretchEnd = last == judges.last?.last ? end : min(table.index(after: last), end)
            guard next < stretchEnd else { continue }
            let terms = judge.terms(of: pair.query.country)
            func judged(
                since: Int64, _ sensitivities: [Sensitivity], at day: Int64, _ wanted: MoveDetection.Wanted = .firm
            ) -> [MoveJudgement] {
                judge.judgements(
                    of: span, table, shifts,
                    .init(since: since, day: day, sensitivities: sensitivities, wanted: wanted), terms)
            }
            for index in next..<stretchEnd {
                let day = table.days[index]
                let reading = pair.days.elements[index].reading
                let week = judged(since: day - span.news, keenestFirst, at: day)
                var quiet: [Int] = []
                for (place, judgement) in week.enumerated() {
                    tracked[place].take(judgement, by: reading)
                    guard !judgement.isBeyondNoise else { continue }
                    tracked[place].noticeReturn(in: table, at: index, by: reading)
                    quiet.append(place)
                }
                guard let slidesFrom, day >= slidesFrom, day % monthStep == 0, !quiet.isEmpty else { continue }
                let month = judged(
                    since: day - NoiseModel.monthDays, quiet.map { keenestFirst[$0] }, at: day,
                    quiet.contains { tracked[$0].hasSlide(by: day) } ? .firm : .slow)
                for (place, judgement) in zip(quiet, month) { tracked[place].take(month: judgement, by: reading) }
            }
            next = stretchEnd
        }
        // A report of today judges the newest reading by what is known today, even if that is of a day before.
        if days.upperBound == today, end > 0, table.days[end - 1] < today, let judge = judges.last?.judge,
            tracked.contains(where: \.isConfirmed)
        {
            let question = NoiseModel.Question(
                since: today - span.news, day: today, sensitivities: keenestFirst, wanted: .firm)
            let says = judge.judgements(of: span, table, shifts, question, judge.terms(of: pair.query.country))
            for (index, judgement) in says.enumerated() { tracked[index].judgeAgain(judgement, today: today) }
        }
        return Dictionary(uniqueKeysWithValues: zip(keenestFirst, tracked.map(\.moves)))
    }
}

extension [StoreWeather] {
    /// As a report of the day `last` reads it.
    fileprivate func since(_ oldest: Int64, to last: Int64) -> [StoreWeather] {
        map { store in
            StoreWeather(
                country: store.country,
                days: store.days.filter { $0.day >= oldest - Weather.window && $0.day <= last })
        }
    }
}
