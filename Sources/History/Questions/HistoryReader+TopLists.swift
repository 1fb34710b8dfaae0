import Foundation
import GRDB
package import RankKit

/// The first places of one list of a query, and what its storefront says of the apps in them.
package struct TopList: Sendable, Hashable {
    /// When the list was asked for.
    package var at: Timestamp
    /// Best first; `nil` if the entry could not be read.
    package var apps: [TopApp?]

    /// How many first places are kept apart: most questions are about no more.
    package static let depth = FirstPlaces.count

    package init(at: Timestamp, apps: [TopApp?]) {
        self.at = at
        self.apps = apps
    }
}

/// An app in a storefront, as it was last seen there.
package struct TopApp: Sendable, Hashable {
    package var bundleID: BundleID
    /// `nil` if the storefront named none.
    package var name: String?
    /// `nil` if the storefront never named any and, of an earlier moment, if the watchlist does not name the app: the
    /// ratings of other apps are not kept day by day.
    package var ratingCount: Int64?

    package init(bundleID: BundleID, name: String? = nil, ratingCount: Int64? = nil) {
        self.bundleID = bundleID
        self.name = name
        self.ratingCount = ratingCount
    }
}

extension HistoryReader {
    /// The first places of each query's newest good list at `moment` or before; a query without one, or whose cannot be
    /// read (`damagedLists`), is left out. Names and ratings are of the reader's own moment (`asOf`).
    ///
    /// - Parameter count: how many places are wanted.
    package func topLists(
        of queries: Set<Query>, first count: Int, at moment: Timestamp
    ) throws(HistoryError) -> [Query: TopList] {
        try read { database in
            var lists: [(query: Query, at: Timestamp, apps: [DenseID?])] = []
            let statement = try database.cachedStatement(sql: Self.topsSQL)
            for query in queries {
                guard let row = try Row.fetchOne(statement, arguments: QueryRow.key(query)) else { continue }
                let kept = try count <= TopList.depth ? QueryTopRow.apps(row, at: 1) : nil
                if let kept, kept.at <= moment {
                    lists.append((query, kept.at, kept.apps.prefix(count).map { $0.map(DenseID.init) }))
                } else if let list = try Self.readableList(on: row[0], at: moment, database) {
                    lists.append((query, list.at, Array(list.places.prefix(count))))
                }
            }
            var found: [Query: TopList] = [:]
            for (storefront, lists) in Dictionary(grouping: lists, by: { Storefront(of: $0.query) }) {
                let apps = try storefront.apps(
                    Set(lists.flatMap(\.apps).compactMap(\.self)), at: self.moment, in: database)
                for list in lists {
                    found[list.query] = TopList(at: list.at, apps: list.apps.map { $0.flatMap { apps[$0] } })
                }
            }
            return found
        }
    }

    /// A query, by `QueryRow.key`, with its first places where they are kept by themselves.
    static let topsSQL = """
        SELECT query.id, \(QueryTopRow.columns), query.cadence_seconds
        FROM query LEFT JOIN query_top ON query_top.query = query.id
        WHERE \(QueryRow.isKey)
        """

    /// How many ratings each of these apps has in each storefront that named a number, as last seen; at an earlier moment
    /// of the reader's, as last seen on a day that was over by then.
    package func ratingCounts(of apps: Set<BundleID>) throws(HistoryError) -> RatingCounts {
        let wanted = apps.keysAsJSON
        return try read { database in
            var counts = RatingCounts()
            let rows = try Row.fetchCursor(
                database, sql: Self.ratingCounts(at: moment, in: database),
                arguments: StatementArguments([wanted]) + FormerListing.arguments(moment, in: database))
            while let row = try rows.next() {
                // The number that the app was last seen under comes last.
                try counts.counts[.init(bundle: row[0], storefront: Storefront(country: row[1], language: row[2]))] =
                    try row[3]
            }
            return counts
        }
    }

    private static func ratingCounts(at moment: Timestamp?, in database: Database) throws -> String {
        try moment == nil ? ratingCounts(of: PresentListing(in: database)) : formerRatingCounts
    }

    static let ratingCountsSQL = ratingCounts(of: .whole)

    private static func ratingCounts(of present: PresentListing) -> String {
        """
        SELECT asked.value, storefront.country, storefront.language, \(present.ratings(.count)) AS ratings
        FROM json_each(?) AS asked
        CROSS JOIN app ON app.id IN \(AppNames.holders("asked.value"))
        CROSS JOIN storefront
        CROSS JOIN sighting ON sighting.storefront = storefront.id AND sighting.app = app.id
        WHERE ratings IS NOT NULL
        ORDER BY app.last_seen_day, app.id
        """
    }

    private static let formerRatingCounts = """
        SELECT asked.value, storefront.country, storefront.language, \(FormerListing.ratings) AS ratings
        FROM (SELECT ?2 AS moment, ?3 AS lastDay) AS asOf
        CROSS JOIN json_each(?1) AS asked
        CROSS JOIN app ON app.id IN \(AppNames.holders("asked.value", at: "asOf.moment"))
        CROSS JOIN storefront
        WHERE ratings IS NOT NULL
        ORDER BY \(FormerListing.lastSeenDay), app.id
        """
}

/// What `HistoryReader.ratingCounts` found.
package struct RatingCounts: Sendable {
    fileprivate struct Key: Hashable {
        var bundle: String
        var storefront: Storefront
    }

    fileprivate var counts: [Key: Int64] = [:]

    /// In the storefront in which `query` is asked; `nil` if that never named any.
    package func callAsFunction(_ bundleID: BundleID, on query: Query) -> Int64? {
        counts[Key(bundle: bundleID.folded, storefront: Storefront(of: query))]
    }
}

/// A country's store in one language.
struct Storefront: Hashable {
    var country: String
    /// Empty if the storefront chooses.
    var language: String

    init(country: String, language: String) {
        self.country = country
        self.language = language
    }

    init(of query: Query) { self.init(country: query.country.code, language: query.language ?? "") }

    /// - Parameter moment: when they were called so and had so many ratings; `nil` for now.
    func apps(
        _ numbers: Set<DenseID>, at moment: Timestamp?, in database: Database
    ) throws -> [DenseID: TopApp] {
        let wanted = "[" + numbers.map { "\($0.number)" }.joined(separator: ",") + "]"
        var apps: [DenseID: TopApp] = [:]
        apps.reserveCapacity(numbers.count)
        let statement = try database.cachedStatement(sql: Self.appsSQL(at: moment, in: database))
        let rows = try Row.fetchCursor(
            statement,
            arguments: StatementArguments([country, language, wanted])
                + FormerListing.arguments(moment, in: database))
        while let row = try rows.next() {
            guard let bundleID = try BundleID(row[1]) else { continue }
            try apps[DenseID(row[0])] = try TopApp(bundleID: bundleID, name: row[2], ratingCount: row[3])
        }
        return apps
    }

    private static func appsSQL(at moment: Timestamp?, in database: Database) throws -> String {
        try moment == nil ? appsSQL(of: PresentListing(in: database)) : formerAppsSQL
    }

    private static func appsSQL(of present: PresentListing) -> String {
        """
        SELECT app.id, \(AppNames.shown), \(present.column("name")), \(present.ratings(.count))
        FROM (SELECT (SELECT id FROM storefront WHERE country = ? AND language = ?) AS id) AS here
        CROSS JOIN json_each(?) AS asked
        CROSS JOIN app ON app.id = asked.value
        LEFT JOIN listing ON listing.app = app.id AND listing.storefront = here.id
        LEFT JOIN sighting ON sighting.app = app.id AND sighting.storefront = here.id
        """
    }

    private static let formerAppsSQL = """
        SELECT app.id, \(FormerListing.bundleID), \(FormerListing.name), \(FormerListing.ratings)
        FROM (SELECT ?4 AS moment, ?5 AS lastDay) AS asOf
        CROSS JOIN (SELECT (SELECT id FROM storefront WHERE country = ?1 AND language = ?2) AS id) AS storefront
        CROSS JOIN json_each(?3) AS asked
        CROSS JOIN app ON app.id = asked.value
        LEFT JOIN listing ON listing.app = app.id AND listing.storefront = storefront.id
        """
}
