import GRDB
package import RankKit

/// What is to be deleted for good, named by its apps, its search texts, or both.
package struct PruneRequest: Sendable, Hashable {
    /// Aliases or bundle identifiers; if there are texts too, only on those queries.
    package var apps: [String]
    /// Search texts.
    package var queries: [String]
    package var countries: [Country]
    package var platforms: [Platform]
    /// Apple's codes, and `Query.noLanguage` for queries without one.
    package var languages: [String]
    /// Only what is older.
    package var before: Timestamp?

    package init(
        apps: [String] = [], queries: [String] = [], countries: [Country] = [], platforms: [Platform] = [],
        languages: [String] = [], before: Timestamp? = nil
    ) {
        self.apps = apps.map { $0.lowercased() }
        self.queries = queries.map(Query.fold)
        self.countries = countries
        self.platforms = platforms
        self.languages = languages.map { $0.lowercased() }
        self.before = before
    }
}

/// What a request comes to.
package struct PrunePlan: Sendable, Hashable {
    /// What goes with all that hangs on it, or with what is old of that.
    package var queries: [Int64] = []
    /// Pairs on queries that stay.
    package var pairs: [Int64] = []
    /// Those of both that the watchlist still has, in words.
    package var active: [String] = []
    /// Other bundle identifiers of the apps that were named, whose pairs stay.
    package var otherNames: [String] = []
    /// Names that were given and that nothing here has.
    package var unknown: [UnknownName] = []
    package var checks = 0
    package var positions = 0
    package var before: Timestamp?

    /// A name that nothing in the history has.
    package struct UnknownName: Sendable, Hashable {
        package var name: String
        package var isQuery: Bool
        /// What it may be a slip of.
        package var near: String?
    }

    package var isEmpty: Bool { checks == 0 && positions == 0 && (before != nil || queries.isEmpty && pairs.isEmpty) }
}

extension HistoryStore {
    /// What `request` comes to; nothing is deleted yet.
    package func plan(_ request: PruneRequest) async throws -> PrunePlan {
        try await read { database in
            var plan = PrunePlan(before: request.before)
            let before = request.before?.secondsSinceEpoch ?? .max
            let aliases = try Row.fetchAll(
                database, sql: "SELECT bundle_key, alias FROM watched_app WHERE alias IS NOT NULL")
            let given = try Set(
                request.apps.map { name in
                    try aliases.first { try ($0[1] as String).lowercased() == name }.map { try $0[0] as String } ?? name
                })
            let named = try Set(given.flatMap { try Self.pairNames(of: $0, in: database) })
            plan.otherNames = try Set(given.flatMap { try Self.otherNames(of: $0, in: database) })
                .filter { !named.contains($0.lowercased()) }.sorted()
            plan.unknown = try Self.unknown(request, in: database)
            let queries = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, text, folded, country, platform, retired_at IS NULL, language FROM query ORDER BY id
                    """)
            for query in queries {
                let (id, text): (Int64, String) = try (query[0], query[1])
                let (country, platform, language): (String, String, String) = try (query[3], query[4], query[6])
                let place = "\(country) \(platform)" + (language.isEmpty ? "" : " \(language)")
                guard try request.queries.isEmpty || request.queries.contains(query[2]),
                    request.countries.isEmpty || request.countries.contains(where: { $0.code == country }),
                    request.platforms.isEmpty || request.platforms.contains(where: { $0.rawValue == platform }),
                    request.languages.isEmpty
                        || request.languages.contains(language.isEmpty ? Query.noLanguage : language)
                else { continue }
                let pairs = try Row.fetchAll(
                    database, sql: "SELECT id, bundle_id, bundle_key, retired_at IS NULL FROM pair WHERE query = ?",
                    arguments: [id])
                if named.isEmpty {
                    plan.queries.append(id)
                    if try query[5] { plan.active.append("“\(text)” \(place)") }
                    plan.checks +=
                        try Int.fetchOne(
                            database, sql: "SELECT count(*) FROM check_log WHERE query = ? AND at < ?",
                            arguments: [id, before]) ?? 0
                }
                for pair in pairs where try named.isEmpty || named.contains(pair[2]) {
                    if !named.isEmpty {
                        try plan.pairs.append(pair[0])
                        if try pair[3] { try plan.active.append("\(pair[1] as String) on “\(text)” \(place)") }
                    }
                    plan.positions +=
                        try Int.fetchOne(
                            database, sql: "SELECT count(*) FROM position WHERE pair = ? AND at < ?",
                            arguments: [pair[0] as Int64, before]) ?? 0
                }
            }
            return plan
        }
    }

    /// The names in `request` that no alias, no pair and no query has.
    private static func unknown(_ request: PruneRequest, in database: Database) throws -> [PrunePlan.UnknownName] {
        var unknown: [PrunePlan.UnknownName] = []
        if !request.apps.isEmpty {
            let known = try String.fetchAll(
                database,
                sql: """
                    SELECT alias FROM watched_app WHERE alias IS NOT NULL
                    UNION SELECT min(bundle_id) FROM pair GROUP BY bundle_key
                    """)
            let names = Set(known.map { $0.lowercased() })
            for name in request.apps where !names.contains(name) {
                guard try !pairNames(of: name, in: database).contains(where: names.contains) else { continue }
                unknown.append(.init(name: name, isQuery: false, near: Spelling.nearest(to: name, in: known)))
            }
        }
        if !request.queries.isEmpty {
            let known = try String.fetchAll(database, sql: "SELECT DISTINCT folded FROM query ORDER BY folded")
            for text in request.queries where !known.contains(text) {
                unknown.append(.init(name: text, isQuery: true, near: Spelling.nearest(to: text, in: known)))
            }
        }
        return unknown
    }

    /// `key` itself, or, where no pair has it, what pairs call the app that has or had it.
    private static func pairNames(of key: String, in database: Database) throws -> [String] {
        let others = try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT name.bundle_key FROM bundle_name AS given
                JOIN bundle_name AS name ON name.app = given.app
                WHERE given.bundle_key = :key AND given.stayed_at IS NOT NULL
                    AND name.bundle_key IN (SELECT bundle_key FROM pair)
                    AND :key NOT IN (SELECT bundle_key FROM pair)
                """, arguments: ["key": key])
        return others.isEmpty ? [key] : others
    }

    /// What pairs call the apps that have or had the bundle identifier `key`, but for `key`.
    private static func otherNames(of key: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT min(bundle_id) FROM pair
                WHERE bundle_key IN \(AppNames.keys(":key")) AND bundle_key <> :key GROUP BY bundle_key
                """, arguments: ["key": key])
    }

    /// Rows deleted in one transaction.
    private static let rowsPerStep = 500

    /// Deletes what `plan` names, in short transactions, and gives the room back. Broken off, it can be run again.
    ///
    /// - Throws: `HistoryError`, or `CancellationError` between two steps.
    package func prune(_ plan: PrunePlan, progress: (_ done: Int) -> Void = { _ in }) async throws {
        let before = plan.before?.secondsSinceEpoch
        var done = 0
        if let before { try await write { try PrunedPairs.note(plan.pairs, before: before, in: $0) } }
        for pair in plan.pairs { try await prune(pair: pair, before: before, &done, progress) }
        for query in plan.queries {
            let pairs = try await read {
                try Int64.fetchAll($0, sql: "SELECT id FROM pair WHERE query = ?", arguments: [query])
            }
            for pair in pairs { try await prune(pair: pair, before: before, &done, progress) }
            try await write { database in
                try CountryDayRow.noteDeletion(of: query, before: before, in: database)
                try database.execute(
                    sql: """
                        UPDATE query SET is_cut = 1
                        WHERE id = ?1 AND EXISTS (SELECT 1 FROM check_log WHERE query = ?1 AND at < ?2)
                        """, arguments: [query, before ?? .min])
                try HeldAnswer.forget(of: query, before: before ?? .max, in: database)
            }
            try await repeating(&done, progress) { database in
                try KeptCheck.forget(of: query, before: before ?? .max, limit: Self.rowsPerStep, in: database)
            }
            try await write { database in
                if let before {
                    try database.execute(
                        sql: "DELETE FROM failure_day WHERE query = ? AND day < ?",
                        arguments: [query, Timestamp(secondsSinceEpoch: before).day])
                    try Derivation.note([query], in: database)
                } else {
                    for table in ["failure_day", "result_page"] {
                        try database.execute(literal: "DELETE FROM \(SQL(sql: table)) WHERE query = \(query)")
                    }
                    try database.execute(sql: "DELETE FROM query WHERE id = ?", arguments: [query])
                }
            }
        }
        try await blocking { _, queue in try Derivation.finish(queue) }
        var unused = Int.max
        while true {
            try Task.checkCancellation()
            let left = try await giveBack(pages: Self.rowsPerStep)
            guard 0 < left, left < unused else { return }
            unused = left
        }
    }

    private func prune(pair: Int64, before: Int64?, _ done: inout Int, _ progress: (Int) -> Void) async throws {
        try await write { database in
            let query = try Int64.fetchOne(database, sql: "SELECT query FROM pair WHERE id = ?", arguments: [pair])
            if let query { try Derivation.note([query], in: database) }
        }
        try await repeating(&done, progress) { database in
            let moments = try Int64.fetchAll(
                database, sql: "SELECT at FROM position WHERE pair = ? AND at < ? ORDER BY at LIMIT ?",
                arguments: [pair, before ?? .max, Self.rowsPerStep])
            guard let last = moments.last else { return 0 }
            try database.execute(sql: "DELETE FROM position WHERE pair = ? AND at <= ?", arguments: [pair, last])
            // The last of these days may have readings that stay.
            let day = Timestamp(secondsSinceEpoch: last).day
            try database.execute(sql: "DELETE FROM pair_day WHERE pair = ? AND day <= ?", arguments: [pair, day])
            try DayRollUp.refresh(day: day, pairs: [pair], in: database)
            return moments.count
        }
        try await write { database in
            if let before {
                try PairPeriods.begin(pair, at: before, in: database)
                // Nor is what is deleted to be filled in again from lists that stay.
                try database.execute(
                    literal: """
                        UPDATE pair_fill SET through_at = \(before - 1), through_check = \(Int64.max)
                        WHERE pair = \(pair) AND (through_at IS NULL OR through_at < \(before))
                        """)
                try StorefrontKey(of: pair, in: database)?.forgetRatings(before: before, in: database)
                return
            }
            for table in ["standing", "pair_day", "pair_period"] {
                try database.execute(literal: "DELETE FROM \(SQL(sql: table)) WHERE pair = \(pair)")
            }
            try PrunedPairs.forget([pair], in: database)
            let app = try StorefrontKey(of: pair, in: database)
            try database.execute(sql: "DELETE FROM pair WHERE id = ?", arguments: [pair])
            try app?.forgetPresence(in: database)
            try app?.forgetRatings(before: nil, in: database)
        }
    }

    /// Repeats `step` until it has nothing left to do.
    private func repeating(
        _ done: inout Int, _ progress: (Int) -> Void, _ step: @escaping @Sendable (Database) throws -> Int
    ) async throws {
        while true {
            try Task.checkCancellation()
            let count = try await write(step)
            done += count
            progress(done)
            if count == 0 { return }
        }
    }
}

/// An app in a country, as `app_presence` names it.
private struct StorefrontKey {
    let country: String
    let bundleKey: String

    init?(of pair: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT country, bundle_key FROM pair JOIN query ON query.id = pair.query WHERE pair.id = ?",
            arguments: [pair])
        guard let row else { return nil }
        (country, bundleKey) = try (row[0], row[1])
    }

    /// Deletes what look-ups have told, unless another pair has the app in the country too.
    func forgetPresence(in database: Database) throws {
        try database.execute(
            literal: """
                DELETE FROM app_presence WHERE country = \(country) AND bundle_key = \(bundleKey)
                    AND NOT EXISTS (SELECT 1 FROM pair JOIN query ON query.id = pair.query
                        WHERE pair.bundle_key = \(bundleKey) AND query.country = \(country))
                """)
    }

    /// Deletes the app's ratings in the country from before the day of a moment, or all, unless another pair of it there,
    /// by whichever of its names, has still a position of that time, or is there at all.
    func forgetRatings(before moment: Int64?, in database: Database) throws {
        let isLeft = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM pair JOIN query ON query.id = pair.query
                    WHERE pair.bundle_key IN \(AppNames.keys(":app")) AND query.country = :country
                        AND (:moment IS NULL
                            OR EXISTS (SELECT 1 FROM position WHERE position.pair = pair.id AND position.at < :moment)))
                """, arguments: ["app": bundleKey, "country": country, "moment": moment])
        guard isLeft == false else { return }
        let zone = try CountryDayRow.wantedZone(in: database)
        let day = moment.map { zone.day(of: Timestamp(secondsSinceEpoch: $0)) }
        try RatingDayRow.forget(bundleKey, in: country, before: day, database)
    }
}
