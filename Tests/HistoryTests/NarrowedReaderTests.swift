import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct NarrowedReaderTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(plan(), now: start)
        for (index, asked) in [query("timer"), query("clock"), query("nap", "de")].enumerated() {
            try await store.record(
                Check(
                    query: asked, at: start + 60,
                    outcome: .answered(
                        list(["com.a", "com.b", "com.seen\(index)"]) {
                            AppDetails(name: $0, rating: 4, ratingCount: 10)
                        })))
        }
    }

    /// com.a on timer is one's, on clock both's, com.b on nap the other's.
    private func plan(tagsOfTimer: [String] = ["one"]) -> Watchlist {
        var plan = watchlist([
            (query("timer"), ["com.a"]), (query("clock"), ["com.a"]), (query("nap", "de"), ["com.b"]),
        ])
        plan.queries[0].pairs[0].tags = tagsOfTimer
        plan.queries[1].pairs[0].tags = ["two \"x\"", "one"]
        plan.queries[2].pairs[0].tags = ["two \"x\""]
        plan.notes = [
            Note(on: "2026-11-01", bundleID: bundle("com.a"), text: "a"),
            Note(on: "2026-11-01", bundleID: bundle("com.b"), text: "b"), Note(on: "2026-11-01", text: "all"),
        ]
        return plan
    }

    private var whole: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func queries(_ reader: HistoryReader) throws -> [String] { try reader.trackedPairs().map(\.query.text) }

    @Test(arguments: [["one"], ["two \"x\""], ["one", "two \"x\""], ["none"], ["on"]])
    func `a narrowed reader has the pairs that the tags leave`(_ tags: [String]) throws {
        let narrowed = try whole.narrowed(to: Set(tags))
        let expected = try whole.trackedPairs(PairFilter(tags: tags))
        #expect(try narrowed.trackedPairs().map(\.query) == expected.map(\.query))
        #expect(try narrowed.standings().map(\.bundleID) == expected.map(\.bundleID))
        #expect(try narrowed.activePairs() == expected.count)
        #expect(try narrowed.askedQueries().map(\.query) == expected.map(\.query))
    }

    @Test func `no tags are nobody's`() throws {
        let narrowed = try whole.narrowed(to: [])
        #expect(try queries(narrowed) == [] && narrowed.watchedApps().isEmpty && narrowed.notes().isEmpty)
        #expect(try narrowed.directory(limit: 10).count == 0 && narrowed.tags() == [])
        #expect(try narrowed.list(ofCheck: 1) == nil)
    }

    @Test func `apps are known from the own lists, and notes from the own apps`() throws {
        let narrowed = try whole.narrowed(to: ["one"])
        #expect(try narrowed.bundleIDsEverSeen().sorted() == ["com.a", "com.b", "com.seen0", "com.seen1"])
        #expect(try narrowed.watchedApps().map(\.bundleID.text) == ["com.a"])
        #expect(try narrowed.notes().map(\.text) == ["a"])
        #expect(try narrowed.appCard(bundle("com.seen2"), preferring: nil) == nil)
        #expect(try narrowed.firstSight(of: bundle("com.seen1")) == nil)
        #expect(try whole.firstSight(of: bundle("com.seen1")) == start + 60)
        #expect(try narrowed.values(of: .country) == ["us"])
        #expect(try narrowed.list(ofCheck: 2) != nil && narrowed.list(ofCheck: 3) == nil)
    }

    @Test func `an answer that is held counts as asked for whoever may see its query`() async throws {
        let moment = start + 90_000
        let held = try await store.apply(
            .answer(
                SearchAnswer(
                    to: query("timer"), at: moment, clock: moment, asking: .first(PassID(of: .itunes, number: 1)),
                    reply: .list(list([])))))
        #expect(held.askAgain == [query("timer")])
        for (tag, expected) in [("one", 1), ("two \"x\"", 0)] {
            let record = try whole.narrowed(to: [tag]).serviceRecord(now: moment)
            #expect(record.queries.count { $0.attempts.lastGood == moment } == expected, "\(tag)")
        }
    }

    @Test func `the notes of an app that others track as well are not shown`() throws {
        // com.b is the other's alone. com.a is also on timer, which is not the other's.
        #expect(try whole.narrowed(to: ["two \"x\""]).notes().map(\.text) == ["b"])
    }

    @Test func `the notes of an app that others no longer track are shown`() async throws {
        try await store.adopt(plan(tagsOfTimer: ["two \"x\""]), now: start + 100)
        #expect(try whole.narrowed(to: ["two \"x\""]).notes().map(\.text) == ["a", "b"])
        #expect(try whole.narrowed(to: ["one"]).notes() == [])
    }

    @Test func `of an app only the countries of the own queries are known`() async throws {
        // com.a and com.b are in the list of nap, which is asked in Germany and the other's.
        for (tag, countries) in [("one", ["us"]), ("two \"x\"", ["de", "us"])] {
            let narrowed = try whole.narrowed(to: [tag])
            let seen = try narrowed.read { database in
                try ["listing", "sighting", "rating_day"].map { table in
                    try String.fetchAll(
                        database,
                        sql: """
                            SELECT DISTINCT storefront.country FROM \(table)
                            JOIN storefront ON storefront.id = storefront ORDER BY 1
                            """)
                }
            }
            #expect(seen == [countries, countries, countries], "\(tag)")
        }
    }

    @Test func `ratings are known of the own apps alone, as they are kept of tracked apps`() async throws {
        func rated(_ reader: HistoryReader) throws -> [String] {
            try reader.read { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT DISTINCT bundle_id FROM rating_day JOIN main.app AS app ON app.id = app ORDER BY 1")
            }
        }
        #expect(try rated(whole) == ["com.a", "com.b"])
        #expect(try rated(whole.narrowed(to: ["one"])) == ["com.a"])
    }

    @Test func `an app that others' lists of a country have is not unknown to who sees the ones that lack it`()
        async throws
    {
        var plan = watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])], every: 86_400)
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[1].pairs[0].tags = ["two"]
        try await store.adopt(plan, now: start)
        for day in 1...5 as ClosedRange<Int64> {
            for (query, names) in [(query("timer"), ["com.b"]), (query("clock"), ["com.b", "com.a"])] {
                try await store.record(
                    Check(query: query, at: start + day * 86_400, outcome: .answered(list(names))))
            }
        }
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO app_presence
                        (country, bundle_key, empty_since, empty_at, empty_answers, failures_in_a_row)
                        VALUES ('us', 'com.a', ?, ?, 9, 0)
                    """, arguments: [(start + 4 * 86_400).secondsSinceEpoch, (start + 6 * 86_400).secondsSinceEpoch])
        }
        #expect(try whole.unknownApps().isEmpty)
        #expect(try whole.narrowed(to: ["one"]).unknownApps().isEmpty)
    }

    @Test func `at a past moment an app is called what the whole history says its storefront called it`() async throws {
        var plan = watchlist(
            [(query("timer"), ["com.me"]), (query("clock"), ["com.late"]), (query("nap", "de"), ["com.me"])],
            every: 86_400)
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[1].pairs[0].tags = ["two"]
        try await store.adopt(plan, now: start)
        for (asked, days) in [(query("nap", "de"), 1), (query("timer"), 5)] as [(Query, Int64)] {
            try await store.record(
                Check(
                    query: asked, at: start + days * 86_400,
                    outcome: .answered(list(["com.late"]) { AppDetails(name: "\($0) \(asked.country)") })))
        }
        let moment = start + 2 * 86_400
        func name(_ reader: HistoryReader) throws -> String? {
            let reader = reader.asOf(moment)
            let numbers = try reader.numbers(of: bundle("com.late"))
            return try reader.apps(numbers, namedIn: Country(code: "us")).values.first?.name
        }
        let said = try name(whole)
        #expect(said == "com.late de")
        // Nor has it a name of Germany's for who asks nothing there.
        #expect(try name(whole.narrowed(to: ["one"])) == nil)
    }

    @Test func `a shared pair does not tell the tag of others`() throws {
        #expect(try whole.narrowed(to: ["one"]).tags() == ["one"])
        #expect(try whole.narrowed(to: ["two \"x\""]).trackedPairs().map(\.tags) == [["two \"x\""], ["two \"x\""]])
    }

    @Test func `a narrowed reader can only be narrowed further`() throws {
        let narrowed = try whole.narrowed(to: ["one"])
        #expect(try queries(narrowed.narrowed(to: ["two \"x\""])) == ["clock"])
        #expect(try queries(narrowed.narrowed(to: ["one", "none"])) == ["timer", "clock"])
        #expect(try queries(narrowed.snapshot()) == ["timer", "clock"])
        #expect(try queries(whole.snapshot().narrowed(to: ["one"])) == ["timer", "clock"])
    }

    @Test func `it is of one moment, and the next one follows the watchlist`() async throws {
        let reader = try whole
        let before = try reader.narrowed(to: ["one"])
        try await store.adopt(plan(tagsOfTimer: []), now: start + 100)
        #expect(try queries(before) == ["timer", "clock"])
        #expect(try queries(reader.narrowed(to: ["one"])) == ["clock"])
        try await store.adopt(watchlist([(query("nap", "de"), ["com.b"])]), now: start + 200)
        let after = try reader.narrowed(to: ["one"])
        #expect(try queries(after) == [] && !after.wasTracked(bundle("com.a")))
        #expect(try after.queryTexts(beginning: "", limit: 9) == [])
        #expect(try queries(reader) == ["nap"])
    }

    @Test func `a history whose WAL files are gone is narrowed beside whoever reads all of it`() async throws {
        try await store.checkpoint()
        try await store.close()
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: store.path + suffix) }
        let reader = try whole
        #expect(try queries(reader.narrowed(to: ["one"])) == ["timer", "clock"])
        #expect(try queries(reader) == ["timer", "clock", "nap"])
    }

    @Test func `nothing can be written through it`() throws {
        try whole.narrowed(to: ["one"]).read { database in
            for sql in [
                "DELETE FROM main.position", "DELETE FROM temp.admitted_pair", "DROP VIEW temp.pair",
                "INSERT INTO temp.admitted_query VALUES (3)",
            ] {
                #expect(throws: DatabaseError.self, "\(sql)") { try database.execute(sql: sql) }
            }
        }
    }

    @Test func `of every table it is decided what a narrowed reader sees`() throws {
        let undecided = try whole.narrowed(to: ["one"]).read { database in
            try String.fetchSet(
                database,
                sql: """
                    SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
                    EXCEPT SELECT name FROM temp.sqlite_schema
                    """)
        }
        #expect(undecided == Narrowing.shared)
    }

    @Test func `a narrowed question goes the way of any other`() async throws {
        var plan = watchlist((0..<300).map { (query("q\($0)"), ["com.a", "com.b", "com.c"]) })
        for index in plan.queries.indices { plan.queries[index].pairs[0].tags = ["one"] }
        try await store.adopt(plan, now: start + 100)
        try await store.optimize()
        func steps(_ reader: HistoryReader, _ sql: SQL) throws -> [String] {
            try reader.read { database in
                let (text, _) = try sql.build(database)
                let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + text)
                statement.setUncheckedArguments(StatementArguments())
                // The same table may be called otherwise.
                return try Row.fetchAll(statement).map {
                    ($0["detail"] as String).replacing(/^(SEARCH|SCAN) \S+/) { "\($0.1)" }
                }
            }
        }
        let condition: SQL = "pair.retired_at IS NULL"
        let statements: [SQL] =
            [HistoryReader.standingsSQL(condition), HistoryReader.pairsSQL(condition)]
            + [
                HistoryReader.topsSQL, HistoryReader.ratingDaysSQL, HistoryReader.listingsSQL,
                HistoryReader.listingChangesSQL, HistoryReader.checksOfQueries, HistoryReader.troublesOfQueries,
                HistoryReader.firstChecks, HistoryReader.lastRanked, HistoryReader.iconsSQL, HistoryReader.appCardSQL,
                HistoryReader.listedVersions, HistoryReader.versionChanges, HistoryReader.troublesSQL,
                HistoryReader.unreadChecks, HistoryReader.goodChecks, HistoryReader.ratingCountsSQL,
                HistoryReader.appsByNumber,
            ].map { SQL(sql: $0) }
        let narrowed = try whole.narrowed(to: ["one"])
        for sql in statements {
            let usual = try steps(whole, sql).filter { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN") }
            let own = try steps(narrowed, sql)
            #expect(!own.contains { $0.hasPrefix("MATERIALIZE") || $0.contains("AUTOMATIC") }, "\(own)")
            #expect(usual.filter { !own.contains($0) } == [], "\(own)")
        }
    }
}
