import GRDB
import RankKit

/// Rows of `app_presence`.
enum AppPresenceRow {
    static let columns = "found_at, empty_since, empty_at, empty_answers, failed_at, failures_in_a_row"

    /// Adds a row unless there is one, of country, bundle key and `columns`.
    static let addition = """
        INSERT INTO app_presence (country, bundle_key, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """

    /// All rows, as country, bundle key and `columns`.
    static let all = "SELECT country, bundle_key, \(columns) FROM app_presence ORDER BY country, bundle_key"

    /// Whether any list of the country, whatever its language, has ever shown an app of the bundle identifier.
    ///
    /// The cross joins hold SQLite to this order: from the one identifier to its few apps and storefronts.
    static func isSeen(bundleKey: String, country: String) -> String {
        """
        EXISTS (SELECT 1 FROM app
            CROSS JOIN storefront ON storefront.country = \(country)
            CROSS JOIN sighting ON sighting.storefront = storefront.id AND sighting.app = app.id
            WHERE app.bundle_key = \(bundleKey))
        """
    }

    static func presence(from row: Row, at index: Int) -> AppPresence {
        let moments: [Int64?] = [row[index], row[index + 1], row[index + 2], row[index + 4]]
        let times = moments.map { $0.map(Timestamp.init(secondsSinceEpoch:)) }
        return AppPresence(
            foundAt: times[0], emptySince: times[1], emptyAt: times[2], emptyAnswers: row[index + 3] ?? 0,
            failedAt: times[3], failuresInARow: row[index + 5] ?? 0)
    }

    static func presence(of app: StorefrontApp, in database: Database) throws -> AppPresence {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(columns) FROM app_presence WHERE country = ? AND bundle_key = ?"),
            arguments: [app.country.code, app.bundleID.folded]
        ).map { presence(from: $0, at: 0) } ?? AppPresence()
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
                    SELECT tracked.bundle_id, tracked.country, \(sql: columns)
                    FROM (SELECT pair.bundle_key, min(pair.bundle_id) AS bundle_id, query.country
                        FROM pair JOIN query ON query.id = pair.query
                        WHERE pair.retired_at IS NULL AND query.retired_at IS NULL AND \(condition)
                        GROUP BY pair.bundle_key, query.country) AS tracked
                    LEFT JOIN app_presence
                        ON app_presence.country = tracked.country AND app_presence.bundle_key = tracked.bundle_key
                    WHERE app_presence.found_at IS NULL
                        AND NOT \(sql: isSeen(bundleKey: "tracked.bundle_key", country: "tracked.country"))
                    """))
        var presences: [StorefrontApp: AppPresence] = [:]
        while let row = try rows.next() {
            guard let bundleID = BundleID(row[0]), let country = Country(code: row[1]) else { continue }
            presences[StorefrontApp(bundleID, in: country)] = presence(from: row, at: 2)
        }
        return presences
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

    /// The tracked apps that their storefronts are taken not to sell.
    static func unknown(in database: Database) throws -> [StorefrontApp: AppPresence] {
        // Nearly always there is none, which this tells without looking at the pairs.
        let suspected = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM app_presence WHERE empty_answers >= ?)",
            arguments: [AppPresence.answersToBelieve])
        guard suspected == true else { return [:] }
        return try unseen(in: database).filter(\.value.isUnknown)
    }
}
