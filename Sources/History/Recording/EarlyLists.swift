import GRDB
import RankKit

/// The first lists of a query, which later ones can speak against (`Belief.outgrown`): checks that were recorded as good
/// become suspect, with a reason that says that it was decided later. Their lists stay. What is derived from them follows
/// in the same transaction.
enum EarlyLists {
    private struct Check {
        let id: Int64
        let at: Int64
        let places: Int

        var key: StoredList.Key { StoredList.Key(at: at, check: id) }
    }

    /// Judges the first lists of a query by all that came later.
    ///
    /// - Returns: whether any became suspect.
    @discardableResult
    static func judge(_ query: Int64, in database: Database) throws -> Bool {
        let outgrown = try outgrown(of: query, in: database)
        guard let first = outgrown.first, let last = outgrown.last else { return false }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT source FROM query WHERE id = ?"), arguments: [query])
        guard let row else { return false }
        let source: String = try row[0]
        let store = try QueryRow.store(of: query, in: database)
        try CountryDayRow.noteRuling(in: database)
        let suspect = try database.cachedStatement(
            sql: "UPDATE check_log SET outcome = ?, reason = ? WHERE id = ?")
        for check in outgrown {
            try suspect.execute(
                arguments: [CheckWord.suspect.rawValue, Suspicion.outgrown.rawValue, check.id])
            if let store {
                try CountryDayRow.noteChange(of: store, at: Timestamp(secondsSinceEpoch: check.at), in: database)
            }
            // Where not all lists are kept, what it told of apps would stay. An empty one told nothing.
            guard check.places > 0 else { continue }
            try database.cachedStatement(sql: "DELETE FROM query_app WHERE query = ? AND best_at = ?")
                .execute(arguments: [query, check.at])
        }
        try rewritePages(
            of: query, with: Set(outgrown.map(\.id)), min(first.at, last.at)...max(first.at, last.at), in: database)
        // An empty list held no apps: then those that are known stay as they are.
        if outgrown.contains(where: { $0.places > 0 }) {
            try Derivation.deriveFromLists(of: query, in: database)
        } else {
            try QueryTopRow.forget(of: query, in: database)
        }
        try forgetPositions(of: query, at: outgrown, try RecordedOrder(of: source, in: database), in: database)
        return true
    }

    /// Whether a check that is being recorded is dated no later than others of its query, whether those count yet or not.
    static func isLate(_ check: Int64, at moment: Int64, of query: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM check_log WHERE query = ? AND at >= ? AND id <> ?)"),
            arguments: [query, moment, check]) ?? false
    }

    /// Whether the check of a short list that was read before is good still.
    static func isGood(_ head: StoredList.Head, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT outcome = 'good' FROM check_log WHERE id = ?"),
            arguments: [head.checkID]) ?? false
    }

    private static func outgrown(of query: Int64, in database: Database) throws -> [Check] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: goodChecks), arguments: [query]
        ).map { try Check(id: $0[0], at: $0[1], places: $0[2]) }
        var checks: [Check] = []
        // Nearly always the first three are long, and nothing more is read.
        var long = 0
        while let check = try rows.next() {
            checks.append(check)
            long = check.places < Belief.fewestPlaces ? 0 : long + 1
            if long == Belief.fewestLists { break }
            if long == 0, checks.count >= Belief.fewestLists,
                check.at - checks[0].at > 2 * Belief.secondsToSettle
            {
                break
            }
        }
        // Without a short list between them longer ones can be three in a row that were not before.
        var outgrown: [Check] = []
        while true {
            let indices = Belief.outgrown(
                checks.map { Belief.Length(at: Timestamp(secondsSinceEpoch: $0.at), places: $0.places) })
            guard !indices.isEmpty else { return outgrown.sorted { $0.key < $1.key } }
            outgrown += indices.map { checks[$0] }
            for index in indices.reversed() { checks.remove(at: index) }
        }
    }

    /// Those of other tools say nothing of how long lists were, and where the first were deleted there are none.
    static let goodChecks = """
        SELECT check_log.id, check_log.at, check_log.within
        FROM query CROSS JOIN check_log ON check_log.query = query.id
        WHERE query.id = ? AND NOT query.is_cut AND \(QueryRow.isAsked) AND check_log.outcome = 'good'
        ORDER BY check_log.at, check_log.id
        """

    /// Pages say of each list whether it is good. One that cannot be read stays as it is.
    private static func rewritePages(
        of query: Int64, with checks: Set<Int64>, _ span: ClosedRange<Int64>, in database: Database
    ) throws {
        for page in try Array(PageRow.all(of: query, in: span, database)) {
            let lists: [StoredList]
            do { lists = try page.decoded() } catch is UnreadableLists { continue }
            guard lists.contains(where: { checks.contains($0.checkID) && $0.outcome == .good }) else { continue }
            let judged = lists.map { list in
                var list = list
                if checks.contains(list.checkID) { list.head.outcome = .suspect }
                return list
            }
            let pages = try CompactedPage.all(of: judged)
            try database.cachedStatement(sql: "DELETE FROM result_page WHERE id = ?").execute(arguments: [page.id])
            for (index, new) in pages.enumerated() {
                try new.insert(as: index == 0 ? page.id : nil, of: query, in: database)
            }
        }
    }

    private static func forgetPositions(
        of query: Int64, at checks: [Check], _ order: RecordedOrder, in database: Database
    ) throws {
        let delete = try database.cachedStatement(
            sql: "DELETE FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        let pairs = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM pair WHERE query = ?"), arguments: [query])
        for pair in pairs {
            var days: Set<Int64> = []
            for check in checks {
                try delete.execute(arguments: [pair, check.at, check.id])
                if database.changesCount > 0 { days.insert(Timestamp(secondsSinceEpoch: check.at).day) }
            }
            for day in days {
                try database.cachedStatement(sql: "DELETE FROM pair_day WHERE pair = ? AND day = ?")
                    .execute(arguments: [pair, day])
                try DayRollUp.refresh(day: day, pairs: [pair], in: database)
            }
        }
        // Those that had no position, because of a place that could not be read, stand otherwise now, too.
        try Derivation.derive(pairsOf: query, order, in: database)
    }
}

extension HistoryStore {
    /// Judges the first lists of the next queries after `query`, of at most `limit`, by those that came later: a query
    /// that nobody asks any more, and what was recorded before first lists were judged.
    ///
    /// - Returns: the last query that was looked at, `nil` if there are no more; whether lists became suspect.
    package func judgeEarlyLists(
        after query: Int64, limit: Int
    ) async throws -> (last: Int64?, isJudged: Bool) {
        try await tidy { database in
            let queries = try Int64.fetchAll(
                database, sql: "SELECT id FROM query WHERE id > ? ORDER BY id LIMIT ?", arguments: [query, limit])
            for query in queries where try EarlyLists.judge(query, in: database) { return (query, true) }
            return (queries.count == limit ? queries.last : nil, false)
        }
    }
}
