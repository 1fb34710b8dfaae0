import GRDB
import RankKit

extension Schema {
    /// Whether storefronts sell the tracked apps.
    static let version2 = """
        -- What look-ups have told of an app in a country (AppPresence). `found_at` ends the asking; `empty_since` and
        -- `empty_at` are the first and the newest of `empty_answers` in a row, `failed_at` the newest of
        -- `failures_in_a_row` since the last answer.
        CREATE TABLE app_presence (
            country TEXT NOT NULL,
            bundle_key TEXT NOT NULL,
            found_at INTEGER,
            empty_since INTEGER,
            empty_at INTEGER,
            empty_answers INTEGER NOT NULL CHECK (empty_answers >= 0),
            failed_at INTEGER,
            failures_in_a_row INTEGER NOT NULL CHECK (failures_in_a_row >= 0),
            PRIMARY KEY (country, bundle_key),
            CHECK ((empty_answers = 0) = (empty_since IS NULL)),
            CHECK ((empty_answers = 0) = (empty_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        """
}

extension Schema {
    /// Pages of result lists.
    static let version3 = """
        -- Consecutive result lists of a query, as ResultPage writes them. A query's pages overlap in nothing: each begins
        -- after the one before has ended, by time and, within a second, by check.
        CREATE TABLE result_page (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES query (id),
            first_at INTEGER NOT NULL,
            first_check INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            last_check INTEGER NOT NULL,
            lists INTEGER NOT NULL CHECK (lists >= 1),
            bytes BLOB NOT NULL,
            CHECK (first_at <= last_at)
        ) STRICT;
        CREATE UNIQUE INDEX result_page_start ON result_page (query, first_at, first_check);

        -- No list of the query that is still in result_list is older; NULL where that is not known.
        ALTER TABLE query ADD COLUMN unpaged_from INTEGER;
        """
}

extension Schema {
    /// What is to be filled in from the kept lists, and which apps they ever held.
    static let version4 = """
        -- Active pairs whose positions from before they were tracked have yet to be read from the kept lists: those up to
        -- `through_at` and `through_check` are there, none where that is NULL.
        CREATE TABLE pair_fill (
            pair INTEGER PRIMARY KEY REFERENCES pair (id) ON DELETE CASCADE,
            through_at INTEGER,
            through_check INTEGER,
            CHECK ((through_at IS NULL) = (through_check IS NULL))
        ) STRICT;

        -- The same for queries whose lists have yet to be entered in query_app.
        CREATE TABLE query_fill (
            query INTEGER PRIMARY KEY REFERENCES query (id) ON DELETE CASCADE,
            through_at INTEGER,
            through_check INTEGER,
            CHECK ((through_at IS NULL) = (through_check IS NULL))
        ) STRICT;

        -- Derived: every app that a good check of a query ever saw, and the first of its best places.
        CREATE TABLE query_app (
            query INTEGER NOT NULL REFERENCES query (id) ON DELETE CASCADE,
            app INTEGER NOT NULL REFERENCES app (id),
            best INTEGER NOT NULL CHECK (best >= 1),
            best_at INTEGER NOT NULL,
            PRIMARY KEY (query, app)
        ) STRICT, WITHOUT ROWID;

        -- What a history of a pair shows beside its positions.
        CREATE INDEX check_log_unread ON check_log (query, at) WHERE outcome <> 'good';

        INSERT INTO query_fill (query) SELECT id FROM query WHERE newest_check IS NOT NULL;
        INSERT INTO pair_fill (pair)
            SELECT id FROM pair
            WHERE retired_at IS NULL
                AND (1 < (SELECT count(*) FROM pair_period WHERE pair_period.pair = pair.id)
                    OR (SELECT min(at) FROM check_log WHERE check_log.query = pair.query)
                        < (SELECT min(from_at) FROM pair_period WHERE pair_period.pair = pair.id));
        """
}

extension Schema {
    /// How the store was, by country and day.
    static let version5 = """
        -- Derived: one country on one closed day (CountryDay).
        CREATE TABLE country_day (
            country TEXT NOT NULL,
            day INTEGER NOT NULL,
            queries INTEGER NOT NULL CHECK (queries >= 1),
            good INTEGER NOT NULL,
            suspect INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            compared INTEGER NOT NULL,
            apps INTEGER NOT NULL,
            entered INTEGER NOT NULL,
            dropped_out INTEGER NOT NULL,
            lower_quartile INTEGER,
            median INTEGER,
            upper_quartile INTEGER,
            ninth_decile INTEGER,
            PRIMARY KEY (country, day),
            CHECK ((apps = 0) = (median IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- Days that are in country_day or would be, and are to be derived anew because a check came late.
        CREATE TABLE country_day_due (
            country TEXT NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (country, day)
        ) STRICT, WITHOUT ROWID;
        """
}

extension Schema {
    /// The first places of each query, so that a report need not read pages for them.
    static let version6 = """
        -- Derived: the first places of a query's newest good list, and who came among them and went since a moment, as
        -- FirstPlaces writes them. A query without a row is read from its lists; its next good check gets one.
        CREATE TABLE query_top (
            query INTEGER PRIMARY KEY REFERENCES query (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            check_id INTEGER NOT NULL,
            apps BLOB NOT NULL,
            since INTEGER NOT NULL,
            changes BLOB NOT NULL,
            CHECK (since <= at)
        ) STRICT;
        """
}

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
            let (id, text): (Int64, String) = try (row[0], row[1])
            try database.execute(literal: "UPDATE query SET folded = \(Query.fold(text)) WHERE id = \(id)")
        }
    }
}
