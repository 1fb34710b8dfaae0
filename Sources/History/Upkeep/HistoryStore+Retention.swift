import GRDB
package import RankKit

/// Dropping lists that the watchlist wants no longer: the only thing seen that is ever deleted, and only where the user
/// says so. Failed checks become daily counts. Each step is one short transaction, safe to be cut off anywhere and
/// repeated.
extension HistoryStore {
    static func adopt(_ retention: Retention, in database: Database) throws {
        try Setting.keepLists.set(retention.lists, in: database)
        try Setting.keepFailures.set(retention.failures ?? 0, in: database)
    }

    /// What the adopted watchlist says about how long things are kept.
    package func retention() async throws -> Retention {
        try await read { database in
            var retention = Retention()
            retention.lists = try Setting.keepLists.positive(in: database).map(Int64.init)
            if let failures = try Setting.keepFailures.integer(in: database) {
                retention.failures = failures > 0 ? failures : nil
            }
            return retention
        }
    }

    /// The start of the day from which on all lists have to stay where those are not wanted that were kept for `kept`
    /// seconds: no later than what days of countries that are not there yet are still to be compared with, and no later
    /// than `firstDayNeeded` says. `nil` where all have to stay.
    package func firstListNeeded(keeping kept: Int64, now: Timestamp) async throws -> Timestamp? {
        try await read { database in
            guard let through = try Setting.countryDaysThrough.integer(in: database),
                let recorded = try Self.firstDayNeeded(keeping: kept, now: now, in: database)
            else { return nil }
            let first = try min(through + 1, CountryDayRow.firstDue(in: database) ?? .max) - CountryDay.longestGap
            return try Self.start(of: min(first, recorded), notAfter: now - kept, in: database)
        }
    }

    /// The start of the day from which on all failed checks stay where those are to be thinned that were kept for `kept`
    /// seconds; `nil` where all have to stay. Days are thinned as a whole, so that their counts are of all their checks.
    package func firstFailureNeeded(keeping kept: Int64, now: Timestamp) async throws -> Timestamp? {
        try await read { database in
            try Self.firstDayNeeded(keeping: kept, now: now, in: database).map {
                try Self.start(of: $0, notAfter: now - kept, in: database)
            }
        }
    }

    /// Turns at most `limit` failed checks that began before `moment` into daily counts. The newest check of a query
    /// stays: it says how the query stands, and that it was ever asked.
    ///
    /// - Returns: how many there were.
    package func thinFailures(before moment: Timestamp, limit: Int) async throws -> Int {
        try await tidy { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, query, at, reason FROM check_log
                    WHERE outcome = 'failed' AND at < ?
                        AND id IS NOT (SELECT newest_check FROM query WHERE query.id = check_log.query)
                    LIMIT ?
                    """,
                arguments: [moment.secondsSinceEpoch, limit])
            let zone = try CountryDayRow.zone(in: database)
            for row in rows {
                let (id, query, at, reason): (Int64, Int64, Int64, String) = try (row[0], row[1], row[2], row[3])
                try database.execute(
                    literal: """
                        INSERT INTO failure_day (query, day, reason, failed)
                        VALUES (\(query), \(Timestamp(secondsSinceEpoch: at).day), \(reason), 1)
                        ON CONFLICT (query, day, reason) DO UPDATE SET failed = failed + 1
                        """)
                try database.execute(literal: "DELETE FROM check_log WHERE id = \(id)")
                let moment = Timestamp(secondsSinceEpoch: at)
                try CountryDayRow.moveFailure(of: query, from: zone.day(of: moment), to: moment.day, in: database)
            }
            return rows.count
        }
    }

    /// The beginning of a day (UTC), by which failures are thinned and pages end: no later than a store's day `first` begins,
    /// and than that of `moment`.
    private static func start(
        of first: Int64, notAfter moment: Timestamp, in database: Database
    ) throws -> Timestamp {
        let needed = try CountryDayRow.zone(in: database).start(of: first)
        return .startOfDay(min(moment, needed).day)
    }

    /// The first day of which nothing may be deleted that is to be kept for `kept` seconds, whatever the clock says: as
    /// many later days with checks are stored as that time has days. `nil` where there are not that many.
    ///
    /// A clock that was ahead, or a year without rankd, makes all that is stored look old. Days past tomorrow do not
    /// count, and of the others those that `country_day` has: whole days of what was asked.
    static func firstDayNeeded(keeping kept: Int64, now: Timestamp, in database: Database) throws -> Int64? {
        let count = Int(max(0, kept - 1) / Timestamp.secondsPerDay + 1)
        // The newest days of all stores are among the newest of each: read from the key, however long the history is.
        var days: Set<Int64> = []
        for store in try Row.fetchAll(database, sql: "SELECT DISTINCT source, country FROM query") {
            let newest = try database.cachedStatement(
                sql: """
                    SELECT day FROM country_day WHERE source = ? AND country = ? AND day < ? ORDER BY day DESC LIMIT ?
                    """)
            let (source, country): (String, String) = try (store[0], store[1])
            days.formUnion(try Int64.fetchAll(newest, arguments: [source, country, now.endOfTomorrow.day, count]))
        }
        return days.count < count ? nil : days.sorted(by: >)[count - 1]
    }

    /// The queries that have lists from before `moment` that may go. Those stay that something is still to be filled in
    /// from.
    package func queriesWithLists(before moment: Timestamp) async throws -> [Int64] {
        try await read { database in
            try Int64.fetchAll(
                database, sql: Self.withLists,
                arguments: ["moment": moment.secondsSinceEpoch, "slack": Self.trimmingSlack, "query": nil])
        }
    }

    private static let withLists = """
        SELECT id FROM query
        WHERE (:query IS NULL OR id = :query)
            AND (unpaged_from IS NULL OR unpaged_from < :moment
                OR (SELECT min(last_at, first_at + :slack) FROM result_page WHERE result_page.query = query.id
                    ORDER BY first_at, first_check LIMIT 1) < :moment)
            AND id NOT IN (SELECT query FROM query_fill)
            AND id NOT IN (SELECT pair.query FROM pair_fill JOIN pair ON pair.id = pair_fill.pair
                WHERE pair.retired_at IS NULL)
        ORDER BY id
        """

    /// Drops pages of `query` that end before `moment`, and lists that are in no page from before it, at most `limit`
    /// of each. Notes that from then on older lists may be missing.
    ///
    /// - Returns: how many lists went, and whether that was all.
    package func dropLists(
        of query: Int64, before moment: Timestamp, limit: Int
    ) async throws -> (lists: Int, isDone: Bool) {
        try await tidy { database in
            let before = moment.secondsSinceEpoch
            let mayGo = try Int64.fetchAll(
                database, sql: Self.withLists,
                arguments: ["moment": before, "slack": Self.trimmingSlack, "query": query])
            guard !mayGo.isEmpty else { return (0, true) }
            let pages = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, lists, first_at, first_check, last_at, last_check FROM result_page
                    WHERE query = ? AND last_at < ?
                    ORDER BY first_at, first_check LIMIT ?
                    """, arguments: [query, before, limit])
            let start = try UnpagedLists.start(of: query, in: database)
            let lists = try Int64.fetchAll(
                database,
                sql: """
                    SELECT check_log.id FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
                    WHERE check_log.query = ? AND check_log.at >= ? AND check_log.at < ? LIMIT ?
                    """, arguments: [query, start, before, limit])
            guard !pages.isEmpty || !lists.isEmpty else {
                try CompactionMaterial.noteRest(of: query, in: database)
                return (0, true)
            }
            for page in pages {
                try database.cachedStatement(sql: "DELETE FROM result_page WHERE id = ?")
                    .execute(arguments: [page[0] as Int64])
                try UnnumberedPlaces.forget(
                    of: query, from: .init(at: page[2], check: page[3]), through: .init(at: page[4], check: page[5]),
                    in: database)
            }
            for list in lists {
                try database.cachedStatement(sql: "DELETE FROM result_list WHERE check_id = ?")
                    .execute(arguments: [list])
                try UnnumberedPlaces.forget(of: list, in: database)
            }
            try QueryTopRow.forget(of: query, before: before, in: database)
            try Self.noteDropped(before: before, in: database)
            return try (pages.reduce(lists.count) { try $0 + ($1[1] as Int) }, false)
        }
    }

    /// Makes the first page of `query` anew without its lists from before `moment`, where it begins so much earlier that
    /// this is worth it. What is read and written is in two short transactions.
    ///
    /// - Returns: how many lists went. A page that cannot be read stays until all of it may go.
    package nonisolated func trimLists(of query: Int64, before moment: Timestamp) async throws -> Int {
        let before = moment.secondsSinceEpoch
        let row = try await read { database in
            try PageRow.beginning(
                upTo: .init(at: before - Self.trimmingSlack - 1, check: .max), of: query, in: database)
        }
        guard let row, row.last.at >= before else { return 0 }
        let kept: [StoredList]
        let pages: [CompactedPage]
        do {
            kept = try ResultPage(row.bytes).lists().filter { $0.at >= moment }
            pages = try CompactedPage.all(of: kept)
        } catch is DamagedBytes {
            return 0
        }
        return try await tidy { database in
            let mayGo = try Int64.fetchAll(
                database, sql: Self.withLists,
                arguments: ["moment": before, "slack": Self.trimmingSlack, "query": query])
            guard !mayGo.isEmpty else { return 0 }
            try CompactionMaterial(of: query).write(.init(pages: pages, page: row), in: database)
            try UnnumberedPlaces.forget(
                of: query, from: row.first, through: .init(at: before - 1, check: .max), in: database)
            try QueryTopRow.forget(of: query, before: before, in: database)
            try Self.noteDropped(before: before, in: database)
            return row.lists - kept.count
        }
    }

    /// How much longer than it has to a page may hold lists before it is made anew, in seconds.
    private static let trimmingSlack = 28 * Timestamp.secondsPerDay

    /// Notes that lists from before `moment` may be missing.
    static func noteDropped(before moment: Int64, in database: Database) throws {
        try Setting.listsSince.set(
            max(moment, try Setting.listsSince.integer(in: database) ?? .min), in: database)
    }
}

extension HistoryReader {
    /// From when on every list is kept; `nil` if none was ever dropped. A good check from before then may have no
    /// list, and what is derived from lists of before then cannot be derived again.
    package func listsSince() throws(HistoryError) -> Timestamp? {
        try read { try Setting.listsSince.moment(in: $0) }
    }
}
