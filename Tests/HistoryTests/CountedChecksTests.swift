import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct CountedChecksTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-20T12:00:00Z")
    private static let hour: Int64 = 3_600
    private static let day: Int64 = 86_400
    private static let plan = watchlist([(query("timer"), ["com.a"])])
    private static let rest = (1...12).map { "com.rest\($0)" }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func ranked(_ place: Int, at moment: Timestamp, version: String = "1") async throws {
        var names = Self.rest
        names.insert("com.a", at: place - 1)
        let answer = list(names) { AppDetails(name: $0, version: version, rating: 4, ratingCount: 9) }
        try await store.record(Check(query: query("timer"), at: moment, outcome: .answered(answer)), clock: moment)
    }

    private func failed(at moment: Timestamp) async throws {
        try await store.record(
            Check(query: query("timer"), at: moment, outcome: .failed(Failure(.timedOut))), clock: moment)
    }

    private func standing(_ store: HistoryStore) throws -> PairStanding? {
        try HistoryReader(path: store.path).standings().first
    }

    private var states: [String] {
        get async throws {
            try await store.read { database in
                try String.fetchAll(database, sql: "SELECT state FROM position_history ORDER BY at")
            }
        }
    }

    /// The first start is at `ahead` from the right time, and so is one check; then the clock is right.
    private func begin(ahead: Int64) async throws {
        try await store.adopt(Self.plan, now: start + ahead - 60)
        try await ranked(1, at: start + ahead)
        try await ranked(5, at: start + Self.hour)
        try await ranked(3, at: start + 2 * Self.hour)
        try await failed(at: start + 3 * Self.hour)
    }

    @Test(arguments: [5 * hour, day, 40 * day, 3_653 * day])
    func `a check of a clock that was ahead counts for nothing until its date is past`(_ ahead: Int64) async throws {
        try await begin(ahead: ahead)
        let standing = try #require(try standing(store))
        #expect(standing.outcome.gap == .failed(.check(.timedOut)))
        #expect(standing.checkedAt == start + 3 * Self.hour)
        #expect(standing.lastGood?.checkedAt == start + 2 * Self.hour && standing.lastGood?.position == Position(3))
        #expect(standing.best?.position == Position(3) && standing.best?.at == start + 2 * Self.hour)
        #expect(standing.worst?.at == start + Self.hour)
        try await store.fillIn()
        #expect(try await store.findings() == [])
        // Its date is past.
        try await ranked(4, at: start + ahead + Self.day)
        let later = try #require(try self.standing(store))
        #expect(later.best?.position == Position(1) && later.best?.at == start + ahead)
        #expect(later.lastGood?.position == Position(4))
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    @Test func `the history of an app ends with the checks that count`() async throws {
        try await begin(ahead: 40 * Self.day)
        let reader = try HistoryReader(path: store.path)
        let right = (1...3).map { start + $0 * Self.hour }
        // Whether it is tracked or told by the lists.
        let past = try reader.history(of: bundle("com.a"), on: query("timer"))
        #expect(past.checks.map(\.at) == right && past.checks.map(\.outcome.position?.number) == [5, 3, nil])
        #expect(try reader.history(of: bundle("com.rest12"), on: query("timer")).checks.map(\.at) == right)
        #expect(try reader.checkCount(on: [query("timer")], in: .always) == 3)
        let later = (start + 20 * Self.day)...(start + 60 * Self.day)
        #expect(try reader.history(of: bundle("com.a"), on: query("timer"), in: later).checks.isEmpty)
        // Its date is past.
        try await ranked(4, at: start + 41 * Self.day)
        #expect(try reader.history(of: bundle("com.a"), on: query("timer")).checks.count == 5)
        #expect(try reader.checkCount(on: [query("timer")], in: later) == 2)
    }

    @Test func `a check that a clock ahead dated dates no name when it is recorded by the right one`() async throws {
        try await store.adopt(Self.plan, now: start)
        func see(_ name: String, at moment: Timestamp, clock: Timestamp) async throws {
            let app = SeenApp(id: AppID(7), bundleID: bundle(name), fingerprint: 1) { AppDetails(name: name) }
            let answer = Check.Outcome.answered(ResultList(places: [app]))
            try await store.record(Check(query: query("timer"), at: moment, outcome: answer), clock: clock)
        }
        try await see("com.a", at: start, clock: start)
        let ahead = start + 16 * Self.day
        try await see("com.b", at: ahead, clock: ahead)
        // It was asked before the clock was set right.
        try await see("com.b", at: ahead + 60, clock: start + Self.hour)
        let names = try await store.read { database in
            try AppNames(of: try Int64.fetchOne(database, sql: "SELECT id FROM app") ?? 0, in: database)
        }
        #expect(names.new.map(\.from) == [start.secondsSinceEpoch])
    }

    @Test func `failed checks of the right time are shown, though the pair was added by a clock ahead`() async throws {
        try await begin(ahead: 40 * Self.day)
        #expect(try await states == ["ranked", "ranked", "failed", "ranked"])
        let rows = try HistoryReader(path: store.path).standings(asOf: start + 4 * Self.hour)
        #expect(rows.first?.outcome.gap == .failed(.check(.timedOut)))
    }

    @Test(arguments: [40 * day, 3_653 * day])
    func `an export of a clock that was ahead makes the same history`(_ ahead: Int64) async throws {
        try await begin(ahead: ahead)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(try await store.export(to: folder))
        let derived = "SELECT * FROM standing"
        let (own, imported) = (
            try await store.read { try Row.fetchAll($0, sql: derived).map(\.text) },
            try await other.read { try Row.fetchAll($0, sql: derived).map(\.text) }
        )
        #expect(own == imported)
        #expect(try await other.findings() == [])
    }

    @Test(arguments: [2 * hour, -40 * day])
    func `a copy made while the clock was ahead does not outlive the export of the history that went on`(
        clock: Int64
    ) async throws {
        try await store.adopt(Self.plan, now: start)
        try await ranked(5, at: start)
        try await ranked(1, at: start + 20 * Self.day)
        let copy = try HistoryStore(path: folder.file("copy.sqlite"))
        _ = try await copy.importExport(try await store.export(to: folder))
        #expect(try standing(copy)?.lastGood?.position == Position(1))
        try await ranked(3, at: start + Self.hour)
        let newer = try await store.export(to: folder)
        _ = try await copy.importExport(newer, now: start + clock)
        try await copy.fillIn()
        #expect(try standing(copy)?.lastGood?.position == Position(3))
        #expect(try standing(copy)?.best?.position == Position(3))
        #expect(try await copy.findings() == [])
        // A history that has come past that date itself keeps what counts.
        try await ranked(4, at: start + 21 * Self.day)
        _ = try await store.importExport(newer, now: start + 22 * Self.day)
        #expect(try standing(store)?.lastGood?.position == Position(4))
        #expect(try standing(store)?.best?.position == Position(1))
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [-2 * hour, -day, -3_653 * day])
    func `a clock that is behind hides nothing once it is right`(_ behind: Int64) async throws {
        try await store.adopt(Self.plan, now: start)
        try await ranked(3, at: start + 60)
        try await ranked(2, at: start + Self.hour + behind)
        #expect(try standing(store)?.lastGood?.position == Position(2))
        #expect(try standing(store)?.best?.at == start + Self.hour + behind)
        #expect(try await store.findings() == [])
        try await ranked(6, at: start + 2 * Self.hour)
        let standing = try #require(try standing(store))
        #expect(standing.lastGood?.position == Position(6) && standing.best?.position == Position(2))
        #expect(standing.worst?.position == Position(6))
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    @Test func `a pair that was removed shortly before the clock went back is sound`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.rest1"])]), now: start - Self.day)
        try await ranked(3, at: start)
        try await store.adopt(watchlist([(query("timer"), ["com.rest1"])]), now: start + 60)
        try await ranked(2, at: start + 120 - 2 * Self.hour)
        try await failed(at: start + 180 - 2 * Self.hour)
        #expect(try await store.findings() == [])
        try await ranked(4, at: start + Self.hour)
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    @Test func `apps, first places and ratings go by checks that count`() async throws {
        try await begin(ahead: 40 * Self.day)
        try await store.fillIn()
        let reader = try HistoryReader(path: store.path)
        let tops = try reader.topLists(of: [query("timer")], first: 5, at: start + 4 * Self.hour)
        #expect(tops[query("timer")]?.at == start + 2 * Self.hour)
        let best = try await store.read { database in
            try Int64.fetchOne(database, sql: "SELECT max(best_at) FROM query_app") ?? 0
        }
        #expect(best <= (start + 4 * Self.hour).secondsSinceEpoch)
        #expect(
            try await store.read { try Int64.fetchOne($0, sql: "SELECT max(first_seen_at) FROM app") }
                == (start + Self.hour).secondsSinceEpoch)
    }

    @Test func `a version that a clock ahead dated later is new when the right time sees it`() async throws {
        try await store.adopt(Self.plan, now: start)
        try await ranked(3, at: start)
        try await ranked(3, at: start + 40 * Self.day, version: "2")
        try await ranked(3, at: start + Self.hour, version: "2")
        let changes = try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT at, was FROM listing_change JOIN app ON app.id = app
                    WHERE field = 'version' AND bundle_id = 'com.a'
                    """
            ).map(\.text)
        }
        #expect(changes == ["\((start + Self.hour).secondsSinceEpoch) '1'"])
    }

    @Test func `what a clock ahead was told of an app is neither its present listing nor a release until then`()
        async throws
    {
        try await store.adopt(Self.plan, now: start)
        try await ranked(3, at: start, version: "1")
        try await ranked(3, at: start + 40 * Self.day, version: "2")
        try await ranked(3, at: start + Self.day, version: "3")
        let zone = TimeZone(identifier: "UTC")!
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.releases(of: bundle("com.a"), machineZone: zone).map(\.version) == ["3"])
        #expect(try reader.appCard(bundle("com.a"), preferring: nil)?.version == "3")
        #expect(try reader.changedApps(since: start + 2 * Self.day).isEmpty)
        // Its date is past.
        try await ranked(3, at: start + 41 * Self.day, version: "2")
        #expect(try reader.releases(of: bundle("com.a"), machineZone: zone).map(\.version) == ["3", "2"])
        #expect(try reader.appCard(bundle("com.a"), preferring: nil)?.version == "2")
        #expect(try reader.changedApps(since: start + 2 * Self.day) == [bundle("com.a")])
    }

    @Test func `searches, tables and people's own SQL go by the checks that count, and so do ratings`() async throws {
        try await store.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.b"])]), now: start)
        func named(_ name: String, ratings: Int64, at moment: Timestamp) async throws {
            let answer = list(["com.a"] + Self.rest) {
                AppDetails(
                    name: $0 == "com.a" ? name : $0, developer: "By \(name)", rating: Double(ratings),
                    ratingCount: ratings)
            }
            try await store.record(Check(query: query("timer"), at: moment, outcome: .answered(answer)), clock: moment)
        }
        func told() async throws -> [String] {
            let reader = try HistoryReader(path: store.path)
            let names = Mutex<Set<String>>([])
            _ = try await reader.exportPositions(since: nil) { _, _ in
            } write: { row in
                if row.bundleID == "com.a" { _ = names.withLock { $0.insert(row.appName ?? "") } }
            }
            let view = try await store.read { database in
                try String.fetchSet(
                    database, sql: "SELECT app_name FROM position_history WHERE bundle_id = 'com.a' AND app_name <> ''")
            }
            let card = try reader.appCard(bundle("com.a"), preferring: nil)
            let counts = try reader.ratingCounts(of: [bundle("com.a")])
            return try names.withLock(\.self).sorted() + view.sorted()
                + ["Early", "Late"].map { "\(try reader.directory(matching: $0, limit: 9).count)" }
                + [card?.ratingCount, counts(bundle("com.a"), on: query("timer"))].map { "\($0 ?? 0)" } + [
                    "\(card?.rating ?? 0)"
                ]
        }
        try await named("Early", ratings: 3, at: start)
        try await named("Late", ratings: 5, at: start + 40 * Self.day)
        #expect(try await told() == ["Late", "Late", "0", "13", "5", "5", "5.0"])
        // The right time again, with a list that has only another app.
        let other = list(["com.other"]) { AppDetails(name: $0) }
        let moment = start + Self.day
        try await store.record(Check(query: query("clock"), at: moment, outcome: .answered(other)), clock: moment)
        #expect(try await told() == ["Early", "Early", "13", "0", "3", "3", "3.0"])
    }

    @Test func `an app is called what the checks that count call it`() async throws {
        try await store.adopt(Self.plan, now: start)
        func named(_ name: String, at moment: Timestamp) async throws {
            let answer = list(["com.a"] + Self.rest) {
                AppDetails(
                    name: $0 == "com.a" ? name : $0, price: $0 == "com.a" ? Double(name.utf8.count) : 0,
                    currency: "USD", iconURL: "https://is1.example/\(name).png")
            }
            try await store.record(Check(query: query("timer"), at: moment, outcome: .answered(answer)), clock: moment)
        }
        func names() throws -> [String?] {
            let reader = try HistoryReader(path: store.path)
            let app = try reader.numbers(of: bundle("com.a"))
            let card = try reader.appCard(bundle("com.a"), preferring: nil)
            return [
                card?.name, card?.price.map { "\($0)" }, try reader.standings().first?.appName,
                try reader.apps(app, namedIn: nil).first?.value.name,
                try reader.listingPasts(of: bundle("com.a")).first?.values[.name]?.last?.text,
                try reader.icons(of: [bundle("com.a")])[bundle("com.a")],
            ]
        }
        try await named("Mine", at: start)
        try await named("MineTwo", at: start + 40 * Self.day)
        try await named("MineThree", at: start + Self.day)
        let three = "MineThree"
        #expect(try names() == [three, "9.0", three, three, three, "https://is1.example/\(three).png"])
        try await named("MineTwo", at: start + 41 * Self.day)
        #expect(try names().first == "MineTwo")
    }

    @Test func `checks of an earlier version go by time as soon as one is recorded`() async throws {
        try await begin(ahead: 40 * Self.day)
        // As an earlier version left it.
        let ahead = (start + 40 * Self.day).secondsSinceEpoch
        try await store.write { database in
            try Setting.countedUntil.set(nil, in: database)
            try Setting.newestCounted.set(nil, in: database)
            try database.execute(
                sql: "UPDATE standing SET best = 1, best_at = ?; UPDATE query SET newest_check = 4",
                arguments: [ahead])
            try database.execute(
                sql:
                    "UPDATE query_app SET best = 1, best_at = ? WHERE app = (SELECT id FROM app WHERE bundle_id = 'com.a')",
                arguments: [ahead])
            try database.execute(sql: "DELETE FROM query_fill; DELETE FROM query_top")
        }
        try await ranked(7, at: start + 4 * Self.hour)
        #expect(try standing(store)?.best?.position == Position(3))
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    // MARK: Queries that others' checks bring up to date

    private static let many = (1...12).map { query("query \($0)") }

    /// Twelve queries that a clock ahead asked; the last of them by the right clock since.
    private func askAhead(by ahead: Int64) async throws {
        try await store.adopt(watchlist(Self.many.map { ($0, ["com.a"]) }), now: start - 60)
        for moment in [start, start + ahead] {
            for asked in Self.many { try await record(asked, at: moment, by: moment) }
        }
    }

    private func record(_ query: Query, at moment: Timestamp, by clock: Timestamp) async throws {
        let names = ["com.a"] + Self.rest
        try await store.record(Check(query: query, at: moment, outcome: .answered(list(names))), clock: clock)
    }

    private var newestStanding: Timestamp {
        get throws {
            try #require(try HistoryReader(path: store.path).standings().compactMap(\.checkedAt).max())
        }
    }

    @Test func `a clock that was ahead is put right query by query, each in a transaction of its own`() async throws {
        try await askAhead(by: 40 * Self.day)
        let steps = Mutex<[Int]>([])
        let store = store
        await store.timeAccesses { _ in steps.withLock { $0.append(1) } }
        try await record(Self.many[0], at: start + Self.hour, by: start + Self.hour)
        // The check, and for each of the others a look and a write.
        #expect(steps.withLock { $0.count } >= 1 + 2 * (Self.many.count - 1))
        #expect(try newestStanding <= start + Self.hour)
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    @Test func `what was broken off goes on with the next recording`() async throws {
        try await askAhead(by: 40 * Self.day)
        // As a kill leaves it that comes right after the commit of a check.
        try await store.write { database in
            let moment = (start + Self.hour).secondsSinceEpoch
            try CountedChecks.note(try CountedChecks.advance(to: moment, recording: moment, in: database), in: database)
        }
        let found = try await store.findings()
        #expect(found == [])
        try await record(Self.many[0], at: start + Self.hour, by: start + Self.hour)
        #expect(try newestStanding <= start + Self.hour)
        try await store.fillIn()
        #expect(try await store.findings() == [])
    }

    @Test func `a query that cannot be read keeps no other from being recorded`() async throws {
        try await askAhead(by: 40 * Self.day)
        try await store.write { database in
            try database.execute(
                sql: """
                    UPDATE check_log SET within = 1 << 50
                    WHERE query = (SELECT id FROM query WHERE text = 'query 7') AND at = ?
                    """, arguments: [start.secondsSinceEpoch])
            try database.execute(
                sql: """
                    UPDATE position SET within = 1 << 50
                    WHERE at = ? AND pair IN (
                        SELECT pair.id FROM pair JOIN query ON query.id = pair.query WHERE query.text = 'query 7')
                    """, arguments: [start.secondsSinceEpoch])
        }
        try await record(Self.many[0], at: start + Self.hour, by: start + Self.hour)
        try await record(Self.many[1], at: start + Self.hour, by: start + Self.hour)
    }

    @Test func `a check that was asked before the clock was set back does not count yet`() async throws {
        try await store.adopt(Self.plan, now: start - 60)
        try await ranked(5, at: start)
        let names = ["com.a"] + Self.rest
        try await store.record(
            Check(query: query("timer"), at: start + 40 * Self.day, outcome: .answered(list(names))),
            clock: start + Self.hour)
        let standing = try #require(try standing(store))
        #expect(standing.checkedAt == start && standing.best?.position == Position(5))
        try await store.fillIn()
        #expect(try await store.findings() == [])
        try await ranked(4, at: start + 41 * Self.day)
        #expect(try self.standing(store)?.best?.position == Position(1))
    }

    @Test func `an app is not last seen on a day that is still to come`() async throws {
        try await begin(ahead: 3_653 * Self.day)
        let days = try await store.read { try Int64.fetchSet($0, sql: "SELECT last_seen_day FROM app") }
        #expect(days == [start.day])
    }
}
