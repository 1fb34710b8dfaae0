import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// What a report over days reads beside good readings.
@Suite struct StoreTroubleTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func check(
        _ text: String, _ outcome: Check.Outcome, in country: String = "us", at seconds: Int64
    ) async throws {
        try await store.record(Check(query: query(text, country), at: start + seconds, outcome: outcome))
    }

    private func trouble(_ country: String, _ number: Int64, queries: Int, badDay: Bool = false) -> StoreTrouble {
        StoreTrouble(
            store: query("", country).store, day: start.day + number, queries: queries, hasBadDay: badDay)
    }

    @Test func `troubles are counted by day and country, each query once`() async throws {
        try await store.adopt(
            watchlist([(query("a"), ["x"]), (query("b"), ["x"]), (query("a", "de"), ["x"])]), now: start)
        try await check("a", .failed(Failure(.status)), at: 0)
        try await check("a", .failed(Failure(.timedOut)), at: 3_600)
        try await check("b", .suspect(list([]), .badDay), at: 7_200)
        try await check("a", .answered(list(["x"])), in: "de", at: 7_200)
        try await check("a", .suspect(list([]), .collapsed), in: "de", at: day)
        try await check("a", .failed(Failure(.status)), at: 2 * day)
        #expect(
            try reader.storeTroubles(start.day...start.day + 1) == [
                trouble("us", 0, queries: 2, badDay: true), trouble("de", 1, queries: 1),
            ])
        #expect(try reader.storeTroubles(start.day + 3...start.day + 9).isEmpty)
    }

    @Test func `failures that were thinned are still known`() async throws {
        try await store.adopt(watchlist([(query("a"), ["x"])]), now: start)
        try await check("a", .failed(Failure(.status)), at: 0)
        try await check("a", .failed(Failure(.timedOut)), at: 3_600)
        try await check("a", .answered(list(["x"])), at: 2 * day)
        let before = try reader.storeTroubles(start.day...start.day)
        #expect(try await store.thinFailures(before: start + day, limit: 10) == 2)
        #expect(try reader.storeTroubles(start.day...start.day) == before)
        #expect(before == [trouble("us", 0, queries: 1)])
    }

    @Test func `a bad day stays one when its failures are thinned`() async throws {
        let names = ["a", "b", "c", "d"]
        try await store.adopt(watchlist(names.map { (query($0), ["x"]) }), now: start)
        for name in names { try await check(name, .failed(Failure(.status)), at: 0) }
        try await check("d", .suspect(list([]), .badDay), at: 3_600)
        for name in names { try await check(name, .answered(list(["x"])), at: 2 * day) }
        let before = try reader.storeTroubles(start.day...start.day)
        #expect(before == [trouble("us", 0, queries: 4, badDay: true)])
        #expect(try await store.thinFailures(before: start + 9 * day, limit: 10) == 4)
        #expect(try reader.storeTroubles(start.day...start.day) == before)
    }

    @Test func `troubles are found without walking all checks`() throws {
        let plan = try reader.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + HistoryReader.troublesSQL,
                arguments: ["badDay": "", "firstDay": 0, "lastDay": 0, "from": 0, "to": 0, "shift": 0, "dayLength": 1]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("check_log_unread") })
        #expect(!plan.contains { $0.contains("SCAN check_log") || $0.contains("SCAN failure_day") })
    }

    @Test func `when a pair was last ranked is found without walking histories`() throws {
        let plan = try reader.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + HistoryReader.lastRanked,
                arguments: ["pair": 0, "last": 0, "from": 0, "to": 0, "dayLength": 1]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("pair_day") } && plan.contains { $0.contains("position") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") }, "\(plan)")
    }

    @Test func `a day that is wanted in part is read from its checks, closed or not`() async throws {
        try await store.adopt(watchlist([(query("a"), ["x"])]), now: start)
        for (hour, places) in [(1, ["x"]), (5, ["y", "x"]), (30, ["y", "z", "x"])] as [(Int64, [String])] {
            try await check("a", .answered(list(places)), at: hour * 3_600)
        }
        let days = start.day - 3...start.day + 1
        func positions(until: Timestamp? = nil) throws -> [Int?] {
            let pairs = try reader.pairDays(days: days, until: until)
            return (0...1).map { pairs[0].days[start.day + $0]?.position?.number }
        }
        for isRolledUp in [false, true] {
            if isRolledUp {
                for day in start.day...start.day + 1 {
                    #expect(try await store.rollUp(day: day, after: 0, limit: 10) == nil)
                }
            }
            #expect(try positions() == [2, 3])
            #expect(try positions(until: start + 3_600) == [1, nil])
            #expect(try positions(until: start + 3_599) == [nil, nil])
            #expect(try positions(until: start + day - 1) == [2, nil])
            #expect(try positions(until: start + 9 * day) == [2, 3])
        }
    }

    @Test func `earlier days are read where they can speak for the first one, and no further back`() async throws {
        try await store.adopt(watchlist([(query("a"), ["x"])], every: 7 * day), now: start)
        for number in [0, 1, 20] as [Int64] { try await check("a", .answered(list(["x"])), at: number * day) }
        let days = start.day + 15...start.day + 20
        #expect(try reader.pairDays(days: days)[0].days.elements.map(\.day) == [start.day + 20])
        let pair = try reader.pairDays(days: days, reachingBack: true)[0]
        #expect(pair.days.elements.map(\.day) == [start.day + 1, start.day + 20])
        #expect(pair.reading(asOf: days.lowerBound) != nil)
    }
}
