import GRDB

extension Schema {
    /// Bundle identifiers that have not stayed yet, and those that an app has come back to.
    static let version13 = """
        DROP VIEW position_history;
        DROP INDEX bundle_name_key;
        ALTER TABLE bundle_name RENAME TO bundle_name_12;
        -- The bundle identifiers of each app that has come under more than one, oldest first. `app` has the last of those
        -- that have stayed; an app that is not here has the one in `app` alone. Later ones have not stayed yet.
        CREATE TABLE bundle_name (
            app INTEGER NOT NULL REFERENCES app (id),
            ordinal INTEGER NOT NULL,
            -- NULL if it does not stand for the app: it has not stayed yet, and another app has it.
            bundle_key TEXT,
            bundle_id TEXT NOT NULL,
            from_at INTEGER NOT NULL,
            -- When a check showed that it had stayed; NULL if it has not yet.
            stayed_at INTEGER,
            -- Since when checks show others; NULL if the newest showed this one, and for one that has stayed.
            until_at INTEGER,
            PRIMARY KEY (app, ordinal)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO bundle_name (app, ordinal, bundle_key, bundle_id, from_at, stayed_at)
            SELECT app, row_number() OVER (PARTITION BY app ORDER BY from_at) - 1, bundle_key, bundle_id, from_at, from_at
            FROM bundle_name_12;
        DROP TABLE bundle_name_12;
        CREATE INDEX bundle_name_key ON bundle_name (bundle_key);
        CREATE INDEX bundle_name_new ON bundle_name (app) WHERE stayed_at IS NULL;

        -- Whether the query's first checks were deleted, or left out of an export: the first of those that are there are not
        -- judged as its first.
        ALTER TABLE query ADD COLUMN is_cut INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX pair_bundle_key ON pair (bundle_key);

        -- What earlier versions took for said: texts of nothing, and figures that cannot be. It is unknown.
        UPDATE listing SET
            name = iif(trim(name) = '', NULL, name), developer = iif(trim(developer) = '', NULL, developer),
            seller = iif(trim(seller) = '', NULL, seller), version = iif(trim(version) = '', NULL, version),
            price = iif(price BETWEEN 0 AND 1e12, price, NULL), currency = iif(trim(currency) = '', NULL, currency),
            genre = iif(trim(genre) = '', NULL, genre), icon_url = iif(trim(icon_url) = '', NULL, icon_url),
            store_url = iif(trim(store_url) = '', NULL, store_url)
        WHERE trim(name) = '' OR trim(developer) = '' OR trim(seller) = '' OR trim(version) = ''
            OR price NOT BETWEEN 0 AND 1e12 OR trim(currency) = '' OR trim(genre) = '' OR trim(icon_url) = ''
            OR trim(store_url) = '';
        UPDATE sighting SET rating = iif(rating BETWEEN 0 AND 5, rating, NULL),
            rating_count = iif(rating_count BETWEEN 0 AND 100000000000, rating_count, NULL)
        WHERE rating NOT BETWEEN 0 AND 5 OR rating_count NOT BETWEEN 0 AND 100000000000;
        DELETE FROM rating_day WHERE ratings NOT BETWEEN 0 AND 100000000000;
        UPDATE rating_day SET average = NULL WHERE average NOT BETWEEN 0 AND 5;
        """

    /// Notes up to which check an earlier version may have taken a place that it could not name for another app's.
    static func noteMisnamed(in database: Database) throws {
        guard let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM check_log") else { return }
        try Setting.misnamedThrough.set(last, in: database)
    }
}
