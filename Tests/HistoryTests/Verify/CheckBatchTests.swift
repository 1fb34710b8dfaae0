import GRDB
import GRDBSQLite
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct CheckBatchTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// Checks of `queries` queries in turn, some of every outcome, the last ones from before the others.
    private func fill(queries: Int, checks: Int64) async throws {
        let all = (0..<queries).map { query("timer \($0)") }
        try await store.adopt(watchlist(all.map { ($0, ["com.a"]) }), now: start)
        for check in 0..<checks {
            let at = start + (check < checks - 2 ? check * 3_600 : check)
            for (number, query) in all.enumerated() {
                let outcomes: [Check.Outcome] = [
                    .answered(list(["com.a", "com.x"])), .answered(list(["com.x"])), .failed(Failure(.timedOut)),
                    .suspect(list([]), .collapsed),
                ]
                let outcome = outcomes[(Int(check) + number) % outcomes.count]
                try await store.record(Check(query: query, at: at, outcome: outcome))
            }
        }
    }

    private func words(_ rows: CheckRows) throws -> [String] {
        var rows = rows
        var words: [String] = []
        while let row = try rows.next() {
            words.append("\(row.id) \(row.at) \(row.outcome.rawValue) \(row.within.map(String.init) ?? "none")")
        }
        return words
    }

    @Test func `checks that are read together come as those that are read by query, in the order of time`() async throws
    {
        try await fill(queries: 3, checks: 9)
        try await store.read { database in
            let batches = try CheckBatch.all(in: database, most: 20)
            #expect(batches.map { $0.queries.map(\.id) } == [[1, 2], [3]])
            for batch in batches {
                let rows = try batch.rows(in: database)
                #expect(Set(rows.keys) == Set(batch.queries.map(\.id)))
                for (query, rows) in rows {
                    let words = try words(CheckRows(rows))
                    #expect(words.count == 9)
                    #expect(try words == self.words(CheckRows(of: query, in: database)))
                }
            }
        }
    }

    @Test func `a query with more checks than there is memory for is read by itself`() async throws {
        try await fill(queries: 2, checks: 9)
        try await store.read { database in
            for batch in try CheckBatch.all(in: database, most: 8) { #expect(try batch.rows(in: database).isEmpty) }
        }
    }

    @Test func `a query that was never asked is in a batch all the same`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        #expect(try await store.read { try CheckBatch.all(in: $0).map { $0.queries.map(\.id) } } == [[1]])
    }

    @Test func `verifying does not fetch a page of the file for each check`() async throws {
        try await store.adopt(watchlist((0..<60).map { (query("timer \($0)"), ["com.a"]) }), now: start)
        // As recorded: one check of each query, then the next of each.
        try await store.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < 5999)
                    INSERT INTO check_log (id, query, at, outcome, within, detail)
                    SELECT n + 1, n % 60 + 1, ? + n * 60, 'good', 0, printf('%200d', n) FROM counted
                    """, arguments: [start.secondsSinceEpoch])
        }
        // One connection, whose cache can be looked at.
        let queue = try DatabaseQueue(path: store.path)
        let reader = HistoryReader(path: store.path, isSettled: false, source: queue)
        let pages = try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = 60")
            return try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        }
        let parts = try await reader.verify { _ in }
        #expect(parts.checks == 6_000)
        let misses = queue.inDatabase { database in
            var (misses, highest): (CInt, CInt) = (0, 0)
            sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0)
            return Int(misses)
        }
        // A few rounds through the file, and no page for each of the checks.
        #expect(misses < 8 * pages && misses < 6_000, "\(misses), of a file of \(pages) pages")
    }
}
