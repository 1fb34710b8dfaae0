import GRDB
package import RankKit

/// How many ratings an app had in a country's storefront, as a day's newest check showed it.
package struct RatingDay: Sendable, Hashable {
    /// A bundle identifier that Apple numbered anew begins to count anew.
    package var app: DenseID
    package var country: Country
    /// Of the zone that the watchlist had then, counted from 1970-01-01.
    package var day: Int64
    package var at: Timestamp
    package var ratings: Int64
    /// 0–5; `nil` where Apple told none.
    package var average: Double?

    package init(app: DenseID, country: Country, day: Int64, at: Timestamp, ratings: Int64, average: Double? = nil) {
        self.app = app
        self.country = country
        self.day = day
        self.at = at
        self.ratings = ratings
        self.average = average
    }
}

extension HistoryReader {
    /// The readings of an app's ratings on `days` and the last ones before them, by number, country and day. Of several
    /// languages of a country the newest of a day counts. At an earlier moment of the reader's, those of days that were
    /// over by then.
    package func ratingDays(
        of bundleID: BundleID, _ days: ClosedRange<Int64>
    ) throws(HistoryError) -> [RatingDay] {
        try read { database in
            let last = try moment.map { try FormerListing.lastWholeDay(at: $0, in: database) } ?? .max
            return try Row.fetchAll(
                database, sql: Self.ratingDays(isFormer: moment != nil),
                arguments: [
                    "app": bundleID.folded, "first": days.lowerBound, "last": min(days.upperBound, last),
                    "moment": moment?.secondsSinceEpoch ?? .max,
                ]
            ).map { row in
                try RatingDay(
                    app: DenseID(row[0]), country: try CountryDayRow.country(row[1]), day: row.day(2),
                    at: row[3], ratings: Int64(row.count(4)), average: row[5])
            }
        }
    }

    /// With `max`, SQLite takes the other columns from the row that has it.
    static let ratingDaysSQL = ratingDays(isFormer: false)

    private static func ratingDays(isFormer: Bool) -> String {
        """
        SELECT reading.app, storefront.country, reading.day, max(reading.at), reading.ratings, reading.average
        FROM app CROSS JOIN storefront CROSS JOIN rating_day AS reading
        WHERE app.id IN \(AppNames.holders(":app", at: isFormer ? ":moment" : nil))
            AND reading.app = app.id AND reading.storefront = storefront.id
            AND reading.day BETWEEN ifnull((SELECT max(day) FROM rating_day AS earlier
                WHERE earlier.app = app.id AND earlier.storefront = storefront.id AND earlier.day < :first
                    AND earlier.at <= :moment), :first)
            AND :last AND reading.at <= :moment
        GROUP BY reading.app, storefront.country, reading.day
        ORDER BY reading.app, storefront.country, reading.day
        """
    }
}
