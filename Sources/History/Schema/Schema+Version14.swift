extension Schema {
    /// Answers that wait for their second asking, and what a pass is known by until it ends.
    static let version14 = """
        -- The first answer to a question of a pass, not believed by itself, until the question has been asked again or
        -- the pass has ended: no check yet. Once it is settled the list is gone, and `check_id` says what came of it.
        CREATE TABLE held_answer (
            query INTEGER PRIMARY KEY REFERENCES query (id) ON DELETE CASCADE,
            source TEXT NOT NULL,
            pass INTEGER NOT NULL,
            at INTEGER NOT NULL,
            length INTEGER NOT NULL CHECK (length >= 0),
            list BLOB,
            check_id INTEGER
        ) STRICT;

        -- What the first answers of a pass that has not ended were, by country.
        CREATE TABLE pass_answers (
            source TEXT NOT NULL,
            pass INTEGER NOT NULL,
            country TEXT NOT NULL,
            good INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            doubtful INTEGER NOT NULL,
            collapsed INTEGER NOT NULL,
            new INTEGER NOT NULL,
            empty_new INTEGER NOT NULL,
            PRIMARY KEY (source, pass, country)
        ) STRICT, WITHOUT ROWID;

        -- Up to which number the passes of each source have ended.
        CREATE TABLE pass_count (
            source TEXT PRIMARY KEY,
            ended INTEGER NOT NULL CHECK (ended >= 0)
        ) STRICT, WITHOUT ROWID;
        """
}
