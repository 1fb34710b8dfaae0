import GRDB
package import RankKit

/// One active pair and its last good reading of each day (UTC): what the reports over days are computed from.
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
    package var days: [Int64: Reading]

    package init(
        id: Int64 = 0, query: Query, bundleID: BundleID, alias: String? = nil, isMine: Bool = true, tags: [String] = [],
        popularity: Double? = nil, cadence: Int64 = Timestamp.secondsPerDay, days: [Int64: Reading] = [:]
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

    /// The newest reading of `day` or of one before it that still says something about it: not more than the larger of
    /// a day and two cadences older.
    package func reading(asOf day: Int64) -> Reading? {
        let oldest = day - Self.freshness(cadence: cadence)
        var candidate = day
        while candidate >= oldest {
            if let reading = days[candidate] { return reading }
            candidate -= 1
        }
        return nil
    }
}

extension PairDays {
    /// For how many days after its own a reading may speak.
    fileprivate static func freshness(cadence: Int64) -> Int64 {
        max(1, (2 * cadence + Timestamp.secondsPerDay - 1) / Timestamp.secondsPerDay)
    }
}

extension HistoryReader {
    /// The daily readings, from `days` alone, of every active pair that `filter` admits: mine first, then in the
    /// watchlist's order.
    ///
    /// - Parameters:
    ///   - until: the last moment that is read, which may lie within a day; `nil` for all of `days`.
    ///   - reachingBack: whether earlier days are read as well that can speak for the first of `days`.
    ///   - cadences: at least this many of a pair's cadences before the last of `days` are read.
    package func pairDays(
        _ filter: PairFilter = PairFilter(), days: ClosedRange<Int64>, until: Timestamp? = nil,
        reachingBack: Bool = false, cadences: Int64 = 0
    ) throws(HistoryError) -> [PairDays] {
        var pairs: [PairDays] = []
        try eachPairDays(filter, days: days, until: until, reachingBack: reachingBack, cadences: cadences) {
            pairs.append($0)
        }
        return pairs
    }

    /// Hands over one pair after the other: the readings of a long watchlist take hundreds of megabytes together.
    package func eachPairDays(
        _ filter: PairFilter = PairFilter(), days: ClosedRange<Int64>, until: Timestamp? = nil,
        reachingBack: Bool = false, cadences: Int64 = 0, _ body: (PairDays) -> Void
    ) throws(HistoryError) {
        try read { database in
            try Self.pairDays(
                where: try filter.condition(in: database), days: days, until: until, reachingBack: reachingBack,
                cadences: cadences, in: database, body)
        }
    }

    static func pairDays(
        where condition: SQL, days: ClosedRange<Int64>, until: Timestamp?, reachingBack: Bool, cadences: Int64,
        in database: Database, _ body: (PairDays) -> Void
    ) throws {
        let rolledUp = try DayRollUp.lastDay(in: database)
        let rows = try Row.fetchCursor(database, SQLRequest(literal: pairsSQL(condition)))
        while let row = try rows.next() {
            guard let bundleID = BundleID(row[3]) else { continue }
            var pair = PairDays(
                id: row[0], query: try QueryRow.query(from: row, at: 7), bundleID: bundleID, alias: row[4],
                isMine: row[5], tags: try PairTags.decode(row[6]), popularity: row[2], cadence: row[1])
            let first = min(
                days.lowerBound - (reachingBack ? PairDays.freshness(cadence: pair.cadence) : 0),
                days.upperBound - cadences * Cadence.days(every: pair.cadence))
            pair.days = try DayReadings.of(
                pair: row[0], first...days.upperBound, until: until, rolledUpThrough: rolledUp, in: database)
            body(pair)
        }
    }

    static func pairsSQL(_ condition: SQL) -> SQL {
        """
        SELECT pair.id, query.cadence_seconds, query.popularity,
            pair.bundle_id, watched_app.alias, ifnull(watched_app.mine, 1), pair.tags, \(sql: QueryRow.columns)
        FROM pair
        JOIN query ON query.id = pair.query
        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
        WHERE \(condition)
        ORDER BY ifnull(watched_app.mine, 1) DESC, watched_app.ordinal, query.ordinal
        """
    }
}
