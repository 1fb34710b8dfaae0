import GRDB
package import RankKit

/// Which pairs a report is about. Empty sets leave everything in.
package struct PairFilter: Sendable, Hashable {
    /// Aliases or bundle identifiers, compared without regard to case.
    package var apps: [String] = []
    /// Search texts, compared folded.
    package var queries: [String] = []
    package var countries: [Country] = []
    package var platforms: [Platform] = []
    package var tags: [String] = []
    /// Apple's codes, and `Query.noLanguage` for queries without one.
    package var languages: [String] = []

    package init(
        apps: [String] = [], queries: [String] = [], countries: [Country] = [], platforms: [Platform] = [],
        tags: [String] = [], languages: [String] = []
    ) {
        self.apps = apps.map { $0.lowercased() }
        self.queries = queries.map(Query.fold)
        self.countries = countries
        self.platforms = platforms
        self.tags = tags
        self.languages = languages.map { $0.lowercased() }
    }

    package func admits(query: Query, bundleID: BundleID, alias: String?, tags: [String]) -> Bool {
        (apps.isEmpty || apps.contains(bundleID.folded) || alias.map { apps.contains($0.lowercased()) } == true)
            && (queries.isEmpty || queries.contains(query.folded))
            && (countries.isEmpty || countries.contains(query.country))
            && (platforms.isEmpty || platforms.contains(query.platform)) && query.isAsked(in: languages)
            && (self.tags.isEmpty || !Set(self.tags).isDisjoint(with: tags))
    }
}

extension PairFilter {
    /// The active pairs that `admits` says yes to, of `pair` joined with `query`, for a `WHERE`: so that a question costs
    /// what it is about, and not what the watchlist holds.
    func condition(in database: Database) throws -> SQL {
        var parts: [SQL] = ["pair.retired_at IS NULL"]
        if !apps.isEmpty { parts.append("pair.bundle_key IN \(try bundleKeys(in: database))") }
        if !queries.isEmpty { parts.append("query.folded IN \(queries)") }
        if !countries.isEmpty { parts.append("query.country IN \(countries.map(\.code))") }
        if !platforms.isEmpty { parts.append("query.platform IN \(platforms.map(\.rawValue))") }
        if !languages.isEmpty {
            parts.append("query.language IN \(languages.map { $0 == Query.noLanguage ? "" : $0 })")
        }
        if !tags.isEmpty {
            parts.append("EXISTS (SELECT 1 FROM json_each(pair.tags) AS tag WHERE tag.value IN \(tags))")
        }
        return parts.joined(separator: " AND ")
    }

    /// What `apps` may be written as in `pair`: an alias of the watchlist stands for its app. SQLite's own `lower` knows
    /// no letter beyond ASCII.
    private func bundleKeys(in database: Database) throws -> [String] {
        var keys = Set(apps)
        let rows = try Row.fetchCursor(
            database, sql: "SELECT alias, bundle_key FROM watched_app WHERE alias IS NOT NULL")
        while let row = try rows.next() {
            let alias: String = try row[0]
            if apps.contains(alias.lowercased()) { try keys.insert(row[1]) }
        }
        return keys.sorted()
    }
}
