import GRDB
import RankKit

/// What storefronts say of apps now, by the checks that count: expressions of SQL over a row that is called `listing`.
///
/// `listing` has what the check of the latest date said, which may be one that a clock ahead dated (`CountedChecks`).
struct PresentListing {
    /// Changes of this moment, in seconds, or later are none yet; `nil` where there are no such checks.
    let end: Int64?

    /// Where all checks count.
    static let whole = PresentListing(end: nil)

    private init(end: Int64?) { self.end = end }

    init(in database: Database) throws {
        let end = try CountedChecks.end(in: database)
        self.init(end: end == .max ? nil : end)
    }

    /// The last moment of which changes are told; `nil` for all.
    var moment: Timestamp? { end.map { Timestamp(secondsSinceEpoch: $0 - 1) } }

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
            CASE WHEN EXISTS (SELECT 1 FROM listing_change AS present WHERE \(condition))
                THEN (SELECT CAST(present.was AS \(type)) FROM listing_change AS present WHERE \(condition)
                    ORDER BY present.at LIMIT 1)
                ELSE listing.\(column) END
            """
    }
}
