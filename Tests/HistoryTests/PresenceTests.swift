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
                sql: "EXPLAIN QUERY PLAN SELECT \(AppPresenceRow.isSeen(bundleKey: "?", country: "?"))",
                arguments: ["com.a", "us"]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH app USING") })
        #expect(plan.contains { $0.hasPrefix("SEARCH sighting USING PRIMARY KEY") }, "\(plan)")
    }
}
