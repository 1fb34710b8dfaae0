import GRDB
package import RankKit

extension HistoryReader {
    /// What is known of an app, tracked or not; `nil` if no answer ever held it.
    ///
    /// - Parameter country: whose storefront is asked first. If it never showed the app, and where this is `nil`, the
    ///   first by code that named it tells instead.
    package func appCard(
        _ bundleID: BundleID, preferring country: Country?
    ) throws(HistoryError) -> AppCard? {
        try read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: Self.appCardSQL(of: PresentListing(in: database))),
                arguments: ["app": bundleID.folded, "country": country?.code])
            guard let told = rows.first, let newest = try rows.max(by: Self.isOlder),
                let spelling = try BundleID(newest["bundle_id"])
            else { return nil }
            var card = try AppCard(id: AppID(newest.wide("app_id")), bundleID: spelling)
            try card.read(told)
            card.country = try (told["country"] as String?).map(CountryDayRow.country)
            card.countries = Set(try rows.compactMap { try ($0["country"] as String?).map(CountryDayRow.country) })
                .sorted { $0.code < $1.code }
            return card
        }
    }

    private static func isOlder(_ left: Row, _ right: Row) throws -> Bool {
        let numbers = { (row: Row) throws -> (Int64, Int64) in try (row["last_seen_day"], row["id"]) }
        return try numbers(left) < numbers(right)
    }

    /// A row for each storefront and number of the app, the one that tells the most first: of a country's languages the
    /// storefront's own.
    static let appCardSQL = appCardSQL(of: .whole)

    private static func appCardSQL(of present: PresentListing) -> String {
        """
        SELECT app.id, app.app_id, \(AppNames.shown) AS bundle_id, app.last_seen_day, storefront.country,
            \(present.column("name")) AS name, \(present.column("developer")) AS developer,
            \(present.column("genre")) AS genre, \(present.column("price", "REAL")) AS price,
            \(present.column("currency")) AS currency, \(present.column("version")) AS version,
            \(present.column("version_released_at", "INTEGER")) AS version_released_at,
            \(present.column("store_url")) AS store_url, \(present.column("icon_url")) AS icon_url,
            \(present.column("screenshot_urls")) AS screenshot_urls,
            \(present.ratings(.rating)) AS rating, \(present.ratings(.count)) AS rating_count
        FROM app
        LEFT JOIN listing ON listing.app = app.id
        LEFT JOIN storefront ON storefront.id = listing.storefront
        LEFT JOIN sighting ON sighting.storefront = listing.storefront AND sighting.app = listing.app
        WHERE app.id IN \(AppNames.holders(":app"))
        ORDER BY ifnull(storefront.country = :country, 0) DESC, listing.name IS NULL, app.last_seen_day DESC,
            app.id DESC, storefront.country, storefront.language
        """
    }

    /// The newest known address of each app's icon. An app of which none is known is left out.
    package func icons(of apps: some Sequence<BundleID>) throws(HistoryError) -> [BundleID: String] {
        let wanted = apps.keysAsJSON
        return try read { database in
            var icons: [BundleID: String] = [:]
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: Self.iconsSQL(of: PresentListing(in: database))), arguments: [wanted])
            // The newest comes last.
            while let row = try rows.next() {
                if let app = try BundleID(row[0]) { icons[app] = try row[1] }
            }
            return icons
        }
    }

    /// Nobody knows when a storefront was last seen, only when its icon last changed.
    static let iconsSQL = iconsSQL(of: .whole)

    private static func iconsSQL(of present: PresentListing) -> String {
        """
        SELECT asked.value, \(present.column("icon_url")) AS icon_url
        FROM json_each(?) AS asked
        CROSS JOIN app ON app.id IN \(AppNames.holders("asked.value"))
        CROSS JOIN listing ON listing.app = app.id
        WHERE \(present.column("icon_url")) IS NOT NULL
        ORDER BY app.last_seen_day, app.id,
            (SELECT max(change.at) FROM listing_change AS change
                WHERE change.app = listing.app AND change.storefront = listing.storefront
                    AND change.field = 'icon_url'),
            listing.storefront DESC
        """
    }
}

extension Sequence<BundleID> {
    /// What they are compared by, as a list of JSON. No bundle identifier holds a character that JSON would escape.
    var keysAsJSON: String { "[" + Set(map(\.folded)).map { "\"\($0)\"" }.joined(separator: ",") + "]" }
}

extension AppCard {
    fileprivate mutating func read(_ row: Row) throws {
        name = try row["name"]
        developer = try row["developer"]
        genre = try row["genre"]
        price = try row["price"]
        currency = try row["currency"]
        rating = try row["rating"]
        ratingCount = try row["rating_count"]
        version = try row["version"]
        versionReleasedAt = try row["version_released_at"]
        storeURL = try row["store_url"]
        iconURL = try row["icon_url"]
        screenshotURLs =
            try (row["screenshot_urls"] as String?).map { $0.split(separator: "\n").map(String.init) } ?? []
    }
}
