import GRDB
package import RankKit

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
