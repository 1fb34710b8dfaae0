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
                guard let bundleID = try BundleID(row[0]) else { continue }
                try pairs.append(
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
    /// The last day on which any good check found the app of a pair in its list, also where the last one of that day
    /// did not.
    ///
    /// - Parameters:
    ///   - pairs: by their numbers in the file.
    ///   - until: the last moment that is looked at, which may lie within a day.
    /// - Returns: by pair; one that was never found is left out.
    package func lastRanked(_ pairs: [Int64], until: Timestamp) throws(HistoryError) -> [Int64: Int64] {
        guard !pairs.isEmpty else { return [:] }
        return try read { database in
            // A day of which only a part is wanted is read from its checks, closed or not.
            let lastClosed = min(try DayRollUp.lastDay(in: database) ?? .min, (until + 1).day - 1)
            let open = lastClosed == .min ? Int64.min : Timestamp.startOfDay(lastClosed + 1).secondsSinceEpoch
            let statement = try database.cachedStatement(sql: Self.lastRanked)
            var found: [Int64: Int64] = [:]
            for pair in pairs {
                let at = try Int64.fetchOne(
                    statement,
                    arguments: [
                        "pair": pair, "last": lastClosed, "from": open, "to": until.secondsSinceEpoch,
                        "dayLength": Timestamp.secondsPerDay,
                    ])
                found[pair] = at.map { days.day(of: Timestamp(secondsSinceEpoch: $0)) }
            }
            return found
        }
    }

    static let lastRanked = """
        SELECT ifnull(
            (SELECT at FROM position
             WHERE pair = :pair AND at BETWEEN :from AND :to AND position IS NOT NULL
             ORDER BY at DESC, check_id DESC LIMIT 1),
            (SELECT at FROM position
             WHERE pair = :pair AND at < :from AND position IS NOT NULL AND at >= :dayLength *
                (SELECT day FROM pair_day WHERE pair = :pair AND day <= :last AND ranked > 0 ORDER BY day DESC LIMIT 1)
             ORDER BY at DESC, check_id DESC LIMIT 1))
        """
}
