import Foundation
import History
import RankKit

/// A history of a year of four checks a day, as rankd and its housekeeping would have left it; written in bulk, since
/// recording it check by check would take hours. It has no result lists, of which reports need the first places alone.
struct YearOfChecks {
    let pairs: Int
    let now: Timestamp

    private static let pairsPerQuery = 10
    private static let days = 365
    private static let secondsBetween: Int64 = 21_600
    private static let apps = 50

    private var queries: Int { pairs / Self.pairsPerQuery }

    func write(to path: String) async throws {
        var store = try HistoryStore(path: path)
        try await store.adopt(try watchlist(), now: now)
        try await store.close()
        try fill(path)
        store = try HistoryStore(path: path)
        try await store.optimize()
        try await store.checkpoint()
        try await store.close()
    }

    private func watchlist() throws -> Watchlist {
        guard let country = Country(code: "us") else { throw BenchmarkFailure("no country “us”") }
        let apps = (0..<Self.apps).compactMap { BundleID("com.example.app\($0)") }
        return Watchlist(
            apps: apps.map { WatchedApp(bundleID: $0) },
            queries: (0..<queries).map { query in
                WatchedQuery(
                    query: Query(text: "habit tracker \(query)", country: country),
                    cadences: [.every(seconds: Self.secondsBetween)],
                    pairs: (0..<Self.pairsPerQuery).map { pair in
                        WatchedPair(bundleID: apps[(query * 7 + pair) % apps.count], tags: pair == 0 ? ["core"] : [])
                    })
            })
    }

    private func fill(_ path: String) throws {
        // The last check is at least an hour old, whatever its query adds to the beginning of the slot.
        let newest = (now.secondsSinceEpoch - 7_200) / Self.secondsBetween * Self.secondsBetween
        let slots = Self.days * 4
        let oldest = newest - Int64(slots - 1) * Self.secondsBetween
        let database = try PlainSQLite(path)
        try database.execute(
            """
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            BEGIN;
            CREATE TEMP TABLE slot AS
                WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < \(slots - 1))
                SELECT n, \(oldest) + n * \(Self.secondsBetween) AS at FROM counted;
            INSERT INTO storefront (id, country, language) VALUES (1, 'us', '');
            INSERT INTO app (app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                SELECT 1000000000 + ordinal, bundle_id, bundle_key, \(oldest), \(now.day) FROM watched_app;
            INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) SELECT 1, id, 1, 4.5, 10 FROM app;
            INSERT INTO listing (app, storefront, name) SELECT id, 1, 'Habit Tracker ' || id FROM app;
            INSERT INTO check_log (id, query, at, outcome, within)
                SELECT slot.n * \(queries) + query.id, query.id, slot.at + query.id * 7 % 3600, 'good', 200
                FROM slot CROSS JOIN query ORDER BY 1;
            -- Each pair wanders around a place of its own, and the far ones drop out of the list now and then.
            INSERT INTO position (pair, at, check_id, position, within)
                SELECT pair, at, check_id, iif(place > 200, NULL, place), 200
                FROM (
                    SELECT pair.id AS pair, slot.at + pair.query * 7 % 3600 AS at,
                        slot.n * \(queries) + pair.query AS check_id,
                        1 + pair.id * 37 % 190 + (pair.id * 7919 + slot.n / 3 * 104729) % 23 AS place
                    FROM pair CROSS JOIN slot)
                ORDER BY pair, at;
            INSERT INTO pair_day (pair, day, good, ranked, best, worst, last_at, last_position, last_within)
                SELECT pair, at / 86400, count(*), count(position), min(position), max(position), max(at),
                    max(iif(at % 86400 >= 64800, position, NULL)), 200
                FROM position WHERE at < \(now.day * Timestamp.secondsPerDay) GROUP BY pair, at / 86400;
            INSERT INTO standing
                (pair, state, checked_at, good_at, position, within, best, best_at, worst, worst_at)
                SELECT newest.pair, iif(newest.position IS NULL, 'absent', 'ranked'), newest.at, newest.at,
                    newest.position, 200, best.position, best.at, worst.position, worst.at
                FROM (SELECT pair, max(at) AS at, position FROM position GROUP BY pair) AS newest
                JOIN (SELECT pair, min(position) AS position, at FROM position GROUP BY pair) AS best USING (pair)
                JOIN (SELECT pair, max(position) AS position, at FROM position GROUP BY pair) AS worst USING (pair);
            UPDATE query SET newest_check = \((slots - 1) * queries) + id;
            INSERT INTO setting (name, value)
                VALUES ('rolled_up_through_day', \(now.day - 1)), ('last_housekeeping_at', \(now.secondsSinceEpoch));
            DELETE FROM pair_fill;
            DELETE FROM query_fill;
            """)
        // Of numbers, as FirstPlaces writes them: one byte each.
        let first = (1...20).map { UInt8($0) }
        try database.run(
            """
            INSERT INTO query_top (query, at, check_id, apps, since, changes)
                SELECT query.id, check_log.at, check_log.id, ?, check_log.at, zeroblob(0)
                FROM query JOIN check_log ON check_log.id = query.newest_check
            """, [.blob(first)])
        try database.run("COMMIT")
    }
}
