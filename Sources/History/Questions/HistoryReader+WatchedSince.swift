import GRDB
package import RankKit

extension HistoryReader {
    /// Since when each active pair is under watch without a break, by its number in the file. What is known of the time
    /// before was recorded for others, derived from kept lists, or imported.
    package func watchedSince() throws(HistoryError) -> [Int64: Timestamp] {
        try read { database in
            var moments: [Int64: Timestamp] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.watchedSince)
            while let row = try rows.next() { try moments[row[0]] = try row[1] }
            return moments
        }
    }

    static let watchedSince = """
        SELECT pair.id, max(pair_period.from_at)
        FROM pair CROSS JOIN pair_period ON pair_period.pair = pair.id
        WHERE pair.retired_at IS NULL AND pair_period.until_at IS NULL
        GROUP BY pair.id
        """
}
