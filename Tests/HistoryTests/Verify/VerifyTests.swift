import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct VerifyTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// Three days of a query with every kind of check, two of them rolled up.
    private func fill() async throws {
        let plan = watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.a"])])
        try await store.adopt(plan, now: start)
        let outcomes: [Check.Outcome] = [
            .answered(list(["com.x", "com.a", nil, "com.b"])), .answered(list(["COM.B", "com.x"])),
            .failed(Failure(.timedOut)), .suspect(list(["com.x"]), .collapsed), .answered(list([])),
            .answered(list(["com.a", "com.b", "com.a"])),
        ]
        for hour in 0..<36 as Range<Int64> {
            let outcome = outcomes[Int(hour) % outcomes.count]
            try await store.record(Check(query: query("timer"), at: start + hour * 7_200, outcome: outcome))
        }
        try await store.record(
            Check(query: query("clock"), at: start + 10, outcome: .answered(list(["com.a"]))))
        while let day = try await store.nextDayToRollUp(today: start.day + 2) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
    }

    private func findings() async throws -> [String] {
        let found = Mutex<[Finding]>([])
        let reader = try HistoryReader(path: store.path)
        _ = try await reader.verify { finding in found.withLock { $0.append(finding) } }
        return found.withLock { $0.map(\.description) }
    }

    private func plant(_ sql: String) async throws {
        try await store.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA foreign_keys = ON")
        }
    }

    @Test func `a history as it is recorded has no findings`() async throws {
        try await fill()
        #expect(try await findings() == [])
        let parts = try await HistoryReader(path: store.path).verify { _ in }
        #expect(parts == VerifiedParts(queries: 2, checks: 37, positions: 49))
    }

    @Test func `pairs that come and go, and thinned failures, are no findings`() async throws {
        try await fill()
        try await store.adopt(watchlist([(query("clock"), ["com.a"])]), now: start + 40 * 7_200)
        try await store.adopt(
            watchlist([(query("timer"), ["com.b"]), (query("clock"), ["com.a"])]), now: start + 50 * 7_200)
        try await store.record(
            Check(query: query("timer"), at: start + 51 * 7_200, outcome: .failed(Failure(.status))))
        // As long as a check may take after it began.
        try await store.record(
            Check(query: query("timer"), at: start + 50 * 7_200 - 20, outcome: .failed(Failure(.timedOut))))
        #expect(try await findings() == [])
        while try await store.thinFailures(before: start + 99 * 7_200, limit: 100) > 0 {}
        #expect(try await findings() == [])
    }

    @Test func `a check that a glitch dated ahead is no finding`() async throws {
        try await fill()
        try await store.record(
            Check(query: query("timer"), at: start + 9_999_999, outcome: .answered(list(["com.b"]))))
        try await store.record(
            Check(query: query("timer"), at: start + 40 * 7_200, outcome: .answered(list(["x", "com.b"]))))
        #expect(try await findings() == [])
    }

    @Test(arguments: [
        (
            "UPDATE position SET position = 3 WHERE pair = 1 AND check_id = 1",
            "positions: “timer” us iphone, com.a, check 1 of 2026-11-01T00:00:00Z: is #3, the list says #2"
        ),
        (
            "UPDATE position SET position = NULL WHERE pair = 2 AND check_id = 2",
            "positions: “timer” us iphone, com.b, check 2 of 2026-11-01T02:00:00Z: is absent, the list says #1"
        ),
        (
            "UPDATE position SET within = 9 WHERE pair = 1 AND check_id = 2",
            "positions: “timer” us iphone, com.a, check 2 of 2026-11-01T02:00:00Z: is within 9 places, the list has 2"
        ),
        (
            "DELETE FROM position WHERE pair = 1 AND check_id = 6",
            "positions: “timer” us iphone, com.a, check 6 of 2026-11-01T10:00:00Z: there is no position, though the pair was tracked then"
        ),
        (
            "INSERT INTO position VALUES (1, 7, 999, 1, 1)",
            "positions: “timer” us iphone, com.a, 1970-01-01T00:00:07Z: belongs to check 999, which is no good check of that query and time"
        ),
        (
            "UPDATE standing SET position = 2 WHERE pair = 3",
            "standings: “clock” us iphone, com.a: is ranked at 2026-11-01T00:00:10Z, last good #2 at 2026-11-01T00:00:10Z, best #1 at 2026-11-01T00:00:10Z, worst #1 at 2026-11-01T00:00:10Z, the checks say ranked at 2026-11-01T00:00:10Z, last good #1 at 2026-11-01T00:00:10Z, best #1 at 2026-11-01T00:00:10Z, worst #1 at 2026-11-01T00:00:10Z"
        ),
        ("UPDATE standing SET state = 'absent' WHERE pair = 1", "standings: “timer” us iphone, com.a: is absent"),
        ("UPDATE standing SET worst = 4 WHERE pair = 1", "standings: “timer” us iphone, com.a: is ranked"),
        ("UPDATE standing SET best_at = best_at + 1 WHERE pair = 2", "standings: “timer” us iphone, com.b: is ranked"),
        (
            "DELETE FROM standing WHERE pair = 3",
            "standings: “clock” us iphone, com.a: is missing, the checks say ranked"
        ),
        (
            "UPDATE pair_day SET last_position = 7 WHERE pair = 1 AND day = 20758",
            "roll-ups: “timer” us iphone, com.a, 2026-11-01: is not what they come to"
        ),
        (
            "DELETE FROM pair_day WHERE pair = 2 AND day = 20759",
            "roll-ups: “timer” us iphone, com.b, 2026-11-02: is missing"
        ),
        (
            "INSERT INTO pair_day VALUES (3, 20000, 1, 0, NULL, NULL, 1728000000, NULL, 5)",
            "roll-ups: “clock” us iphone, com.a, 2024-10-04: has no positions"
        ),
        (
            "UPDATE result_list SET places = x'0180' WHERE check_id = 1",
            "lists: “timer” us iphone, check 1 of 2026-11-01T00:00:00Z: the list cannot be decoded"
        ),
        (
            "DELETE FROM result_list WHERE check_id = 4",
            "lists: “timer” us iphone, check 4 of 2026-11-01T06:00:00Z: there is no list"
        ),
        (
            "UPDATE result_list SET places = x'010163' WHERE check_id = 2",
            "lists: “timer” us iphone, check 2 of 2026-11-01T02:00:00Z: the list names app 99, which is not there"
        ),
        (
            "UPDATE check_log SET within = 5 WHERE id = 4",
            "lists: “timer” us iphone, check 4 of 2026-11-01T06:00:00Z: the list has 1 places, the check saw 5"
        ),
        (
            "INSERT INTO result_list VALUES (999, x'01')",
            "references: result_list 999: refers to a row of check_log that is not there"
        ),
        (
            "INSERT INTO pair_day VALUES (99, 1, 1, 0, NULL, NULL, 1, NULL, 5)",
            "references: pair_day 99: belongs to a pair that is not there"
        ),
        ("UPDATE query SET newest_check = 1 WHERE id = 2", "references: query 2: its newest check is another query's"),
    ]) func `what was changed behind its back is found`(_ sql: String, _ finding: String) async throws {
        try await fill()
        try await plant(sql)
        let found = try await findings()
        #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
        #expect(found.count <= 3, "\(found)")
    }

    @Test func `a page that is no page any more is found, and the rest is looked at all the same`() async throws {
        try await fill()
        try await store.checkpoint()
        let (page, size) = try await store.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'check_log_failed'")
                    ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try await store.close()
        let handle = try #require(FileHandle(forWritingAtPath: store.path))
        try handle.seek(toOffset: UInt64((page - 1) * size))
        try handle.write(contentsOf: Data(repeating: 0xAB, count: size))
        try handle.close()
        let found = try await findings()
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("structure: ") }, "\(found)")
    }

    @Test func `verifying is broken off when its task is`() async throws {
        try await fill()
        let reader = try HistoryReader(path: store.path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await reader.verify { _ in }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
