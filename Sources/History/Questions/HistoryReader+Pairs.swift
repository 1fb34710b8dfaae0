import GRDB
package import RankKit

/// An active pair by what a filter looks at.
package struct TrackedPair: Sendable, Hashable {
    package var query: Query
    package var bundleID: BundleID
    package var alias: String?
    package var isMine: Bool
    package var tags: [String]
}

extension HistoryReader {
    /// Every active pair that `filter` admits, none of its readings: mine first, then in the watchlist's order.
    package func trackedPairs(_ filter: PairFilter = PairFilter()) throws(HistoryError) -> [TrackedPair] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                SQLRequest(
                    literal: """
                        SELECT pair.bundle_id, watched_app.alias, ifnull(watched_app.mine, 1), pair.tags,
                            \(sql: QueryRow.columns)
                        FROM pair
                        JOIN query ON query.id = pair.query
                        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
                        WHERE \(try filter.condition(in: database))
                        ORDER BY ifnull(watched_app.mine, 1) DESC, watched_app.ordinal, query.ordinal
                        """))
            var pairs: [TrackedPair] = []
            while let row = try rows.next() {
                guard let bundleID = BundleID(row[0]) else { continue }
                pairs.append(
                    TrackedPair(
                        query: try QueryRow.query(from: row, at: 4), bundleID: bundleID, alias: row[1], isMine: row[2],
                        tags: try PairTags.decode(row[3])))
            }
            return pairs
        }
    }

    /// Whether `filter` admits any active pair.
    package func tracksAny(_ filter: PairFilter = PairFilter()) throws(HistoryError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                SQLRequest(
                    literal: """
                        SELECT EXISTS (
                            SELECT 1 FROM pair JOIN query ON query.id = pair.query
                            WHERE \(try filter.condition(in: database)))
                        """)) ?? false
        }
    }
}

extension PairFilter {
    package func admits(_ pair: TrackedPair) -> Bool {
        admits(query: pair.query, bundleID: pair.bundleID, alias: pair.alias, tags: pair.tags)
    }
}

extension HistoryReader {
    /// Those of the active pairs that any good check of `days` found in its list, also where the last one of its day did
    /// not.
    ///
    /// - Parameters:
    ///   - pairs: those that are asked about.
    ///   - until: the last moment that is looked at, which may lie within a day.
    /// - Returns: their places among `pairs`.
    package func ranked(
        _ pairs: [(query: Query, bundleID: BundleID)], on days: ClosedRange<Int64>, until: Timestamp
    ) throws(HistoryError) -> Set<Int> {
        guard !pairs.isEmpty else { return [] }
        return try read { database in
            let end = min(until, .startOfDay(days.upperBound + 1) - 1)
            // A day of which only a part is wanted is read from its checks, closed or not.
            let lastClosed = min(try DayRollUp.lastDay(in: database) ?? .min, (end + 1).day - 1)
            let open = max(days.lowerBound, lastClosed == .min ? .min : lastClosed + 1)
            let statement = try database.cachedStatement(sql: Self.wasRanked)
            var found: Set<Int> = []
            for (index, pair) in pairs.enumerated() {
                guard let query = try QueryRow.id(of: pair.query, in: database) else { continue }
                let isRanked = try Bool.fetchOne(
                    statement,
                    arguments: [
                        "query": query, "bundle": pair.bundleID.folded, "first": days.lowerBound, "last": lastClosed,
                        "from": Timestamp.startOfDay(open).secondsSinceEpoch, "to": end.secondsSinceEpoch,
                    ])
                if isRanked ?? false { found.insert(index) }
            }
            return found
        }
    }

    static let wasRanked = """
        SELECT EXISTS (
                SELECT 1 FROM pair_day
                WHERE pair_day.pair = pair.id AND pair_day.day BETWEEN :first AND :last AND pair_day.ranked > 0)
            OR EXISTS (
                SELECT 1 FROM position
                WHERE position.pair = pair.id AND position.at BETWEEN :from AND :to AND position.position IS NOT NULL)
        FROM pair WHERE pair.query = :query AND pair.bundle_key = :bundle
        """
}
