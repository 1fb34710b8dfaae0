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
