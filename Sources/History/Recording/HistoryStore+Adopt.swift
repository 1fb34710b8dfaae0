import GRDB
package import RankKit

/// What a new watchlist changed.
package struct Adoption: Sendable, Hashable {
    /// Pairs tracked from now on, or again.
    package var pairsAdded = 0
    /// Pairs that are no longer tracked; their history stays.
    package var pairsRetired = 0
    package var pairsKept = 0
    package var queriesAdded = 0
    package var queriesRetired = 0
}

extension HistoryStore {
    /// Makes `watchlist` the plan: adds what is new, retires what is gone, deletes nothing. Of queries and pairs only
    /// those that differ are written, so that an edit of a long watchlist costs what it changes.
    ///
    /// - Throws: `HistoryError`; the plan before it stands then.
    @discardableResult
    package func adopt(_ watchlist: Watchlist, now: Timestamp) async throws -> Adoption {
        try await apply(.plan(watchlist, at: now)).adoption ?? Adoption()
    }

    /// Makes `watchlist` the plan in the transaction that is open.
    static func adopt(_ watchlist: Watchlist, now: Timestamp, in database: Database) throws -> Adoption {
        var adoption = Adoption()
        let at = now.secondsSinceEpoch
        try QueryRow.foldCapitalSharpS(in: database)
        let before = PlanBefore(
            queries: try Set(Int64.fetchAll(database, sql: "SELECT id FROM query WHERE retired_at IS NULL")),
            pairs: try Set(Int64.fetchAll(database, sql: "SELECT id FROM pair WHERE retired_at IS NULL")))
        var queries: Set<Int64> = []
        var pairs: Set<Int64> = []
        for (ordinal, watched) in watchlist.queries.enumerated() {
            let query = try Self.adopt(watched, ordinal: ordinal, in: database)
            queries.insert(query)
            pairs.formUnion(try Self.adopt(watched.pairs, on: query, in: database))
        }
        try Self.retire("query", before.queries.subtracting(queries), at: at, in: database)
        try Self.retire("pair", before.pairs.subtracting(pairs), at: at, in: database)
        try Self.closePeriods(before.pairs.subtracting(pairs), at: at, in: database)
        try Self.standAsOfRemoval(before.pairs.subtracting(pairs), at: at, in: database)
        try Self.openPeriods(pairs.subtracting(before.pairs), at: at, in: database)
        try PairFill.beginMissed(in: database)
        try PrunedPairs.forget(pairs.subtracting(before.pairs), in: database)
        for pair in pairs.subtracting(before.pairs).sorted() { try PairFill.begin(pair, in: database) }
        try Self.adopt(watchlist.apps, in: database)
        try Self.adopt(watchlist.notes, in: database)
        try Self.adopt(watchlist.service.retention, in: database)
        try Setting.timeZone.set(watchlist.timeZone, in: database)
        try Setting.sensitivity.set(watchlist.sensitivity.rawValue, in: database)
        try Setting.requestsPerMinute.set(watchlist.service.requestsPerMinute, in: database)
        try Setting.parallelism.set(watchlist.service.parallelism, in: database)
        try BackupRecord.adopt(watchlist.service.backup, now: now, in: database)
        try Setting.adoptedAt.set(at, in: database)
        try Setting.refusedAt.set(nil, in: database)
        try Setting.refusal.set(nil, in: database)
        adoption.queriesAdded = queries.subtracting(before.queries).count
        adoption.queriesRetired = before.queries.subtracting(queries).count
        adoption.pairsAdded = pairs.subtracting(before.pairs).count
        adoption.pairsRetired = before.pairs.subtracting(pairs).count
        adoption.pairsKept = pairs.intersection(before.pairs).count
        return adoption
    }

    private struct PlanBefore {
        let queries: Set<Int64>
        let pairs: Set<Int64>
    }

    private static func adopt(_ watched: WatchedQuery, ordinal: Int, in database: Database) throws -> Int64 {
        let cadences = CadenceText.encode(watched.cadences)
        let seconds = ScheduledQuery(query: watched.query, cadences: watched.cadences).shortestCadence
        let known = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, ordinal, text, cadences, cadence_seconds, popularity FROM query
                    WHERE \(QueryRow.isKey) AND retired_at IS NULL
                    """), arguments: QueryRow.key(watched.query))
        if let known, try known[1] == ordinal, try known[2] == watched.query.text, try known[3] == cadences,
            try known[4] == seconds, try known[5] == watched.popularity
        {
            return try known[0]
        }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO query (folded, country, platform, source, language, text, cadences, cadence_seconds,
                    popularity, ordinal)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (folded, country, platform, source, language) DO UPDATE SET
                    text = excluded.text, cadences = excluded.cadences, cadence_seconds = excluded.cadence_seconds,
                    popularity = excluded.popularity, ordinal = excluded.ordinal, retired_at = NULL
                RETURNING id
                """)
        let rest: StatementArguments = [watched.query.text, cadences, seconds, watched.popularity, ordinal]
        guard let id = try Int64.fetchOne(statement, arguments: QueryRow.key(watched.query) + rest) else {
            throw DatabaseError(message: "a query was not adopted")
        }
        return id
    }

    /// An active pair as it is stored.
    private struct KnownPair {
        let id: Int64
        let bundleID: String
        let tags: String
    }

    private static func adopt(
        _ pairs: [WatchedPair], on query: Int64, in database: Database
    ) throws -> [Int64] {
        var known: [String: KnownPair] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT bundle_key, id, bundle_id, tags FROM pair WHERE query = ? AND retired_at IS NULL"),
            arguments: [query])
        while let row = try rows.next() {
            try known[row[0]] = try KnownPair(id: row[1], bundleID: row[2], tags: row[3])
        }
        return try pairs.map { pair in
            let tags = try PairTags.encode(pair.tags)
            if let same = known[pair.bundleID.folded], same.bundleID == pair.bundleID.text, same.tags == tags {
                return same.id
            }
            return try write(pair, tags: tags, on: query, in: database)
        }
    }

    private static func write(
        _ pair: WatchedPair, tags: String, on query: Int64, in database: Database
    ) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO pair (query, bundle_id, bundle_key, tags) VALUES (?, ?, ?, ?)
                ON CONFLICT (query, bundle_key) DO UPDATE SET
                    bundle_id = excluded.bundle_id, tags = excluded.tags, retired_at = NULL
                RETURNING id
                """)
        let arguments: StatementArguments = [query, pair.bundleID.text, pair.bundleID.folded, tags]
        guard let id = try Int64.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError(message: "a pair was not adopted")
        }
        return id
    }

    private static func retire(_ table: String, _ ids: Set<Int64>, at: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "UPDATE \(table) SET retired_at = ? WHERE id = ?")
        for id in ids.sorted() { try statement.execute(arguments: [at, id]) }
    }

    /// Where the clock is behind, pairs are removed before their newest checks: those that failed say nothing of them then.
    private static func standAsOfRemoval(_ pairs: Set<Int64>, at: Int64, in database: Database) throws {
        let later = try database.cachedStatement(
            sql: """
                SELECT pair.query FROM pair JOIN standing ON standing.pair = pair.id
                WHERE pair.id = ? AND standing.checked_at >= ?
                """)
        for pair in pairs.sorted() {
            guard let query = try Int64.fetchOne(later, arguments: [pair, at]) else { continue }
            try Derivation.derive(standingsOf: [pair], query: query, in: database)
        }
    }

    private static func openPeriods(_ pairs: Set<Int64>, at: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO pair_period (pair, from_at) VALUES (?, ?)
                ON CONFLICT (pair, from_at) DO UPDATE SET until_at = NULL
                """)
        for pair in pairs.sorted() { try statement.execute(arguments: [pair, at]) }
    }

    private static func closePeriods(_ pairs: Set<Int64>, at: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE pair_period SET until_at = ? WHERE pair = ? AND until_at IS NULL")
        for pair in pairs { try statement.execute(arguments: [at, pair]) }
    }

    private static func adopt(_ apps: [WatchedApp], in database: Database) throws {
        try database.execute(sql: "DELETE FROM competitor; DELETE FROM watched_app;")
        for (ordinal, app) in apps.enumerated() {
            try database.cachedStatement(
                sql: "INSERT INTO watched_app (bundle_key, bundle_id, alias, mine, ordinal) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [app.bundleID.folded, app.bundleID.text, app.alias, app.isMine, ordinal])
            let link = try database.cachedStatement(
                sql: "INSERT INTO competitor (bundle_key, competitor_key) VALUES (?, ?) ON CONFLICT DO NOTHING")
            for competitor in app.competitors {
                try link.execute(arguments: [app.bundleID.folded, competitor.folded])
            }
        }
    }

    private static func adopt(_ notes: [Note], in database: Database) throws {
        try database.execute(sql: "DELETE FROM note")
        for (ordinal, note) in notes.enumerated() {
            try database.cachedStatement(
                sql: """
                    INSERT INTO note (ordinal, on_date, bundle_key, version, text, added, removed)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    ordinal, note.on, note.bundleID?.folded, note.version, note.text,
                    note.added.joined(separator: "\n"), note.removed.joined(separator: "\n"),
                ])
        }
    }
}
