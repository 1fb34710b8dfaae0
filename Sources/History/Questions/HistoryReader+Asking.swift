import GRDB
package import RankKit

/// What came of asking one query over some time.
package struct QueryChecks: Sendable, Hashable {
    package var query: Query
    package var good: Int
    /// Those without an answer that can be relied on, by reason.
    package var troubles: [Trouble]

    package struct Trouble: Sendable, Hashable {
        package var gap: Gap
        package var count: Int
        package var lastAt: Timestamp

        package init(_ gap: Gap, count: Int, lastAt: Timestamp) {
            self.gap = gap
            self.count = count
            self.lastAt = lastAt
        }
    }

    package init(query: Query, good: Int, troubles: [Trouble] = []) {
        self.query = query
        self.good = good
        self.troubles = troubles
    }

    package var failed: Int { troubles.reduce(0) { $0 + ($1.gap.isSuspect ? 0 : $1.count) } }
    package var suspect: Int { troubles.reduce(0) { $0 + ($1.gap.isSuspect ? $1.count : 0) } }
}

extension HistoryReader {
    /// What came of asking each active query in `span`, in the watchlist's order; those never asked then included.
    /// Failures that were thinned out are known only by their day (UTC), which stands for the time of the last of them.
    package func checks(in span: ClosedRange<Timestamp>) throws(HistoryError) -> [QueryChecks] {
        try read { database in
            let arguments: StatementArguments = [
                "from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch,
                "firstDay": span.lowerBound.day, "lastDay": span.upperBound.day,
                "dayLength": Timestamp.secondsPerDay,
            ]
            var troubles: [Int64: [QueryChecks.Trouble]] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.troublesOfQueries, arguments: arguments)
            while let row = try rows.next() {
                try troubles[row[0], default: []].append(
                    QueryChecks.Trouble(
                        try Gap(row, at: 1, ofCheck: row[5], orOfQuery: row[0]), count: row.count(3),
                        lastAt: row[4]))
            }
            return try Row.fetchAll(
                database, sql: Self.checksOfQueries,
                arguments: ["from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch]
            ).map { row in
                try QueryChecks(
                    query: try QueryRow.query(from: row, at: 3),
                    good: max(0, row.count(1) - row.count(2)), troubles: troubles[row[0]] ?? [])
            }
        }
    }

    /// Searches that were sent in `span`: one for each check of it, and those that left none, which were further tries or
    /// were turned away. What left none is of the time at which its pass ended; in a pass that is under way, or that was
    /// cut off, it is of its newest answer. Failures that were thinned out are known only by their day (UTC).
    ///
    /// - Parameter source: `nil` for all sources.
    package func requests(
        in span: ClosedRange<Timestamp>, of source: Source? = nil
    ) throws(HistoryError) -> Int {
        try read { try Self.requests(in: span, of: source, in: $0) }
    }

    static func requests(in span: ClosedRange<Timestamp>, of source: Source?, in database: Database) throws -> Int {
        let ended =
            try Int.fetchOne(
                database, sql: requestsOfAll,
                arguments: [
                    "from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch,
                    "firstDay": span.lowerBound.day, "lastDay": span.upperBound.day, "source": source?.rawValue,
                ]) ?? 0
        return try ended + UnfinishedRequests.sum(in: span, of: source, in: database)
    }

    /// Without those of passes that have not ended.
    static let requestsOfAll = """
        SELECT
            (SELECT ifnull(sum((SELECT count(*) FROM check_log
                    WHERE check_log.query = query.id AND check_log.at BETWEEN :from AND :to)), 0)
                FROM query WHERE \(QueryRow.isAsked) AND (:source IS NULL OR source = :source))
            + (SELECT ifnull(sum((SELECT ifnull(sum(failed), 0) FROM failure_day
                    WHERE failure_day.query = query.id AND failure_day.day BETWEEN :firstDay AND :lastDay)), 0)
                FROM query WHERE \(QueryRow.isAsked) AND (:source IS NULL OR source = :source))
            + (SELECT ifnull(sum(max(0, requests - succeeded - failed - suspect)), 0) FROM pass
                WHERE finished_at BETWEEN :from AND :to AND (:source IS NULL OR source = :source))
        """

    static let checksOfQueries = """
        SELECT query.id,
            (SELECT count(*) FROM check_log WHERE check_log.query = query.id AND check_log.at BETWEEN :from AND :to),
            (SELECT count(*) FROM check_log
                WHERE check_log.query = query.id AND outcome <> 'good' AND check_log.at BETWEEN :from AND :to),
            \(QueryRow.columns)
        FROM query WHERE query.retired_at IS NULL ORDER BY query.ordinal
        """

    /// SQLite takes the check from the row that has the greatest time.
    static let troublesOfQueries = """
        SELECT query, outcome, reason, sum(count), max(at), "check"
        FROM (
            SELECT query.id AS query, check_log.outcome AS outcome, check_log.reason AS reason, 1 AS count,
                check_log.at AS at, check_log.id AS "check"
            FROM query CROSS JOIN check_log
            WHERE query.retired_at IS NULL AND check_log.query = query.id AND check_log.outcome <> 'good'
                AND check_log.at BETWEEN :from AND :to
            UNION ALL
            SELECT query.id, 'failed', failure_day.reason, failure_day.failed, failure_day.day * :dayLength, NULL
            FROM query CROSS JOIN failure_day
            WHERE query.retired_at IS NULL AND failure_day.query = query.id
                AND failure_day.day BETWEEN :firstDay AND :lastDay
        )
        GROUP BY query, outcome, reason
        ORDER BY query, outcome, reason
        """
}
