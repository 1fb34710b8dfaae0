extension Schema {
    /// Times are UTC seconds since 1970, days are UTC days since 1970-01-01.
    static let version1 = """
        -- What is asked. `text` is sent; `folded` is what texts are compared by. A retired query is no longer asked.
        -- `newest_check` is the check recorded last, `baseline_from` the first that says how long its lists usually are.
        CREATE TABLE query (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL,
            folded TEXT NOT NULL,
            country TEXT NOT NULL,
            platform TEXT NOT NULL,
            source TEXT NOT NULL,
            language TEXT NOT NULL DEFAULT '',
            cadences TEXT NOT NULL,
            cadence_seconds INTEGER NOT NULL CHECK (cadence_seconds > 0),
            popularity REAL,
            ordinal INTEGER NOT NULL,
            retired_at INTEGER,
            newest_check INTEGER,
            baseline_from INTEGER NOT NULL DEFAULT 0,
            UNIQUE (folded, country, platform, source, language)
        ) STRICT;

        -- One row an attempt to ask. `within` is the number of places seen; a failed check has none.
        CREATE TABLE check_log (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES query (id),
            at INTEGER NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN ('good', 'suspect', 'failed')),
            within INTEGER CHECK (within >= 0),
            reason TEXT,
            detail TEXT,
            CHECK ((outcome = 'failed') = (within IS NULL)),
            CHECK (outcome = 'good' OR reason IS NOT NULL)
        ) STRICT;
        CREATE INDEX check_log_query_at ON check_log (query, at);
        CREATE INDEX check_log_failed ON check_log (at) WHERE outcome = 'failed';

        -- The whole ordered list of a check, as ResultListCodec writes it.
        CREATE TABLE result_list (
            check_id INTEGER PRIMARY KEY REFERENCES check_log (id) ON DELETE CASCADE,
            places BLOB NOT NULL
        ) STRICT;

        -- Every app ever seen; `id` is the dense number that lists are made of.
        CREATE TABLE app (
            id INTEGER PRIMARY KEY,
            app_id INTEGER NOT NULL UNIQUE,
            bundle_id TEXT NOT NULL,
            bundle_key TEXT NOT NULL,
            first_seen_at INTEGER NOT NULL,
            last_seen_day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX app_bundle_key ON app (bundle_key);

        CREATE TABLE storefront (
            id INTEGER PRIMARY KEY,
            country TEXT NOT NULL,
            language TEXT NOT NULL,
            UNIQUE (country, language)
        ) STRICT;

        -- What changes often about an app in a storefront. `fingerprint` is that of the entry's bytes when last read.
        CREATE TABLE sighting (
            storefront INTEGER NOT NULL REFERENCES storefront (id),
            app INTEGER NOT NULL REFERENCES app (id),
            fingerprint INTEGER NOT NULL,
            rating REAL,
            rating_count INTEGER,
            PRIMARY KEY (storefront, app)
        ) STRICT, WITHOUT ROWID;

        -- What changes seldom about an app in a storefront, as it is now.
        CREATE TABLE listing (
            app INTEGER NOT NULL REFERENCES app (id),
            storefront INTEGER NOT NULL REFERENCES storefront (id),
            name TEXT,
            developer TEXT,
            seller TEXT,
            version TEXT,
            released_at INTEGER,
            version_released_at INTEGER,
            price REAL,
            currency TEXT,
            genre TEXT,
            icon_url TEXT,
            store_url TEXT,
            screenshot_urls TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (app, storefront)
        ) STRICT;

        -- What a column of `listing` held until `at`.
        CREATE TABLE listing_change (
            app INTEGER NOT NULL,
            storefront INTEGER NOT NULL,
            at INTEGER NOT NULL,
            field TEXT NOT NULL,
            was TEXT,
            PRIMARY KEY (app, storefront, at, field),
            FOREIGN KEY (app, storefront) REFERENCES listing (app, storefront)
        ) STRICT, WITHOUT ROWID;

        -- The apps that the watchlist tracks or names.
        CREATE TABLE watched_app (
            bundle_key TEXT PRIMARY KEY,
            bundle_id TEXT NOT NULL,
            alias TEXT,
            mine INTEGER NOT NULL CHECK (mine IN (0, 1)),
            ordinal INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE competitor (
            bundle_key TEXT NOT NULL,
            competitor_key TEXT NOT NULL,
            PRIMARY KEY (bundle_key, competitor_key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE note (
            ordinal INTEGER PRIMARY KEY,
            on_date TEXT NOT NULL,
            bundle_key TEXT,
            version TEXT,
            text TEXT NOT NULL,
            added TEXT NOT NULL,
            removed TEXT NOT NULL
        ) STRICT;

        -- A query and a tracked app. A retired pair keeps its history.
        CREATE TABLE pair (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES query (id),
            bundle_id TEXT NOT NULL,
            bundle_key TEXT NOT NULL,
            tags TEXT NOT NULL DEFAULT '[]',
            retired_at INTEGER,
            UNIQUE (query, bundle_key)
        ) STRICT;

        -- When a pair was active: `until_at` is NULL while it still is.
        CREATE TABLE pair_period (
            pair INTEGER NOT NULL REFERENCES pair (id),
            from_at INTEGER NOT NULL,
            until_at INTEGER,
            PRIMARY KEY (pair, from_at)
        ) STRICT, WITHOUT ROWID;

        -- What a good check said about a pair: a place, or NULL for an absence from `within` places. `check_id` is
        -- no foreign key: thinning failed checks would search this whole table for each.
        CREATE TABLE position (
            pair INTEGER NOT NULL REFERENCES pair (id),
            at INTEGER NOT NULL,
            check_id INTEGER NOT NULL,
            position INTEGER CHECK (position >= 1),
            within INTEGER NOT NULL,
            PRIMARY KEY (pair, at, check_id),
            CHECK (position <= within)
        ) STRICT, WITHOUT ROWID;

        -- Derived: where a pair stands, so that a report reads one row a pair.
        CREATE TABLE standing (
            pair INTEGER PRIMARY KEY REFERENCES pair (id),
            state TEXT NOT NULL CHECK (state IN ('ranked', 'absent', 'suspect', 'failed')),
            checked_at INTEGER NOT NULL,
            reason TEXT,
            good_at INTEGER,
            position INTEGER,
            within INTEGER,
            best INTEGER,
            best_at INTEGER,
            worst INTEGER,
            worst_at INTEGER
        ) STRICT;

        -- Derived: one pair on one closed day.
        CREATE TABLE pair_day (
            pair INTEGER NOT NULL REFERENCES pair (id),
            day INTEGER NOT NULL,
            good INTEGER NOT NULL,
            ranked INTEGER NOT NULL,
            best INTEGER,
            worst INTEGER,
            last_at INTEGER NOT NULL,
            last_position INTEGER,
            last_within INTEGER NOT NULL,
            PRIMARY KEY (pair, day)
        ) STRICT, WITHOUT ROWID;

        -- Failed checks that were thinned out of check_log.
        CREATE TABLE failure_day (
            query INTEGER NOT NULL REFERENCES query (id),
            day INTEGER NOT NULL,
            reason TEXT NOT NULL,
            failed INTEGER NOT NULL,
            PRIMARY KEY (query, day, reason)
        ) STRICT, WITHOUT ROWID;

        -- Whether Apple's endpoints may be asked (EndpointHealth), at the origin that was asked last.
        CREATE TABLE endpoint (
            name TEXT PRIMARY KEY,
            origin TEXT NOT NULL,
            pause TEXT CHECK (pause IN ('throttled', 'offline')),
            paused_at INTEGER NOT NULL,
            pause_length INTEGER NOT NULL,
            pauses_in_a_row INTEGER NOT NULL,
            unreachable_in_a_row INTEGER NOT NULL,
            slow_turns INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE pass (
            id INTEGER PRIMARY KEY,
            started_at INTEGER NOT NULL,
            finished_at INTEGER NOT NULL,
            due INTEGER NOT NULL,
            succeeded INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            throttled INTEGER NOT NULL,
            requests INTEGER NOT NULL,
            suspect INTEGER NOT NULL,
            bad_day INTEGER NOT NULL CHECK (bad_day IN (0, 1))
        ) STRICT;

        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value ANY NOT NULL
        ) STRICT, WITHOUT ROWID;

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
                    WHEN position.position IS NULL THEN 'absent'
                    ELSE 'ranked'
                END AS state,
                position.position AS position,
                check_log.within AS within
            FROM pair
            JOIN query ON query.id = pair.query
            JOIN check_log ON check_log.query = pair.query
            LEFT JOIN position
                ON position.pair = pair.id AND position.at = check_log.at AND position.check_id = check_log.id
            WHERE position.pair IS NOT NULL
                OR check_log.outcome <> 'good'
                    AND EXISTS (
                        SELECT 1 FROM pair_period
                        WHERE pair_period.pair = pair.id
                            AND pair_period.from_at <= check_log.at
                            AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at));
        """
}
