import GRDB
import RankKit

/// What storefronts had said of apps at a moment: expressions of SQL over rows that are called `app`, `listing`,
/// `storefront` and `asOf`, which has the moment as `moment`, in seconds since 1970, and for ratings `lastDay`.
///
/// `listing` has what is so now, and `listing_change` what each column held until when. Nobody knows when a storefront
/// first showed an app, unless the app is tracked there: then the checks tell.
enum FormerListing {
    static let name = text("name")
    static let developer = text("developer")

    /// What a column of `listing` that holds text held.
    private static func text(_ column: String) -> String {
        """
        CASE WHEN EXISTS (SELECT 1 FROM listing_change AS change
                WHERE change.app = listing.app AND change.storefront = listing.storefront
                    AND change.at > asOf.moment AND change.field = '\(column)')
            THEN (SELECT change.was FROM listing_change AS change
                WHERE change.app = listing.app AND change.storefront = listing.storefront
                    AND change.at > asOf.moment AND change.field = '\(column)'
                ORDER BY change.at LIMIT 1)
            ELSE listing.\(column) END
        """
    }

    /// The bundle identifier under which reports show `app`: what the watchlist calls it, else what it had then.
    static let bundleID = AppNames.shown(at: "asOf.moment")

    /// Whether any answer had shown `app`.
    static let isSeen = "app.first_seen_at <= asOf.moment"

    /// When `app` was last seen, as far as that was known: about the day.
    static let lastSeenDay = "min(app.last_seen_day, asOf.moment / 86400)"

    /// Whether `storefront` had shown `app`, as far as is known. It had not where the app is tracked and no check of the
    /// storefront's had found it by then. That is decided over the whole history (`main`) also where a part of it is
    /// shown.
    static let isListed = """
        \(isSeen) AND (
            NOT EXISTS (SELECT 1 FROM main.watched_app AS watched WHERE watched.bundle_key IN \(keys))
            OR EXISTS (SELECT 1 FROM main.listing_change AS change
                WHERE change.app = app.id AND change.storefront = storefront.id AND change.at <= asOf.moment)
            OR EXISTS (SELECT 1 FROM main.query AS query
                CROSS JOIN main.query_app AS seen ON seen.query = query.id AND seen.app = app.id
                WHERE \(isOfStorefront) AND seen.best_at <= asOf.moment)
            OR EXISTS (SELECT 1 \(pairs) CROSS JOIN main.position AS position ON position.pair = pair.id
                WHERE \(isOfStorefront) AND position.at <= asOf.moment AND position.position IS NOT NULL)
            OR NOT EXISTS (SELECT 1 \(pairs) WHERE \(isOfStorefront)))
        """

    private static let keys = """
        (SELECT app.bundle_key UNION SELECT name.bundle_key FROM main.bundle_name AS name WHERE name.app = app.id)
        """
    private static let pairs = """
        FROM main.query AS query
        CROSS JOIN main.pair AS pair ON pair.query = query.id AND pair.bundle_key IN \(keys)
        """
    private static let isOfStorefront = "query.country = storefront.country AND query.language = storefront.language"

    /// How many ratings `app` had in `storefront`, by the last reading of a day that was over.
    static let ratings = """
        (SELECT reading.ratings FROM rating_day AS reading
            WHERE reading.app = app.id AND reading.storefront = storefront.id
                AND reading.day <= asOf.lastDay AND reading.at <= asOf.moment
            ORDER BY reading.day DESC LIMIT 1)
        """

    /// The last day of the watchlist's zone that is over at a moment. What is kept by the day alone is told of no later one:
    /// the day's newest check may have come after the moment.
    static func lastWholeDay(at moment: Timestamp, in database: Database) throws -> Int64 {
        try CountryDayRow.wantedZone(in: database).day(of: moment + 1) - 1
    }

    /// What `asOf` has: the moment, and the last day that was over; nothing for now.
    static func arguments(_ moment: Timestamp?, in database: Database) throws -> StatementArguments {
        guard let moment else { return [] }
        return [moment.secondsSinceEpoch, try lastWholeDay(at: moment, in: database)]
    }
}
