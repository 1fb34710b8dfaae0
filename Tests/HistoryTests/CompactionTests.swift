import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct CompactionTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt(_ names: [String] = ["timer"]) async throws {
        try await store.adopt(watchlist(names.map { (query($0), ["a"]) }), now: start)
    }

    private func check(_ names: [String?], on words: String = "timer", after hours: Int64, suspect: Bool = false)
        async throws
    {
        let list = list(names)
        try await store.record(
            Check(
                query: query(words), at: start + hours * 3_600,
                outcome: suspect ? .suspect(list, .collapsed) : .answered(list)))
    }

    /// Records so many hourly lists of 30 places, in which something moves each time.
    private func fill(_ words: String = "timer", hours: Range<Int64>) async throws {
        for hour in hours {
            var names: [String?] = (0..<30).map { "app\($0)" }
            names.swapAt(Int(hour % 30), Int(hour * 7 % 30))
            if hour % 11 == 0 { names[3] = "new\(hour)" }
            if hour % 5 == 0 { names.append(nil) }
            if hour % 6 == 0 { names.append("app1") }
            try await check(names, on: words, after: hour, suspect: hour % 13 == 12)
        }
    }

    private func compact(before hours: Int64, limit: Int = 512) async throws -> HistoryStore.CompactionStep {
        var sum = HistoryStore.CompactionStep()
        for query in try await store.queriesToCompact(before: start + hours * 3_600) {
            var mark: HistoryStore.CompactionMark?
            repeat {
                let step = try await store.compact(
                    query: query, after: mark, before: start + hours * 3_600, limit: limit)
                sum.lists += step.lists
                sum.damaged += step.damaged
                mark = step.next
            } while mark != nil
        }
        return sum
    }

    private func lists(_ words: String = "timer") throws -> [StoredList] {
        var lists: [StoredList] = []
        try reader.lists(on: query(words)) {
            lists.append($0)
            return true
        }
        return lists
    }

    private func count(_ sql: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    private var unpaged: Int { get async throws { try await count("SELECT count(*) FROM result_list") } }
    private var pages: Int { get async throws { try await count("SELECT count(*) FROM result_page") } }

    @Test func `lists read the same before and after they are compacted`() async throws {
        try await adopt()
        try await fill(hours: 0..<60)
        let before = try lists()
        #expect(before.count == 60)
        #expect(try await compact(before: 48).lists == 48)
        #expect(try await unpaged == 12)
        #expect(try await pages == 1)
        #expect(try lists() == before)
        #expect(before.contains { $0.outcome == .suspect })
    }

    @Test func `every way to read finds lists in pages and beside them`() async throws {
        try await adopt()
        try await fill(hours: 0..<40)
        let all = try lists()
        let app = try reader.numbers(of: bundle("app1"))
        _ = try await compact(before: 24)
        let reader = try reader
        for list in all {
            #expect(try reader.list(ofCheck: list.checkID) == list)
            #expect(try reader.list(on: query("timer"), at: list.at) == list)
            #expect(try reader.list(on: query("timer"), at: list.at + 3_599) == list)
        }
        #expect(try reader.list(on: query("timer"), at: start - 1) == nil)
        let lastSuspect = try #require(all.last { $0.outcome == .suspect && $0.at < start + 24 * 3_600 })
        #expect(
            try reader.list(on: query("timer"), at: lastSuspect.at, goodOnly: true)
                == all.last { $0.outcome == .good && $0.at < lastSuspect.at })
        #expect(try reader.places(of: app, on: query("timer")) == all.map { $0.place(of: app) })
        let span = start + 20 * 3_600...start + 30 * 3_600
        #expect(
            try reader.places(of: app, on: query("timer"), in: span)
                == all.filter { span.contains($0.at) }.map { $0.place(of: app) })
        #expect(try reader.queries(mentioning: app, in: span) == [query("timer")])
        #expect(try reader.queries(mentioning: [DenseID(5_000)]) == [])
    }

    @Test func `days that follow go into the last page until it is full`() async throws {
        try await adopt()
        try await fill(hours: 0..<72)
        let before = try lists()
        for hours in stride(from: 24, through: 72, by: 24) as StrideThrough<Int64> {
            #expect(try await compact(before: hours).lists == 24)
        }
        #expect(try await pages == 1)
        #expect(try await compact(before: 72).lists == 0)
        #expect(try await store.queriesToCompact(before: start + 72 * 3_600).isEmpty)
        #expect(try lists() == before)
    }

    @Test func `a page that is full is followed by another`() async throws {
        try await adopt()
        var dice = Dice(1)
        for hour in 0..<200 as Range<Int64> {
            try await check((0..<150).shuffled(using: &dice).map { "app\($0)" }, after: hour)
        }
        let before = try lists()
        for hours in stride(from: 24, through: 216, by: 24) as StrideThrough<Int64> {
            _ = try await compact(before: hours)
        }
        #expect(try await unpaged == 0)
        #expect(try await pages > 1)
        #expect(try await count("SELECT max(length(bytes)) FROM result_page") <= CompactedPage.largestSize)
        #expect(try lists() == before)
    }

    @Test func `a list that comes late goes where its time puts it`() async throws {
        try await adopt()
        for hour in [5, 6, 30, 31] as [Int64] { try await check(["a", "b\(hour)"], after: hour) }
        _ = try await compact(before: 48)
        for hour in [2, 7, 33] as [Int64] { try await check(["b\(hour)", "a"], after: hour) }
        let before = try lists()
        #expect(before.map(\.at) == [2, 5, 6, 7, 30, 31, 33].map { start + $0 * 3_600 })
        #expect(try await compact(before: 48, limit: 1).lists == 3)
        #expect(try await unpaged == 0)
        #expect(try lists() == before)
    }

    @Test func `a clock that stood still or years away costs no list`() async throws {
        try await adopt()
        for hour in [0, 0, 90_000, 1, -400_000, 1] as [Int64] { try await check(["a"], after: hour) }
        let before = try lists()
        #expect(before.count == 6)
        _ = try await compact(before: 24)
        #expect(try await unpaged == 1)
        #expect(try lists() == before)
        #expect(try await store.queriesToCompact(before: start + 24 * 3_600).isEmpty)
    }

    @Test(arguments: 1...12)
    func `a compaction cut off at any write loses and doubles nothing`(write: Int) async throws {
        try await adopt(["timer", "clock"])
        try await fill(hours: 0..<10)
        _ = try await compact(before: 6)
        try await fill("clock", hours: 0..<8)
        let before = (try lists(), try lists("clock"))
        // Every change of a row counts, in the order in which they come; the one with this number fails.
        try await store.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE cut (done INTEGER); INSERT INTO cut VALUES (0);
                    CREATE TRIGGER cut_page AFTER INSERT ON result_page BEGIN UPDATE cut SET done = done + 1; END;
                    CREATE TRIGGER cut_drop AFTER DELETE ON result_page BEGIN UPDATE cut SET done = done + 1; END;
                    CREATE TRIGGER cut_list AFTER DELETE ON result_list BEGIN UPDATE cut SET done = done + 1; END;
                    CREATE TRIGGER cut_off BEFORE UPDATE ON cut WHEN new.done = \(write)
                        BEGIN SELECT RAISE(ABORT, 'cut off'); END;
                    """)
        }
        await #expect(throws: HistoryError.self) { try await compact(before: 24, limit: 5) }
        #expect(try lists() == before.0)
        #expect(try lists("clock") == before.1)
        try await store.write { database in
            for name in ["cut_page", "cut_drop", "cut_list", "cut_off"] {
                try database.execute(sql: "DROP TRIGGER \(name)")
            }
            try database.execute(sql: "DROP TABLE cut")
        }
        _ = try await compact(before: 24, limit: 5)
        #expect(try await unpaged == 0)
        #expect(try await pages == 2)
        #expect(try lists() == before.0)
        #expect(try lists("clock") == before.1)
    }

    @Test func `a damaged list stays where it is and holds up nothing`() async throws {
        try await adopt()
        try await fill(hours: 0..<6)
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180' WHERE check_id = 3") }
        let step = try await compact(before: 24, limit: 2)
        #expect(step.lists == 5)
        #expect(step.damaged == 1)
        #expect(try await unpaged == 1)
        let moment = start + 2 * 3_600
        #expect(
            throws: HistoryError.damagedLists(
                path: try reader.path, what: "the list of check 3", from: moment, through: moment)
        ) { try lists() }
    }

    @Test func `a damaged page is never read as something else, and holds up nothing`() async throws {
        try await adopt()
        try await fill(hours: 0..<24)
        _ = try await compact(before: 24)
        try await fill(hours: 24..<30)
        try await check(["a"], after: 3)
        try await store.write {
            try $0.execute(
                sql: "UPDATE result_page SET bytes = CAST(substr(bytes, 1, 40) || x'00' || substr(bytes, 42) AS BLOB)")
        }
        let step = try await compact(before: 48, limit: 1)
        #expect(step.lists == 6)
        #expect(step.damaged == 1)
        #expect(try await pages == 2)
        #expect(
            throws: HistoryError.damagedLists(
                path: try reader.path, what: "result page 1 of query 1", from: start, through: start + 23 * 3_600)
        ) { try lists() }
        #expect(try reader.list(on: query("timer"), at: start + 29 * 3_600)?.at == start + 29 * 3_600)
    }

    @Test func `apps of lists have their ids and names`() async throws {
        try await adopt()
        try await check(["com.a", nil, "com.b"], after: 0)
        _ = try await compact(before: 24)
        let list = try #require(try reader.list(on: query("timer"), at: start))
        let apps = try reader.apps(list.places.compactMap { $0 }, namedIn: query("timer").country)
        #expect(list.places.map { $0.flatMap { apps[$0]?.bundleID } } == [bundle("com.a"), nil, bundle("com.b")])
        #expect(apps.values.map(\.name).sorted { $0 ?? "" < $1 ?? "" } == ["com.a", "com.b"])
        #expect(try reader.numbers(of: bundle("COM.B")) == Set([list.places[2]].compactMap { $0 }))
    }

    @Test(
        arguments: [
            PageRow.beginningUpTo, PageRow.startAfter, PageRow.inSpan, UnpagedLists.inSpan, UnpagedLists.newestUpTo,
            CompactionMaterial.unpaged, CompactionMaterial.oldestUnpaged, HistoryReader.appsByNumber,
            HistoryReader.readings, HistoryReader.topsInSpan, CountryTally.times, CountryTally.unread,
        ])
    func `no question about lists reads a whole table`(sql: String) async throws {
        let plan = try await store.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            // Unbound parameters are NULL, which changes no plan.
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0[3] as String }
        }
        #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("asked") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") } || sql == HistoryReader.appsByNumber, "\(plan)")
    }
}
