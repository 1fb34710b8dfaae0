extension Schema {
    /// What entries without a number of Apple's called their apps.
    static let version15 = """
        -- The bundle identifiers of entries that had no number by which a list could keep their apps: the list has nothing in
        -- these places. They go with the list.
        CREATE TABLE unnumbered_place (
            check_id INTEGER NOT NULL REFERENCES check_log (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 1),
            bundle_id TEXT NOT NULL,
            PRIMARY KEY (check_id, position)
        ) STRICT, WITHOUT ROWID;
        """
}
