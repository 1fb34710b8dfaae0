package import RankKit

/// What pairs do by themselves, so that a move can be told from wobble.
///
/// Built once for a report from all pairs that it reads; then asked about each. A pair stands at its usual place, or is
/// away from it for a while: how often, how far and for how long is taken from its own history, shrunk towards that of
/// pairs in the same band of positions and the same store (`PairNoise`). `MoveDetection` weighs how many of its own
/// steps a pair moved, and with this how likely its newest readings are around a new usual place; see
/// `docs/statistics.md`.
package struct NoiseModel: Sendable {
    /// Good readings before a move, below which it is not judged.
    package static let minimumReadings = 7
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
        let store: Store
        /// By how often it is read.
        package let span: JudgedSpan
        let days: DailyReadings
        let cadence: Int64

        /// - Parameters:
        ///   - cadence: the shortest of the query's, in seconds.
        ///   - days: the last good reading of each day.
        package init(store: Store, cadence: Int64 = Timestamp.secondsPerDay, days: DailyReadings) {
            self.store = store
            span = JudgedSpan(cadence: cadence)
            self.days = days
            self.cadence = cadence
        }

        /// Of several readings of a day the last counts.
        ///
        /// - Parameter readings: of good checks, in any order.
        init(store: Store, readings: [Reading]) {
            let ordered = readings.sorted { $0.checkedAt < $1.checkedAt }
            self.init(
                store: store,
                days: DailyReadings(
                    Dictionary(ordered.map { ($0.checkedAt.day, $0) }, uniquingKeysWith: { _, last in last })))
        }
    }

    let pool: NoisePool
    let stores: Stores
    /// What the stores did from this day on is not known.
    let end: Int64

    /// How the stores were.
    struct Stores: Sendable {
        let weather: [Store: Weather]
        let storms: [Store: StormFactors]
        /// On the days that most judgements look at.
        let states: [Store: [Int64: Weather.State]]
        /// How days of readings find those of stores; `nil` where they have the same days.
        let byReadings: StoreDays?

        init(_ weather: [Store: Weather], _ days: ClosedRange<Int64>) {
            self.weather = weather
            byReadings = weather.values.lazy.compactMap(\.byReadings).first
            // Another zone's days may have other dates.
            let days = byReadings == nil ? days : days.lowerBound - 1...days.upperBound + 1
            let known = weather.mapValues { $0.known(days) }
            storms = known.mapValues { StormFactors($0.mapValues(\.factor).filter { $0.value > 1 }) }
            states = known.mapValues { $0.mapValues(\.state) }
        }

        /// The first day of stores that is not over when `day` of readings begins.
        func open(on day: Int64) -> Int64 { byReadings?.open(on: day) ?? day }
    }

    /// - Parameters:
    ///   - series: all pairs to learn from, of any apps and stores; days after `day` are not looked at.
    ///   - weather: by store, where it is known.
    ///   - day: the newest that will be asked about (days since 1970-01-01).
    package init(_ series: [Series], weather: [Store: Weather] = [:], upTo day: Int64) {
        stores = Stores(weather, day - 2 * Self.memory...day)
        end = .max
        var pool = NoisePool()
        for series in series {
            let track = ReadingTrack(
                ReadingTable(series, upTo: day, usualOf: [], stores: stores.byReadings), after: .min, upTo: day,
                storms: stores.storms[series.store] ?? StormFactors())
            guard let band = PositionBand(track) else { continue }
            pool.add(NoiseCounts(track), band: band, store: series.store)
        }
        pool.settle()
        self.pool = pool
    }

    private init(_ pool: NoisePool, _ stores: Stores, before day: Int64) {
        (self.pool, self.stores, end) = (pool, stores, day)
    }

    /// What is known on each of `days`, by the readings up to it and the weather before it: as `init` says of each, worked
    /// out together.
    ///
    /// - Parameter processors: how many may be busy with it.
    static func daily(
        _ series: [Series], weather: [Store: Weather], on days: ClosedRange<Int64>,
        processors: Int
    ) -> [NoiseModel] {
        let stores = Stores(weather, days.lowerBound - 2 * memory...days.upperBound)
        let parts = (0..<max(1, processors)).mapped(on: processors) { part in
            pools(
                of: stride(from: part, to: series.count, by: max(1, processors)).map { series[$0] }, stores, on: days)
        }
        return days.enumerated().map { index, day in
            var pool = NoisePool()
            for part in parts { pool.add(part[index]) }
            pool.settle()
            return NoiseModel(pool, stores, before: stores.open(on: day))
        }
    }

    /// One a day, not settled. How a store was on a day is known once that is over.
    private static func pools(
        of series: [Series], _ stores: Stores, on days: ClosedRange<Int64>
    ) -> [NoisePool] {
        var pools = Array(repeating: NoisePool(), count: days.count)
        for series in series {
            let table = ReadingTable(
                series.days, usualOf: [NoiseCounts.window], stores: stores.byReadings, cadence: series.cadence)
            let storms = stores.storms[series.store] ?? StormFactors()
            var excursions = SortedSlice()
            var last: ReadingTrack?
            var known: (band: PositionBand, counts: NoiseCounts)?
            for (index, day) in days.enumerated() {
                let track = ReadingTrack(
                    table, after: day - series.span.memory, upTo: day, storms: storms.before(stores.open(on: day)))
                // On a day without a reading nothing is new.
                if last?.isSame(as: track) != true {
                    if let band = PositionBand(track) {
                        known = (band, NoiseCounts(track, excursions: &excursions))
                    } else {
                        known = nil
                    }
                    last = track
                }
                if let known { pools[index].add(known.counts, band: known.band, store: series.store) }
            }
        }
        return pools
    }
}
