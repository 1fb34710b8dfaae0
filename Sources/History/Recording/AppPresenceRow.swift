import GRDB
import RankKit

/// Rows of `app_presence`.
enum AppPresenceRow {
    static let columns = "found_at, empty_since, empty_at, empty_answers, failed_at, failures_in_a_row"

    /// All rows, as country, bundle key and `columns`.
    static let all = "SELECT country, bundle_key, \(columns) FROM app_presence ORDER BY country, bundle_key"

    /// Whether any list of the country, whatever its language, has ever shown an app of the bundle identifier.
    ///
    /// The cross joins hold SQLite to this order: from the one identifier to its few apps and storefronts.
    static func isSeen(bundleKey: String, country: String) -> String {
        """
        EXISTS (SELECT 1 FROM main.app AS app
            CROSS JOIN storefront ON storefront.country = \(country)
            CROSS JOIN main.sighting AS sighting ON sighting.storefront = storefront.id AND sighting.app = app.id
            WHERE app.id IN \(AppNames.ids(bundleKey)))
        """
    }

    static func presence(from row: Row, at index: Int) throws -> AppPresence {
        try AppPresence(
            foundAt: row[index], emptySince: row[index + 1], emptyAt: row[index + 2], emptyAnswers: row[index + 3] ?? 0,
            failedAt: row[index + 4], failuresInARow: row[index + 5] ?? 0)
    }

    static func presence(of app: StorefrontApp, in database: Database) throws -> AppPresence {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(columns), \(isListedSince("empty_since", bundleKey: ":key", country: ":country"))
                    FROM app_presence WHERE country = :country AND bundle_key = :key
                    """), arguments: ["country": app.country.code, "key": app.bundleID.folded])
        guard let row else { return AppPresence() }
        let known = try presence(from: row, at: 0)
        // Empty answers from before a list showed the app count for nothing; that a look-up found it stays so.
        return try row[6] ? AppPresence(foundAt: known.foundAt) : known
    }

    static func keep(_ presence: AppPresence, of app: StorefrontApp, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO app_presence (country, bundle_key, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                app.country.code, app.bundleID.folded, presence.foundAt?.secondsSinceEpoch,
                presence.emptySince?.secondsSinceEpoch, presence.emptyAt?.secondsSinceEpoch, presence.emptyAnswers,
                presence.failedAt?.secondsSinceEpoch, presence.failuresInARow,
            ])
    }

    /// What is known of the apps of the active pairs, of those on one query where it is named, that neither a list of
    /// their country nor a look-up has shown.
    static func unseen(on query: Int64? = nil, in database: Database) throws -> [StorefrontApp: AppPresence] {
        let condition: SQL = query.map { "query.id = \($0)" } ?? "true"
        let rows = try Row.fetchCursor(
            database,
            SQLRequest(
                literal: """
                    SELECT tracked.bundle_id, tracked.country, \(sql: columns), \(sql: numbers)
                    FROM (SELECT pair.bundle_key, min(pair.bundle_id) AS bundle_id, query.country
                        FROM main.pair AS pair JOIN main.query AS query ON query.id = pair.query
                        WHERE pair.retired_at IS NULL AND query.retired_at IS NULL AND \(condition)
                        GROUP BY pair.bundle_key, query.country) AS tracked
                    LEFT JOIN app_presence
                        ON app_presence.country = tracked.country AND app_presence.bundle_key = tracked.bundle_key
                    WHERE app_presence.found_at IS NULL AND \(sql: isVisible)
                        AND NOT \(sql: isSeen(bundleKey: "tracked.bundle_key", country: "tracked.country"))
                    """))
        var presences: [StorefrontApp: AppPresence] = [:]
        while let row = try rows.next() {
            guard let bundleID = try BundleID(row[0]), let country = try Country(code: row[1]) else { continue }
            var presence = try presence(from: row, at: 2)
            presence.numbers = try numbers(row[8])
            presences[StorefrontApp(bundleID, in: country)] = presence
        }
        return presences
    }

    /// Whether a list that rankd asked for has shown an app of the active pairs of a country at `moment` or later.
    private static func isListedSince(_ moment: String, bundleKey: String, country: String) -> String {
        """
        \(moment) IS NOT NULL AND EXISTS (
            SELECT 1 FROM main.pair AS pair JOIN main.query AS query ON query.id = pair.query
            JOIN main.standing AS standing ON standing.pair = pair.id
            CROSS JOIN main.position AS position
                ON position.pair = pair.id AND position.at BETWEEN \(moment) AND standing.good_at
            WHERE pair.bundle_key = \(bundleKey) AND query.country = \(country)
                AND pair.retired_at IS NULL AND query.retired_at IS NULL AND \(QueryRow.isAsked)
                AND position.position IS NOT NULL)
        """
    }

    /// What is known of the apps of the active pairs that lists or a look-up of their country have shown, and that have
    /// been in no good list there for `AppPresence.secondsToMiss`. A list that failed or is suspect says nothing: an app
    /// whose newest reading on any query of the country is a place is not missing.
    ///
    /// Answers from before a list showed the app again count for nothing. If the watchlist names an app both by a bundle
    /// identifier that it had before and by its present one, it is missing by that one alone.
    static func missing(in database: Database) throws -> [StorefrontApp: AppPresence] {
        let rows = try Row.fetchCursor(
            database,
            SQLRequest(
                literal: """
                    SELECT tracked.bundle_id, tracked.country, \(sql: columns),
                        \(sql: isListedSince(
                            "app_presence.empty_since", bundleKey: "tracked.bundle_key", country: "tracked.country")),
                        \(sql: numbers)
                    FROM (SELECT pair.bundle_key, min(pair.bundle_id) AS bundle_id, query.country,
                            max(standing.position IS NOT NULL OR EXISTS (
                                SELECT 1 FROM main.position AS position
                                WHERE position.pair = pair.id AND position.position IS NOT NULL
                                    AND position.at > standing.good_at - \(AppPresence.secondsToMiss)
                                    AND position.at <= standing.good_at)) AS is_listed,
                            max(EXISTS (
                                SELECT 1 FROM main.position AS position
                                WHERE position.pair = pair.id
                                    AND position.at <= standing.good_at - \(AppPresence.secondsToMiss))) AS is_covered
                        FROM main.pair AS pair JOIN main.query AS query ON query.id = pair.query
                            JOIN main.standing AS standing ON standing.pair = pair.id
                        WHERE pair.retired_at IS NULL AND query.retired_at IS NULL
                            AND \(sql: QueryRow.isAsked) AND standing.good_at IS NOT NULL
                        GROUP BY pair.bundle_key, query.country) AS tracked
                    LEFT JOIN app_presence
                        ON app_presence.country = tracked.country AND app_presence.bundle_key = tracked.bundle_key
                    WHERE NOT is_listed AND is_covered AND \(sql: isVisible)
                        AND NOT EXISTS (
                            SELECT 1 FROM main.bundle_name AS name JOIN main.app AS app ON app.id = name.app
                                JOIN main.pair AS pair ON pair.bundle_key = app.bundle_key AND pair.retired_at IS NULL
                                JOIN main.query AS query ON query.id = pair.query
                            WHERE name.bundle_key = tracked.bundle_key AND app.bundle_key <> name.bundle_key
                                AND query.country = tracked.country AND query.retired_at IS NULL)
                        AND (app_presence.found_at IS NOT NULL
                            OR \(sql: isSeen(bundleKey: "tracked.bundle_key", country: "tracked.country")))
                    """))
        var presences: [StorefrontApp: AppPresence] = [:]
        while let row = try rows.next() {
            guard let bundleID = try BundleID(row[0]), let country = try Country(code: row[1]) else { continue }
            var presence = try row[8] ? AppPresence() : presence(from: row, at: 2)
            presence.wasListed = true
            presence.numbers = try numbers(row[9])
            presences[StorefrontApp(bundleID, in: country)] = presence
        }
        return presences
    }

    /// Apple's numbers that the bundle identifier of `tracked` stands for, the one seen last first. Apple gives an app
    /// another number now and then; older ones than a few are no more.
    private static let numbers = """
        (SELECT group_concat(app_id) FROM (
            SELECT app.app_id FROM main.app AS app WHERE app.id IN \(AppNames.holders("tracked.bundle_key"))
            ORDER BY app.last_seen_day DESC, app.id DESC LIMIT 5))
        """

    private static func numbers(_ text: String?) -> [AppID] {
        (text ?? "").split(separator: ",").compactMap { Int64($0).map { AppID($0) } }
    }

    /// Whether a connection that shows a part of the history (`Narrowing`) shows a pair of `tracked`: all else is
    /// decided over the whole history, else an app would be missing because others' lists alone have it.
    private static let isVisible = """
        EXISTS (SELECT 1 FROM pair JOIN query ON query.id = pair.query
            WHERE pair.bundle_key = tracked.bundle_key AND query.country = tracked.country
                AND pair.retired_at IS NULL AND query.retired_at IS NULL)
        """

    /// Whether a list of its country has ever shown `app`.
    static func wasListed(_ app: StorefrontApp, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(isSeen(bundleKey: ":key", country: ":country"))
                    """),
            arguments: ["key": app.bundleID.folded, "country": app.country.code]) ?? false
    }

    static func isTrackedAndSeen(_ app: StorefrontApp, in database: Database) throws -> Bool {
        let (key, country) = (app.bundleID.folded, app.country.code)
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM pair JOIN query ON query.id = pair.query
                            WHERE pair.bundle_key = :key AND query.country = :country
                                AND pair.retired_at IS NULL AND query.retired_at IS NULL)
                        AND (EXISTS (SELECT 1 FROM app_presence
                                WHERE country = :country AND bundle_key = :key AND found_at IS NOT NULL)
                            OR \(isSeen(bundleKey: ":key", country: ":country")))
                    """), arguments: ["key": key, "country": country]) ?? false
    }

    /// Seconds that have to lie between the first and the newest of the failures since the last answer before look-ups are
    /// said to fail: a service that asks once a day has tried three times by then, and one that runs nine times.
    private static let secondsOfFailures = 2 * Timestamp.secondsPerDay
    /// Failures in a row of one app after which its look-ups have failed for so long, by `AppPresence.retryDelay`: for a
    /// history in which the first of them has no time.
    private static let failuresOfDays = 9
    /// The same of pauses: half an hour each.
    private static let pausesOfDays = 96

    /// Takes up that look-ups came to nothing at `moment`. A first time that lies after it is of a clock that was ahead.
    static func note(failureAt moment: Timestamp, in database: Database) throws {
        if let since = try Setting.lookupsFailingSince.moment(in: database), since <= moment { return }
        try Setting.lookupsFailingSince.set(moment.secondsSinceEpoch, in: database)
    }

    /// Whether look-ups have come to nothing for two days: an app could not be looked up for so long, and none was.
    static func failing(asOf now: Timestamp, in database: Database) throws -> ServiceRecord.FailingLookups? {
        let since = try Setting.lookupsFailingSince.moment(in: database)
        // One failure, however long ago the one before it was, may be of this day alone.
        func hasFailed(at newest: Timestamp?, times: Int, of days: Int) -> Bool {
            guard times > 1, let newest else { return false }
            return times >= days || since.map { newest - $0 >= secondsOfFailures } ?? false
        }
        let health = try LaneRow.health(named: Endpoint.lookupName, in: database)
        let isPaused =
            health.pause != nil && hasFailed(at: health.pausedAt, times: health.pausesInARow, of: pausesOfDays)
        // Nearly always there is none, which this tells without looking at the pairs.
        let mayHaveFailed = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM app_presence WHERE failures_in_a_row > 1)")
        guard isPaused || mayHaveFailed == true else { return nil }
        let answered = try Bool.fetchOne(
            database,
            sql:
                "SELECT EXISTS (SELECT 1 FROM app_presence WHERE max(ifnull(found_at, 0), ifnull(empty_at, 0)) BETWEEN ? AND ?)",
            arguments: [(now - secondsOfFailures).secondsSinceEpoch, now.endOfTomorrow.secondsSinceEpoch])
        guard answered != true else { return nil }
        let waiting = try lookedUp(in: database).values.filter { presence in
            isPaused
                ? presence.nextDue(now: now) <= now
                : hasFailed(at: presence.failedAt, times: presence.failuresInARow, of: failuresOfDays)
        }
        return waiting.isEmpty ? nil : ServiceRecord.FailingLookups(apps: waiting.count)
    }

    /// What is known of the apps of the active pairs that are looked up: those that were never seen, and those that are
    /// missing.
    static func lookedUp(in database: Database) throws -> [StorefrontApp: AppPresence] {
        try unseen(in: database).merging(missing(in: database)) { one, _ in one }
    }

    /// The tracked apps that their storefronts are taken not to sell.
    static func unknown(in database: Database) throws -> [StorefrontApp: AppPresence] {
        // Nearly always there is none, which this tells without looking at the pairs.
        let suspected = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM app_presence WHERE empty_answers >= ?)",
            arguments: [AppPresence.answersToBelieve])
        guard suspected == true else { return [:] }
        return try lookedUp(in: database).filter(\.value.isUnknown)
    }
}
