import GRDB
import RankKit

/// Rows of `pair_day`: one pair on one closed day, derived from its positions.
enum DayRollUp {
    /// The last day that is rolled up; `nil` before the first.
    static func lastDay(in database: Database) throws -> Int64? {
        try Setting.rolledUpThrough.integer(in: database)
    }

    /// Brings the rows of `pairs` on `day` up to date, where that day is rolled up already (the clock was set back,
    /// or a check ended after midnight), or is being rolled up and may have passed these pairs.
    static func refresh(day: Int64, pairs: [Int64], in database: Database) throws {
        let begun = try Setting.rollingUp.integer(in: database) ?? .min
        guard day <= max(try lastDay(in: database) ?? .min, begun) else { return }
        for pair in pairs { try rollUp(day: day, of: pair, in: database) }
    }

    /// Deletes the row of a day that may have no positions any more.
    static func forget(day: Int64, of pair: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM pair_day WHERE pair = ? AND day = ?")
            .execute(arguments: [pair, day])
    }

    static func rollUp(day: Int64, of pair: Int64, in database: Database) throws {
        let start = Timestamp.startOfDay(day).secondsSinceEpoch
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pair_day
                    (pair, day, good, ranked, best, worst, last_at, last_position, last_within)
                SELECT pair, ?, count(*), count(position), min(position), max(position), last_at, last_position,
                    last_within
                FROM (
                    SELECT pair, position,
                        last_value(at) OVER newest AS last_at,
                        last_value(position) OVER newest AS last_position,
                        last_value(within) OVER newest AS last_within
                    FROM position
                    WHERE pair = ? AND at >= ? AND at < ?
                    WINDOW newest AS (
                        ORDER BY at, check_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
                )
                GROUP BY pair
                """
        ).execute(arguments: [day, pair, start, start + Timestamp.secondsPerDay])
    }
}
