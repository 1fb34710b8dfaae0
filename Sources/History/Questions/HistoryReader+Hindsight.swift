import GRDB
package import RankKit

/// What is not told as it was at a moment, because later knowledge took its place.
package struct Hindsight: Sendable, Hashable {
    /// Active pairs that the watchlist had not yet.
    package var added = 0
    /// Pairs that it had and has no longer.
    package var removed = 0
    /// Checks up to then whose lists turned out later to be too short: they are suspect now.
    package var outgrown = 0

    package init(added: Int = 0, removed: Int = 0, outgrown: Int = 0) {
        (self.added, self.removed, self.outgrown) = (added, removed, outgrown)
    }
}

extension HistoryReader {
    package func hindsight(of moment: Timestamp) throws(HistoryError) -> Hindsight {
        try read { database in
            let seconds = moment.secondsSinceEpoch
            let pairs = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) FILTER (WHERE retired_at IS NULL AND NOT wasThere),
                        count(*) FILTER (WHERE retired_at > :moment AND wasThere)
                    FROM (SELECT retired_at, EXISTS (
                        SELECT 1 FROM pair_period
                        WHERE pair_period.pair = pair.id AND pair_period.from_at <= :moment
                            AND (pair_period.until_at IS NULL OR pair_period.until_at > :moment)) AS wasThere
                        FROM pair WHERE retired_at IS NULL OR retired_at > :moment)
                    """, arguments: ["moment": seconds])
            var hindsight = Hindsight()
            if let pairs { (hindsight.added, hindsight.removed) = try (pairs.count(0), pairs.count(1)) }
            hindsight.outgrown =
                try Int.fetchOne(
                    database, sql: Self.outgrownLater,
                    arguments: [
                        "moment": seconds, "outgrown": Suspicion.outgrown.rawValue, "long": Belief.fewestPlaces,
                        "before": Belief.fewestLists - 1,
                    ]) ?? 0
            return hindsight
        }
    }

    /// A query's first lists are judged by the first long ones: with the last of these that it takes.
    private static let outgrownLater = """
        SELECT count(*) FROM check_log AS short
        WHERE outcome <> 'good' AND reason = :outgrown AND at <= :moment AND (
            SELECT at FROM check_log AS long
            WHERE long.query = short.query AND long.outcome = 'good' AND long.within >= :long
            ORDER BY at LIMIT 1 OFFSET :before) > :moment
        """
}
