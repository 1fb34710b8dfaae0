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
