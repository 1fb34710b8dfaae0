import GRDB
import RankKit

/// What storefronts have said of apps: lines of listings that are not here yet come as they are, those of the others go
/// through `ListingMerge`.
extension Importer {
    mutating func take(_ line: ExchangeLine.Listing, _ database: Database) throws {
        let app = try known(line.app, in: apps, "app")
        let storefront = try known(line.storefront, in: storefronts, "storefront")
        // Earlier versions kept what cannot be.
        let line = line.plausible
        let values = line.values
        let sighting = line.fingerprint.map {
            ListingConflict.Sighting(fingerprint: $0, rating: line.rating, ratingCount: line.ratingCount)
        }
        let readings = (line.ratings ?? []).filter { (0...AppDetails.mostRatings).contains($0.ratings) }
        let isHere = try listings.take(
            app: app, storefront: storefront, values, sighting, readings: readings.map(\.at), in: database)
        if !isHere {
            if let sighting {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count)
                        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                        """
                ).execute(arguments: [storefront, app, sighting.fingerprint, sighting.rating, sighting.ratingCount])
            }
            try ListingRow.insert(values, app: app, storefront: storefront, in: database)
        }
        for reading in readings {
            try RatingDayRow.enter(
                app, storefront, ratings: reading.ratings,
                average: reading.average.flatMap { (0...5).contains($0) ? $0 : nil },
                at: Timestamp(secondsSinceEpoch: reading.at), in: database)
        }
    }

    mutating func take(_ line: ExchangeLine.ListingChange, _ database: Database) throws {
        let app = try known(line.app, in: apps, "app")
        let storefront = try known(line.storefront, in: storefronts, "storefront")
        // Earlier versions kept texts of nothing.
        let was = line.was.flatMap { AppDetails.plausible($0, of: line.field) }
        if listings.take(app: app, storefront: storefront, at: line.at, field: line.field, was: was) { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO listing_change (app, storefront, at, field, was) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [app, storefront, line.at, line.field, was])
    }

    /// From when on every list is in the file; `nil` where none was dropped or left out.
    var fileListsSince: Int64? { [header?.listsSince, header?.since].compactMap(\.self).max() }
}

extension ExchangeLine.Listing {
    /// In the order of `ListingRow.columns`.
    fileprivate var values: [DatabaseValue] {
        let values: [(any DatabaseValueConvertible)?] = [
            name, developer, seller, version, releasedAt, versionReleasedAt, price, currency, genre, iconUrl, storeUrl,
            screenshotUrls,
        ]
        return values.map { $0?.databaseValue ?? .null }
    }

    /// Without texts of nothing, and figures that cannot be: what they say is unknown.
    fileprivate var plausible: Self {
        var line = self
        let details = AppDetails(
            name: name, developer: developer, seller: seller, version: version, price: price, currency: currency,
            rating: rating, ratingCount: ratingCount, genre: genre, iconURL: iconUrl, storeURL: storeUrl
        ).plausible
        (line.name, line.developer, line.seller) = (details.name, details.developer, details.seller)
        (line.version, line.price, line.currency) = (details.version, details.price, details.currency)
        (line.rating, line.ratingCount, line.genre) = (details.rating, details.ratingCount, details.genre)
        (line.iconUrl, line.storeUrl) = (details.iconURL, details.storeURL)
        return line
    }
}
