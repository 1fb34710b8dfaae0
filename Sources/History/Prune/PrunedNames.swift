import GRDB
package import RankKit

/// What a plan deletes, by the names that messages have for it.
package struct PrunedNames: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
        package var query: Query
        /// Folded.
        package var app: String

        package init(query: Query, app: String) {
            self.query = query
            self.app = app
        }
    }

    /// An app that no pair that stays has in the country.
    package struct Gone: Sendable, Hashable {
        /// Folded.
        package var app: String
        /// `nil` if no pair has it in any country.
        package var country: Country?

        package init(app: String, country: Country?) {
            self.app = app
            self.country = country
        }
    }

    /// Those that go with all that hangs on them.
    package var queries: Set<Query>
    /// Pairs on queries that stay.
    package var pairs: Set<Pair>
    package var gone: Set<Gone>
    /// What apps that are gone everywhere, by all of their names, are or were called in the stores; and what those that
    /// are gone by one name are called in the watchlist.
    package var calledSo: Set<String>
    /// Only what is older.
    package var before: Timestamp?

    package init(
        queries: Set<Query> = [], pairs: Set<Pair> = [], gone: Set<Gone> = [], calledSo: Set<String> = [],
        before: Timestamp? = nil
    ) {
        self.queries = queries
        self.pairs = pairs
        self.gone = gone
        self.calledSo = calledSo
        self.before = before
    }
}

extension PrunedNames {
    /// How the watchlist calls the app of a bundle identifier, and that itself.
    fileprivate static let ownNames = """
        SELECT alias FROM watched_app WHERE bundle_key = :app AND alias IS NOT NULL
        UNION SELECT bundle_id FROM app WHERE bundle_key = :app
        UNION SELECT bundle_id FROM bundle_name WHERE bundle_key = :app
        """

    /// How the stores call it, or called it.
    fileprivate static let storeNames = """
        SELECT name FROM app JOIN listing ON listing.app = app.id
        WHERE app.id IN \(AppNames.ids(":app")) AND name IS NOT NULL
        UNION SELECT was FROM app JOIN listing_change ON listing_change.app = app.id
        WHERE app.id IN \(AppNames.ids(":app")) AND field = 'name' AND was IS NOT NULL
        """
}

extension HistoryStore {
    /// What `plan` deletes, by name: to be asked before it is carried out.
    package func names(of plan: PrunePlan) async throws -> PrunedNames {
        try await read { database in
            var names = PrunedNames(before: plan.before)
            var leaving: Set<PrunedNames.Gone> = []
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(QueryRow.columns), query.id, pair.id, pair.bundle_key
                    FROM query LEFT JOIN pair ON pair.query = query.id
                    """)
            let (queries, pairs) = (Set(plan.queries), Set(plan.pairs))
            var staying: Set<PrunedNames.Gone> = []
            for row in rows {
                let query = try QueryRow.query(from: row)
                let isWhole = try queries.contains(row[5])
                if isWhole { names.queries.insert(query) }
                guard let pair = try row[6] as Int64?, let app = try row[7] as String? else { continue }
                let places = [PrunedNames.Gone(app: app, country: query.country), .init(app: app, country: nil)]
                if pairs.contains(pair) { names.pairs.insert(.init(query: query, app: app)) }
                if isWhole || pairs.contains(pair) { leaving.formUnion(places) } else { staying.formUnion(places) }
            }
            names.gone = leaving.subtracting(staying)
            let stayingKeys = staying.filter { $0.country == nil }.map(\.app)
            for app in names.gone where app.country == nil {
                names.calledSo.formUnion(
                    try String.fetchSet(database, sql: PrunedNames.ownNames, arguments: ["app": app.app]))
                let keys = try String.fetchSet(
                    database, sql: "SELECT * FROM \(AppNames.keys(":app"))", arguments: ["app": app.app])
                // Under another of its names the app stays, and with it what the stores call it.
                guard keys.isDisjoint(with: stayingKeys) else { continue }
                names.calledSo.formUnion(
                    try String.fetchSet(database, sql: PrunedNames.storeNames, arguments: ["app": app.app]))
            }
            return names
        }
    }
}
