extension Schema {
    /// How many ratings the tracked apps have, day by day.
    static let version8 = """
        -- One reading a day (UTC) of an app's ratings in a storefront, of the apps that the watchlist tracks or names: that
        -- of the day's newest check, at `at`, whose list had the app. A day without such a check has none.
        CREATE TABLE rating_day (
            app INTEGER NOT NULL REFERENCES app (id),
            storefront INTEGER NOT NULL REFERENCES storefront (id),
            day INTEGER NOT NULL,
            at INTEGER NOT NULL,
            ratings INTEGER NOT NULL CHECK (ratings >= 0),
            average REAL,
            PRIMARY KEY (app, storefront, day)
        ) STRICT, WITHOUT ROWID;
        """
}
