import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct HousekeepingStepTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
    }

    private func check(_ outcome: Check.Outcome, after hours: Int64) async throws {
        try await store.record(Check(query: query("timer"), at: start + hours * 3_600, outcome: outcome))
    }

    private func days() async throws -> [String] {
        try await store.read { try Row.fetchAll($0, sql: "SELECT * FROM pair_day ORDER BY day").map(\.text) }
    }

    @Test func `a closed day is rolled up from its good checks`() async throws {
        try await adopt()
        try await check(.answered(list(["x", "com.a"])), after: 1)
        try await check(.answered(list(["x", "y", "com.a"])), after: 7)
        try await check(.failed(Failure(.status)), after: 8)
        try await check(.answered(list(["x"])), after: 23)
        #expect(try await store.nextDayToRollUp(today: start.day) == nil)
        #expect(try await store.nextDayToRollUp(today: start.day + 1) == start.day)
        #expect(try await store.rollUp(day: start.day, after: 0, limit: 10) == nil)
        #expect(try await days() == ["1 \(start.day) 3 2 2 3 \((start + 23 * 3_600).secondsSinceEpoch) NULL 1"])
        #expect(try await store.nextDayToRollUp(today: start.day + 1) == nil)
    }

    @Test func `a day without a good check has no row`() async throws {
        try await adopt()
        try await check(.failed(Failure(.status)), after: 8)
        _ = try await store.rollUp(day: start.day, after: 0, limit: 10)
        #expect(try await days().isEmpty)
    }

    @Test func `a check that comes late for its day is rolled up with it`() async throws {
        try await adopt()
        try await check(.answered(list(["com.a"])), after: 1)
        _ = try await store.rollUp(day: start.day, after: 0, limit: 10)
        try await check(.answered(list(["x", "com.a"])), after: 20)
        #expect(try await days() == ["1 \(start.day) 2 2 1 2 \((start + 20 * 3_600).secondsSinceEpoch) 2 2"])
    }

    @Test(arguments: [false, true])
    func `a check that comes while its day is being rolled up is rolled up with it`(isLater: Bool) async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        try await check(.answered(list(["com.a", "com.b"])), after: 1)
        if isLater { _ = try await store.rollUp(day: start.day - 1, after: 0, limit: 10) }
        let passed = try #require(try await store.rollUp(day: start.day, after: 0, limit: 1))
        try await check(.answered(list(["x", "com.a", "com.b"])), after: 20)
        var pair: Int64? = passed
        while let last = pair { pair = try await store.rollUp(day: start.day, after: last, limit: 1) }
        let at = (start + 20 * 3_600).secondsSinceEpoch
        #expect(
            try await days() == ["1 \(start.day) 2 2 1 2 \(at) 2 3", "2 \(start.day) 2 2 2 3 \(at) 3 3"])
        #expect(try await store.findings() == [])
    }

    @Test func `the past of a pair that comes while its day is being rolled up is rolled up with it`() async throws {
        try await adopt()
        try await check(.answered(list(["com.a", "com.b"])), after: 1)
        try await check(.answered(list(["com.b", "com.a"])), after: 30)
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b", "com.c"])]), now: start + 32 * 3_600)
        // The new pairs are passed before they have a past.
        #expect(try await store.rollUp(day: start.day, after: 0, limit: 2) == 2)
        try await store.fillIn()
        #expect(try await store.rollUp(day: start.day, after: 2, limit: 2) == nil)
        #expect(try await days().count == 3)
        #expect(try await store.findings() == [])
    }

    @Test func `old failures become daily counts, younger ones stay`() async throws {
        try await adopt()
        for hour in [0, 1, 30] as [Int64] { try await check(.failed(Failure(.timedOut)), after: hour) }
        try await check(.failed(Failure(.status)), after: 1)
        try await check(.answered(list([])), after: 2)
        try await check(.failed(Failure(.status)), after: 100)
        #expect(try await store.thinFailures(before: start + 72 * 3_600, limit: 3) == 3)
        #expect(try await store.thinFailures(before: start + 72 * 3_600, limit: 3) == 1)
        #expect(try await store.thinFailures(before: start + 72 * 3_600, limit: 3) == 0)
        let (counts, left) = try await store.read { database in
            (
                try Row.fetchAll(database, sql: "SELECT day, reason, failed FROM failure_day ORDER BY day, reason").map(
                    \.text),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM check_log")
            )
        }
        #expect(
            counts == [
                "\(start.day) 'status' 1", "\(start.day) 'timed-out' 2", "\(start.day + 1) 'timed-out' 1",
            ])
        #expect(left == 2)
    }

    @Test func `daily readings are the same before and after the roll-up`() async throws {
        try await adopt()
        for hour in 0..<100 {
            try await check(.answered(list(hour % 7 == 0 ? ["x"] : ["x", "com.a"])), after: Int64(hour))
        }
        func daily() throws -> DailyReadings {
            try HistoryReader(path: store.path).standings(trendSince: start.day)[0].daily
        }
        let before = try daily()
        while let day = try await store.nextDayToRollUp(today: start.day + 4) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        #expect(before.count == 5)
        #expect(try daily() == before)
    }

    @Test func `a checkpoint empties the write-ahead log`() async throws {
        try await adopt()
        #expect(try await store.checkpoint())
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.serviceRecord(now: start).walBytes == 0)
    }
}
