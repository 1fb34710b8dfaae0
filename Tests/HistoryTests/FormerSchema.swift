import GRDB

/// What a test takes back of the schema, so that a file is as an earlier version left it.
enum FormerSchema {
    /// As version 16 had it. Days of stores and the pass under way are lost.
    static let version16 = """
        CREATE TABLE endpoint (
            name TEXT PRIMARY KEY, origin TEXT NOT NULL, pause TEXT, paused_at INTEGER NOT NULL,
            pause_length INTEGER NOT NULL, pauses_in_a_row INTEGER NOT NULL, unreachable_in_a_row INTEGER NOT NULL,
            slow_turns INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO setting (name, value)
            SELECT iif(name = 'lookup', 'last_lookup_at', 'last_request_at'), last_request_at FROM lane
            WHERE last_request_at IS NOT NULL;
        DROP TABLE lane;
        DROP TABLE pass_under_way;
        CREATE TABLE pass_under_way (
            one INTEGER PRIMARY KEY CHECK (one = 1), started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            due INTEGER NOT NULL, done INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE pass DROP COLUMN source;
        DROP TABLE country_day;
        CREATE TABLE country_day (
            country TEXT NOT NULL, day INTEGER NOT NULL, queries INTEGER NOT NULL, good INTEGER NOT NULL,
            suspect INTEGER NOT NULL, failed INTEGER NOT NULL, compared INTEGER NOT NULL, apps INTEGER NOT NULL,
            entered INTEGER NOT NULL, dropped_out INTEGER NOT NULL, lower_quartile INTEGER, median INTEGER,
            upper_quartile INTEGER, ninth_decile INTEGER, PRIMARY KEY (country, day)
        ) STRICT, WITHOUT ROWID;
        DROP TABLE country_day_due;
        CREATE TABLE country_day_due (
            country TEXT NOT NULL, day INTEGER NOT NULL, PRIMARY KEY (country, day)
        ) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 16;
        """
}
