import GRDB

/// Queries whose checks are read together.
///
/// `check_log` is in the order of recording: the checks of one query lie as far apart as a pass over all queries is
/// long, and reading them by query fetches a page of the file for each. So the whole table is read from end to end for
/// as many queries as there is memory for.
struct CheckBatch {
    /// With how many checks each has.
    private(set) var queries: [(id: Int64, checks: Int)] = []
    private(set) var checks = 0
    /// Whether their checks are few enough for memory, and enough of all to read all for them.
    private(set) var isReadAtOnce = false

    /// Checks that are held in memory, of 24 bytes each.
    static let mostChecks = 400_000
    /// How much longer it takes to fetch a check by itself than to step over it.
    private static let fetchingCost = 40

    /// All queries, in order.
    ///
    /// - Parameter most: how many checks a batch may have in memory.
    static func all(in database: Database, most: Int = mostChecks) throws -> [CheckBatch] {
        let counted = try Row.fetchAll(
            database,
            sql: """
                SELECT query.id, ifnull(counted.checks, 0) FROM query
                LEFT JOIN (SELECT query, count(*) AS checks FROM check_log GROUP BY query) AS counted
                    ON counted.query = query.id
                ORDER BY query.id
                """)
        var batches: [CheckBatch] = []
        for row in counted {
            let (query, checks): (Int64, Int) = try (row[0], row[1])
            if batches.isEmpty || batches[batches.count - 1].checks + checks > most { batches.append(CheckBatch()) }
            batches[batches.count - 1].queries.append((query, checks))
            batches[batches.count - 1].checks += checks
        }
        let total = batches.reduce(0) { $0 + $1.checks }
        for index in batches.indices {
            let checks = batches[index].checks
            batches[index].isReadAtOnce = checks <= most && checks * fetchingCost >= total
        }
        return batches
    }

    /// The checks of each query; of none where they are to be read by query.
    func rows(in database: Database) throws -> [Int64: [CheckRow]] {
        guard isReadAtOnce, let first = queries.first?.id, let last = queries.last?.id else { return [:] }
        var kept = queries.map { query in
            var rows: [CheckRow] = []
            rows.reserveCapacity(query.checks)
            return rows
        }
        // A damaged file can hold an id twice.
        let slots = Dictionary(queries.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let rows = try Row.fetchCursor(
            database.makeStatement(
                sql: "SELECT query, \(CheckRow.columns) FROM check_log NOT INDEXED WHERE query BETWEEN ? AND ?"),
            arguments: [first, last])
        while let row = try rows.next() {
            guard let slot = try slots[row[0]] else { continue }
            kept[slot].append(try CheckRow(row, at: 1))
        }
        return Dictionary(zip(queries.map(\.id), kept)) { first, _ in first }
    }
}
