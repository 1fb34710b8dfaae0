import GRDB
import RankKit

extension Schema {
    /// Places that could not be read, and a letter that is its own.
    static let version7 = """
        -- A good check has the reason 'unreadable-places' where it is not known of every place who held it. A pair that
        -- it has no position of was not told apart from an absence: for that pair the check failed.
        CREATE INDEX check_log_partly_read ON check_log (query, at) WHERE outcome = 'good' AND reason IS NOT NULL;

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
                    WHERE app.bundle_key = pair.bundle_key AND storefront.country = query.country
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

    /// Compares queries anew that have a dotless `ı`: it used to count as an `i`. Which of the two a query's checks asked
    /// for is what its text says, so each keeps its history, and none can meet another: no two texts had been the same
    /// with an `i` for every `ı`.
    static func foldDotlessLetters(in database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT id, text FROM query WHERE instr(text, 'ı') > 0")
        for row in rows {
            let (id, text): (Int64, String) = (row[0], row[1])
            try database.execute(literal: "UPDATE query SET folded = \(Query.fold(text)) WHERE id = \(id)")
        }
    }
}
