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
