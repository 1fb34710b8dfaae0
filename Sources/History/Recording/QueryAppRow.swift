import GRDB
import RankKit

/// Rows of `query_app`: the best place that an app ever had on a query, from good checks alone.
enum QueryAppRow {
    /// Takes up a place. What is better stays, and of equals the older.
    static func enter(
        _ app: Int64, at place: Int, on query: Int64, at moment: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO query_app (query, app, best, best_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (query, app) DO UPDATE SET best = excluded.best, best_at = excluded.best_at
                    WHERE (excluded.best, excluded.best_at) < (best, best_at)
                """
        ).execute(arguments: [query, app, place, moment])
    }
}
