import GRDB
package import RankKit

/// A query that was ever wanted.
package struct AskedQuery: Sendable, Hashable {
    package var query: Query
    /// Whether it is still asked.
    package var isActive: Bool

    package struct NewestCheck: Sendable, Hashable {
        package var at: Timestamp
        package var outcome: CheckOutcome
        /// What was seen if it failed, such as its status; may hold foreign text.
        package var detail: String?
    }
}

extension HistoryReader {
    /// Every query of the history, the active ones first, in the watchlist's order.
    package func askedQueries() throws(HistoryError) -> [AskedQuery] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(QueryRow.columns), query.retired_at IS NULL FROM query
                    ORDER BY query.retired_at IS NOT NULL, query.ordinal, query.id
                    """
            ).map { try AskedQuery(query: try QueryRow.query(from: $0), isActive: $0[5]) }
        }
    }

    /// The newest check of `query` at `moment` or before, whatever came of it.
    package func newestCheck(of query: Query, at moment: Timestamp) throws(HistoryError) -> AskedQuery.NewestCheck? {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return nil }
            return try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT at, outcome, within, reason, id, detail FROM check_log WHERE query = ? AND at <= ?
                        ORDER BY at DESC, id DESC LIMIT 1
                        """), arguments: [query, moment.secondsSinceEpoch]
            ).map {
                try .init(
                    at: $0[0], outcome: try CheckOutcome($0, at: 1, ofCheck: $0[4]),
                    detail: $0[5])
            }
        }
    }

    /// The shortest of the query's cadences, in seconds; `nil` if it was never wanted.
    package func cadence(of query: Query) throws(HistoryError) -> Int64? {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return nil }
            return try Row.fetchOne(
                database.cachedStatement(sql: "SELECT cadence_seconds FROM query WHERE id = ?"), arguments: [query]
            ).flatMap { try $0.cadenceIfAny(0) }
        }
    }

    /// When `query` was first asked; `nil` if it never was. Of a check that was thinned only its day is known, and that
    /// day's beginning stands for it.
    package func firstCheck(of query: Query) throws(HistoryError) -> Timestamp? {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return nil }
            return try Int64.fetchOne(
                database.cachedStatement(sql: Self.firstCheck),
                arguments: ["query": query, "dayLength": Timestamp.secondsPerDay]
            ).map(Timestamp.init(secondsSinceEpoch:))
        }
    }

    /// When the query of each active pair was first asked, by the pair's number in the file; one that never was is left
    /// out. As `firstCheck` for each.
    package func firstChecks() throws(HistoryError) -> [Int64: Timestamp] {
        try read { database in
            var firsts: [Int64: Timestamp] = [:]
            let rows = try Row.fetchCursor(
                database, sql: Self.firstChecks, arguments: ["dayLength": Timestamp.secondsPerDay])
            while let row = try rows.next() {
                if let at: Int64 = try row[1] { try firsts[row[0]] = Timestamp(secondsSinceEpoch: at) }
            }
            return firsts
        }
    }

    /// The day (UTC) of the oldest check that is kept, imported ones and those of queries that are not asked any more
    /// included; `nil` if there is none.
    package func firstDay() throws(HistoryError) -> Int64? {
        try read { try Int64.fetchOne($0, sql: Self.firstDay, arguments: ["dayLength": Timestamp.secondsPerDay]) }
    }

    /// The day, of those that the reader tells by, on which that one begins: none has a check before it.
    package func firstOwnDay() throws(HistoryError) -> Int64? {
        try firstDay().map { days.day(of: .startOfDay($0)) }
    }

    /// The days of `span` with a good check of `query` that tells of every app whether it was in the list.
    package func daysTold(of query: Query, in span: ClosedRange<Timestamp>) throws(HistoryError) -> Set<Int64> {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return [] }
            let moments = try Int64.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT at FROM check_log
                        WHERE query = :query AND at BETWEEN :from AND :to AND outcome = 'good' AND reason IS NULL
                        """),
                arguments: [
                    "query": query, "from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch,
                ])
            var found: Set<Int64> = []
            while let at = try moments.next() { found.insert(days.day(of: Timestamp(secondsSinceEpoch: at))) }
            return found
        }
    }

    static let firstCheck = """
        SELECT min(at) FROM (
            SELECT min(at) AS at FROM check_log WHERE query = :query
            UNION ALL
            SELECT min(day) * :dayLength FROM failure_day WHERE query = :query)
        """

    static let firstDay = """
        SELECT min(day) FROM (
            SELECT (SELECT min(at) FROM check_log WHERE check_log.query = query.id) / :dayLength AS day FROM query
            UNION ALL
            SELECT (SELECT min(day) FROM failure_day WHERE failure_day.query = query.id) AS day FROM query)
        """

    static let firstChecks = """
        SELECT pair.id, ifnull(min(checked, failed), ifnull(checked, failed))
        FROM (
            SELECT id, (SELECT min(at) FROM check_log WHERE check_log.query = pair.query) AS checked,
                (SELECT min(day) * :dayLength FROM failure_day WHERE failure_day.query = pair.query) AS failed
            FROM pair WHERE retired_at IS NULL) AS pair
        """

    /// The active queries on which an app is tracked, in the watchlist's order.
    package func queries(tracking bundleID: BundleID) throws(HistoryError) -> [Query] {
        try read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(QueryRow.columns) FROM query JOIN pair ON pair.query = query.id
                        WHERE pair.bundle_key = ? AND pair.retired_at IS NULL AND query.retired_at IS NULL
                        ORDER BY query.ordinal
                        """), arguments: [bundleID.folded]
            ).map { try QueryRow.query(from: $0) }
        }
    }

    /// Whether there is any pair of an app, retired and imported ones included.
    package func wasTracked(_ bundleID: BundleID) throws(HistoryError) -> Bool {
        try read {
            try Bool.fetchOne(
                $0, sql: "SELECT EXISTS (SELECT 1 FROM pair WHERE bundle_key = ?)", arguments: [bundleID.folded])
                ?? false
        }
    }

    /// The apps of retired pairs alone, of which the history has no number.
    package func formerAppsWithoutNumber() throws(HistoryError) -> Set<BundleID> {
        try read { database in
            let names = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT DISTINCT bundle_key FROM pair WHERE retired_at IS NOT NULL
                            AND bundle_key NOT IN (SELECT bundle_key FROM watched_app)
                            AND NOT EXISTS (SELECT 1 FROM app WHERE app.bundle_key = pair.bundle_key)
                        """))
            return Set(names.compactMap { BundleID($0) })
        }
    }

    /// The active queries whose lists ever held an app, or held it by the reader's own moment, in the watchlist's order.
    package func queries(showing bundleID: BundleID) throws(HistoryError) -> [Query] {
        let found = try read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: Self.showing), arguments: ["app": bundleID.folded]
            ).map { try (QueryRow.query(from: $0), Timestamp(secondsSinceEpoch: $0[5])) }
        }
        guard let moment else { return found.map(\.0) }
        let numbers = try numbers(of: bundleID)
        var queries: [Query] = []
        for (query, best) in found {
            // It may have been there before its best day.
            let isShown = best <= moment ? true : try holds(numbers, query, until: moment)
            if isShown { queries.append(query) }
        }
        return queries
    }

    /// With when each held the app at its best place.
    private static let showing = """
        SELECT \(QueryRow.columns), best_at FROM (
            SELECT query.*, (
                SELECT min(query_app.best_at) FROM app
                JOIN query_app ON query_app.query = query.id AND query_app.app = app.id
                WHERE app.id IN \(AppNames.ids(":app"))) AS best_at
            FROM query WHERE retired_at IS NULL) AS query
        WHERE best_at IS NOT NULL ORDER BY ordinal
        """

    private func holds(
        _ numbers: Set<DenseID>, _ query: Query, until moment: Timestamp
    ) throws(HistoryError) -> Bool {
        var isFound = false
        try lists(on: query, in: ClosedRange<Timestamp>.always.lowerBound...moment, damaged: { _ in }) { list in
            isFound = list.outcome == .good && list.place(of: numbers).position != nil
            return !isFound
        }
        return isFound
    }
}
