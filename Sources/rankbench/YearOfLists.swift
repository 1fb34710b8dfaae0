import Foundation
import History
import RankKit

/// A history of hourly lists of 200 places on 800 queries, written straight into pages, with the checks, positions and
/// standings that go with them; grown by as many hours as one likes.
final class YearOfLists {
    static let queries = 800
    static let pairs = 1_000
    /// Of the release that `addDays` notes.
    static let version = "2.0"
    /// The first queries have two pairs.
    static let firstWithOnePair = pairs - queries

    let path: String
    let start: Timestamp
    private(set) var hours: Int64 = 0
    private var walks = (0..<queries).map { ListWalk(seed: UInt64($0 + 1)) }
    /// The first places of each query's newest list, with what is known of the days before.
    private var tops = Array(repeating: FirstPlaces?.none, count: queries)
    /// For each query the numbers of the apps that are tracked on it.
    let tracked: [[Int64]]

    init(_ path: String, start: Timestamp) async throws {
        self.path = path
        self.start = start
        tracked = walks.enumerated().map { query, walk in
            let first = walk.list[query * 7 % ListWalk.places]
            let second = walk.list[(query * 7 + 31) % ListWalk.places]
            return query < Self.firstWithOnePair ? [first, second] : [first]
        }
        let store = try HistoryStore(path: path)
        try await store.adopt(try watchlist(), now: start)
        try await store.close()
        let database = try PlainSQLite(path)
        try database.execute(
            """
            BEGIN;
            INSERT INTO storefront (id, country, language) VALUES (1, 'us', '');
            INSERT INTO app (id, app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < \(ListWalk.apps))
                SELECT n, 1000000000 + n, 'com.example.app' || n, 'com.example.app' || n,
                    \(start.secondsSinceEpoch), \(start.day) FROM counted;
            INSERT INTO listing (app, storefront, name) SELECT id, 1, 'App ' || id FROM app;
            COMMIT;
            """)
    }

    func query(_ number: Int) throws -> Query {
        guard let country = Country(code: "us") else { throw BenchmarkFailure("no country “us”") }
        return Query(text: "habit tracker \(number)", country: country)
    }

    var end: Timestamp { start + hours * 3_600 }

    /// When a query was asked: all take most of an hour, and none quite as long as the last time.
    private static func at(_ hour: Int64, _ query: Int64) -> Int64 {
        hour * 3_600 + query * 4 + (hour * 7 + query * 3) % 4
    }

    private func watchlist() throws -> Watchlist {
        let bundles = Set(tracked.joined()).sorted().compactMap { BundleID("com.example.app\($0)") }
        return Watchlist(
            apps: bundles.map { WatchedApp(bundleID: $0) },
            queries: try tracked.enumerated().map { number, apps in
                WatchedQuery(
                    query: try query(number), cadences: [.every(seconds: 3_600)],
                    pairs: apps.compactMap { BundleID("com.example.app\($0)").map { WatchedPair(bundleID: $0) } })
            })
    }

    /// The same for rankd.
    func watchlistText(requestsPerMinute: Int, parallelism: Int) throws -> String {
        """
        { "watch": [
        \(try watchLines().joined(separator: ",\n"))
        ], "service": { "requestsPerMinute": \(requestsPerMinute), "parallelism": \(parallelism) } }

        """
    }

    func watchLines() throws -> [String] {
        try tracked.enumerated().flatMap { number, apps in
            try apps.map {
                "{ \"query\": \"\(try query(number).text)\", \"bundleId\": \"com.example.app\($0)\", \"every\": \"1h\" }"
            }
        }
    }

    /// What the next hours of one query come to.
    private struct Part: Sendable {
        var query: Int
        var walk: ListWalk
        var pages: [CompactedPage]
        var top: FirstPlaces?
        /// For each tracked app its places, 0 where it is absent.
        var positions: [[Int64]]
    }

    /// Adds hours to every query.
    func grow(by more: Int64) async throws {
        let database = try PlainSQLite(path)
        try database.execute(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;")
        try addChecks(more, to: database)
        try await withThrowingTaskGroup(of: Part.self) { group in
            var waiting = (0..<Self.queries).makeIterator()
            func ask() {
                guard let query = waiting.next() else { return }
                let part = Part(
                    query: query, walk: walks[query], pages: [], top: tops[query],
                    positions: Array(repeating: [], count: tracked[query].count))
                let (hours, start, apps) = (hours..<hours + more, start, tracked[query])
                group.addTask { try Self.filled(part, hours: hours, from: start, tracked: apps) }
            }
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { ask() }
            while let part = try await group.next() {
                ask()
                try write(part, to: database)
                (walks[part.query], tops[part.query]) = (part.walk, part.top)
            }
        }
        let first = hours
        hours += more
        try deriveStandings(from: first, in: database)
        try database.run("COMMIT")
        if more > 24 { try database.execute("ANALYZE") }
    }

    /// Makes one page of those of a query that begin on the day before `end`, as the clean-up does.
    func joinPages() throws {
        let database = try PlainSQLite(path)
        let from = (end - 86_400).secondsSinceEpoch
        try database.execute("BEGIN")
        for query in 1...Int64(Self.queries) {
            let pages = try database.blobs(
                "SELECT bytes FROM result_page WHERE query = ? AND first_at >= ? ORDER BY first_at", [query, from])
            let lists = try pages.flatMap { try ResultPage($0).lists() }
            try database.run(
                "DELETE FROM page_top WHERE page IN (SELECT id FROM result_page WHERE query = ? AND first_at >= ?)",
                [.integer(query), .integer(from)])
            try database.run(
                "DELETE FROM result_page WHERE query = ? AND first_at >= ?", [.integer(query), .integer(from)])
            for page in try CompactedPage.all(of: lists) { try write(page, of: query, to: database) }
        }
        try database.execute("COMMIT")
    }

    private func addChecks(_ more: Int64, to database: PlainSQLite) throws {
        try database.execute(
            """
            INSERT INTO check_log (id, query, at, outcome, within)
                WITH RECURSIVE hour(n) AS (SELECT \(hours) UNION ALL SELECT n + 1 FROM hour WHERE n < \(hours + more - 1)),
                    asked(q) AS (SELECT 0 UNION ALL SELECT q + 1 FROM asked WHERE q < \(Self.queries - 1))
                SELECT n * \(Self.queries) + q + 1, q + 1,
                    \(start.secondsSinceEpoch) + n * 3600 + q * 4 + (n * 7 + q * 3) % 4, 'good', \(ListWalk.places)
                FROM hour CROSS JOIN asked;
            UPDATE query SET unpaged_from = \(Int64.max), newest_check = \((hours + more - 1) * Int64(Self.queries)) + id;
            """)
    }

    private static func filled(
        _ part: Part, hours: Range<Int64>, from start: Timestamp, tracked: [Int64]
    ) throws -> Part {
        var part = part
        let query = part.query
        let lists = hours.map { hour in
            let list = part.walk.next()
            for (pair, app) in tracked.enumerated() {
                part.positions[pair].append(list.firstIndex(of: app).map { Int64($0 + 1) } ?? 0)
            }
            return StoredList(
                head: .init(
                    checkID: hour * Int64(queries) + Int64(query) + 1, at: start + at(hour, Int64(query)),
                    outcome: .good), places: list.map(DenseID.init))
        }
        // Earlier changes would be forgotten again.
        for list in lists.suffix(24 * 10) {
            part.top = FirstPlaces(list.places.map { $0?.number }, list.head.key, after: part.top)
        }
        part.pages = try CompactedPage.all(of: lists)
        return part
    }

    private func write(_ part: Part, to database: PlainSQLite) throws {
        let query = Int64(part.query + 1)
        for page in part.pages { try write(page, of: query, to: database) }
        if let top = part.top {
            try database.run(
                "INSERT OR REPLACE INTO query_top (query, at, check_id, apps, since, changes) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .integer(query), .integer(top.key.at), .integer(top.key.check), .blob(top.appBytes),
                    .integer(top.since), .blob(top.changeBytes),
                ])
        }
        for (app, places) in zip(tracked[part.query], part.positions) {
            let pair = try database.integer(
                "SELECT id FROM pair WHERE query = \(query) AND bundle_key = 'com.example.app\(app)'")
            for (index, place) in places.enumerated() {
                let hour = hours + Int64(index)
                try database.run(
                    """
                    INSERT INTO position (pair, at, check_id, position, within)
                    VALUES (?, ?, ?, nullif(?, 0), \(ListWalk.places))
                    """,
                    [
                        .integer(pair), .integer(start.secondsSinceEpoch + Self.at(hour, query - 1)),
                        .integer(hour * Int64(Self.queries) + query), .integer(place),
                    ])
            }
        }
    }

    private func write(_ page: CompactedPage, of query: Int64, to database: PlainSQLite) throws {
        try database.run(
            """
            INSERT INTO result_page (query, first_at, first_check, last_at, last_check, lists, bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(query), .integer(page.first.at), .integer(page.first.check), .integer(page.last.at),
                .integer(page.last.check), .integer(Int64(page.lists)), .blob(page.bytes),
            ])
        try database.run(
            "INSERT INTO page_top (page, bytes) VALUES (?, ?)", [.integer(database.lastRow), .blob(page.tops)])
    }

    /// What is derived of the positions from `hour` on, and of those of its day before.
    private func deriveStandings(from hour: Int64, in database: PlainSQLite) throws {
        let day = (start + hour * 3_600).day
        try database.execute(
            """
            DELETE FROM pair_day WHERE day >= \(day);
            INSERT INTO pair_day (pair, day, good, ranked, best, worst, last_at, last_within)
                SELECT pair.id, at / 86400, count(*), count(position), min(position), max(position), max(at),
                    \(ListWalk.places)
                FROM pair CROSS JOIN position ON position.pair = pair.id AND at >= \(day * 86_400)
                GROUP BY pair.id, at / 86400;
            UPDATE pair_day SET last_position = (SELECT position FROM position
                    WHERE position.pair = pair_day.pair AND position.at = pair_day.last_at)
                WHERE day >= \(day);
            DELETE FROM standing;
            INSERT INTO standing (pair, state, checked_at, good_at, position, within, best, worst, best_at, worst_at)
                SELECT pair, iif(last_position IS NULL, 'absent', 'ranked'), last_at, last_at, last_position, last_within,
                    (SELECT min(best) FROM pair_day AS days WHERE days.pair = newest.pair),
                    (SELECT max(worst) FROM pair_day AS days WHERE days.pair = newest.pair),
                    (SELECT min(last_at) FROM pair_day AS days WHERE days.pair = newest.pair),
                    (SELECT min(last_at) FROM pair_day AS days WHERE days.pair = newest.pair)
                FROM pair_day AS newest
                WHERE day = (SELECT max(day) FROM pair_day AS days WHERE days.pair = newest.pair);
            INSERT OR REPLACE INTO setting (name, value) VALUES ('rolled_up_through_day', \(end.day - 1));
            """)
    }

    /// What the clean-up would have derived of the stores' days, and a release to tell about.
    func addDays(noting app: String) throws {
        let database = try PlainSQLite(path)
        let (first, last) = (start.day, end.day - 1)
        try database.execute(
            """
            INSERT OR REPLACE INTO country_day (source, country, day, queries, good, suspect, failed, compared, apps, entered,
                    dropped_out, lower_quartile, median, upper_quartile, ninth_decile)
                WITH RECURSIVE counted(day) AS (SELECT \(first) UNION ALL SELECT day + 1 FROM counted WHERE day < \(last))
                SELECT 'itunes', 'us', day, \(Self.queries), \(Self.queries * 24), 0, 0, \(Self.queries),
                    \(Self.queries * 190), 5000, 5000, 0, 1 + day % 3, 4 + day % 2, 12
                FROM counted;
            INSERT OR REPLACE INTO setting (name, value) VALUES ('country_days_through_day', \(last)),
                ('country_days_rule', \(CountryTally.rule));
            INSERT OR REPLACE INTO note (ordinal, on_date, bundle_key, version, text, added, removed)
                SELECT 0, date((\(last) - 20) * 86400, 'unixepoch'), bundle_key, '\(Self.version)', 'a release', '', ''
                FROM watched_app WHERE bundle_id = '\(app)';
            """)
    }
}
