import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct RetentionTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func plan(_ bundles: [String] = ["a"]) -> Watchlist { watchlist([(query("timer"), bundles)]) }

    private func adopt(_ retention: Retention, _ bundles: [String] = ["a"]) async throws {
        var plan = plan(bundles)
        plan.service.retention = retention
        try await store.adopt(plan, now: start)
    }

    private func check(day: Int64) async throws {
        try await store.record(
            Check(query: query("timer"), at: start + day * 86_400, outcome: .answered(list(["b", "a"]))))
    }

    private func lists() throws -> [Int64] {
        var days: [Int64] = []
        try reader.lists(on: query("timer")) {
            days.append($0.at.day - start.day)
            return true
        }
        return days
    }

    @Test func `the rule is adopted with the watchlist`() async throws {
        #expect(try await store.retention() == Retention())
        for retention in [Retention(lists: 14 * 86_400, failures: nil), Retention(lists: nil, failures: 20 * 86_400)] {
            try await adopt(retention)
            #expect(try await store.retention() == retention)
        }
    }

    @Test func `lists go as pages and by themselves, and positions stay`() async throws {
        try await adopt(Retention())
        for day in 0..<10 as Range<Int64> { try await check(day: day) }
        let compacted = try await store.compact(query: 1, before: start + 4 * 86_400, limit: 100)
        #expect(compacted.lists == 4)
        // The page ends later, and a page goes whole.
        #expect(try await store.dropLists(of: 1, before: start + 3 * 86_400, limit: 100).lists == 0)
        #expect(try reader.listsSince() == nil)
        let moment = start + 6 * 86_400
        #expect(try await store.queriesWithLists(before: moment) == [1])
        let first = try await store.dropLists(of: 1, before: moment, limit: 1)
        #expect(first.lists == 5 && !first.isDone)
        #expect(try await store.dropLists(of: 1, before: moment, limit: 1).lists == 1)
        #expect(try await store.dropLists(of: 1, before: moment, limit: 1).isDone)
        #expect(try await store.queriesWithLists(before: moment) == [])
        #expect(try lists() == [6, 7, 8, 9])
        #expect(try reader.listsSince() == moment)
        #expect(try reader.readings(of: bundle("a"), on: query("timer")).count == 10)
        #expect(try reader.history(of: bundle("b"), on: query("timer")).checks.count == 4)
        #expect(try reader.list(ofCheck: 2) == nil)
        #expect(try reader.list(on: query("timer"), at: start + 5 * 86_400) == nil)
    }

    @Test func `a long page is made anew without its oldest lists`() async throws {
        try await adopt(Retention())
        for day in 0..<60 as Range<Int64> { try await check(day: day) }
        _ = try await store.compact(query: 1, before: start + 59 * 86_400, limit: 100)
        let all = try lists()
        #expect(try await store.trimLists(of: 1, before: start + 28 * 86_400) == 0)
        #expect(try await store.queriesWithLists(before: start + 40 * 86_400) == [1])
        #expect(try await store.trimLists(of: 1, before: start + 40 * 86_400) == 40)
        #expect(try lists() == Array(all[40...]))
        #expect(try reader.listsSince() == start + 40 * 86_400)
        #expect(try await store.trimLists(of: 1, before: start + 40 * 86_400) == 0)
        #expect(try await store.queriesWithLists(before: start + 40 * 86_400) == [])
    }

    @Test func `lists stay that a new pair is still to be filled in from`() async throws {
        try await adopt(Retention())
        for day in 0..<10 as Range<Int64> { try await check(day: day) }
        try await store.adopt(plan(["a", "b"]), now: start + 20 * 86_400)
        #expect(try await store.queriesWithLists(before: start + 6 * 86_400) == [])
        #expect(try await store.dropLists(of: 1, before: start + 6 * 86_400, limit: 100).lists == 0)
        #expect(try lists().count == 10)
    }

    @Test func `lists stay that days of a country are still to be derived from`() async throws {
        try await adopt(Retention())
        for day in 0..<30 as Range<Int64> { try await check(day: day) }
        let now = start + 27 * 86_400
        #expect(try await store.firstListNeeded(keeping: 2 * 86_400, now: now) == nil)
        try await store.deriveCountryDays(today: start.day + 20)
        #expect(try await store.firstListNeeded(keeping: 2 * 86_400, now: now) == start + 13 * 86_400)
        #expect(try await store.firstListNeeded(keeping: 20 * 86_400, now: now) == start)
    }

    private func dropped(keeping days: Int64, on today: Int64) async throws -> Int {
        let now = start + today * 86_400
        try await store.deriveCountryDays(today: now.day)
        guard let moment = try await store.firstListNeeded(keeping: days * 86_400, now: now) else { return 0 }
        return try await store.dropLists(of: 1, before: moment, limit: 1_000).lists
    }

    @Test func `a clock that is ahead for one check deletes no list`() async throws {
        try await adopt(Retention())
        for day in 0..<20 as Range<Int64> { try await check(day: day) }
        try await check(day: 420)
        #expect(try await dropped(keeping: 30, on: 420) == 0)
        #expect(try lists().count == 21)
    }

    @Test func `what a clock that was ahead has dated counts for no day afterwards`() async throws {
        try await adopt(Retention())
        for day in 0..<20 as Range<Int64> { try await check(day: day) }
        for day in 400..<440 as Range<Int64> { try await check(day: day) }
        try await store.deriveCountryDays(today: start.day + 440)
        for day in 20..<35 as Range<Int64> { try await check(day: day) }
        #expect(try await dropped(keeping: 30, on: 35) == 5)
        #expect(try lists().first == 5)
    }

    @Test func `a year without rankd deletes no list`() async throws {
        try await adopt(Retention())
        for day in 0..<30 as Range<Int64> { try await check(day: day) }
        for day in 400..<410 as Range<Int64> { try await check(day: day) }
        #expect(try await dropped(keeping: 30, on: 410) == 10)
        #expect(try lists().count == 30)
    }

    @Test func `a clock that is ahead thins no failure`() async throws {
        try await adopt(Retention())
        for day in 0..<20 as Range<Int64> { try await check(day: day) }
        try await check(day: 420)
        try await store.deriveCountryDays(today: start.day + 420)
        let (kept, now) = (30 * Timestamp.secondsPerDay, start + 420 * 86_400)
        #expect(try await store.firstFailureNeeded(keeping: kept, now: now) == nil)
        for day in 20..<60 as Range<Int64> { try await check(day: day) }
        let later = start + 60 * 86_400 + 100
        try await store.deriveCountryDays(today: later.day)
        #expect(try await store.firstFailureNeeded(keeping: kept, now: later) == start + 30 * 86_400)
    }
}
