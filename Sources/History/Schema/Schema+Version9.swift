extension Schema {
    /// What those who show the history while it is recorded ask about again and again.
    static let version9 = """
        -- How often the history has changed, so that whoever shows it knows without reading it. `generation` is another
        -- number for every program that wrote it: a restored backup counts on from where it was, and what it counts is
        -- something else.
        CREATE TABLE change (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            generation INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0)
        ) STRICT;
        INSERT INTO change (one, generation, count) VALUES (1, 0, 0);

        -- The pass that has begun and has not ended: how many queries were due, and how many of them have a check by now.
        CREATE TABLE pass_under_way (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            started_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            due INTEGER NOT NULL CHECK (due >= 1),
            done INTEGER NOT NULL CHECK (done >= 0)
        ) STRICT;
        """
}
