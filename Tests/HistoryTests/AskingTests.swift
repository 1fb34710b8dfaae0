import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What came of asking over some time.
@Suite struct AskingTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func record(_ text: String, _ outcome: Check.Outcome, after hours: Int64) async throws {
        try await store.record(Check(query: query(text), at: start + hours * hour, outcome: outcome))
    }

    @Test func `checks are counted by query and reason, each with its newest`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"]), (query("b"), ["com.a"])]), now: start)
        try await record("a", .answered(list(["com.a"])), after: 0)
        try await record("a", .failed(Failure(.timedOut, "30 s")), after: 1)
        try await record("a", .failed(Failure(.timedOut, "31 s")), after: 3)
        try await record("a", .failed(Failure(.status, "500")), after: 2)
        try await record("a", .suspect(list([]), .collapsed), after: 4)
        try await record("a", .answered(list(["com.a"])), after: 9)
        #expect(
            try reader.checks(in: start...start + 5 * hour) == [
                QueryChecks(
                    query: query("a"), good: 1,
                    troubles: [
                        .init(
                            .failed(.check(.status)), count: 1, lastAt: start + 2 * hour),
                        .init(
                            .failed(.check(.timedOut)), count: 2, lastAt: start + 3 * hour),
                        .init(.suspect(.collapsed), count: 1, lastAt: start + 4 * hour),
                    ]), QueryChecks(query: query("b"), good: 0),
            ])
        let both = try #require(try reader.checks(in: start...start + 5 * hour).first)
        #expect((both.failed, both.suspect) == (3, 1))
    }

    @Test func `queries that are no longer asked are not told of`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        try await record("a", .failed(Failure(.timedOut)), after: 1)
        try await store.adopt(watchlist([(query("b"), ["com.a"])]), now: start + 2 * hour)
        #expect(try reader.checks(in: start...start + 5 * hour).map(\.query) == [query("b")])
    }

    @Test func `failures that were thinned out still count, by their days`() async throws {
        try await store.adopt(watchlist([(query("a"), ["com.a"])]), now: start)
        try await store.write { database in
            try database.execute(
                sql: "INSERT INTO failure_day (query, day, reason, failed) SELECT id, ?, 'timed-out', 7 FROM query",
                arguments: [start.day])
        }
        let found = try reader.checks(in: start + hour...start + 2 * hour)
        #expect(found.map(\.failed) == [7])
        #expect(found.first?.troubles.first?.lastAt == start)
    }

    @Test func `requests are those of the passes that ended in time`() async throws {
        for (end, requests) in [(1, 5), (10, 7), (20, 100)] as [(Int64, Int)] {
            try await store.record(
                PassResult(
                    startedAt: start + (end - 1) * hour, finishedAt: start + end * hour, due: 1, requests: requests))
        }
        #expect(try reader.requests(in: start...start + 10 * hour) == 12)
        #expect(try reader.requests(in: start + 30 * hour...start + 40 * hour) == 0)
    }

    @Test func `the questions go through each query's own checks`() async throws {
        let plans = try await store.read { database in
            try [
                HistoryReader.checksOfQueries, HistoryReader.troublesOfQueries, HistoryReader.firstChecks,
            ].map { sql in
                var values: [String: (any DatabaseValueConvertible)?] = [:]
                for name in ["from", "to", "firstDay", "lastDay", "dayLength"] where sql.contains(":" + name) {
                    values[name] = 1
                }
                return try Row.fetchAll(
                    database, sql: "EXPLAIN QUERY PLAN " + sql,
                    arguments: StatementArguments(values)
                ).map { $0["detail"] as String }
            }
        }
        for plan in plans {
            #expect(plan.contains { $0.hasPrefix("SEARCH check_log USING") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN check_log") }, "\(plan)")
        }
    }
}
