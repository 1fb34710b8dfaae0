package import History
package import RankKit

/// How a store was, day by day, beside what is usual there.
///
/// The figure of a day is the trimean of how far all apps moved on all lists of the store (`Weather.figure`), whoever
/// they belong to: where everything moved, what moved one app is less its own doing. Lists that were compared over more
/// days than was usual here in the `Weather.window` up to that day have moved further without any storm, so such a day has
/// no figure. Nothing that comes after a day changes what is said of it, nor does how far back somebody looks.
package struct StoreWeather: Sendable, Hashable {
    package var store: Store
    /// Days with a check, oldest first.
    package var days: [Day]
    /// Whose days these are.
    package var zone = ZoneDays.utc
    /// How days of readings find these; `nil` where they have the same days.
    package var byReadings: StoreDays?

    /// Queries that have to be compared for a day to have a figure: fewer speak for themselves, not for the store.
    package static let leastQueries = 3
    /// Queries that have to be asked on a day for their failures to be more than their own.
    static let leastTroubled = 4

    package var country: Country { store.country }

    package init(store: Store, days: [Day], of zone: ZoneDays = .utc) {
        self.store = store
        self.days = days
        self.zone = zone
    }

    package struct Day: Sendable, Hashable {
        package var facts: CountryDay
        /// In places; `nil` below `leastQueries`, and after a longer gap than usual.
        package var figure: Double?
        /// `nil` also where too few days before it have a figure to say what is usual.
        package var weather: Weather.Day?
        package var trouble: Trouble?

        package var day: Int64 { facts.day }

        /// Whether there is something to remark on: a storm, a bad day, a day of failures.
        package var isRemarkable: Bool { weather?.state == .stormy || trouble != nil }
    }

    /// What made a whole day of a store doubtful.
    package enum Trouble: String, Sendable, Hashable, CaseIterable {
        /// Most lists of a pass had collapsed: a bad day of the store, and nothing came of these.
        case badDay = "bad-day"
        /// Half of the queries asked or more, and half of the checks or more, failed or are suspect.
        case failures

        init?(_ facts: CountryDay, _ trouble: StoreTrouble?) {
            guard let trouble else { return nil }
            let isWide = facts.queries >= StoreWeather.leastTroubled && trouble.queries * 2 >= facts.queries
            if trouble.hasBadDay {
                self = .badDay
            } else if isWide, facts.failed + facts.suspect >= facts.good {
                self = .failures
            } else {
                return nil
            }
        }
    }

    /// - Parameters:
    ///   - facts: of this store, in any order, with those of `reach` days before `shown`.
    ///   - shown: the days that are wanted.
    package init(
        _ store: Store, _ facts: [CountryDay], _ troubles: [Int64: StoreTrouble], shown: ClosedRange<Int64>,
        of zone: ZoneDays = .utc
    ) {
        let moves = Self.moves(facts)
        let weather = Weather(moves: moves)
        self.init(
            store: store,
            days: facts.filter { shown.contains($0.day) }.sorted { $0.day < $1.day }.map { facts in
                Day(
                    facts: facts, figure: moves[facts.day], weather: weather.day(facts.day),
                    trouble: Trouble(facts, troubles[facts.day]))
            }, of: zone)
    }

    /// So many days before one on which its figures rest: those of the days before it that say what is usual, each of which
    /// rests on the gaps before it.
    static let reach = 2 * Weather.window + CountryDay.longestGap

    /// The figure of each day whose lists were compared over no more days than was usual by then.
    private static func moves(_ facts: [CountryDay]) -> [Int64: Double] {
        let gaps = gaps(facts)
        let compared = facts.sorted { $0.day < $1.day }.compactMap { facts in gaps[facts.day].map { (facts, gap: $0) } }
        var moves: [Int64: Double] = [:]
        // Those of the window up to the day that is looked at.
        var window: [Int64] = []
        var first = 0
        for (facts, gap) in compared {
            while compared[first].0.day < facts.day - Weather.window {
                window.remove(at: window.partition(above: compared[first].gap - 1))
                first += 1
            }
            window.insert(gap, at: window.partition(above: gap))
            if gap <= window[(window.count - 1) / 2] { moves[facts.day] = facts.moves.figure }
        }
        return moves
    }

    /// How many days back each day's lists are compared, mostly: to the newest day before it with more than half as many
    /// good checks. A day with none has no key.
    private static func gaps(_ facts: [CountryDay]) -> [Int64: Int64] {
        let good = Dictionary(facts.map { ($0.day, $0.good) }, uniquingKeysWith: { first, _ in first })
        var gaps: [Int64: Int64] = [:]
        for (day, count) in good where count > 0 {
            gaps[day] = (1...CountryDay.longestGap).first { (good[day - $0] ?? 0) * 2 > count }
        }
        return gaps
    }

    /// How stores were on `days`, by store, as far as the clean-up has derived them.
    ///
    /// - Parameters:
    ///   - until: the moment that the report is about. How the store was on a day is known once that day is over, so a
    ///     moment before `now` that lies within a day takes no weather of it.
    ///   - stores: `nil` for all that have such a day.
    package static func of(
        _ days: ClosedRange<Int64>, until: Timestamp, now: Timestamp, in stores: Set<Store>? = nil,
        from reader: HistoryReader
    ) throws(HistoryError) -> [StoreWeather] {
        let zone = try reader.countryDaysZone()
        let last = until < now ? min(days.upperBound, zone.day(of: until + 1) - 1) : days.upperBound
        guard days.lowerBound <= last else { return [] }
        let days = days.lowerBound...last
        let only = stores.flatMap { $0.count == 1 ? $0.first : nil }
        let facts = try reader.derivedCountryDays(days.lowerBound - reach...days.upperBound, of: only)
        let troubles = Dictionary(grouping: try reader.storeTroubles(days), by: \.store)
        return Dictionary(grouping: facts, by: \.store)
            .filter { stores?.contains($0.key) ?? true }
            .map { store, facts in
                let byDay = Dictionary(
                    troubles[store, default: []].map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
                var weather = StoreWeather(store, facts, byDay, shown: days, of: zone)
                weather.byReadings = StoreDays(of: zone, readings: reader.days)
                return weather
            }
            .filter { !$0.days.isEmpty }
            .sorted { $0.store < $1.store }
    }
}

extension CountryDay.Moves {
    /// In places; `nil` if too few queries were compared.
    var figure: Double? {
        guard compared >= StoreWeather.leastQueries, let spread else { return nil }
        return Weather.figure(
            lowerQuartile: spread.lowerQuartile, median: spread.median, upperQuartile: spread.upperQuartile)
    }
}

extension [Int64] {
    /// Of ascending numbers the index of the first that is above `number`, or the end.
    fileprivate func partition(above number: Int64) -> Int { firstIndex { $0 > number } ?? endIndex }
}
