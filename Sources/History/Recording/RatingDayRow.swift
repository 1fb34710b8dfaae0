import GRDB
import RankKit

/// Rows of `rating_day`: the ratings that an app had in a storefront, once a day.
enum RatingDayRow {
    /// Takes up what was last seen of an app's ratings as its reading of `day`, the watchlist's zone's of `moment`. Of several checks of a day
    /// the newest counts, in whatever order they are recorded. Nothing where the entry told no number of ratings, or one
    /// that cannot be.
    static func enter(
        _ app: Int64, _ storefront: Int64, at moment: Timestamp, on day: Int64, in database: Database
    ) throws {
        try database.cachedStatement(sql: entry).execute(
            arguments: [day, moment.secondsSinceEpoch, storefront, app])
        // By the clocks of a zone further east it was a later day before.
        try database.cachedStatement(
            sql: "DELETE FROM rating_day WHERE app = ? AND storefront = ? AND day > ? AND at <= ?"
        ).execute(arguments: [app, storefront, day, moment.secondsSinceEpoch])
    }

    private static let entry = """
        INSERT INTO rating_day (app, storefront, day, at, ratings, average)
        SELECT app, storefront, ?, ?, rating_count, rating FROM sighting
        WHERE storefront = ? AND app = ? AND rating_count >= 0
        \(newest)
        """

    private static let newest = """
        ON CONFLICT (app, storefront, day) DO UPDATE SET
            at = excluded.at, ratings = excluded.ratings, average = excluded.average
        WHERE excluded.at >= rating_day.at
        """

    /// Takes up a reading of another history; nothing where it is here, perhaps as that of another zone's day.
    static func enter(
        _ app: Int64, _ storefront: Int64, ratings: Int64, average: Double?, at moment: Timestamp,
        in database: Database
    ) throws {
        let day = try CountryDayRow.wantedZone(in: database).day(of: moment)
        try database.cachedStatement(sql: told).execute(
            arguments: [app, storefront, day, moment.secondsSinceEpoch, ratings, average])
    }

    private static let told = """
        INSERT INTO rating_day (app, storefront, day, at, ratings, average)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6
        WHERE NOT EXISTS (SELECT 1 FROM rating_day WHERE app = ?1 AND storefront = ?2 AND at = ?4)
        \(newest)
        """

    /// Deletes the readings of an app in a country from before `day`, all where that is `nil`.
    static func forget(_ bundleKey: String, in country: String, before day: Int64?, _ database: Database) throws {
        try database.execute(
            literal: """
                DELETE FROM rating_day
                WHERE app IN (SELECT id FROM app WHERE bundle_key = \(bundleKey)
                        UNION SELECT app FROM bundle_name WHERE bundle_key = \(bundleKey))
                    AND storefront IN (SELECT id FROM storefront WHERE country = \(country))
                    AND day < \(day ?? .max)
                """)
    }

    /// Rows that say to be of another day than the moment that they are of. Which zone the watchlist had then is not kept: days
    /// of one begin at most 14 hours before UTC's, and 12 hours after.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT app.bundle_id, storefront.country, rating_day.day
                FROM rating_day JOIN app ON app.id = rating_day.app
                JOIN storefront ON storefront.id = rating_day.storefront
                WHERE at < day * :length - 14 * 3600 OR at >= (day + 1) * :length + 12 * 3600
                """, arguments: ["length": Timestamp.secondsPerDay]
        ).map { row in
            try Finding(
                part: .apps, place: "ratings of \(row[0] as String) in \(row[1] as String)",
                problem: "the ratings of \(CivilTime.date(.startOfDay(row[2]))) were read on another day")
        }
    }
}
