import GRDB
package import RankKit

/// One active pair and its last good reading of each day: what the reports over days are computed from.
package struct PairDays: Sendable {
    /// Its number in the file; 0 if it is in none.
    package var id: Int64
    package var query: Query
    package var bundleID: BundleID
    package var alias: String?
    package var isMine: Bool
    package var tags: [String]
    /// How often the words are searched for, 0–100, as the watchlist gives it.
    package var popularity: Double?
    /// The shortest of the query's cadences, in seconds.
    package var cadence: Int64
    /// By day since 1970-01-01. A day whose checks all failed or are suspect, or that had none, has no reading.
    package var days: DailyReadings

    package init(
        id: Int64 = 0, query: Query, bundleID: BundleID, alias: String? = nil, isMine: Bool = true, tags: [String] = [],
        popularity: Double? = nil, cadence: Int64 = Timestamp.secondsPerDay, days: DailyReadings = [:]
    ) {
        self.id = id
        self.query = query
        self.bundleID = bundleID
        self.alias = alias
        self.isMine = isMine
        self.tags = tags
        self.popularity = popularity
        self.cadence = cadence
        self.days = days
    }

    /// The newest reading of `day` or of one before it that still says something about it.
    package func reading(asOf day: Int64) -> Reading? {
        days.reading(asOf: day, cadence: cadence)
    }
}

extension DailyReadings {
    /// The newest reading of `day` or of one before it that still says something about it: not more than the larger of
    /// a day and two cadences older.
    ///
    /// - Parameter cadence: of the query, in seconds.
    package func reading(asOf day: Int64, cadence: Int64) -> Reading? {
        guard let newest = last(upTo: day), newest.day >= day - PairDays.freshness(cadence: cadence) else { return nil }
        return newest.reading
    }
}

extension PairDays {
    /// For how many days after its own a reading may speak.
    static func freshness(cadence: Int64) -> Int64 {
        max(1, (2 * cadence + Timestamp.secondsPerDay - 1) / Timestamp.secondsPerDay)
    }
}

extension HistoryReader {
    /// The daily readings, from `days` alone, of every active pair that `filter` admits: mine first, then in the
    /// watchlist's order.
    ///
    /// - Parameters:
    ///   - days: of the zone that the reader counts in.
    ///   - until: the last moment that is read, which may lie within a day; `nil` for all of `days`.
    ///   - reachingBack: whether earlier days are read as well that can speak for the first of `days`.
    ///   - cadences: at least this many of a pair's cadences before the last of `days` are read.
    package func pairDays(
        _ filter: PairFilter = PairFilter(), days: ClosedRange<Int64>, until: Timestamp? = nil,
        reachingBack: Bool = false, cadences: Int64 = 0
    ) throws(HistoryError) -> [PairDays] {
        let wanted = WantedDays(days, until: until, reachesBack: reachingBack, cadences: cadences)
        return try read { database in
            try pairDays(where: try filter.condition(in: database), wanted, in: database)
        }
    }

    func pairDays(where condition: SQL, _ wanted: WantedDays, in database: Database) throws -> [PairDays] {
        let readings = try PairReadings(days, in: database)
        var shared = SharedValues()
        var pairs: [PairDays] = []
        let rows = try Row.fetchCursor(database, SQLRequest(literal: Self.pairsSQL(condition)))
        while let row = try rows.next() {
            guard let bundleID = try shared.bundleID(row[3]) else { continue }
            var pair = try PairDays(
                id: row[0], query: try shared.query(row[7], row, at: 8), bundleID: bundleID, alias: row[4],
                isMine: row[5], tags: try shared.tags(row[6]), popularity: row[2], cadence: row.cadence(1))
            pair.days = try readings.days(of: pair.id, wanted.days(cadence: pair.cadence), until: wanted.until)
            pairs.append(pair)
        }
        return pairs
    }

    static func pairsSQL(_ condition: SQL) -> SQL {
        """
        SELECT pair.id, query.cadence_seconds, query.popularity,
            pair.bundle_id, watched_app.alias, ifnull(watched_app.mine, 1), pair.tags, query.id, \(sql: QueryRow.columns)
        FROM pair
        JOIN query ON query.id = pair.query
        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
        WHERE \(condition)
        ORDER BY ifnull(watched_app.mine, 1) DESC, watched_app.ordinal, query.ordinal
        """
    }
}
