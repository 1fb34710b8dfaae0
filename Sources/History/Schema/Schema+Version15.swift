extension Schema {
    /// What entries without a number of Apple's called their apps, and no names of nothing.
    static let version15 = """
        -- The bundle identifiers of entries that had no number by which a list could keep their apps: the list has nothing in
        -- these places. They go with the list.
        CREATE TABLE unnumbered_place (
            check_id INTEGER NOT NULL REFERENCES check_log (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 1),
            bundle_id TEXT NOT NULL,
            PRIMARY KEY (check_id, position)
        ) STRICT, WITHOUT ROWID;

        -- What earlier versions took for said until something else was: texts of nothing. It was unknown. (That an app has no
        -- screenshots is said.)
        UPDATE listing_change SET was = NULL WHERE field <> 'screenshot_urls' AND trim(was) = '';
        """
}
