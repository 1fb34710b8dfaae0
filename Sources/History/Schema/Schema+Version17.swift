extension Schema {
    /// What is asked is a lane of its own, with its pace, its health and its passes, and a country has a store for each
    /// source: what one of them shows says nothing of another. A setting of what was asked last that no rankd writes, such
    /// as a text, is let go: nothing follows from it, and the file is to open.
    static let version17 = """
        -- What is asked (Endpoint): when its last request began, and whether it may be asked (EndpointHealth) at the
        -- origin that was asked last. The origin is NULL before anything is known of its health.
        CREATE TABLE lane (
            name TEXT PRIMARY KEY,
            last_request_at INTEGER,
            origin TEXT,
            pause TEXT CHECK (pause IN ('throttled', 'offline', 'failing')),
            paused_at INTEGER NOT NULL DEFAULT 0,
            pause_length INTEGER NOT NULL DEFAULT 0,
            pauses_in_a_row INTEGER NOT NULL DEFAULT 0,
            unreachable_in_a_row INTEGER NOT NULL DEFAULT 0,
            errors_in_a_row INTEGER NOT NULL DEFAULT 0,
            slow_turns INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        INSERT INTO lane (name, origin, pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, slow_turns)
            SELECT name, origin, pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, slow_turns
            FROM endpoint;
        INSERT INTO lane (name, errors_in_a_row)
            SELECT CASE name WHEN 'lookup_errors_in_a_row' THEN 'lookup' ELSE 'search' END, value FROM setting
            WHERE name IN ('search_errors_in_a_row', 'lookup_errors_in_a_row') AND typeof(value) = 'integer'
            ON CONFLICT DO UPDATE SET errors_in_a_row = excluded.errors_in_a_row,
                pause = iif(pause = 'offline' AND excluded.errors_in_a_row > 0, 'failing', pause);
        INSERT INTO lane (name, last_request_at)
            SELECT CASE name WHEN 'last_lookup_at' THEN 'lookup' ELSE 'search' END, value FROM setting
            WHERE name IN ('last_request_at', 'last_lookup_at') AND typeof(value) = 'integer'
            ON CONFLICT DO UPDATE SET last_request_at = excluded.last_request_at;
        DELETE FROM setting WHERE name IN
            ('search_errors_in_a_row', 'lookup_errors_in_a_row', 'last_request_at', 'last_lookup_at');
        DROP TABLE endpoint;

        -- The pass of each source that has begun and has not ended: how many queries were due, and how many of them have a
        -- check by now.
        CREATE TABLE pass_begun (
            source TEXT PRIMARY KEY,
            started_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            due INTEGER NOT NULL CHECK (due >= 1),
            done INTEGER NOT NULL CHECK (done >= 0)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO pass_begun (source, started_at, updated_at, due, done)
            SELECT 'itunes', started_at, updated_at, due, done FROM pass_under_way;
        DROP TABLE pass_under_way;
        ALTER TABLE pass_begun RENAME TO pass_under_way;

        ALTER TABLE pass ADD COLUMN source TEXT NOT NULL DEFAULT 'itunes';

        -- Derived: one source's store of a country on one closed day (CountryDay).
        CREATE TABLE store_day (
            source TEXT NOT NULL,
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
            PRIMARY KEY (source, country, day),
            CHECK ((apps = 0) = (median IS NULL))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO store_day SELECT 'itunes', country_day.* FROM country_day;
        DROP TABLE country_day;
        ALTER TABLE store_day RENAME TO country_day;

        -- Days that are in country_day or would be, and are to be derived anew because a check came late.
        CREATE TABLE store_day_due (
            source TEXT NOT NULL,
            country TEXT NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (source, country, day)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO store_day_due SELECT 'itunes', country, day FROM country_day_due;
        DROP TABLE country_day_due;
        ALTER TABLE store_day_due RENAME TO country_day_due;
        """
}
