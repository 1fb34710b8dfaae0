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
