import GRDB
package import RankKit

extension HistoryReader {
    /// Whose days those of stores are: the watchlist's zone's, since the clean-up that followed when it was named.
    package func countryDaysZone() throws(HistoryError) -> ZoneDays { try read { try CountryDayRow.zone(in: $0) } }

    /// When the last day was over that had been derived by the days of the zone before; `nil` where there was none.
    package func countryDaysFormerUntil() throws(HistoryError) -> Timestamp? {
        try read { try Setting.countryDaysFormerUntil.moment(in: $0) }
    }

    /// How the store was on each of `days` with a check, by day and store: closed days from their roll-ups, and those
    /// that have none yet, such as the day under way, from the checks and lists themselves. A narrowed reader has no
    /// roll-ups, as they count everybody's queries: it counts its own.
    ///
    /// - Parameter store: `nil` for all.
    package func countryDays(
        _ days: ClosedRange<Int64>, of store: Store? = nil
    ) throws(HistoryError) -> [CountryDay] {
        try read { database in
            let last = try isNarrowed ? .min : CountryDayRow.lastDay(in: database) ?? .min
            let zone = try CountryDayRow.zone(in: database)
            let due = try CountryDayRow.due(days, in: database).filter { store == nil || $0.store == store }
            var found = try CountryDayRow.all(days, of: store, in: database).filter { row in
                row.day <= last && !due.contains { $0 == (row.store, row.day) }
            }
            let queries = try CountryDayDraft.queries(of: store, in: database)
            for (store, queries) in Dictionary(grouping: queries, by: \.store) {
                var open = due.filter { $0.store == store }.map { $0.day...$0.day }
                if last < days.upperBound { open.append(max(last &+ 1, days.lowerBound)...days.upperBound) }
                for span in open {
                    var tally = CountryTally(store, span, of: zone)
                    for query in queries { try tally.add(query: query.id, in: database) }
                    found += try CountryDayRow.keepingMoves(
                        tally.rows, unread: Set(tally.unread.map { CountryDayRow.Key(store: store, day: $0) }),
                        span,
                        in: database)
                }
            }
            return found.sorted { ($0.day, $0.store) < ($1.day, $1.store) }
        }
    }

    /// As `countryDays`, of those days alone that the clean-up has derived: a report that only wants to know how the
    /// store was need not read lists for the days since. A narrowed reader counts its own queries' checks and lists of the same
    /// days, and remembers them.
    ///
    /// - Parameter store: `nil` for all.
    package func derivedCountryDays(
        _ days: ClosedRange<Int64>, of store: Store? = nil
    ) throws(HistoryError) -> [CountryDay] {
        if isNarrowed {
            guard let last = try read({ try CountryDayRow.lastDay(in: $0) }), days.lowerBound <= last else { return [] }
            // Of the time before the first check there is nothing to count.
            let first = max(days.lowerBound, try firstDay().map { $0 - 1 } ?? .max)
            guard first <= min(last, days.upperBound) else { return [] }
            let stores = try read { database in
                Set(try CountryDayDraft.queries(of: store, in: database).map(\.store)).sorted()
            }
            var found: [CountryDay] = []
            for store in stores {
                found += try countryDayMemory.days(first...min(last, days.upperBound), of: store, through: last) {
                    stretch throws(HistoryError) in
                    try countryDays(stretch, of: store)
                }
            }
            return found.sorted { ($0.day, $0.store) < ($1.day, $1.store) }
        }
        return try read { database in
            // A row of a later day is of before it had closed, by a clock that was ahead.
            let last = try CountryDayRow.lastDay(in: database) ?? .max
            return try CountryDayRow.all(days, of: store, in: database).filter { $0.day <= last }.sorted {
                ($0.day, $0.store) < ($1.day, $1.store)
            }
        }
    }
}

/// How one source showed the store of a country on one day (`HistoryReader.countryDaysZone`): what its queries' checks came to, and how much its lists moved.
///
/// A query's list of a day is the last good one that began on it. It is compared with the query's list of the newest
/// day before that has one, at most `longestGap` days earlier; other queries of the day are not compared. All platforms
/// and languages count, also of queries that have since been retired, but no imported tables of other tools. An app
/// counts by its best place in a list, places that could not be read not at all; the lists are taken whole, however long
/// each of them is. One that Apple numbered anew is one app.
///
/// All is derived from the checks and the kept lists. Days of which lists were dropped keep what was derived before.
package struct CountryDay: Sendable, Hashable {
    package let store: Store
    /// Days since 1970-01-01.
    package let day: Int64
    /// Queries with a check of any outcome.
    package var queries = 0
    package var good = 0
    package var suspect = 0
    /// Those that were thinned included.
    package var failed = 0
    package var moves = Moves()

    /// In days.
    package static let longestGap: Int64 = 7

    package var country: Country { store.country }

    package init(store: Store, day: Int64) {
        self.store = store
        self.day = day
    }

    /// What comparing the queries' lists has shown, over all queries together.
    package struct Moves: Sendable, Hashable {
        /// Queries that were compared.
        package var compared = 0
        /// Apps in both lists of a query; one that is on several queries counts on each.
        package var apps = 0
        /// Apps only in the newer list, where it is known of every place of the older one who held it.
        package var entered = 0
        /// Apps only in the older list, where it is known of every place of the newer one who holds it.
        package var left = 0
        /// Of the places that those `apps` moved, up or down; `nil` if there are none.
        package var spread: Spread?

        package init() {}
    }

    /// Quantiles by nearest rank: each is the least number of places of which at least that share of the apps moved no
    /// further.
    package struct Spread: Sendable, Hashable {
        package var lowerQuartile: Int
        package var median: Int
        package var upperQuartile: Int
        package var ninthDecile: Int

        package init(lowerQuartile: Int, median: Int, upperQuartile: Int, ninthDecile: Int) {
            self.lowerQuartile = lowerQuartile
            self.median = median
            self.upperQuartile = upperQuartile
            self.ninthDecile = ninthDecile
        }
    }
}

extension CountryDay.Spread {
    /// Of `counts`, how many apps moved by so many places; `nil` if none did.
    init?(_ counts: [Int: Int]) {
        let sorted = counts.sorted { $0.key < $1.key }
        let total = sorted.reduce(0) { $0 + $1.value }
        guard total > 0 else { return nil }
        func quantile(_ tenths: Double) -> Int {
            let rank = max(1, Int((Double(total) * tenths / 10).rounded(.up)))
            var seen = 0
            return sorted.first { _, count in
                seen += count
                return seen >= rank
            }?.key ?? 0
        }
        self.init(
            lowerQuartile: quantile(2.5), median: quantile(5), upperQuartile: quantile(7.5), ninthDecile: quantile(9))
    }
}
