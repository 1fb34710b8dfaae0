import Foundation
import GRDB
import RankKit

/// What was seen of apps.
extension Importer {
    mutating func take(_ line: ExchangeLine.Storefront, _ database: Database) throws {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM storefront WHERE country = ? AND language = ?"),
            arguments: [line.country, line.language])
        storefronts[line.n] =
            try known
            ?? insert("storefront", at: line.n, [("country", line.country), ("language", line.language)], database)
    }

    mutating func take(_ line: ExchangeLine.App, _ database: Database) throws {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM app WHERE app_id = ?"), arguments: [line.appId])
        if let known {
            try database.cachedStatement(
                sql: """
                    UPDATE app SET first_seen_at = min(first_seen_at, ?), last_seen_day = max(last_seen_day, ?)
                    WHERE id = ?
                    """
            ).execute(arguments: [line.firstSeenAt, line.lastSeenDay, known])
        }
        apps[line.n] =
            try known
            ?? insert(
                "app", at: line.n,
                [
                    ("app_id", line.appId), ("bundle_id", line.bundleId), ("bundle_key", line.bundleId.lowercased()),
                    ("first_seen_at", line.firstSeenAt), ("last_seen_day", line.lastSeenDay),
                ], database)
    }

    func take(_ line: ExchangeLine.Listing, _ database: Database) throws {
        let app = try known(line.app, in: apps, "app")
        let storefront = try known(line.storefront, in: storefronts, "storefront")
        if let fingerprint = line.fingerprint {
            try database.cachedStatement(
                sql: """
                    INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [storefront, app, fingerprint, line.rating, line.ratingCount])
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO listing (app, storefront, name, developer, seller, version, released_at,
                    version_released_at, price, currency, genre, icon_url, store_url, screenshot_urls)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                app, storefront, line.name, line.developer, line.seller, line.version, line.releasedAt,
                line.versionReleasedAt, line.price, line.currency, line.genre, line.iconUrl, line.storeUrl,
                line.screenshotUrls,
            ])
        for reading in line.ratings ?? [] {
            try RatingDayRow.enter(
                app, storefront, ratings: reading.ratings, average: reading.average,
                at: Timestamp(secondsSinceEpoch: reading.at), in: database)
        }
    }

    func take(_ line: ExchangeLine.ListingChange, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO listing_change (app, storefront, at, field, was) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                known(line.app, in: apps, "app"), known(line.storefront, in: storefronts, "storefront"), line.at,
                line.field, line.was,
            ])
    }

    func take(_ line: ExchangeLine.Presence, _ database: Database) throws {
        try database.cachedStatement(sql: AppPresenceRow.addition).execute(
            arguments: [
                line.country, line.bundleId.lowercased(), line.foundAt, line.emptySince, line.emptyAt,
                line.emptyAnswers, line.failedAt, line.failuresInARow,
            ])
    }
}
