import GRDB
package import RankKit

/// What went wrong with the checks of a store on one day, of those by which days of stores are kept.
package struct StoreTrouble: Sendable, Hashable {
    package let store: Store
    /// Days since 1970-01-01.
    package let day: Int64
    /// Queries with a check that failed or is suspect.
    package let queries: Int
    /// Whether a check is suspect because most lists of its pass had collapsed.
    package let hasBadDay: Bool

    package init(store: Store, day: Int64, queries: Int, hasBadDay: Bool) {
        self.store = store
        self.day = day
        self.queries = queries
        self.hasBadDay = hasBadDay
    }
}

extension HistoryReader {
    /// Those of `days` on which a check failed or is suspect, by day and store, retired queries included.
    package func storeTroubles(_ days: ClosedRange<Int64>) throws(HistoryError) -> [StoreTrouble] {
        // Before the first check there is nothing to count.
        let begin = max(days.lowerBound, try firstDay().map { $0 - 1 } ?? .max)
        guard begin <= days.upperBound else { return [] }
        return try read { database in
            try DayStretches(begin...days.upperBound, in: try CountryDayRow.zone(in: database)).stretches.flatMap {
                stretch in
                try Row.fetchAll(
                    database, sql: Self.troublesSQL,
                    arguments: [
                        "badDay": Suspicion.badDay.rawValue, "firstDay": stretch.days.lowerBound,
                        "lastDay": stretch.days.upperBound, "from": stretch.span.lowerBound.secondsSinceEpoch,
                        "to": stretch.span.upperBound.secondsSinceEpoch, "shift": stretch.shift,
                        "dayLength": Timestamp.secondsPerDay,
                    ]
                ).map {
                    try StoreTrouble(
                        store: try CountryDayRow.store($0), day: $0.day(2), queries: $0.count(3),
                        hasBadDay: $0[4])
                }
            }
        }
    }

    /// The cross joins go from each query to its own few checks that were not good, which `check_log_unread` has. What is
    /// thinned into `failure_day` are failures alone, on the day of UTC's with the same date: the checks of a bad day are
    /// suspect, and stay.
    static let troublesSQL = """
        SELECT source, country, day, count(DISTINCT query), max(is_bad_day)
        FROM (
            SELECT query.source AS source, query.country AS country,
                min((check_log.at + :shift) / :dayLength, :lastDay) AS day, query.id AS query,
                check_log.reason = :badDay AS is_bad_day
            FROM query CROSS JOIN check_log
            WHERE check_log.query = query.id AND check_log.outcome <> 'good'
                AND check_log.at BETWEEN :from AND :to
            UNION ALL
            SELECT query.source, query.country, failure_day.day, query.id, 0
            FROM query CROSS JOIN failure_day
            WHERE failure_day.query = query.id AND failure_day.day BETWEEN :firstDay AND :lastDay
        )
        GROUP BY source, country, day
        ORDER BY day, country, source
        """
}
