extension Schema {
    /// Numbers of Apple's that came under another bundle identifier.
    static let version12 = """
        -- The bundle identifiers of each app that has had more than one, each since it was first seen. `app` has the last of
        -- them; an app that is not here has the one in `app` alone.
        CREATE TABLE bundle_name (
            app INTEGER NOT NULL REFERENCES app (id),
            bundle_key TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            from_at INTEGER NOT NULL,
            PRIMARY KEY (app, bundle_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bundle_name_key ON bundle_name (bundle_key);

        DROP VIEW position_history;
        -- For people's own SQL: every check of every pair in the time it was tracked.
        CREATE VIEW position_history AS
            SELECT
                check_log.at AS at,
                query.text AS query,
                query.country AS country,
                query.platform AS platform,
                query.source AS source,
                pair.bundle_id AS bundle_id,
                (SELECT listing.name
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
                            AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at));
        """
}
