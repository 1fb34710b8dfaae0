import GRDB
package import RankKit

/// The checks of some queries on a day (UTC) of which not all came to a good answer.
package struct FailedDay: Sendable, Hashable {
    /// Counted from 1970-01-01.
    package var day: Int64
    /// Of any outcome.
    package var checks: Int
    package var failed: Int
    /// Those whose answers cannot be believed.
    package var suspect: Int
    /// Where these checks failed or are suspect.
    package var countries: Set<Country>

    package init(day: Int64, checks: Int, failed: Int, suspect: Int, countries: Set<Country>) {
        self.day = day
        self.checks = checks
        self.failed = failed
        self.suspect = suspect
        self.countries = countries
    }
}

extension HistoryReader {
    /// Those of the days in `span` on which a check of `queries` failed or is suspect, in ascending order. Failures that
    /// were thinned to a day's count are of `span` where their whole day is.
    package func failedDays(
        of queries: [Query], in span: ClosedRange<Timestamp>
    ) throws(HistoryError) -> [FailedDay] {
        let arguments: StatementArguments = [
            "from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch,
            "firstDay": (span.lowerBound - 1).day + 1, "lastDay": (span.upperBound + 1).day - 1,
        ]
        return try read { database in
            let asked = try queries.compactMap { query in
                try QueryRow.id(of: query, in: database).map { (id: $0, country: query.country) }
            }
            var days: [Int64: FailedDay] = [:]
            for (id, country) in asked {
                let rows = try Row.fetchCursor(
                    database.cachedStatement(sql: Self.failedDaysSQL),
                    arguments: arguments + ["query": id, "length": Timestamp.secondsPerDay, "failed": "failed"])
                while let row = try rows.next() {
                    let day = try row.day(0)
                    days[day, default: FailedDay(day: day, checks: 0, failed: 0, suspect: 0, countries: [])].failed +=
                        try row.count(1)
                    days[day]?.suspect += try row.count(2)
                    days[day]?.countries.insert(country)
                }
            }
            for (id, day) in asked.flatMap({ asked in days.keys.map { (asked.id, $0) } }) {
                let checks = try Int.fetchOne(
                    database.cachedStatement(sql: Self.checksOfDaySQL),
                    arguments: arguments + [
                        "query": id, "day": day, "dayStart": Timestamp.startOfDay(day).secondsSinceEpoch,
                        "dayEnd": Timestamp.startOfDay(day + 1).secondsSinceEpoch - 1,
                    ])
                days[day]?.checks += checks ?? 0
            }
            return days.values.sorted { $0.day < $1.day }
        }
    }

    /// One query's, by day: failed, suspect. `check_log_unread` has the few checks that were not good.
    static let failedDaysSQL = """
        SELECT day, sum(failed), sum(suspect)
        FROM (
            SELECT at / :length AS day, outcome = :failed AS failed, outcome <> :failed AS suspect FROM check_log
            WHERE query = :query AND outcome <> 'good' AND at BETWEEN :from AND :to
            UNION ALL
            SELECT day, failed, 0 FROM failure_day WHERE query = :query AND day BETWEEN :firstDay AND :lastDay
        )
        GROUP BY day
        """

    /// One query's checks of one day, those included that were thinned.
    static let checksOfDaySQL = """
        SELECT (SELECT count(*) FROM check_log
                WHERE query = :query AND at BETWEEN max(:from, :dayStart) AND min(:to, :dayEnd))
            + (SELECT ifnull(sum(failed), 0) FROM failure_day
                WHERE query = :query AND day = :day AND day BETWEEN :firstDay AND :lastDay)
        """
}
