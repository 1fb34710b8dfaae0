import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct PresenceTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400
    private let us = Country(code: "us")!

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func app(_ name: String, _ country: String = "us") -> StorefrontApp {
        StorefrontApp(bundle(name), in: Country(code: country)!)
    }

    private func unseen() async throws -> [StorefrontApp] { try await store.unseenApps().keys.sorted() }

    private func note(_ outcome: AppPresence.Outcome, _ app: StorefrontApp, after seconds: Int64) async throws {
        _ = try await store.record([app: outcome], at: start + seconds)
    }

    @Test func `each app counts once a country, whatever its queries and spellings`() async throws {
        try await store.adopt(
            watchlist([
                (query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.A"]), (query("timer", "de"), ["com.a"]),
            ]), now: start)
        #expect(try await unseen() == [app("com.a", "de"), app("com.a"), app("com.b")])
        #expect(try await store.unseenApps(on: query("clock")).keys.sorted() == [app("com.a")])
    }

    @Test func `an app that a list of the country has shown exists there, and nowhere else`() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("timer", "de"), ["com.a"])]), now: start)
        try await store.record(
            Check(query: query("timer", "de"), at: start, outcome: .answered(list(["x", "COM.A"]))))
        #expect(try await unseen() == [app("com.a")])
    }

    @Test func `what look-ups told is remembered across a restart`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        try await note(.empty, app("com.a"), after: 0)
        try await note(.found, app("com.b"), after: 0)
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(
            try await again.unseenApps()
                == [app("com.a"): AppPresence(emptySince: start, emptyAt: start, emptyAnswers: 1)])
        #expect(try await again.lastLookup() == start)
        #expect(try await again.lastRequest() == nil)
    }

    @Test func `two empty answers make an app unknown, and a list that shows it ends that`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await note(.empty, app("com.a"), after: 0)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.unknownApps().isEmpty)
        try await note(.empty, app("com.a"), after: day)
        #expect(try reader.unknownApps().keys.sorted() == [app("com.a")])
        #expect(try reader.standings()[0].unknown?.emptyAnswers == 2)
        #expect(try reader.serviceRecord(now: start).unknownApps.count == 1)
        try await store.record(
            Check(query: query("timer"), at: start + 2 * day, outcome: .answered(list(["com.a"]))))
        #expect(try reader.unknownApps().isEmpty)
        #expect(try reader.standings()[0].unknown == nil)
    }

    /// Daily checks of two queries from one day to another, in whose lists the app is or not.
    private func show(_ shown: Bool, _ days: Range<Int64>, on words: [String] = ["timer", "clock"]) async throws {
        for number in days {
            for words in words {
                let names = shown ? ["com.x", "com.a", "com.y"] : ["com.x", "com.y", "com.z"]
                try await store.record(
                    Check(query: query(words), at: start + number * day, outcome: .answered(list(names))))
            }
        }
    }

    private func due(after days: Int64) async throws -> [StorefrontApp] {
        LookupSchedule.due(try await store.unseenApps(), now: start + days * day)
    }

    @Test func `an app that has been in no list of its country for three days is looked up, and then weekly`()
        async throws
    {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        try await show(true, 0..<5)
        try await show(false, 5..<7)
        #expect(try await due(after: 6) == [])
        try await show(false, 7..<8)
        #expect(try await due(after: 7) == [app("com.a")])
        try await note(.failed, app("com.a"), after: 7 * day)
        #expect(try await store.unseenApps()[app("com.a")]?.isUnknown == false)
        #expect(try await due(after: 8) == [app("com.a")])
        try await note(.found, app("com.a"), after: 8 * day)
        #expect(try await due(after: 14) == [])
        try await note(.empty, app("com.a"), after: 15 * day)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.unknownApps().isEmpty)
        try await note(.empty, app("com.a"), after: 16 * day)
        #expect(try reader.unknownApps()[app("com.a")]?.wasListed == true)
        #expect(try reader.standings().allSatisfy { $0.unknown?.wasListed == true })
        #expect(try reader.serviceRecord(now: start + 16 * day).unknownApps.count == 1)
        #expect(try await due(after: 22) == [])
        #expect(try await due(after: 23) == [app("com.a")])
    }

    @Test func `an app that only a look-up has found, and that leaves the store, has left it`() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        try await note(.found, app("com.a"), after: 0)
        try await show(false, 0..<8)
        #expect(try await due(after: 8) == [app("com.a")])
        try await note(.empty, app("com.a"), after: 8 * day)
        #expect(try await due(after: 8) == [])
        #expect(try await due(after: 9) == [app("com.a")])
        let told = try await store.record([app("com.a"): .empty], at: start + 9 * day)
        #expect(told[app("com.a")]?.after.isUnknown == true && told[app("com.a")]?.after.wasListed == true)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.unknownApps()[app("com.a")]?.wasListed == true)
        #expect(try reader.standings().allSatisfy { $0.unknown?.wasListed == true })
        #expect(try await due(after: 15) == [])
        #expect(try await due(after: 16) == [app("com.a")])
        // It is back.
        try await note(.found, app("com.a"), after: 16 * day)
        #expect(try reader.unknownApps().isEmpty)
    }

    @Test func `a missing app that the watchlist names as it was called before is asked for by its last one`()
        async throws
    {
        func show(_ apps: [(Int64, String)], on day: Int64) async throws {
            let places = apps.map { id, name in
                SeenApp(id: AppID(id), bundleID: bundle(name), fingerprint: UInt64(id) &+ UInt64(name.utf8.count)) {
                    AppDetails()
                }
            }
            try await store.record(
                Check(query: query("timer"), at: start + day * self.day, outcome: .answered(ResultList(places: places)))
            )
        }
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: start)
        try await show([(1, "com.x"), (777, "com.old")], on: 0)
        try await show([(1, "com.x"), (777, "com.new")], on: 1)
        for number in 2..<6 as Range<Int64> { try await show([(1, "com.x")], on: number) }
        let unseen = try await store.unseenApps()
        #expect(unseen == [app("com.old"): AppPresence(wasListed: true, numbers: [AppID(777)])])
        let batch = try #require(LookupSchedule.batches(unseen, now: start + 6 * day).first)
        #expect(batch.ids == [AppID(777)])
        let answer = ResultList(places: [SeenApp(id: AppID(777), bundleID: bundle("com.newer"))])
        #expect(batch.outcomes(in: answer) == [app("com.old"): .found])
        #expect(batch.names(in: answer) == [AppID(777): bundle("com.newer")])
        #expect(batch.outcomes(in: list(["com.old"])).isEmpty)
        #expect(batch.toAskByName(after: list([]))?.bundleIDs == [bundle("com.old")])
        try await note(.empty, app("com.old"), after: 6 * day)
        try await note(.empty, app("com.old"), after: 7 * day)
        #expect(try HistoryReader(path: store.path).unknownApps().keys.sorted() == [app("com.old")])
        // If the watchlist has both names, it is missing by its present one: the new one has not stayed.
        try await store.adopt(watchlist([(query("timer"), ["com.old", "com.new"])]), now: start + 8 * day)
        try await store.fillIn()
        #expect(try await store.unseenApps().keys.sorted() == [app("com.old")])
        for number in [9, 12] as [Int64] { try await show([(1, "com.x"), (777, "com.new")], on: number) }
        for number in 13..<17 as Range<Int64> { try await show([(1, "com.x")], on: number) }
        #expect(try await store.unseenApps().keys.sorted() == [app("com.new")])
    }

    @Test func `an app that comes back is known again, and what was told of it before counts for nothing`() async throws
    {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        try await show(true, 0..<2)
        try await show(false, 2..<10)
        try await note(.empty, app("com.a"), after: 8 * day)
        try await note(.empty, app("com.a"), after: 9 * day)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.unknownApps().count == 1)
        try await show(true, 10..<11, on: ["clock"])
        #expect(try reader.unknownApps().isEmpty)
        #expect(try await store.hasSeen(app("com.a")))
        try await show(false, 11..<20)
        #expect(try reader.unknownApps().isEmpty)
        #expect(try await store.unseenApps()[app("com.a")]?.isNew == true)
        try await note(.empty, app("com.a"), after: 20 * day)
        #expect(try reader.unknownApps().isEmpty)
        try await note(.empty, app("com.a"), after: 21 * day)
        #expect(try reader.unknownApps()[app("com.a")]?.emptySince == start + 20 * day)
    }

    @Test func `look-ups of a missing app that fail for two days are trouble`() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        try await show(true, 0..<2)
        try await show(false, 2..<10)
        for number in 0..<9 as Range<Int64> {
            try await note(.failed, app("com.a"), after: 7 * day + number * 6 * 3_600)
        }
        let record = try HistoryReader(path: store.path).serviceRecord(now: start + 10 * day)
        #expect(record.lookups?.apps == 1)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `look-ups that fail once a day are trouble after two days`(days: Int64) async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        // What was answered before does not count, and the failures from before it do not either.
        try await note(.failed, app("com.a"), after: -9 * day)
        try await note(.empty, app("com.b"), after: -5 * day)
        for number in 0..<days {
            for name in ["com.a", "com.b"] { try await note(.failed, app(name), after: number * day) }
        }
        let record = try HistoryReader(path: store.path).serviceRecord(now: start + (days - 1) * day + 3_600)
        #expect(record.lookups?.apps == (days < 3 ? nil : 2))
    }

    @Test func `an app that was looked up in vain once is no trouble, whenever another was before`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await note(.failed, app("com.gone"), after: 0)
        try await note(.failed, app("com.a"), after: 9 * day)
        #expect(try HistoryReader(path: store.path).serviceRecord(now: start + 9 * day).lookups == nil)
        try await note(.failed, app("com.a"), after: 10 * day)
        #expect(try HistoryReader(path: store.path).serviceRecord(now: start + 10 * day).lookups?.apps == 1)
    }

    @Test func `an endpoint that turns away what is asked once a day is trouble after two days`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        var health = EndpointHealth()
        for number in 0..<3 as Range<Int64> {
            health.note(.throttled(retryAfter: nil), at: start + number * day)
            try await store.keep(health, of: .lookup(at: "https://example.com"))
            let record = try HistoryReader(path: store.path).serviceRecord(now: start + number * day + 60)
            #expect(record.lookups?.apps == (number < 2 ? nil : 1), "day \(number)")
        }
    }

    @Test func `a place in another tool's table does not undo what look-ups found`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await note(.empty, app("com.a"), after: 0)
        try await store.write { database in
            try database.execute(
                literal: """
                    INSERT INTO query (text, folded, country, platform, source, cadences, cadence_seconds, ordinal)
                    SELECT text, folded, country, platform, 'import:table', cadences, cadence_seconds, 9 FROM query;
                    INSERT INTO pair (query, bundle_id, bundle_key) SELECT 2, bundle_id, bundle_key FROM pair;
                    INSERT INTO check_log (id, query, at, outcome, within) VALUES (9, 2, \((start + 60).secondsSinceEpoch), 'good', 9);
                    INSERT INTO position (pair, at, check_id, position, within)
                    SELECT id, \((start + 60).secondsSinceEpoch), 9, 3, 9 FROM pair WHERE query = 2;
                    """)
            for pair in try Int64.fetchAll(database, sql: "SELECT id FROM pair WHERE query = 2") {
                try Derivation.derive(standingsOf: [pair], query: 2, in: database)
            }
        }
        try await note(.empty, app("com.a"), after: day)
        #expect(try HistoryReader(path: store.path).unknownApps().count == 1)
    }

    @Test func `lists that failed or are suspect, another query that has it, and a new pair make no app missing`()
        async throws
    {
        let plan = watchlist([(query("timer"), ["com.a", "com.late"]), (query("clock"), ["com.a"])])
        try await store.adopt(plan, now: start)
        try await show(true, 0..<3)
        // One query has it still; then that one tells nothing any more.
        try await show(false, 3..<9, on: ["timer"])
        try await show(true, 3..<5, on: ["clock"])
        for number in 5..<9 as Range<Int64> {
            try await store.record(
                Check(
                    query: query("clock"), at: start + number * day,
                    outcome: number.isMultiple(of: 2)
                        ? .failed(Failure(.status, "503")) : .suspect(list(["com.x"]), .badDay)))
        }
        #expect(try await store.unseenApps().keys.sorted() == [app("com.late")])
        // Nor is an app that the watchlist has no more.
        try await store.adopt(watchlist([(query("timer"), ["com.x"])]), now: start + 9 * day)
        try await show(false, 9..<15, on: ["timer"])
        #expect(try await store.unseenApps().isEmpty)
    }

    @Test func `an app that is no longer tracked is neither asked about nor told of`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await note(.empty, app("com.a"), after: 0)
        try await note(.empty, app("com.a"), after: day)
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + day)
        #expect(try await unseen() == [app("com.b")])
        #expect(try HistoryReader(path: store.path).unknownApps().isEmpty)
    }

    @Test func `no look-up changes a position, a standing or a check`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        try await store.record(Check(query: query("timer"), at: start, outcome: .answered(list(["x", "com.b"]))))
        func everything() async throws -> [String] {
            try await store.read { database in
                try [
                    "check_log", "result_list", "position", "standing", "pair", "pair_day", "app", "sighting",
                    "listing",
                ]
                .flatMap { table in
                    try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table): \($0.text)" }
                }
            }
        }
        let before = try await everything()
        for (outcome, after) in [(AppPresence.Outcome.empty, 0), (.failed, 60), (.empty, day), (.found, 2 * day)] {
            try await note(outcome, app("com.a"), after: after)
            try await note(outcome, app("com.b"), after: after)
            #expect(try await everything() == before)
        }
    }

    @Test func `the question which apps are unseen goes from the few pairs to the lists, not the other way`()
        async throws
    {
        let plan = try await store.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN SELECT \(AppPresenceRow.isSeen(bundleKey: ":key", country: ":country"))",
                arguments: ["key": "com.a", "country": "us"]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH app USING") })
        #expect(plan.contains { $0.hasPrefix("SEARCH sighting USING PRIMARY KEY") }, "\(plan)")
    }
}
