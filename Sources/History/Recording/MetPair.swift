import GRDB
import RankKit

/// A pair that a check says something of: one that is active, or one that was retired only after the time of the check,
/// because the check took a while or the clock was set back.
struct MetPair {
    let id: Int64
    let bundleID: BundleID
    let isActive: Bool

    static func all(on query: Int64, at moment: Timestamp, in database: Database) throws -> [MetPair] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, bundle_id, retired_at IS NULL FROM pair
                WHERE query = ? AND (retired_at IS NULL
                    OR EXISTS (SELECT 1 FROM pair_period WHERE pair_period.pair = pair.id AND until_at > ?))
                """)
        return try Row.fetchAll(statement, arguments: [query, moment.secondsSinceEpoch]).compactMap { row in
            try BundleID(row[1]).map { try MetPair(id: row[0], bundleID: $0, isActive: row[2]) }
        }
    }

    /// Takes up a check that no position comes from.
    func leaveUnread(_ gap: Gap, at moment: Timestamp, in database: Database) throws {
        try StandingRow.unread(gap, at: moment, of: id, in: database)
        if isActive { try PairPeriods.cover(moment.secondsSinceEpoch, of: id, in: database) }
    }
}

extension PairPeriods {
    /// Pairs that are tracked, though nothing says since when, and the other way round.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT query.text, query.country, pair.bundle_id, pair.retired_at IS NULL
                FROM pair JOIN query ON query.id = pair.query
                WHERE (pair.retired_at IS NULL) <> EXISTS (
                    SELECT 1 FROM pair_period WHERE pair_period.pair = pair.id AND until_at IS NULL)
                """
        ).map { row in
            try Finding(
                part: .references, place: "“\(row[0] as String)” \(row[1] as String), \(row[2] as String)",
                problem: try row[3]
                    ? "the pair is tracked, but the history does not say since when"
                    : "the pair is retired, but the history says that it is still tracked")
        }
    }

    /// Lets the pair begin at `moment`, where its history does now. Of several times that reach over it, because of a clock
    /// that was ahead, one is left: the one that ends last.
    static func begin(_ pair: Int64, at moment: Int64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM pair_period WHERE pair = ? AND until_at <= ?", arguments: [pair, moment])
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*), count(until_at), max(until_at) FROM pair_period WHERE pair = ? AND from_at <= ?
                """, arguments: [pair, moment])
        guard let row, try row[0] as Int > 0 else { return }
        let until: Int64? = try row[0] as Int == row[1] ? row[2] : nil
        try database.execute(
            sql: "DELETE FROM pair_period WHERE pair = ? AND from_at <= ?", arguments: [pair, moment])
        try database.execute(
            sql: "INSERT INTO pair_period (pair, from_at, until_at) VALUES (?, ?, ?)",
            arguments: [pair, moment, until])
    }

    /// Takes up that the pair is active at a moment that lies before it was added: the clock was set back since. Without
    /// that its failed and suspect checks would not be shown until the clock is there again.
    static func cover(_ moment: Int64, of pair: Int64, in database: Database) throws {
        let isMet = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM pair_period WHERE pair = ? AND from_at <= ? AND (until_at IS NULL OR ? < until_at))
                    """), arguments: [pair, moment + CountedChecks.slack, moment])
        guard isMet == false else { return }
        // One period holds all checks of such a time.
        try database.cachedStatement(
            sql: "UPDATE pair_period SET until_at = ?2 WHERE pair = ?1 AND from_at <= ?2 AND until_at > ?2 - ?3"
        ).execute(arguments: [pair, moment + 1, Timestamp.secondsPerDay])
        guard database.changesCount == 0 else { return }
        try database.cachedStatement(
            sql: "INSERT INTO pair_period (pair, from_at, until_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [pair, moment, moment + 1])
    }
}
