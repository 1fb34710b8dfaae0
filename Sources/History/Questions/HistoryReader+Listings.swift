import GRDB
package import RankKit

/// What one storefront has said of an app, one value after the other.
package struct ListingPast: Sendable, Hashable {
    package var country: Country
    /// Apple's language code; `nil` for the storefront's own.
    package var language: String?
    /// By what is told; in order of time. The first value was there when the app was first seen, so nobody knows since
    /// when. An answer that left it out has `nil`.
    package var values: [Part: [Value]]
    /// When each bundle identifier but the first had stayed, by when it was first seen.
    package var bundleIDsStayed: [Timestamp: Timestamp] = [:]

    /// In seconds: what gave way to something else earlier has not stayed.
    package static let secondsToStay: Int64 = 2 * Timestamp.secondsPerDay

    package init(country: Country, language: String? = nil, values: [Part: [Value]]) {
        self.country = country
        self.language = language
        self.values = values
    }

    package enum Part: String, Sendable, Hashable, CaseIterable {
        case name
        /// In units of `currency`, as SQLite writes a number.
        case price
        /// ISO 4217.
        case currency
        case icon = "icon_url"
        /// One link a line.
        case screenshots = "screenshot_urls"
        /// The number's bundle identifier, which is the same in all storefronts; left out where it has had one. One that
        /// has not stayed yet is not among them.
        case bundleID = "bundle_id"

        /// Those that are columns of a listing.
        fileprivate static let columns = allCases.filter { $0 != .bundleID }
    }

    package struct Value: Sendable, Hashable {
        /// The check that first showed it; `nil` for the first value.
        package var since: Timestamp?
        package var text: String?

        package init(since: Timestamp? = nil, text: String? = nil) {
            self.since = since
            self.text = text
        }
    }
}

extension HistoryReader {
    /// What every storefront has said of an app so far, or up to the reader's own moment, each number of Apple's apart, by
    /// country and language.
    package func listingPasts(of bundleID: BundleID) throws(HistoryError) -> [ListingPast] {
        try read { database in
            let isKnown = { (at: Timestamp) in moment.map { at <= $0 } ?? true }
            let counted = try PresentListing(in: database).moment
            let last = [moment, counted].compactMap(\.self).min()
            // Asked of one app after the other.
            let statement = try database.cachedStatement(
                sql: Self.listingChanges(isFormer: moment != nil))
            var asked: StatementArguments = ["app": bundleID.folded]
            if let moment { asked += ["moment": moment.secondsSinceEpoch] }
            let changes = Dictionary(
                grouping: try Row.fetchAll(statement, arguments: asked).map(ListingChangeRow.init),
                by: \.listing)
            let listings = try database.cachedStatement(sql: Self.listings(isFormer: moment != nil))
            return try Row.fetchAll(listings, arguments: asked).map { row in
                let language: String = try row[3]
                var past = ListingPast(
                    country: try CountryDayRow.country(row[2]), language: language.isEmpty ? nil : language, values: [:]
                )
                let own = try changes[.init(app: row[0], storefront: row[1])] ?? []
                for (index, part) in ListingPast.Part.columns.enumerated() {
                    past.values[part] = try ListingChangeRow.values(
                        own.filter { $0.field == part.rawValue }, now: row[4 + index], until: last)
                }
                let names = try AppNames(of: row[0], in: database).all.filter {
                    isKnown(Timestamp(secondsSinceEpoch: $0.stayed))
                }
                guard names.count > 1 else { return past }
                for name in names.dropFirst() {
                    past.bundleIDsStayed[Timestamp(secondsSinceEpoch: name.from)] = Timestamp(
                        secondsSinceEpoch: name.stayed)
                }
                past.values[.bundleID] = names.enumerated().map { index, name in
                    ListingPast.Value(
                        since: index == 0 ? nil : Timestamp(secondsSinceEpoch: name.from), text: name.bundleID.text)
                }
                return past
            }
        }
    }

    /// The apps of the watchlist of which a storefront has said something else at `moment` or later.
    ///
    /// - Parameter namesAlone: whether all but their names and bundle identifiers is left out.
    package func changedApps(
        since moment: Timestamp, namesAlone: Bool = false
    ) throws(HistoryError) -> Set<BundleID> {
        try read { database in
            let names = try String.fetchAll(
                database, sql: Self.changedAppsSQL,
                arguments: [
                    "since": moment.secondsSinceEpoch, "names": namesAlone,
                    "end": CountedChecks.end(in: database),
                ])
            return Set(names.compactMap { BundleID($0) })
        }
    }

    static let changedAppsSQL = """
        SELECT bundle_id FROM watched_app WHERE EXISTS (
            SELECT 1 FROM app CROSS JOIN listing_change AS change ON change.app = app.id
            WHERE app.id IN \(AppNames.holders("watched_app.bundle_key")) AND change.at >= :since AND change.at < :end
                AND (NOT :names OR change.field = 'name'))
            OR EXISTS (SELECT 1 FROM bundle_name AS later
                WHERE later.app IN \(AppNames.holders("watched_app.bundle_key")) AND later.ordinal > 0
                    AND later.stayed_at >= :since)
        """

    /// When the first check showed an app; `nil` where none ever did, or none up to the reader's own moment, and for a
    /// narrowed reader: others' lists may have shown it.
    package func firstSight(of bundleID: BundleID) throws(HistoryError) -> Timestamp? {
        guard !isNarrowed else { return nil }
        return try read { database in
            let first = try Int64.fetchOne(
                database, sql: "SELECT min(first_seen_at) FROM app WHERE id IN \(AppNames.ids(":app"))",
                arguments: ["app": bundleID.folded]
            ).map(Timestamp.init(secondsSinceEpoch:))
            return first.flatMap { first in moment.map { first <= $0 } ?? true ? first : nil }
        }
    }

    /// The columns after the fourth are those of `ListingPast.Part.columns`.
    static let listingsSQL = listings(isFormer: false)

    private static func listings(isFormer: Bool) -> String {
        """
        SELECT listing.app, listing.storefront, storefront.country, storefront.language, listing.name,
            CAST(listing.price AS TEXT), listing.currency, listing.icon_url, listing.screenshot_urls
        FROM app CROSS JOIN listing ON listing.app = app.id JOIN storefront ON storefront.id = listing.storefront
        WHERE app.id IN \(AppNames.holders(":app", at: isFormer ? ":moment" : nil))
        ORDER BY storefront.country, storefront.language, app.id
        """
    }

    static let listingChangesSQL = listingChanges(isFormer: false)

    private static func listingChanges(isFormer: Bool) -> String {
        """
        SELECT change.app, change.storefront, change.at, change.field, change.was
        FROM app CROSS JOIN listing_change AS change ON change.app = app.id
        WHERE app.id IN \(AppNames.holders(":app", at: isFormer ? ":moment" : nil))
            AND change.field IN ('name', 'price', 'currency', 'icon_url', 'screenshot_urls')
        ORDER BY change.at
        """
    }
}

/// What a column of a listing held until a moment.
private struct ListingChangeRow {
    struct Listing: Hashable {
        let app: Int64
        let storefront: Int64
    }

    let listing: Listing
    let at: Timestamp
    let field: String
    let was: String?

    init(_ row: Row) throws {
        listing = try Listing(app: row[0], storefront: row[1])
        at = try row[2]
        field = try row[3]
        was = try row[4]
    }

    /// - Parameters:
    ///   - changes: of one column, in order of time.
    ///   - moment: nothing later is told; `nil` for all.
    static func values(_ changes: [ListingChangeRow], now: String?, until moment: Timestamp?) -> [ListingPast.Value] {
        let known = moment.map { moment in changes.prefix { $0.at <= moment } } ?? changes[...]
        let last = known.count < changes.count ? changes[known.count].was : now
        return zip([nil] + known.map { Optional($0.at) }, known.map(\.was) + [last])
            .map { ListingPast.Value(since: $0, text: $1) }
    }
}
