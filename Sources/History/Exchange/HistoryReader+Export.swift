import GRDB
package import RankKit

/// What an export came to.
package struct ExportResult: Sendable, Hashable {
    package var lines = 0
    package var checks = 0
    /// Lists that could not be decoded, and are not in the export.
    package var damagedLists = 0
}

/// A row of `position_history`: what the CSV export is made of.
package struct PositionRow: Sendable, Hashable {
    package var at: Timestamp
    package var query: String
    package var country: String
    package var platform: String
    package var source: String
    /// Empty where the query has none.
    package var language: String
    package var bundleID: String
    package var appName: String?
    package var outcome: Outcome
}

extension HistoryReader {
    /// Exports the history as of one moment, as `ExchangeLine` describes, in memory that does not grow with it.
    ///
    /// - Parameters:
    ///   - since: leaves out checks that began earlier.
    ///   - write: is given the text piece by piece.
    package func export(
        since: Timestamp?, now: Timestamp, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> ExportResult {
        try await streaming { work, database in
            let total = try Self.checkCount(in: database)
            var exporter = Exporter(database, since: since, write: write)
            try exporter.run(now: now) { done in
                guard done.isMultiple(of: 256) else { return }
                try work.checkCancellation()
                progress(done, total)
            }
            return exporter.result
        }
    }

    /// Hands over every row of `position_history`, pair by pair and by time.
    ///
    /// - Returns: how many there were.
    package func exportPositions(
        since: Timestamp?, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable (PositionRow) throws -> Void
    ) async throws -> Int {
        try await streaming { work, database in
            let pairs = try Int64.fetchAll(database, sql: "SELECT id FROM pair ORDER BY id")
            let present = try PresentListing(in: database)
            var count = 0
            for (index, pair) in pairs.enumerated() {
                try work.checkCancellation()
                progress(index, pairs.count)
                guard
                    let about = try Row.fetchOne(
                        database.cachedStatement(sql: Self.pairSQL(of: present)), arguments: [pair])
                else { continue }
                var position = try PositionRow(
                    at: Timestamp(secondsSinceEpoch: 0), query: about[1], country: about[2], platform: about[3],
                    source: about[4], language: about[7], bundleID: about[5], appName: about[6], outcome: .pending)
                let query: Int64 = try about[0]
                let rows = try Row.fetchCursor(
                    database.cachedStatement(sql: Self.positionsSQL),
                    arguments: ["pair": pair, "query": query, "since": since?.secondsSinceEpoch ?? .min])
                while let row = try rows.next() {
                    // A position has no word for how its check ended.
                    let outcome: Outcome? =
                        if try (row[2] as String?) == nil {
                            try .placed(row[5], of: row.depth(3))
                        } else { try CheckOutcome(row, at: 2, ofCheck: row[1]).untold }
                    guard let outcome else { continue }
                    count += 1
                    position.at = try row[0]
                    position.outcome = outcome
                    try write(position)
                }
            }
            return count
        }
    }

    private static func pairSQL(of present: PresentListing) -> String {
        """
        SELECT query.id, query.text, query.country, query.platform, query.source, pair.bundle_id,
            (SELECT \(present.column("name"))
                FROM app
                JOIN listing ON listing.app = app.id
                JOIN storefront ON storefront.id = listing.storefront
                WHERE app.id IN \(AppNames.ids("pair.bundle_key")) AND storefront.country = query.country
                ORDER BY app.last_seen_day DESC, app.id DESC
                LIMIT 1),
            query.language
        FROM pair JOIN query ON query.id = pair.query
        WHERE pair.id = ?
        """
    }

    /// What the view says of one pair, which would be worked out as a whole before its first row came. The positions lie
    /// together; the checks of a query lie all over the file, so that of these only those without a position are read,
    /// each kind by an index of its own.
    static let positionsSQL = """
        SELECT at, check_id, NULL, within, NULL, position
        FROM position WHERE pair = :pair AND at >= :since
        UNION ALL
        SELECT at, id, outcome, within, reason, NULL
        FROM check_log
        WHERE query = :query AND at >= :since AND outcome <> 'good' AND \(wasTracked)
        UNION ALL
        SELECT at, id, outcome, within, reason, NULL
        FROM check_log
        WHERE query = :query AND at >= :since AND outcome = 'good' AND reason IS NOT NULL AND \(wasTracked)
            AND NOT EXISTS (
                SELECT 1 FROM position
                WHERE position.pair = :pair AND position.at = check_log.at AND position.check_id = check_log.id)
        ORDER BY 1, 2
        """

    private static let wasTracked = """
        EXISTS (
            SELECT 1 FROM pair_period
            WHERE pair_period.pair = :pair AND pair_period.from_at <= check_log.at
                AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at))
        """

    private static func checkCount(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM check_log") ?? 0
    }

    /// Runs `body` in one transaction on a thread of its own; what it throws that is not SQLite's stays what it is.
    private func streaming<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork, Database) throws -> Value
    ) async throws -> Value {
        try await BlockingWork.run { work in
            do { return try source.read { try body(work, $0) } } catch let error as DatabaseError {
                throw HistoryError(error, path: path)
            }
        }
    }
}
