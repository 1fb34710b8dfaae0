package import RankKit

/// What pairs do by themselves, so that a move can be told from noise.
///
/// Built once for a report from all pairs that it reads; then asked about each. A pair stands at its usual place, or is
/// away from it for a while: how often, how far and for how long is taken from its own history, shrunk towards that of
/// pairs in the same band of positions and the same country (`PairNoise`). A move is real where its newest readings are
/// far likelier around a new usual place than as three excursions from the old one in a row; see `docs/statistics.md`.
package struct NoiseModel: Sendable {
    /// Good readings before a move, below which it is not judged.
    package static let minimumReadings = 7
    /// Good readings at the new place, below which a move is at most `unconfirmed`.
    package static let confirmingReadings = 3
    /// Days before the one asked about that are looked at, with a reading a day; see `JudgedSpan`.
    package static let memory: Int64 = 90
    /// How many days old the newest reading may be, with a reading a day.
    package static let staleness: Int64 = 14
    /// Where `since` is not given, how many days back a move may have begun, with a reading a day.
    package static let recent: Int64 = 14

    /// A pair's history.
    package struct Series: Sendable {
        package let country: Country
        /// By how often it is read.
        package let span: JudgedSpan
        /// In ascending order of days.
        package let readings: [(day: Int64, reading: Reading)]

        /// - Parameters:
        ///   - cadence: the shortest of the query's, in seconds.
        ///   - days: the last good reading of each day (since 1970-01-01, UTC); a day without one has no key.
        package init(country: Country, cadence: Int64 = Timestamp.secondsPerDay, days: [Int64: Reading]) {
            self.country = country
            span = JudgedSpan(cadence: cadence)
            readings = days.sorted { $0.key < $1.key }.map { (day: $0.key, reading: $0.value) }
        }

        /// Of several readings of a day the last counts.
        ///
        /// - Parameter readings: of good checks, in any order.
        package init(country: Country, readings: [Reading]) {
            let ordered = readings.sorted { $0.checkedAt < $1.checkedAt }
            self.init(
                country: country,
                days: Dictionary(ordered.map { ($0.checkedAt.day, $0) }, uniquingKeysWith: { _, last in last }))
        }
    }

    let pool: NoisePool
    let weather: [Country: Weather]
    /// Days without a storm have no key.
    private let storms: [Country: [Int64: Double]]

    /// - Parameters:
    ///   - series: all pairs to learn from, of any apps and countries; days after `day` are not looked at.
    ///   - weather: by country, where it is known.
    ///   - day: the newest that will be asked about (days since 1970-01-01).
    package init(_ series: [Series], weather: [Country: Weather] = [:], upTo day: Int64) {
        self.weather = weather
        storms = weather.mapValues { $0.factors(day - 2 * Self.memory...day) }
        var pool = NoisePool()
        for series in series {
            let track = Track(series, upTo: day, storms: storms[series.country] ?? [:])
            guard let band = PositionBand(track) else { continue }
            pool.add(Habits(track), band: band, country: series.country)
        }
        pool.settle()
        self.pool = pool
    }

    /// Judges how a pair moved up to `day`, by what is known on that day.
    ///
    /// - Parameters:
    ///   - since: the day to compare with: a move that began by then is not news. `nil` for the span's `recent` days
    ///     before.
    ///   - day: days since 1970-01-01; the newest reading may be up to the span's `staleness` days older.
    package func judgement(of series: Series, since: Int64? = nil, at day: Int64) -> MoveJudgement {
        let track = Track(series, upTo: day, storms: storms[series.country] ?? [:])
        guard let newest = track.readings.last, newest.day >= day - series.span.staleness else {
            return .notJudged(.noReading)
        }
        guard track.readings.count > Self.minimumReadings else { return .notJudged(.history) }
        let since = since ?? day - series.span.recent
        if let passage = track.passage(pool: pool, country: series.country) {
            switch passage {
            case .entered(let from), .left(_, let from):
                // Older than what was asked about: judged by what came after it.
                if from > since { return passage.judgement(track) }
                return moves(track.from(from), since: since, country: series.country)
            case .flickering: return .withinNoise
            case .tooShort: return .notJudged(.history)
            }
        }
        return moves(track, since: since, country: series.country)
    }

    private func moves(_ track: Track, since: Int64, country: Country) -> MoveJudgement {
        guard let band = PositionBand(track) else { return .withinNoise }
        let news = track.readings.count { $0.day > since }
        let habits = Habits(track, without: max(7, news))
        let noise = pool.noise(of: habits, band: band, country: country)
        return MoveTest(track: track, noise: noise, since: since).judgement { weather[country]?.day($0)?.state }
    }
}

extension NoiseModel {
    /// Days over which slow moves are looked for.
    package static let slideDays: Int64 = 30
    /// Readings in these days, below which nothing is said of them.
    package static let slideReadings = 14
    /// The share of a slide's way, on `PositionScale`, that no single move may have gone: else it was that move.
    private static let greatestStep = 0.7
    /// Days from the first of a move within which the judgement of a week would have called it.
    private static let callingDays: ClosedRange<Int64> = 2...6

    /// A slow move up or down: one that no judgement of a week has called, or only a part of it, because each step of it is
    /// within the pair's noise, and that is one over `slideDays` and goes on.
    ///
    /// The same test as for other moves, asked about the month: the newest week beside the readings up to the day before
    /// that month. `since` of what is returned is about its middle.
    package func slide(of series: Series, at day: Int64) -> LastingMove? {
        guard case .real(let move) = judgement(of: series, since: day - Self.slideDays, at: day),
            !isCalled(series, on: day)
        else { return nil }
        let track = Track(series, upTo: day, storms: [:])
        let count = track.readings.count
        guard track.readings.count(where: { $0.day > day - Self.slideDays }) >= Self.slideReadings,
            let newest = track.usualPlace(count - 7..<count), let before = track.usualPlace(count - 14..<count - 7),
            move.direction == .up ? newest < before : newest > before
        else { return nil }
        let distance = PositionScale.distance(move)
        let isStep = Self.callingDays.contains { later in
            guard move.since + later <= day,
                case .real(let step) = judgement(
                    of: series, since: move.since + later - series.span.news, at: move.since + later)
            else { return false }
            return PositionScale.distance(step) >= Self.greatestStep * distance
        }
        return isStep ? nil : move
    }

    /// Whether the pair's newest move is news already.
    private func isCalled(_ series: Series, on day: Int64) -> Bool {
        switch judgement(of: series, since: day - series.span.news, at: day) {
        case .real, .entered, .left: true
        case .unconfirmed, .withinNoise, .notJudged: false
        }
    }
}

extension PositionScale {
    fileprivate static func distance(_ move: LastingMove) -> Double { abs(value(move.from) - value(move.to)) }
}
