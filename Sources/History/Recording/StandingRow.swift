import GRDB
import RankKit

/// Rows of `standing`: derived from the checks, kept in the transaction that records one.
enum StandingRow {
    /// Takes up a good check that counts (`CountedChecks`). Checks go by time, and of one second the one recorded last
    /// is the newest. The best and the worst place are those of all times, of equal ones the oldest.
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
                    state = iif(excluded.checked_at >= checked_at, excluded.state, state),
                    reason = iif(excluded.checked_at >= checked_at, NULL, reason),
                    checked_at = max(excluded.checked_at, checked_at),
                    position = iif(excluded.good_at >= ifnull(good_at, excluded.good_at), excluded.position, position),
                    within = iif(excluded.good_at >= ifnull(good_at, excluded.good_at), excluded.within, within),
                    good_at = max(excluded.good_at, ifnull(good_at, excluded.good_at)),
                    best_at = iif(
                        best IS NULL OR (excluded.best, excluded.best_at) < (best, best_at), excluded.best_at, best_at),
                    best = iif(best IS NULL OR excluded.best < best, excluded.best, best),
                    worst_at = iif(
                        worst IS NULL OR (-excluded.worst, excluded.worst_at) < (-worst, worst_at),
                        excluded.worst_at, worst_at),
                    worst = iif(worst IS NULL OR excluded.worst > worst, excluded.worst, worst)
                """
        ).execute(
            arguments: [
                "pair": pair, "state": Outcome.placed(position, of: within).state.rawValue, "at": at, "place": place,
                "within": within, "placedAt": place == nil ? nil : at,
            ])
    }

    /// Takes up a check that no position comes from: the last good reading stays.
    static func unread(_ gap: Gap, at moment: Timestamp, of pair: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO standing (pair, state, checked_at, reason) VALUES (?, ?, ?, ?)
                ON CONFLICT (pair) DO UPDATE SET
                    state = excluded.state, checked_at = excluded.checked_at, reason = excluded.reason
                    WHERE excluded.checked_at >= checked_at
                """
        ).execute(arguments: [pair, gap.state.rawValue, moment.secondsSinceEpoch, gap.reason])
    }

    /// Takes up the newest of the positions that were filled in, where the newest check said nothing of the pair and none
    /// before it had been read.
    static func addLastGood(of pair: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE standing SET (good_at, position, within) = (
                    SELECT at, position, within FROM position
                    WHERE position.pair = standing.pair AND position.at <= standing.checked_at
                    ORDER BY position.at DESC, position.check_id DESC LIMIT 1)
                WHERE pair = ? AND state IN ('failed', 'suspect') AND EXISTS (
                    SELECT 1 FROM position
                    WHERE position.pair = standing.pair AND position.at <= standing.checked_at
                        AND (standing.good_at IS NULL OR standing.good_at < position.at))
                """
        ).execute(arguments: [pair])
    }

    static func exists(for pair: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM standing WHERE pair = ?)"), arguments: [pair])
            ?? false
    }

    /// Takes up good checks of the past, in order: they can hold the best and the worst place. Of equal ones the oldest
    /// counts.
    static func addPast(_ places: [StoredPlace], of pair: Int64, in database: Database) throws {
        let end = try CountedChecks.end(in: database)
        let ranked = places.filter { $0.position != nil && $0.head.at.secondsSinceEpoch < end }
        guard let best = ranked.min(by: { ($0.rank, $0.head.key) < ($1.rank, $1.head.key) }),
            let worst = ranked.min(by: { (-$0.rank, $0.head.key) < (-$1.rank, $1.head.key) })
        else { return }
        try database.cachedStatement(
            sql: """
                UPDATE standing SET best = :place, best_at = :at
                WHERE pair = :pair AND (best IS NULL OR (:place, :at) < (best, best_at))
                """
        ).execute(arguments: ["pair": pair, "place": best.rank, "at": best.head.at.secondsSinceEpoch])
        try database.cachedStatement(
            sql: """
                UPDATE standing SET worst = :place, worst_at = :at
                WHERE pair = :pair AND (worst IS NULL OR (-:place, :at) < (-worst, worst_at))
                """
        ).execute(arguments: ["pair": pair, "place": worst.rank, "at": worst.head.at.secondsSinceEpoch])
    }
}

extension StoredPlace {
    fileprivate var rank: Int { position?.number ?? .max }
}
