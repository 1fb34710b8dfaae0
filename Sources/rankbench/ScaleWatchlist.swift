import Foundation
import History
import RankKit

/// A watchlist as an agency has it, and a month of its daily checks: ten pairs a query, ten countries, one line a pair.
/// The history is written in bulk, as rankd and its housekeeping would have left it, without result lists.
struct ScaleWatchlist {
    let pairs: Int
    let now: Timestamp

    private static let pairsPerQuery = 10
    private static let countries = ["us", "gb", "de", "fr", "it", "es", "jp", "kr", "br", "ca"]
    private static let days = 30

    var queries: Int { pairs / Self.pairsPerQuery }
    private var apps: Int { min(200, max(20, pairs / 500)) }

    static func text(_ query: Int) -> String { "habit tracker \(query / countries.count)" }
    static func country(_ query: Int) -> String { countries[query % countries.count] }
    func app(_ query: Int, _ pair: Int) -> Int { (query * 7 + pair) % apps }
    static func bundle(_ app: Int) -> String { "com.example.app\(app)" }

    /// Every other app is a competitor of the one before it.
    ///
    /// - Parameter without: so many of the last pairs are left out.
    func text(without: Int = 0) -> String {
        let declared = stride(from: 0, to: apps, by: 2).flatMap { app in
            [
                "    \"app\(app)\": {\"bundleId\": \"\(Self.bundle(app))\", \"competitors\": [\"app\(app + 1)\"]}",
                "    \"app\(app + 1)\": {\"bundleId\": \"\(Self.bundle(app + 1))\"}",
            ]
        }
        let lines = (0..<pairs - without).map { line in
            let (query, pair) = (line / Self.pairsPerQuery, line % Self.pairsPerQuery)
            let tags = pair == 0 ? ", \"tags\": [\"core\"]" : ""
            return "    {\"query\": \"\(Self.text(query))\", \"bundleId\": \"\(Self.bundle(app(query, pair)))\", "
                + "\"country\": \"\(Self.country(query))\"\(tags)}"
        }
        return """
            {
              "apps": {
            \(declared.joined(separator: ",\n"))
              },
              "defaults": {"every": "1d"},
              "watch": [
            \(lines.joined(separator: ",\n"))
              ]
            }

            """
    }

    /// Makes the history of the watchlist at `path`.
    func write(to path: String) async throws {
        var store = try HistoryStore(path: path)
        try await store.adopt(try Watchlist.decode(Array(text().utf8)).watchlist, now: now)
        try await store.close()
        try fill(path)
        store = try HistoryStore(path: path)
        try await store.optimize()
        try await store.checkpoint()
        try await store.close()
    }

    private func fill(_ path: String) throws {
        let database = try PlainSQLite(path)
        let today = Timestamp.startOfDay(now.day).secondsSinceEpoch
        // Today's check is of today's slot, however early it is.
        let late = min(3_600, (now.secondsSinceEpoch - today) / 2)
        let within = 200
        // Of numbers, as FirstPlaces writes them: one byte each.
        let first = (1...20).map { UInt8($0) }
        try database.execute(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -65536;
            BEGIN;
            CREATE TEMP TABLE slot AS
                WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < \(Self.days))
                SELECT n, \(now.day - Int64(Self.days)) + n AS day,
                    \(today + late) + (n - \(Self.days)) * 86400 AS at FROM counted;
            INSERT INTO storefront (country, language) SELECT DISTINCT country, '' FROM query;
            INSERT INTO app (app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                SELECT 1000000000 + ordinal, bundle_id, bundle_key, \(today - 86_400 * Int64(Self.days)), \(now.day)
                FROM watched_app;
            INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count)
                SELECT storefront.id, app.id, 1, 4.5, 10 * app.id FROM storefront CROSS JOIN app;
            INSERT INTO listing (app, storefront, name)
                SELECT app.id, storefront.id, 'Habit Tracker ' || app.id FROM app CROSS JOIN storefront;
            INSERT INTO check_log (id, query, at, outcome, within)
                SELECT slot.n * \(queries) + query.id, query.id, slot.at, 'good', \(within)
                FROM slot CROSS JOIN query ORDER BY 1;
            UPDATE query SET newest_check = \(Self.days * queries) + id;
            -- Each pair stays around a place of its own; the far ones drop out of the list now and then.
            INSERT INTO position (pair, at, check_id, position, within)
                SELECT pair, at, check_id, iif(place > \(within), NULL, place), \(within)
                FROM (
                    SELECT pair.id AS pair, slot.at AS at, slot.n * \(queries) + pair.query AS check_id,
                        1 + pair.id * 37 % 197 + (pair.id * 7919 + slot.n * 104729) % 7 * ((pair.id + slot.n) % 3 = 0)
                            AS place
                    FROM pair CROSS JOIN slot);
            INSERT INTO pair_day (pair, day, good, ranked, best, worst, last_at, last_position, last_within)
                SELECT pair, at / 86400, 1, position IS NOT NULL, position, position, at, position, within
                FROM position WHERE at < \(today);
            INSERT INTO standing
                (pair, state, checked_at, good_at, position, within, best, best_at, worst, worst_at)
                SELECT pair, iif(position IS NULL, 'absent', 'ranked'), at, at, position, within,
                    position, iif(position IS NULL, NULL, at), position, iif(position IS NULL, NULL, at)
                FROM position WHERE at >= \(today);
            INSERT INTO country_day (source, country, day, queries, good, suspect, failed, compared, apps, entered,
                    dropped_out, lower_quartile, median, upper_quartile, ninth_decile)
                SELECT 'itunes', country, slot.day, count(*), count(*), 0, 0, count(*), 190 * count(*), 5000, 5000,
                    0, 1 + slot.day % 3, 4 + slot.day % 2, 12
                FROM slot CROSS JOIN query WHERE slot.day < \(now.day) GROUP BY country, slot.day;
            INSERT OR REPLACE INTO setting (name, value)
                VALUES ('rolled_up_through_day', \(now.day - 1)), ('country_days_through_day', \(now.day - 1)),
                    ('country_days_rule', \(CountryTally.rule)),
                    ('last_housekeeping_at', \(now.secondsSinceEpoch));
            DELETE FROM pair_fill;
            DELETE FROM query_fill;
            """)
        try database.run(
            """
            INSERT INTO query_top (query, at, check_id, apps, since, changes)
                SELECT query.id, check_log.at, check_log.id, ?, check_log.at, zeroblob(0)
                FROM query JOIN check_log ON check_log.id = query.newest_check
            """, [.blob(first)])
        try database.run("COMMIT")
        try database.execute("ANALYZE")
    }
}
