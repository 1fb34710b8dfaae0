import Algorithms
import GRDB
package import RankKit

/// The checks of some queries on a day, of the reader's, of which not all came to a good answer.
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
    /// were thinned to the count of a day of UTC's are of the day with its date, and of `span` where that whole day is.
    package func failedDays(
        of queries: [Query], in span: ClosedRange<Timestamp>
    ) throws(HistoryError) -> [FailedDay] {
        // Before the first check there is nothing to count.
        let begin = max(days.day(of: span.lowerBound), try firstDay().map { $0 - 1 } ?? .max)
        guard begin <= days.day(of: span.upperBound) else { return [] }
        let stretches = DayStretches(begin...days.day(of: span.upperBound), in: days).stretches
        // Thinned failures are counted of days that lie within as a whole.
        let (first, last) = (days.day(of: span.lowerBound - 1) + 1, days.day(of: span.upperBound + 1) - 1)
        return try read { database in
            let asked = try queries.compactMap { query in
                try QueryRow.id(of: query, in: database).map { (id: $0, country: query.country) }
            }
            var found: [Int64: FailedDay] = [:]
            for (stretch, asked) in product(stretches, asked) {
                let seconds = stretch.span.clamped(to: span).seconds
                let rows = try Row.fetchCursor(
                    database.cachedStatement(sql: Self.failedDaysSQL),
                    arguments: [
                        "query": asked.id, "from": seconds.lowerBound, "to": seconds.upperBound,
                        "firstDay": max(first, stretch.days.lowerBound), "lastDay": min(last, stretch.days.upperBound),
                        "last": stretch.days.upperBound, "shift": stretch.shift, "length": Timestamp.secondsPerDay,
                        "failed": "failed",
                    ])
                while let row = try rows.next() {
                    let day = try row.day(0)
                    found[day, default: FailedDay(day: day, checks: 0, failed: 0, suspect: 0, countries: [])].failed +=
                        try row.count(1)
                    found[day]?.suspect += try row.count(2)
                    found[day]?.countries.insert(asked.country)
                }
            }
            for (day, asked) in product(found.keys.sorted(), asked) {
                let checks = try Int.fetchOne(
                    database.cachedStatement(sql: Self.checksOfDaySQL),
                    arguments: [
                        "query": asked.id, "day": day, "firstDay": first, "lastDay": last,
                        "from": max(span.lowerBound, days.start(of: day)).secondsSinceEpoch,
                        "to": min(span.upperBound, days.end(of: day)).secondsSinceEpoch,
                    ])
                found[day]?.checks += checks ?? 0
            }
            return found.values.sorted { $0.day < $1.day }
        }
    }

    /// One query's, by day: failed, suspect. `check_log_unread` has the few checks that were not good.
    static let failedDaysSQL = """
        SELECT day, sum(failed), sum(suspect)
        FROM (
            SELECT min((at + :shift) / :length, :last) AS day, outcome = :failed AS failed,
                outcome <> :failed AS suspect
            FROM check_log WHERE query = :query AND outcome <> 'good' AND at BETWEEN :from AND :to
            UNION ALL
            SELECT day, failed, 0 FROM failure_day WHERE query = :query AND day BETWEEN :firstDay AND :lastDay
        )
        GROUP BY day
        """

    /// One query's checks of one day, those included that were thinned.
    static let checksOfDaySQL = """
        SELECT (SELECT count(*) FROM check_log
                WHERE query = :query AND at BETWEEN :from AND :to)
            + (SELECT ifnull(sum(failed), 0) FROM failure_day
                WHERE query = :query AND day = :day AND day BETWEEN :firstDay AND :lastDay)
        """
}
