import GRDB
package import RankKit

extension HistoryReader {
    /// When the newest good check of each country's active queries began; no entry where none was good yet. What a clock
    /// that was ahead has dated past tomorrow does not count.
    package func lastGoodChecks(asOf now: Timestamp) throws(HistoryError) -> [Country: Timestamp] {
        try read { database in
            var newest: [Country: Timestamp] = [:]
            let rows = try Row.fetchCursor(
                database, sql: Self.lastGoodSQL, arguments: [now.endOfTomorrow.secondsSinceEpoch])
            while let row = try rows.next() {
                guard let country = try Country(code: row[0]), let at: Int64 = try row[1] else { continue }
                newest[country] = Timestamp(secondsSinceEpoch: at)
            }
            return newest
        }
    }

    /// Of each query the index is walked backwards until a check is good.
    static let lastGoodSQL = """
        SELECT country, max(
            (SELECT at FROM check_log WHERE check_log.query = query.id AND outcome = 'good' AND at < ?
                ORDER BY at DESC LIMIT 1))
        FROM query WHERE retired_at IS NULL GROUP BY country
        """
}
