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
                    tracked[place].look(for: table, at: index, reading)
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
            for (index, judgement) in says.enumerated() { tracked[index].look(at: judgement, today: today) }
        }
        return Dictionary(uniqueKeysWithValues: zip(keenestFirst, tracked.map(\.moves)))
    }
}

/// The moves of a pair, as they are confirmed day by day.
private struct TrackedMoves {
    let news: Int64
    let slideGap: Int64
    private(set) var moves: [ConfirmedMove] = []
    /// The one that the newest reading confirms, of those that a week tells.
    private var confirmed: Int?

    var isConfirmed: Bool { confirmed != nil }

    init(news: Int64, slideGap: Int64) {
        self.news = news
        self.slideGap = slideGap
    }

    mutating func take(_ known: [KnownMove]) {
        moves = known.compactMap(ConfirmedMove.init).sorted { $0.at < $1.at }
    }

    /// Where the new place begins is told by the readings around it, so it can shift by some days as more of them come:
    /// within `news` days of the first told it is the same move, unless that one had turned back before it began. Who comes
    /// into the list and goes out of it by turns is at its end: that is one story.
    mutating func take(_ judgement: MoveJudgement, by reading: Reading) {
        let now = confirmed(by: judgement, reading)
        if let confirmed, confirmed != now { moves[confirmed].lapsedOn = reading.checkedAt.day }
        if let now { moves[now].lapsedOn = nil }
        confirmed = now
    }

    /// - Returns: which move that is, perhaps a new one; `nil` for none.
    private mutating func confirmed(by judgement: MoveJudgement, _ reading: Reading) -> Int? {
        guard let way = ConfirmedMove.Way(judgement), let since = judgement.since else { return nil }
        let same = moves.lastIndex { move in
            move.way == way && !move.isSlide && abs(move.began - since) <= news
                && (way == .entered || way == .left || move.turnedBack.map { since <= $0.at.day } ?? true)
        }
        if let same {
            moves[same].judgement = judgement
            moves[same].isSeen = true
            moves[same].seenOn = reading.checkedAt.day
            return same
        }
        moves.append(ConfirmedMove(way, judgement, began: since, isSlide: false, by: reading))
        return moves.count - 1
    }

    /// - Parameter judgement: of the newest reading, by what is known on a later day.
    mutating func look(at judgement: MoveJudgement, today: Int64) {
        if let confirmed, moves[confirmed].way != ConfirmedMove.Way(judgement) { moves[confirmed].lapsedOn = today }
    }

    /// Whether a slide that was told may go on.
    func hasSlide(by day: Int64) -> Bool { moves.contains { $0.isSlide && day - $0.seenOn <= slideGap } }

    mutating func take(month judgement: MoveJudgement, by reading: Reading) {
        var seen: Int?
        if case .real(let slide) = judgement { seen = taken(slide, by: reading) }
        for index in moves.indices where moves[index].isSlide && index != seen && moves[index].lapsedOn == nil {
            moves[index].lapsedOn = reading.checkedAt.day
        }
    }

    /// Takes up a slide, unless a week told of a move that way already.
    ///
    /// - Returns: which move that is, perhaps a new one; `nil` if it is not taken up.
    private mutating func taken(_ slide: LastingMove, by reading: Reading) -> Int? {
        let day = reading.checkedAt.day
        let way: ConfirmedMove.Way = slide.direction == .up ? .up : .down
        if let same = moves.lastIndex(where: { $0.way == way && $0.isSlide && day - $0.seenOn <= slideGap }) {
            moves[same].isSeen = true
            moves[same].seenOn = max(moves[same].seenOn, day)
            moves[same].lapsedOn = nil
            return same
        }
        let isToldByWeek = moves.contains {
            !$0.isSlide && $0.way.isUp == (way == .up) && day - $0.began <= NoiseModel.monthDays + news
        }
        guard slide.isSlow, !isToldByWeek else { return nil }
        moves.append(ConfirmedMove(way, .real(slide), began: day, isSlide: true, by: reading))
        return moves.count - 1
    }

    /// Notices that the newest move has turned back: the usual place of the newest readings is nearer to the old place
    /// again.
    mutating func look(for table: ReadingTable, at index: Int, _ reading: Reading) {
        let day = reading.checkedAt.day
        guard let last = moves.lastIndex(where: { !$0.isSlide }), moves[last].turnedBack == nil,
            moves[last].at < reading.checkedAt, day - moves[last].began <= 2 * news,
            let back = moves[last].back(table, at: index)
        else { return }
        moves[last].turnedBack = .init(at: reading.checkedAt, to: back.place.flatMap { Position($0) })
    }
}

extension ConfirmedMove.Way {
    fileprivate var isUp: Bool { self == .up || self == .entered }
}

/// Where a move turned back to; `nil` for out of the list.
private struct Returned {
    var place: Int?
}

extension ConfirmedMove {
    /// `nil` if it has not turned back.
    fileprivate func back(_ table: ReadingTable, at index: Int) -> Returned? {
        let place = table.newest(at: index)
        switch judgement {
        case .real(let move), .unconfirmed(let move):
            guard let place, MoveDetection.isNearer(place, to: move.from.number, than: move.to.number) else {
                return nil
            }
            return Returned(place: place)
        case .entered: return place == nil && table.newest(at: index, 2) == nil ? Returned(place: nil) : nil
        case .left:
            guard let place, table.newest(at: index, 1) != nil else { return nil }
            return Returned(place: place)
        case .withinNoise, .notJudged: return nil
        }
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
