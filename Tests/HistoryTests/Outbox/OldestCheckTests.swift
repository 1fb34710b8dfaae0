import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct OldestCheckTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(query("timer"), ["com.mine"])]), now: start)
    }

    @Test func `the oldest of the checks after one is told, whichever came first`() async throws {
        for hours: Int64 in [5, 3, 4] {
            try await store.record(
                Check(query: query("timer"), at: start + hours * 3_600, outcome: .answered(list(["com.mine"]))))
        }
        let reader = try HistoryReader(path: store.path)
        let newest = try reader.newestCheckNumber()
        #expect(try reader.oldestOwnCheck(after: newest - 3) == start + 3 * 3_600)
        #expect(try reader.oldestOwnCheck(after: newest - 1) == start + 4 * 3_600)
        #expect(try reader.oldestOwnCheck(after: newest) == nil)
    }

    @Test func `checks are found by their numbers, with the statistics of a long history too`() async throws {
        let plan = try await store.write { database in
            // As ANALYZE wrote them for a year of hourly lists on 800 queries.
            try database.execute(sql: "ANALYZE")
            try database.execute(sql: "DELETE FROM sqlite_stat1 WHERE tbl IN ('check_log', 'query')")
            try database.execute(
                sql: """
                    INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
                        ('check_log', 'check_log_query_at', '9096960 401 1'),
                        ('query', 'sqlite_autoindex_query_1', '800 1 1 1 1 1')
                    """)
            try database.execute(sql: "ANALYZE sqlite_schema")
            return try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + HistoryReader.oldestOwn,
                arguments: ["first": 9_096_000, "last": Int64.max]
            ).map { $0["detail"] as String }
        }
        #expect(plan.first?.contains("check_log USING INTEGER PRIMARY KEY") == true, "\(plan)")
    }
}
