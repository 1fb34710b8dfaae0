import GRDB
import RankKit

/// Rows of `standing`: derived from the checks, kept in the transaction that records one.
enum StandingRow {
    /// Takes up a good check. The one recorded last is the newest, whatever the clock said: were the times compared,
    /// a single check that a glitch dated years ahead would hide all that come after it.
    static func reading(
        _ position: Position?, within: Int, at moment: Timestamp, of pair: Int64, in database: Database
    ) throws {
        let at = moment.secondsSinceEpoch
        let place = position?.number
        try database.cachedStatement(
            sql: """
                INSERT INTO standing
                    (pair, state, checked_at, good_at, position, within, best, best_at, worst, worst_at)
                VALUES (:pair, :state, :at, :at, :place, :within, :place, :placedAt, :place, :placedAt)
                ON CONFLICT (pair) DO UPDATE SET
                    state = excluded.state, checked_at = excluded.checked_at, reason = NULL,
                    good_at = excluded.good_at, position = excluded.position, within = excluded.within,
                    best_at = iif(best IS NULL OR excluded.best < best, excluded.best_at, best_at),
                    best = iif(best IS NULL OR excluded.best < best, excluded.best, best),
                    worst_at = iif(worst IS NULL OR excluded.worst > worst, excluded.worst_at, worst_at),
                    worst = iif(worst IS NULL OR excluded.worst > worst, excluded.worst, worst)
                """
        ).execute(
            arguments: [
                "pair": pair, "state": position == nil ? "absent" : "ranked", "at": at, "place": place,
                "within": within, "placedAt": place == nil ? nil : at,
            ])
    }

    /// Takes up a check that no position comes from (`failed` or `suspect`): the last good reading stays.
    static func unread(
        _ state: String, _ reason: String, at moment: Timestamp, of pair: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO standing (pair, state, checked_at, reason) VALUES (?, ?, ?, ?)
                ON CONFLICT (pair) DO UPDATE SET
                    state = excluded.state, checked_at = excluded.checked_at, reason = excluded.reason
                """
        ).execute(arguments: [pair, state, moment.secondsSinceEpoch, reason])
    }
}
