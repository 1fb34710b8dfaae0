import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct HistoryStoreTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func standing(_ name: String) throws -> PairStanding {
        try #require(try reader.standings(days: [1, 7, 30]).first { $0.bundleID == bundle(name) })
    }

    private func check(_ words: String, _ outcome: Check.Outcome, after hours: Int64) async throws {
        let moment = start + hours * 3_600
        try await store.record(Check(query: query(words), at: moment, outcome: outcome), clock: moment)
    }

    @Test func `a good check ranks the apps in its list and finds the others absent`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b", "com.z"])]), now: start)
        try await check("timer", .answered(list(["com.b", "com.c", "COM.A"])), after: 0)
        let a = try standing("com.a")
        #expect(a.outcome.state == .ranked)
        #expect(a.lastGood == Reading(position: Position(3), within: 3, checkedAt: start))
        let z = try standing("com.z")
        #expect(z.outcome == .absent(from: 3))
        #expect(z.lastGood == Reading(position: nil, within: 3, checkedAt: start))
    }

    @Test func `a failed check moves nothing but the state`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["com.b", "com.a"])), after: 0)
        try await check("timer", .failed(Failure(.timedOut, "30 s")), after: 6)
        let a = try standing("com.a")
        #expect(a.outcome == .failed(.check(.timedOut)))
        #expect(a.checkedAt == start + 6 * 3_600)
        #expect(a.lastGood == Reading(position: Position(2), within: 2, checkedAt: start))
        #expect(a.best == Extreme(position: Position(2)!, at: start))
    }

    @Test func `best and worst count places alone, and keep the first moment`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let lists: [[String]] = [["x", "com.a"], ["com.a"], [], ["x", "y", "z", "com.a"], ["com.a"]]
        for (index, names) in lists.enumerated() {
            try await check("timer", .answered(list(names)), after: Int64(index))
        }
        let a = try standing("com.a")
        #expect(a.best == Extreme(position: Position(1)!, at: start + 3_600))
        #expect(a.worst == Extreme(position: Position(4)!, at: start + 3 * 3_600))
    }

    @Test func `an earlier reading is the last good one in its window`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["com.a"])), after: 0)
        try await check("timer", .answered(list(["x", "com.a"])), after: 12)
        try await check("timer", .failed(Failure(.status, "503")), after: 22)
        try await check("timer", .answered(list(["x", "y", "com.a"])), after: 40)
        let a = try standing("com.a")
        #expect(a.earlier[1]?.position == Position(2))
        #expect(a.earlier[7] == nil)
        try await check("timer", .answered(list(["com.a"])), after: 24 * 9)
        #expect(try standing("com.a").earlier[7]?.position == Position(3))
        #expect(try standing("com.a").earlier[1] == nil)
    }

    @Test func `a check that a glitch of the clock dated years ahead does not hide those after it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["x", "com.a"])), after: 24 * 3_650)
        try await check("timer", .answered(list(["com.a"])), after: 5)
        #expect(try standing("com.a").lastGood?.position == Position(1))
        try await check("timer", .failed(Failure(.timedOut)), after: 6)
        #expect(try standing("com.a").outcome.state == .failed)
        #expect(try reader.serviceRecord(now: start + 86_400).failing.count == 1)
    }

    @Test func `what is recorded as a check is nothing or all of it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await store.write {
            try $0.execute(sql: "CREATE TRIGGER no BEFORE INSERT ON position BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        await #expect(throws: HistoryError.self) { try await check("timer", .answered(list(["com.a"])), after: 0) }
        let rows = try await store.read { database in
            try ["check_log", "result_list", "app", "listing", "sighting", "standing"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)")
            }
        }
        #expect(rows == [0, 0, 0, 0, 0, 0])
    }

    @Test func `one number of Apple's under several bundle identifiers is one app, at its first place`() async throws {
        func app(_ name: String) -> SeenApp {
            SeenApp(id: AppID(7), bundleID: bundle(name), fingerprint: 1, details: { AppDetails(name: name) })
        }
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        let both = ResultList(places: [app("com.x"), app("com.a"), app("com.b")])
        try await check("timer", .answered(both), after: 0)
        try await check("timer", .answered(ResultList(places: [app("com.b"), app("com.x")])), after: 1)
        #expect(try standing("com.a").best?.position == Position(1))
        #expect(try standing("com.b").lastGood?.position == Position(1))
        let places = try #require(try reader.list(ofCheck: 1)).places
        #expect(places.count == 3 && places[0] != nil && places[1] == places[0] && places[2] == places[0])
        #expect(try await store.findings() == [])
    }

    @Test func `the newest check is the newest by time, and none that a clock ahead has dated`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        for hours in [24 * 400, 5, 2] as [Int64] { try await check("timer", .answered(list([])), after: hours) }
        try await check("clock", .answered(list([])), after: 3)
        #expect(try reader.serviceRecord(now: start + 6 * 3_600).newestCheck == start + 5 * 3_600)
    }

    @Test func `the whole list is kept in its order`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["com.c", nil, "com.a", "com.c"])), after: 0)
        let kept = try await store.read { database -> [String?] in
            let bytes = try Data.fetchOne(database, sql: "SELECT places FROM result_list") ?? Data()
            return try ResultListCodec.decode([UInt8](bytes)).map { number in
                try number.flatMap {
                    try String.fetchOne(database, sql: "SELECT bundle_id FROM app WHERE id = ?", arguments: [$0])
                }
            }
        }
        #expect(kept == ["com.c", nil, "com.a", "com.c"])
    }

    @Test func `an entry that has not changed is not decoded again`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["com.a"])), after: 0)
        let same = list(["com.a"])
        let known = same.places[0]!
        let trap = SeenApp(id: known.id, bundleID: known.bundleID, fingerprint: known.fingerprint) {
            Issue.record("decoded")
            return AppDetails()
        }
        try await check("timer", .answered(ResultList(places: [trap])), after: 6)
    }

    @Test func `what changes about an app leaves what it was before`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check(
            "timer", .answered(list(["com.a"]) { AppDetails(name: $0, version: "1.0", rating: 4) }), after: 0)
        try await check(
            "timer", .answered(list(["com.a"]) { AppDetails(name: $0, version: "1.1", rating: 5) }), after: 6)
        let (now, was) = try await store.read { database in
            (
                try Row.fetchOne(
                    database, sql: "SELECT listing.version, rating FROM listing JOIN sighting USING (app, storefront)")?
                    .text,
                try Row.fetchAll(database, sql: "SELECT at, field, was FROM listing_change").map(\.text)
            )
        }
        #expect(now == "'1.1' 5.0")
        #expect(was == ["\((start + 6 * 3_600).secondsSinceEpoch) 'version' '1.0'"])
    }

    @Test func `a name with a zero byte in it changes once, not with every check`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.zero"])]), now: start)
        for hours in 0..<4 as Range<Int64> {
            let app = SeenApp(id: AppID(7), bundleID: bundle("com.zero"), fingerprint: UInt64(hours)) {
                AppDetails(name: "A\u{0}B", ratingCount: hours)
            }
            try await check("timer", .answered(ResultList(places: [app])), after: hours)
        }
        let (name, changes) = try await store.read { database in
            (
                try String.fetchOne(database, sql: "SELECT name FROM listing"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM listing_change")
            )
        }
        #expect(name == "A" && changes == 0)
    }

    @Test func `a line that goes retires its pair, and coming back continues it`() async throws {
        let both = watchlist([(query("timer"), ["com.a", "com.b"]), (query("clock"), ["com.a"])])
        #expect(try await store.adopt(both, now: start).pairsAdded == 3)
        try await check("timer", .answered(list(["com.b"])), after: 0)
        let less = watchlist([(query("timer"), ["com.a"])])
        let adoption = try await store.adopt(less, now: start + 10)
        #expect((adoption.pairsRetired, adoption.queriesRetired, adoption.pairsKept) == (2, 1, 1))
        #expect(try reader.standings().map(\.bundleID) == [bundle("com.a")])
        let again = try await store.adopt(both, now: start + 20)
        #expect((again.pairsAdded, again.pairsRetired) == (2, 0))
        #expect(try standing("com.b").lastGood?.position == Position(1))
    }

    @Test func `the view for people's own SQL has every check in the time a pair was tracked`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        try await check("timer", .answered(list(["com.a"]) { _ in AppDetails(name: "Timer A") }), after: 0)
        try await check("timer", .answered(list(["com.b"])), after: 1)
        try await check("timer", .failed(Failure(.notJSON)), after: 2)
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + 9_000)
        try await check("timer", .failed(Failure(.notJSON)), after: 3)
        let rows = try await store.read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT app_name, state, position, within FROM position_history WHERE bundle_id = 'com.a' ORDER BY at"
            ).map(\.text)
        }
        #expect(rows == ["'Timer A' 'ranked' 1 1", "'Timer A' 'absent' NULL 1", "'Timer A' 'failed' NULL NULL"])
    }

    @Test func `attempts are what the stored checks say, up to now`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"]), (query("new"), ["com.a"])]), now: start)
        try await check("timer", .answered(list([])), after: 0)
        try await check("timer", .failed(Failure(.timedOut)), after: 1)
        try await check("timer", .failed(Failure(.timedOut)), after: 2)
        try await check("timer", .answered(list([])), after: 50)
        let attempts = try await store.attempts(asOf: start + 10 * 3_600)
        #expect(
            attempts[query("timer")]
                == Attempts(lastGood: start, lastFailed: start + 7_200, failuresInARow: 2))
        #expect(attempts[query("new")] == Attempts())
    }

    @Test func `every setting that durability rests on is in force`() async throws {
        let values = try await store.read { database in
            try ["journal_mode", "synchronous", "foreign_keys", "auto_vacuum", "trusted_schema", "application_id"].map {
                try GRDB.Row.fetchOne(database, sql: "PRAGMA \($0)")?.text
            }
        }
        #expect(values == ["'wal'", "2", "1", "2", "0", "1918987883"])
    }

    @Test func `the files are the group's to read and nobody else's`() throws {
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o640, "\(suffix)")
        }
    }

    @Test func `the WAL files stay when the store is closed, so that a reader needs no right to write`() async throws {
        try await store.close()
        #expect(FileManager.default.fileExists(atPath: store.path + "-wal"))
        #expect(try reader.isSettled == false)
    }

    @Test func `a check of a query that was never adopted is refused`() async throws {
        await #expect(throws: HistoryError.self) { try await check("unknown", .answered(list([])), after: 0) }
    }

    @Test func `a recording is not undone by cancelling who asked for it`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let task = Task { [store, start] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.belief(about: query("timer"), at: start)
            return try await store.record(
                Check(query: query("timer"), at: start, outcome: .answered(list(["com.a"]))))
        }
        #expect(try await task.value.ranked == 1)
        #expect(try standing("com.a").outcome.state == .ranked)
    }
}
