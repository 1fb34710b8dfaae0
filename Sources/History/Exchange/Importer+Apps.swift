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
        fileApps.add(line)
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM app WHERE app_id = ?"), arguments: [line.appId])
        let own = try known.map { try AppNames(of: $0, in: database) }
        let seen = try known.flatMap { known in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT first_seen_at FROM app WHERE id = ?"), arguments: [known])
        }
        if let known {
            try database.cachedStatement(
                sql: """
                    UPDATE app SET first_seen_at = min(first_seen_at, ?), last_seen_day = max(last_seen_day, ?)
                    WHERE id = ?
                    """
            ).execute(arguments: [line.firstSeenAt, line.lastSeenDay, known])
        }
        let app =
            try known
            ?? insert(
                "app", at: line.n,
                [
                    ("app_id", line.appId), ("bundle_id", line.bundleId), ("bundle_key", line.bundleId.lowercased()),
                    ("first_seen_at", line.firstSeenAt), ("last_seen_day", line.lastSeenDay),
                ], database)
        apps[line.n] = app
        try merge(line, into: app, of: own, database)
        if seen.map({ line.firstSeenAt < $0 }) ?? true { try noteTakenUp(line.bundleId.lowercased(), database) }
    }

    /// Notes that another app may have the bundle identifier from an earlier time on than before, where one gave it up:
    /// then pairs of it mean the other one since.
    private mutating func noteTakenUp(_ key: String, _ database: Database) throws {
        changed.formUnion(
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT query FROM pair
                        WHERE bundle_key = :key AND EXISTS (SELECT 1 FROM bundle_name WHERE bundle_key = :key)
                        """), arguments: ["key": key]))
    }

    /// Takes up the names that the file has for an app; each counts since the first of the two histories saw it.
    ///
    /// - Parameter own: those that it had here; `nil` if it was not here.
    private mutating func merge(
        _ line: ExchangeLine.App, into app: Int64, of own: AppNames?, _ database: Database
    ) throws {
        let told = line.names ?? [.init(bundleId: line.bundleId, from: line.firstSeenAt)]
        let other = try told.map { name -> AppNames.Name in
            guard let bundleID = BundleID(name.bundleId) else { throw Unfitting(what: "has a bundleId that cannot be") }
            return .init(bundleID: bundleID, from: name.from)
        }
        var names = own ?? AppNames(other)
        let before = own?.all ?? []
        if own != nil { names.merge(AppNames(other)) }
        guard names.all.count > 1, names.all != before else { return }
        try names.keep(of: app, in: database)
        // What was recorded of pairs under one name of it is held against the lists anew.
        for name in names.all {
            changed.formUnion(
                try Int64.fetchAll(
                    database, sql: "SELECT query FROM pair WHERE bundle_key = ?", arguments: [name.bundleID.folded]))
        }
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
