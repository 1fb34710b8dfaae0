import GRDB
package import RankKit

/// Which checks are of our own, and which an import brought. A table of another tool has queries of its own, which nobody
/// judges: its checks count for neither.
extension HistoryReader {
    /// Whether checks were ever imported.
    package func hasImports() throws(HistoryError) -> Bool {
        try read { try !RecordedOrder.blocks(in: $0).isEmpty }
    }

    /// Whether checks were imported after the one with that number was recorded.
    package func hasImports(after check: Int64) throws(HistoryError) -> Bool {
        try read { try RecordedOrder.blocks(in: $0).contains { $0.last > check } }
    }

    /// When the newest imported check of a query was made.
    ///
    /// - Parameter oldest: what was made before is not looked for.
    /// - Returns: `nil` if there is none.
    package func newestImport(on query: Query, since oldest: Timestamp) throws(HistoryError) -> Timestamp? {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return nil }
            return try Self.newestImport(among: "query = \(id)", since: oldest, database)
        }
    }

    /// When the newest imported check was made in a country.
    ///
    /// - Parameters:
    ///   - country: `nil` for all.
    ///   - oldest: what was made before is not looked for.
    /// - Returns: `nil` if there is none.
    package func newestImport(in country: Country?, since oldest: Timestamp) throws(HistoryError) -> Timestamp? {
        try read { database in
            let code = country?.code
            return try Self.newestImport(
                among: "query IN (SELECT id FROM query WHERE \(code) IS NULL OR country = \(code))", since: oldest,
                database)
        }
    }

    private static func newestImport(
        among queries: SQL, since oldest: Timestamp, _ database: Database
    ) throws -> Timestamp? {
        var newest: Int64?
        for block in try RecordedOrder.blocks(in: database) {
            let moment = try Int64.fetchOne(
                database,
                SQLRequest(
                    literal: """
                        SELECT max(at) FROM check_log
                        WHERE \(queries) AND at >= \(oldest.secondsSinceEpoch)
                            AND id BETWEEN \(block.first) AND \(block.last)
                        """))
            newest = [newest, moment].compactMap(\.self).max()
        }
        return newest.map(Timestamp.init(secondsSinceEpoch:))
    }

    /// The oldest moment of the checks that were recorded here, and not imported, after the one with that number.
    package func oldestOwnCheck(after check: Int64) throws(HistoryError) -> Timestamp? {
        try read { database in
            var oldest: Int64?
            var first = check + 1
            func look(upTo last: Int64) throws {
                guard first <= last else { return }
                let moment = try Int64.fetchOne(
                    database, sql: Self.oldestOwn,
                    arguments: ["first": first, "last": last])
                oldest = [oldest, moment].compactMap(\.self).min()
            }
            for block in try RecordedOrder.blocks(in: database).sorted(by: { $0.first < $1.first }) {
                try look(upTo: block.first - 1)
                first = max(first, block.last + 1)
            }
            try look(upTo: .max)
            return oldest.map(Timestamp.init(secondsSinceEpoch:))
        }
    }

    /// The checks stand first: from the queries' side all of them would be read.
    static let oldestOwn = """
        SELECT min(at) FROM check_log CROSS JOIN query ON query.id = query
        WHERE check_log.id BETWEEN :first AND :last AND \(QueryRow.isAsked)
        """

    /// When a query had its last good check before `moment`; `nil` if it had none.
    package func lastGoodCheck(of query: Query, before moment: Timestamp) throws(HistoryError) -> Timestamp? {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return nil }
            return try Self.lastGood(among: "id = \(id)", before: moment, database)
        }
    }

    /// When any query had its last good check before `moment`; `nil` if none had one.
    package func lastGoodCheck(before moment: Timestamp) throws(HistoryError) -> Timestamp? {
        try read { try Self.lastGood(among: "\(sql: QueryRow.isAsked)", before: moment, $0) }
    }

    private static func lastGood(
        among queries: SQL, before moment: Timestamp, _ database: Database
    ) throws -> Timestamp? {
        try Int64.fetchOne(
            database,
            SQLRequest(
                literal: """
                    SELECT max((
                        SELECT max(at) FROM check_log
                        WHERE check_log.query = query.id AND at < \(moment.secondsSinceEpoch) AND outcome = 'good'))
                    FROM query WHERE \(queries)
                    """)
        ).map(Timestamp.init(secondsSinceEpoch:))
    }
}
