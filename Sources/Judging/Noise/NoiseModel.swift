package import RankKit

/// What pairs do by themselves, so that a move can be told from wobble.
///
/// Built once for a report from all pairs that it reads; then asked about each. A pair stands at its usual place, or is
/// away from it for a while: how often, how far and for how long is taken from its own history, shrunk towards that of
/// pairs in the same band of positions and the same country (`PairNoise`). `MoveDetection` weighs how many of its own
/// steps a pair moved, and with this how likely its newest readings are around a new usual place; see
/// `docs/statistics.md`.
package struct NoiseModel: Sendable {
    /// Good readings before a move, below which it is not judged.
    static let minimumReadings = 7
    /// Good readings at the new place, below which a move is at most `unconfirmed`.
    static let confirmingReadings = 3
    /// Days before the one asked about that are looked at, with a reading a day; see `JudgedSpan`.
    static let memory: Int64 = 90
    /// Days before the one that a move is asked since that are looked at, at least.
    static let usualDays: Int64 = 45
    /// How many days old the newest reading may be, with a reading a day.
    static let staleness: Int64 = 14
    /// Where `since` is not given, how many days back a move may have begun, with a reading a day.
    static let recent: Int64 = 14

    /// A pair's history.
    package struct Series: Sendable {
        let country: Country
        /// By how often it is read.
        package let span: JudgedSpan
        let days: DailyReadings

        /// - Parameters:
        ///   - cadence: the shortest of the query's, in seconds.
        ///   - days: the last good reading of each day.
        package init(country: Country, cadence: Int64 = Timestamp.secondsPerDay, days: DailyReadings) {
            self.country = country
            span = JudgedSpan(cadence: cadence)
            self.days = days
        }

        /// Of several readings of a day the last counts.
        ///
        /// - Parameter readings: of good checks, in any order.
        init(country: Country, readings: [Reading]) {
            let ordered = readings.sorted { $0.checkedAt < $1.checkedAt }
            self.init(
                country: country,
                days: DailyReadings(
                    Dictionary(ordered.map { ($0.checkedAt.day, $0) }, uniquingKeysWith: { _, last in last })))
        }
    }

    let pool: NoisePool
    let weather: [Country: Weather]
    let storms: [Country: StormFactors]
    /// How the stores were on the days that most judgements look at.
    let states: [Country: [Int64: Weather.State]]

    /// - Parameters:
    ///   - series: all pairs to learn from, of any apps and countries; days after `day` are not looked at.
    ///   - weather: by country, where it is known.
    ///   - day: the newest that will be asked about (days since 1970-01-01).
    package init(_ series: [Series], weather: [Country: Weather] = [:], upTo day: Int64) {
        self.weather = weather
        let known = weather.mapValues { $0.known(day - 2 * Self.memory...day) }
        storms = known.mapValues { StormFactors($0.mapValues(\.factor).filter { $0.value > 1 }) }
        states = known.mapValues { $0.mapValues(\.state) }
        var pool = NoisePool()
        for series in series {
            let track = ReadingTrack(
                ReadingTable(series, upTo: day, usualOf: []), after: .min, upTo: day,
                storms: storms[series.country] ?? StormFactors())
            guard let band = PositionBand(track) else { continue }
            pool.add(NoiseCounts(track), band: band, country: series.country)
        }
        pool.settle()
        self.pool = pool
    }
}
