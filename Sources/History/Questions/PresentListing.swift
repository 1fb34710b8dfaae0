import GRDB
import RankKit

/// What storefronts say of apps now, by the checks that count: expressions of SQL over rows that are called `listing` and
/// `sighting`.
///
/// `listing` has what the check of the latest date said, and `sighting` what was recorded last: both may be of one that a
/// clock ahead dated (`CountedChecks`).
struct PresentListing {
    /// Changes of this moment, in seconds, or later are none yet: a number of SQL's, which is `NULL` or left out where
    /// there are no such checks.
    private let end: String?
    /// The last moment of which changes are told; `nil` for all.
    let moment: Timestamp?

    /// Where all checks count.
    static let whole = PresentListing(end: nil, moment: nil)

    /// Where the file itself is asked which checks count, as in a view, which knows nothing but the file.
    static let stored = PresentListing(
        end: "(SELECT value FROM setting WHERE name = '\(Setting.countedUntil.rawValue)')", moment: nil)

    private init(end: String?, moment: Timestamp?) {
        self.end = end
        self.moment = moment
    }

    init(in database: Database) throws {
        let end = try CountedChecks.end(in: database)
        self =
            end == .max
            ? .whole : PresentListing(end: "\(end)", moment: Timestamp(secondsSinceEpoch: end - 1))
    }

    /// What a column of `listing` holds.
    ///
    /// - Parameter type: the column's own, where that is no text.
    func column(_ column: String, _ type: String = "TEXT") -> String {
        guard let end else { return "listing.\(column)" }
        let condition = """
            present.app = listing.app AND present.storefront = listing.storefront AND present.at >= \(end)
                AND present.field = '\(column)'
            """
        return """
            CASE WHEN \(isUnseen("listing.app", end)) THEN NULL
                WHEN EXISTS (SELECT 1 FROM listing_change AS present WHERE \(condition))
                THEN (SELECT CAST(present.was AS \(type)) FROM listing_change AS present WHERE \(condition)
                    ORDER BY present.at LIMIT 1)
                ELSE listing.\(column) END
            """
    }

    /// Whether no check that counts has seen the app yet.
    private func isUnseen(_ app: String, _ end: String) -> String {
        "(SELECT seen.first_seen_at FROM app AS seen WHERE seen.id = \(app)) >= \(end)"
    }

    enum Ratings: String {
        case rating
        case count = "rating_count"

        /// The column of `rating_day` that holds them.
        fileprivate var daily: String {
            switch self {
            case .rating: "average"
            case .count: "ratings"
            }
        }
    }

    /// What a column of `sighting` holds. Where a check that does not count yet has read an app's ratings, those of the
    /// last one before it count. Of apps that the watchlist does not track no others are kept.
    func ratings(_ column: Ratings) -> String {
        let own = "sighting.\(column.rawValue)"
        guard let end else { return own }
        let condition = "reading.app = sighting.app AND reading.storefront = sighting.storefront"
        return """
            CASE WHEN \(isUnseen("sighting.app", end)) THEN NULL
                WHEN EXISTS (SELECT 1 FROM rating_day AS reading WHERE \(condition) AND reading.at >= \(end))
                THEN (SELECT reading.\(column.daily) FROM rating_day AS reading
                    WHERE \(condition) AND reading.at < \(end) ORDER BY reading.day DESC LIMIT 1)
                ELSE \(own) END
            """
    }
}
