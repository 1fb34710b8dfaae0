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
            var count = 0
            for (index, pair) in pairs.enumerated() {
                try work.checkCancellation()
                progress(index, pairs.count)
                let rows = try Row.fetchCursor(
                    database.cachedStatement(sql: Self.positionsSQL),
                    arguments: [pair, since?.secondsSinceEpoch ?? .min])
                while let row = try rows.next() {
                    let check = try CheckOutcome(row, at: 7, ofCheck: row[12])
                    let outcome: Outcome? =
                        if case .good(let places, _) = check, row[10] {
                            .placed((row[11] as Int?).flatMap { Position($0) }, of: places)
                        } else { check.untold }
                    guard let outcome else { continue }
                    count += 1
                    try write(
                        PositionRow(
                            at: Timestamp(secondsSinceEpoch: row[0]), query: row[1], country: row[2], platform: row[3],
                            source: row[4], bundleID: row[5], appName: row[6], outcome: outcome))
                }
            }
            return count
        }
    }

    /// The view's own words for one pair: the view itself would be worked out as a whole before its first row came.
    private static let positionsSQL = """
        SELECT check_log.at, query.text, query.country, query.platform, query.source, pair.bundle_id,
            (SELECT listing.name
                FROM app
                JOIN listing ON listing.app = app.id
                JOIN storefront ON storefront.id = listing.storefront
                WHERE app.bundle_key = pair.bundle_key AND storefront.country = query.country
                ORDER BY app.last_seen_day DESC, app.id DESC
                LIMIT 1),
            check_log.outcome, check_log.within, check_log.reason, position.pair IS NOT NULL, position.position,
            check_log.id
        FROM pair
        JOIN query ON query.id = pair.query
        CROSS JOIN check_log ON check_log.query = pair.query
        LEFT JOIN position
            ON position.pair = pair.id AND position.at = check_log.at AND position.check_id = check_log.id
        WHERE pair.id = ? AND check_log.at >= ? AND (position.pair IS NOT NULL
            OR (outcome <> 'good' OR reason IS NOT NULL)
                AND EXISTS (
                    SELECT 1 FROM pair_period
                    WHERE pair_period.pair = pair.id AND pair_period.from_at <= check_log.at
                        AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at)))
        ORDER BY check_log.at, check_log.id
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
