import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct PairFilterTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// Three apps on texts in several countries and on two platforms, with tags here and there.
    private func plan() -> Watchlist {
        var plan = watchlist(
            ["timer", "İstanbul", "ÇAY saati", "say \"hi\""].flatMap { text in
                [query(text), query(text, "tr"), query(text, "tr", .ipad)].map { ($0, ["com.A", "com.b", "com.c"]) }
            }, competitors: ["com.c"])
        plan.apps[0].alias = "Ärger"
        plan.apps[1].alias = "b"
        for index in plan.queries.indices {
            plan.queries[index].pairs[0].tags = index % 2 == 0 ? ["core"] : []
            plan.queries[index].pairs[1].tags = ["core", "new \"one\""]
        }
        return plan
    }

    private static let filters: [PairFilter] = {
        let turkey = Country(code: "tr")!
        return [
            PairFilter(), PairFilter(apps: ["COM.a"]), PairFilter(apps: ["äRGER", "com.c"]), PairFilter(apps: ["none"]),
            PairFilter(queries: ["  TIMER "]), PairFilter(queries: ["çay  SAATİ", "say \"hi\""]),
            PairFilter(countries: [turkey]), PairFilter(platforms: [.ipad]), PairFilter(tags: ["new \"one\""]),
            PairFilter(tags: ["core", "none"]), PairFilter(tags: ["cor"]),
            PairFilter(apps: ["b"], queries: ["timer"], countries: [turkey], platforms: [.iphone], tags: ["core"]),
            PairFilter(queries: ["timer"], platforms: [.mac]),
        ]
    }()

    @Test(arguments: filters) func `the file leaves out what the filter does not admit, and nothing else`(
        _ filter: PairFilter
    ) async throws {
        try await store.adopt(plan(), now: start)
        let all = try reader.trackedPairs()
        let expected = all.filter(filter.admits)
        #expect(all.count == 36)
        #expect(try reader.trackedPairs(filter) == expected)
        #expect(try reader.tracksAny(filter) == !expected.isEmpty)
        #expect(try reader.standings(filter).map(\.query) == expected.map(\.query))
        #expect(try reader.standings(filter).map(\.bundleID) == expected.map(\.bundleID))
        let days = try reader.pairDays(filter, days: start.day...start.day)
        #expect(days.map(\.query) == expected.map(\.query))
        #expect(days.map(\.bundleID) == expected.map(\.bundleID))
    }

    @Test func `a pair that is retired is admitted by nothing`() async throws {
        try await store.adopt(plan(), now: start)
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + 60)
        #expect(try reader.trackedPairs().map(\.bundleID) == [bundle("com.b")])
        #expect(try !reader.tracksAny(PairFilter(apps: ["com.a"])))
    }

    @Test func `one query is found among many without walking them`() async throws {
        try await store.adopt(
            watchlist((0..<300).map { (query("q\($0)"), ["com.a", "com.b", "com.c"]) }), now: start)
        try await store.optimize()
        let filter = PairFilter(apps: ["com.a"], queries: ["q7"])
        let plans = try reader.read { database in
            let condition = try filter.condition(in: database)
            return try [HistoryReader.standingsSQL(condition), HistoryReader.pairsSQL(condition)].map { sql in
                try Row.fetchAll(database, SQLRequest<Row>(literal: "EXPLAIN QUERY PLAN \(sql)"))
                    .map { $0["detail"] as String }
            }
        }
        for plan in plans {
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }

    @Test func `the first places of a few queries are found without walking all`() throws {
        let plan = try reader.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + HistoryReader.topsSQL)
            return try Row.fetchAll(statement, arguments: QueryRow.key(query("timer")))
                .map { $0["detail"] as String }
        }
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    }
}
