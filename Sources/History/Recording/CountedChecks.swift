import GRDB
import RankKit

/// Which checks count.
///
/// A check whose date lies ahead of the clock was dated by a clock that was ahead, or the clock is behind now. It is
/// kept, and counts for nothing until its date is past: not for where pairs stand, nor for their best and worst places,
/// for a query's newest check and first places, or for the best places of the apps in its lists. So checks go by time
/// everywhere, and no wrong date hides the right ones. What is kept day by day is of the checks of that day alone, and
/// needs no such rule.
///
/// The clock is that of the newest recording. Where the counted ones end is stored in the transaction
/// that records it, so that whoever derives anything anew goes by the same.
enum CountedChecks {
    /// In seconds: checks are not recorded in the order in which they were asked.
    static let slack: Int64 = 600

    /// Checks of this moment, in seconds, or later do not count; `Int64.max` where all do.
    static func end(in database: Database) throws -> Int64 {
        try Setting.countedUntil.integer(in: database) ?? .max
    }

    /// Whether checks go by time: earlier versions went by the order of recording.
    static func goByTime(in database: Database) throws -> Bool { try newest(in: database) != nil }

    /// When the newest check began that counts, in seconds.
    static func newest(in database: Database) throws -> Int64? { try Setting.newestCounted.integer(in: database) }

    /// Takes up that the clock shows `moment`, in seconds.
    ///
    /// - Parameter check: when the check began that is about to be recorded, in seconds; `nil` if it will not count.
    /// - Returns: the queries of which other checks count now than before. What is derived from them is to be brought up
    ///   to date (`derive`).
    static func advance(to moment: Int64, recording check: Int64?, in database: Database) throws -> Set<Int64> {
        let (sum, overflows) = moment.addingReportingOverflow(slack)
        let limit = overflows ? Int64.max : sum
        let end = try end(in: database)
        guard let newest = try newest(in: database) else {
            return try disordered(in: database)
                .union(settle(upTo: limit, moment, recording: check, from: end, in: database))
        }
        guard newest > limit || end <= limit else {
            if newest < moment { try Setting.newestCounted.set(moment, in: database) }
            return []
        }
        return try settle(upTo: limit, moment, recording: check, from: end, in: database)
    }

    /// When the newest check began that counts and is of `moment` or before, both in seconds; `nil` where there is none.
    static func newest(by moment: Int64, in database: Database) throws -> Int64? {
        let end = try end(in: database)
        guard end > .min else { return nil }
        return try Int64.fetchOne(
            database.cachedStatement(sql: newestSQL), arguments: ["limit": end < .max ? min(moment, end - 1) : moment])
    }

    /// When the newest check began that counts before an import; `nil` where there is none. What an earlier version
    /// recorded counts: when it did so is not known.
    static func newestBeforeImport(in database: Database) throws -> Int64? {
        try newest(in: database) ?? Int64.fetchOne(database, sql: newestSQL, arguments: ["limit": Int64.max])
    }

    /// Takes up that checks were imported whose own clock showed `moment` when the last of them was recorded.
    ///
    /// - Parameter own: `newestBeforeImport`.
    /// - Returns: as `advance`.
    static func admit(upTo moment: Int64, after own: Int64?, in database: Database) throws -> Set<Int64> {
        let wentByTime = try goByTime(in: database)
        let moment = max(moment, own ?? moment)
        let changed = try settle(upTo: moment, moment, from: try end(in: database), in: database)
        return try wentByTime ? changed : changed.union(disordered(in: database))
    }

    /// Takes up that checks were imported of which those up to `moment`, in seconds, count, and that what counted before
    /// was dated by a clock that was ahead.
    ///
    /// - Parameter clock: what the clock shows, in seconds. Where it is behind `moment` now, the checks up to `moment` go
    ///   on counting, as they do where they were recorded.
    /// - Returns: as `advance`.
    static func takeBack(upTo moment: Int64, by clock: Int64, in database: Database) throws -> Set<Int64> {
        let wentByTime = try goByTime(in: database)
        let changed = try settle(
            upTo: max(clock + slack, moment), moment, from: try end(in: database), in: database)
        return try wentByTime ? changed : changed.union(disordered(in: database))
    }

    private static func settle(
        upTo limit: Int64, _ moment: Int64, recording check: Int64? = nil, from before: Int64, in database: Database
    ) throws -> Set<Int64> {
        let newest = try Int64.fetchOne(database, sql: newestSQL, arguments: ["limit": limit])
        try Setting.newestCounted.set(max(newest ?? .min, moment), in: database)
        try undateApps(after: limit, recording: check, newest: newest, in: database)
        let end = try Int64.fetchOne(
            database,
            sql: """
                SELECT min((SELECT min(at) FROM check_log WHERE check_log.query = query.id AND at > ?)) FROM query
                """, arguments: [limit])
        try Setting.countedUntil.set(end, in: database)
        let (first, last) = (min(before, end ?? .max), max(before, end ?? .max))
        guard first < last else { return [] }
        return try Int64.fetchSet(
            database,
            sql: """
                SELECT id FROM query
                WHERE EXISTS (SELECT 1 FROM check_log WHERE check_log.query = query.id AND at >= ? AND at < ?)
                """, arguments: [first, last])
    }

    /// No app was seen, or came under another name, after `limit`, in seconds: a check that a clock ahead dated said so.
    /// It was by the newest check that counts. For names that is a moment which every history with these checks finds,
    /// whatever its clock shows.
    ///
    /// - Parameters:
    ///   - check: the moment of the check that is about to be recorded, if one is; in seconds.
    ///   - newest: that of the newest recorded one up to `limit`, in seconds; `nil` if there is none.
    private static func undateApps(
        after limit: Int64, recording check: Int64?, newest: Int64?, in database: Database
    ) throws {
        let moment = min(max(check ?? .min, newest ?? .min), limit)
        let known = moment == .min ? limit : moment
        let zone = try CountryDayRow.wantedZone(in: database)
        func day(of seconds: Int64) -> Int64 { zone.day(of: Timestamp(secondsSinceEpoch: seconds)) }
        try database.execute(
            sql: "UPDATE app SET last_seen_day = :known WHERE last_seen_day > :last",
            arguments: ["known": day(of: known), "last": day(of: limit)])
        let renamed = try Int64.fetchAll(
            database, sql: "SELECT DISTINCT app FROM bundle_name WHERE from_at > :limit OR stayed_at > :limit",
            arguments: ["limit": limit])
        for app in renamed {
            var names = try AppNames(of: app, in: database)
            let change = try NameChange(of: names.keys, in: database)
            names.undate(after: limit, to: known)
            try names.keep(of: app, in: database)
            try change.note(in: database)
        }
    }

    /// Whether a check of `moment` counts where the clock shows `clock`, both in seconds.
    static func counts(_ moment: Int64, by clock: Int64) -> Bool { moment <= clock || moment - clock <= slack }

    /// Takes up that a check was recorded whose date, in seconds, the clock has not reached: it was asked before the clock
    /// was set back.
    ///
    /// - Parameter clock: what the clock shows, in seconds.
    /// - Returns: whether the check is one. What is derived from its query is to be brought up to date (`derive`).
    static func leaveOut(checkAt moment: Int64, by clock: Int64, in database: Database) throws -> Bool {
        guard !counts(moment, by: clock) else { return false }
        try Setting.countedUntil.set(min(moment, end(in: database)), in: database)
        let limit = clock + slack
        let newest = try Int64.fetchOne(database, sql: newestSQL, arguments: ["limit": limit])
        try undateApps(after: limit, recording: nil, newest: newest, in: database)
        return true
    }

    private static let newestSQL = """
        SELECT max((SELECT max(at) FROM check_log WHERE check_log.query = query.id AND at <= :limit)) FROM query
        """

    /// Queries whose checks were not recorded in the order of time.
    private static func disordered(in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database,
            sql: """
                SELECT DISTINCT query FROM (
                    SELECT query, id, lag(id) OVER (PARTITION BY query ORDER BY at, id) AS before FROM check_log)
                WHERE before > id
                """)
    }

    /// Checks that are said neither to count nor to be dated ahead.
    static func findings(in database: Database) throws -> [Finding] {
        guard let newest = try newest(in: database) else { return [] }
        let end = try end(in: database)
        guard newest < end else {
            return [
                Finding(
                    part: .references, place: "settings",
                    problem: "the newest check that counts is marked as one that does not count")
            ]
        }
        return try Row.fetchAll(
            database,
            sql: """
                SELECT query.text, query.country, (
                    SELECT check_log.id FROM check_log
                    WHERE check_log.query = query.id AND at > ? AND at < ? ORDER BY at LIMIT 1) AS check_id
                FROM query WHERE check_id IS NOT NULL
                """, arguments: [newest, end]
        ).map { row in
            try Finding(
                part: .references, place: "“\(row[0] as String)” \(row[1] as String)",
                problem: "check \(row[2] as Int64) is marked neither as past nor as dated ahead of the clock")
        }
    }

    /// Notes that other checks of `queries` count now than when they were derived (`derive`).
    static func note(_ queries: Set<Int64>, in database: Database) throws {
        guard !queries.isEmpty else { return }
        for query in queries { try QueryTopRow.forget(of: query, in: database) }
        try Setting.uncounted.set(queries: noted(in: database).union(queries), in: database)
    }

    /// The queries that were noted and have not been derived since.
    static func noted(in database: Database) throws -> Set<Int64> {
        try Setting.uncounted.queries(in: database)
    }

    /// Brings up to date what is derived from the checks of a query of which others count now. Its apps are entered
    /// anew from the lists by and by.
    static func derive(_ query: Int64, in database: Database) throws {
        guard let order = try QueryRow.deriveNewestCheck(of: query, in: database) else { return }
        try QueryTopRow.forget(of: query, in: database)
        // What dropped lists told stays: no other list tells it again.
        try database.cachedStatement(sql: "DELETE FROM query_app WHERE query = ? AND best_at >= ?")
            .execute(
                arguments: [query, max(try end(in: database), try Setting.listsSince.integer(in: database) ?? .min)])
        try database.cachedStatement(
            sql: """
                INSERT INTO query_fill (query) VALUES (?)
                ON CONFLICT (query) DO UPDATE SET through_at = NULL, through_check = NULL
                """
        ).execute(arguments: [query])
        try Derivation.derive(pairsOf: query, order, in: database)
    }

    /// Derives a query that was noted.
    static func deriveNoted(_ query: Int64, in database: Database) throws {
        try derive(query, in: database)
        try Setting.uncounted.set(queries: noted(in: database).subtracting([query]), in: database)
    }
}
