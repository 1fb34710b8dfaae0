import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// One page of lists that cannot be read hides no other, and is never taken for absences.
@Suite struct DamagedListsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")
    private let clock = query("clock")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func at(_ hour: Int64) -> Timestamp { start + hour * 3_600 }

    /// Nine hourly lists of two queries: three in the first page, three in the second, which is damaged on “timer”, and
    /// three by themselves. “com.x” is on them from place 1 down, “com.a” is tracked.
    private func fill(hours: Int64 = 9) async throws {
        try await store.adopt(watchlist([(timer, ["com.a"]), (clock, ["com.a"])]), now: start)
        for hour in 0..<hours {
            for query in [timer, clock] {
                var names = (1...9).map { "com.other\($0)" }
                names.insert("com.x", at: Int(hour))
                try await store.record(
                    Check(query: query, at: at(hour), outcome: .answered(list(names + ["com.a"]))))
            }
        }
        try await store.compact(before: at(6))
        try await store.write { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, query FROM result_page")
            for row in rows {
                let query: Int64 = row[1]
                let page = try #require(
                    try PageRow.beginning(upTo: .init(at: .max, check: .max), of: query, in: database))
                let lists = try page.decoded()
                try database.execute(literal: "DELETE FROM result_page WHERE id = \(page.id)")
                for half in [lists[..<3], lists[3...]] {
                    for new in try CompactedPage.all(of: Array(half)) {
                        try new.insert(as: nil, of: query, in: database)
                    }
                }
            }
        }
        try await damage(at(3))
    }

    private func damage(_ moment: Timestamp) async throws {
        try await store.write {
            try $0.execute(
                sql: """
                    UPDATE result_page SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) AS BLOB)
                    WHERE query = 1 AND first_at = ?
                    """, arguments: [moment.secondsSinceEpoch])
        }
    }

    private var damaged: DamagedLists { DamagedLists(query: timer, from: at(3), through: at(5)) }

    private func places(_ past: AppPast) -> [String] {
        past.checks.map {
            "\(($0.at - start) / 3_600) \($0.outcome.position?.description ?? $0.outcome.state.rawValue)"
        }
    }

    @Test func `the history of an app never tracked has a gap there, and says so`() async throws {
        try await fill()
        let past = try reader.history(of: bundle("com.x"), on: timer)
        #expect(places(past) == ["0 #1", "1 #2", "2 #3", "6 #7", "7 #8", "8 #9"])
        #expect(past.damaged == [damaged])
        #expect(try reader.history(of: bundle("com.x"), on: clock).damaged == [])
    }

    @Test func `as much of the gap is told as was asked about`() async throws {
        try await fill()
        let past = try reader.history(of: bundle("com.x"), on: timer, in: at(1)...at(4))
        #expect(past.damaged == [DamagedLists(query: timer, from: at(3), through: at(4))])
        #expect(try reader.history(of: bundle("com.x"), on: timer, in: at(6)...at(9)).damaged == [])
    }

    @Test func `the history of an app that was tracked lacks nothing`() async throws {
        try await fill()
        let past = try reader.history(of: bundle("com.a"), on: timer)
        #expect(places(past) == (0..<9).map { "\($0) #11" })
        #expect(past.damaged == [])
    }

    @Test func `a damaged list by itself is left out like a page`() async throws {
        try await fill()
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180' WHERE check_id = 15") }
        let past = try reader.history(of: bundle("com.x"), on: timer)
        #expect(places(past) == ["0 #1", "1 #2", "2 #3", "6 #7", "8 #9"])
        #expect(past.damaged == [damaged, DamagedLists(query: timer, from: at(7), through: at(7))])
    }

    @Test func `a damaged list that lies between those of a page is not passed over`() async throws {
        try await fill()
        try await store.record(
            Check(query: clock, at: at(1) + 60, outcome: .answered(list(["com.x", "com.a"]))))
        try await store.write { try $0.execute(sql: "UPDATE result_list SET places = x'0180' WHERE check_id = 19") }
        #expect(throws: HistoryError.self) { try reader.lists(on: clock) { _ in true } }
        var (count, told): (Int, [DamagedLists]) = (0, [])
        try reader.lists(on: clock, damaged: { told.append($0) }) { _ in
            count += 1
            return true
        }
        #expect(count == 9 && told == [DamagedLists(query: clock, from: at(1) + 60, through: at(1) + 60)])
    }

    @Test func `a pair that is adopted is filled in with a gap, and stays without it`() async throws {
        try await fill()
        let both = ["com.a", "com.x"]
        try await store.adopt(watchlist([(timer, both), (clock, both)]), now: at(10))
        let work = try #require(try await store.backFillWork(on: timer))
        let batch = try BackFillBatch(work, from: reader)
        #expect(batch.damaged == [damaged])
        #expect(try await !batch.write(to: store, turn: {}))
        try await store.fillIn()
        let past = try reader.history(of: bundle("com.x"), on: timer)
        #expect(places(past) == ["0 #1", "1 #2", "2 #3", "6 #7", "7 #8", "8 #9"])
        #expect(past.damaged == [damaged])
        #expect(try await store.queriesToFill() == [])
        #expect(try await store.findings().filter { !$0.hasSuffix(": the page cannot be read") } == [])
    }

    @Test func `a pair is adopted though the newest list is damaged, and stands where the one before has it`()
        async throws
    {
        try await fill(hours: 6)
        let both = ["com.a", "com.x"]
        try await store.adopt(watchlist([(timer, both), (clock, both)]), now: at(10))
        try await store.fillIn()
        let row = try #require(
            try reader.standings().first { $0.bundleID == bundle("com.x") && $0.query == timer })
        #expect(row.lastGood == Reading(position: Position(3), within: 11, checkedAt: at(2)))
        #expect(try await store.findings().filter { !$0.hasSuffix(": the page cannot be read") } == [])
    }

    @Test func `the list at a moment in the gap is refused, and no older one shown in its stead`() async throws {
        try await fill()
        for moment in [at(3), at(4) + 10, at(6) - 1] {
            do {
                _ = try reader.list(on: timer, at: moment)
                Issue.record("a list was shown")
            } catch HistoryError.damagedLists(_, let what, let from, let through) {
                #expect(what.hasPrefix("result page ") && from == at(3) && through == at(5))
            }
        }
        #expect(try reader.list(on: timer, at: at(3) - 1)?.at == at(2))
        #expect(try reader.list(on: timer, at: at(6))?.at == at(6))
    }

    @Test func `damaged lists end nothing that goes on writing`() async throws {
        try await fill()
        let error = HistoryError.damagedLists(path: store.path, what: "x", from: start, through: start)
        #expect(!error.isFinal && !error.mayPass)
        #expect(error.description.contains("rankctl verify"))
    }

    @Test func `first places that lie there are left out, and it can be told of which queries`() async throws {
        try await fill()
        let top = try reader.topLists(of: [timer, clock], first: 3, at: at(5))
        #expect(Array(top.keys) == [clock])
        #expect(try reader.damagedLists(of: [timer, clock], at: at(5)) == [damaged])
        #expect(try reader.damagedLists(of: [timer, clock], at: at(8)) == [])
    }

    @Test func `an app may be in lists that cannot be read`() async throws {
        try await fill()
        let other = try reader.numbers(of: bundle("com.other1"))
        #expect(try reader.queries(mentioning: other, in: at(3)...at(5)) == [timer, clock])
        #expect(try reader.queries(mentioning: [DenseID(99)], in: at(3)...at(5)) == [timer])
    }

    @Test func `whoever does not ask for what remains is told instead`() async throws {
        try await fill()
        #expect(throws: HistoryError.self) { try reader.lists(on: timer) { _ in true } }
        #expect(throws: HistoryError.self) { try reader.places(of: [], on: timer) }
        var (count, told): (Int, [DamagedLists]) = (0, [])
        try reader.lists(on: timer, damaged: { told.append($0) }) { _ in
            count += 1
            return true
        }
        #expect(count == 6 && told == [damaged])
    }
}
