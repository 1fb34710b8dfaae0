extension Schema {
    /// How the store was, by country and day.
    static let version5 = """
        -- Derived: one country on one closed day (CountryDay).
        CREATE TABLE country_day (
            country TEXT NOT NULL,
            day INTEGER NOT NULL,
            queries INTEGER NOT NULL CHECK (queries >= 1),
            good INTEGER NOT NULL,
            suspect INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            compared INTEGER NOT NULL,
            apps INTEGER NOT NULL,
            entered INTEGER NOT NULL,
            dropped_out INTEGER NOT NULL,
            lower_quartile INTEGER,
            median INTEGER,
            upper_quartile INTEGER,
            ninth_decile INTEGER,
            PRIMARY KEY (country, day),
            CHECK ((apps = 0) = (median IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- Days that are in country_day or would be, and are to be derived anew because a check came late.
        CREATE TABLE country_day_due (
            country TEXT NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (country, day)
        ) STRICT, WITHOUT ROWID;
        """
}
