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
