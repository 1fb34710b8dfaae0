import GRDB

extension Schema {
    /// Views hold nothing, so that they follow this program and not the version of the file: one that says something else
    /// is made anew by whoever opens the file to write. An earlier program of the same version reads the file as before.
    static func renewViews(in database: Database) throws {
        let known = try String.fetchOne(
            database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = 'position_history'")
        guard known != positionHistory else { return }
        try database.execute(sql: "DROP VIEW IF EXISTS position_history")
        try database.execute(sql: positionHistory)
    }

    /// For people's own SQL: every check of every pair in the time it was tracked. `language` is empty for a query that
    /// names none. An app has the name that the checks which count have told, as elsewhere.
    private static let positionHistory = """
        CREATE VIEW position_history AS
            SELECT
                check_log.at AS at,
                query.text AS query,
                query.country AS country,
                query.platform AS platform,
                query.source AS source,
                query.language AS language,
                pair.bundle_id AS bundle_id,
                (SELECT \(PresentListing.stored.column("name"))
                    FROM app
                    JOIN listing ON listing.app = app.id
                    JOIN storefront ON storefront.id = listing.storefront
                    WHERE app.id IN (
                            SELECT named.id FROM app AS named WHERE named.bundle_key = pair.bundle_key
                            UNION SELECT named.app FROM bundle_name AS named WHERE named.bundle_key = pair.bundle_key)
                        AND storefront.country = query.country
                    ORDER BY app.last_seen_day DESC, app.id DESC
                    LIMIT 1) AS app_name,
                CASE
                    WHEN check_log.outcome <> 'good' THEN check_log.outcome
                    WHEN position.pair IS NULL THEN 'failed'
                    WHEN position.position IS NULL THEN 'absent'
                    ELSE 'ranked'
                END AS state,
                position.position AS position,
                CASE WHEN check_log.outcome <> 'good' OR position.pair IS NOT NULL THEN check_log.within END AS within
            FROM pair
            JOIN query ON query.id = pair.query
            JOIN check_log ON check_log.query = pair.query
            LEFT JOIN position
                ON position.pair = pair.id AND position.at = check_log.at AND position.check_id = check_log.id
            WHERE position.pair IS NOT NULL
                OR (check_log.outcome <> 'good' OR check_log.reason IS NOT NULL)
                    AND EXISTS (
                        SELECT 1 FROM pair_period
                        WHERE pair_period.pair = pair.id
                            AND pair_period.from_at <= check_log.at
                            AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at))
        """
}
