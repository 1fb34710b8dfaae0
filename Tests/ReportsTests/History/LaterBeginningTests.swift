import ArgumentParser
import Foundation
import History
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// A history that is asked about a time before the first check of the query that is meant.
@Suite struct LaterBeginningTests {
    private let start = time("2026-11-01T06:00:00Z")

    /// “timer” is asked from the first day on, “clock” nine days later.
    private func remarks(_ arguments: [String]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let queries = [query("timer"), query("clock")]
        try await store.adopt(watchlist(queries.map { ($0, ["com.a"]) }), now: start)
        let names = ["com.a"] + (1...12).map { "com.x\($0)" }
        for (query, days) in zip(queries, [0, 9] as [Int64]) {
            try await store.record(
                Check(query: query, at: start + days * 86_400, outcome: .answered(list(names))))
        }
        let said = Mutex<[String]>([])
        let context = try ReportContext(
            try HistoryReader(path: store.path), now: start + 10 * 86_400, zone: .gmt,
            remark: { words in said.withLock { $0.append(words) } })
        try context.zoned { () throws(any Error) in
            _ = try HistoryRequest.parse(["--app", "com.a"] + arguments).answer(in: context)
        }
        return said.withLock(\.self)
    }

    @Test func `it says when the first check was`() async throws {
        #expect(
            try await remarks(["--query", "clock", "--until", "2026-11-03"]) == [
                "the first check of this query is of 2026-11-10 06:00 UTC, which is later than the time asked for"
            ])
    }

    @Test func `where one of the queries has checks nothing is said`() async throws {
        #expect(try await remarks(["--until", "2026-11-03"]) == [])
        #expect(try await remarks(["--query", "clock"]) == [])
    }
}
