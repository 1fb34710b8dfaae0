extension Schema {
    /// What is worth a message, what was said of it, and how it got to those who wanted it.
    static let version10 = """
        -- Up to where the checks were judged. `since` is when the first judgement was: nothing older is news. What began
        -- up to `listed_until` may have been told already, before the history was restored from a backup.
        CREATE TABLE alert_mark (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            since INTEGER NOT NULL,
            check_id INTEGER NOT NULL,
            judged_at INTEGER NOT NULL,
            listed_until INTEGER
        ) STRICT;

        -- What is sent, as its sender reads it. The id is the same on every try.
        CREATE TABLE alert_message (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            decided_at INTEGER NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX alert_message_by_time ON alert_message (decided_at);

        -- What happened, once each: what is here is decided. `onset` is a day since 1970-01-01; `message` the one that
        -- tells of it, if one does.
        CREATE TABLE alert_event (
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            variant TEXT NOT NULL,
            onset INTEGER NOT NULL,
            confirmed_at INTEGER NOT NULL,
            decided_at INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('noted', 'told', 'withdrawn', 'back')),
            facts TEXT NOT NULL,
            message INTEGER REFERENCES alert_message (number) ON DELETE SET NULL,
            PRIMARY KEY (kind, subject, variant, onset)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX alert_event_by_message ON alert_event (message) WHERE message IS NOT NULL;

        -- A message on its way to one channel.
        CREATE TABLE alert_delivery (
            message INTEGER NOT NULL REFERENCES alert_message (number) ON DELETE CASCADE,
            channel TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('due', 'delivered', 'refused', 'given-up', 'expired', 'withdrawn', 'listed', 'dropped')),
            due_at INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            tried_at INTEGER,
            answer TEXT,
            delivered_at INTEGER,
            -- The message of the same channel that says that this one was not sent.
            summed_in INTEGER REFERENCES alert_message (number) ON DELETE SET NULL,
            PRIMARY KEY (message, channel)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX alert_delivery_due ON alert_delivery (channel, due_at) WHERE state = 'due';

        -- The ways out, as the watchlist in force names them. `settings` changes with what it says of one.
        CREATE TABLE alert_channel (
            name TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            settings TEXT NOT NULL,
            -- When it was switched off because nobody is there any more.
            off_at INTEGER,
            trouble TEXT
        ) STRICT, WITHOUT ROWID;
        """
}
