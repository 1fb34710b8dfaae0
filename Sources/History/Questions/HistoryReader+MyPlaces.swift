import GRDB
package import RankKit

/// Where an app of mine stood on a query when the newest good check looked.
package struct MyPlace: Sendable, Hashable {
    package var query: Query
    package var bundleID: BundleID
    /// What the watchlist calls the app.
    package var alias: String?
    /// `nil` where no check was good yet. A check that failed or is suspect since then changes nothing.
    package var lastGood: Reading?

    package init(query: Query, bundleID: BundleID, alias: String? = nil, lastGood: Reading? = nil) {
        self.query = query
        self.bundleID = bundleID
        self.alias = alias
        self.lastGood = lastGood
    }
}

extension HistoryReader {
    /// The first `limit` active pairs of mine in the watchlist's order, and how many there are in all.
    package func myPlaces(limit: Int) throws(HistoryError) -> (places: [MyPlace], total: Int) {
        try read { database in
            let condition = try PairFilter().condition(in: database)
            let total = try Int.fetchOne(database, SQLRequest(literal: Self.myPairsSQL(condition))) ?? 0
            var places: [MyPlace] = []
            places.reserveCapacity(min(limit, total))
            let rows = try Row.fetchCursor(database, SQLRequest(literal: Self.myPlacesSQL(condition, limit: limit)))
            while let row = try rows.next() {
                guard let bundleID = try BundleID(row[5]) else { continue }
                let goodAt: Int64? = try row[7]
                try places.append(
                    MyPlace(
                        query: try QueryRow.query(from: row), bundleID: bundleID, alias: row[6],
                        lastGood: goodAt == nil ? nil : Reading(row, at: 7, position: 8, within: 9)))
            }
            return (places, total)
        }
    }

    /// An app that the watchlist does not name is mine.
    private static func myPairsSQL(_ condition: SQL) -> SQL {
        """
        SELECT count(*)
        FROM pair
        JOIN query ON query.id = pair.query
        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
        WHERE \(condition) AND ifnull(watched_app.mine, 1)
        """
    }

    private static func myPlacesSQL(_ condition: SQL, limit: Int) -> SQL {
        """
        SELECT \(sql: QueryRow.columns), pair.bundle_id, watched_app.alias,
            standing.good_at, standing.position, standing.within
        FROM pair
        JOIN query ON query.id = pair.query
        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
        LEFT JOIN standing ON standing.pair = pair.id
        WHERE \(condition) AND ifnull(watched_app.mine, 1)
        ORDER BY ifnull(watched_app.ordinal, -1), query.ordinal, pair.id
        LIMIT \(limit)
        """
    }
}
