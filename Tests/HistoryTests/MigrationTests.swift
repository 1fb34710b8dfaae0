import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

/// Histories as earlier releases left them.
@Suite struct MigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Makes the history that the dump of a released schema describes.
    private func release(_ version: Int, at path: String? = nil) throws {
        let dump = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Schemas/version\(version).sql")
        let queue = try DatabaseQueue(path: path ?? self.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: try String(contentsOf: dump, encoding: .utf8)) }
        try queue.close()
    }

    private func rows() throws -> [String: [String]] {
        let queue = try DatabaseQueue(path: path)
        defer { do { try queue.close() } catch { Issue.record(error) } }
        return try queue.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (table, try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.text))
                })
        }
    }

    @Test func `a reader refuses an older schema and says who brings it up to date`() throws {
        try release(1)
        #expect(throws: HistoryError.older(path: path, version: 1, understood: Schema.version)) {
            try HistoryReader(path: path)
        }
    }

    /// A folder for private copies, made empty.
    private func temporary() throws -> String {
        let path = folder.file("tmp")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test(arguments: 1..<Schema.version)
    func `an older history is read from a copy, which leaves nothing behind`(version: Int) async throws {
        try release(1)
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: version)
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let reader = try await HistoryReader.migratedCopy(of: path, in: temporary())
        #expect(reader.path == path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary()) == [])
        let found = Mutex<[Finding]>([])
        let parts = try await reader.verify { finding in found.withLock { $0.append(finding) } }
        #expect(found.withLock { $0 } == [] && parts.checks == 11)
        let lines = Mutex(0)
        let result = try await reader.export(since: nil, now: time("2026-11-05T03:00:00Z")) { _, _ in
        } write: { bytes in
            lines.withLock { $0 += bytes.count { $0 == UInt8(ascii: "\n") } }
        }
        #expect(result.checks == 11 && lines.withLock { $0 } == result.lines)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == (files + ["tmp"]).sorted())
    }

    @Test func `a view of an earlier program of the same version is made anew once, and tells languages apart`()
        async throws
    {
        let both = [query("timer"), query("timer", language: "es_mx")]
        let at = time("2026-11-01T00:00:00Z")
        let store = try HistoryStore(path: path)
        try await store.adopt(watchlist(both.map { ($0, ["com.a"]) }), now: at)
        for query in both {
            try await store.record(Check(query: query, at: at, outcome: .answered(list(["com.a"]))))
        }
        try await store.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(sql: "DROP VIEW position_history; CREATE VIEW position_history AS SELECT 1 AS at")
        }
        try queue.close()
        for _ in 0..<2 { try await HistoryStore(path: path).close() }
        let changes = try await HistoryStore(path: path).read { database in
            #expect(
                try Row.fetchAll(database, sql: "SELECT query, language, state FROM position_history ORDER BY language")
                    .map(\.text) == ["'timer' '' 'ranked'", "'timer' 'es_mx' 'ranked'"])
            return try Int.fetchOne(database, sql: "PRAGMA schema_version")
        }
        let again = try HistoryStore(path: path)
        #expect(try await again.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") } == changes)
        try await again.close()
    }

    @Test func `a write-ahead log of an older history is read with it`() async throws {
        try release(1)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try await queue.write { try $0.execute(sql: "DELETE FROM check_log WHERE id = 11") }
        let reader = try await HistoryReader.migratedCopy(of: path, in: temporary())
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == 10)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary()) == [])
        try queue.close()
    }

    @Test func `a file that is no history is not copied, and a folder that is missing is told`() async throws {
        let other = try folder.write("not a database at all, but long enough to be looked at twice", to: "other")
        await #expect(throws: HistoryError.self) { try await HistoryReader.migratedCopy(of: other, in: temporary()) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary()) == [])
        try release(1)
        let missing = folder.file("missing")
        await #expect(throws: FileRefusal.noFolder(path: missing)) {
            try await HistoryReader.migratedCopy(of: path, in: missing)
        }
    }

    @Test func `what earlier versions took for said becomes unknown, and names go on`() async throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: 12)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO storefront (id, country, language) VALUES (1, 'us', '');
                    INSERT INTO app (id, app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                        VALUES (1, 777, 'com.new', 'com.new', 1000, 20000), (2, 1, 'com.a', 'com.a', 1000, 20000);
                    INSERT INTO bundle_name (app, bundle_key, bundle_id, from_at)
                        VALUES (1, 'com.new', 'com.new', 5000), (1, 'com.old', 'com.old', 1000);
                    INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count)
                        VALUES (1, 1, 1, 99, -5), (1, 2, 2, 4.5, 7);
                    INSERT INTO listing (app, storefront, name, version, price, currency, screenshot_urls)
                        VALUES (1, 1, ' ', '', -1, 'USD', ''), (2, 1, 'A', '1.0', 0, 'USD', '');
                    """)
        }
        try queue.close()
        let store = try HistoryStore(path: path)
        let rows = try await store.read { database in
            try [
                "SELECT name, version, price, currency FROM listing ORDER BY app",
                "SELECT rating, rating_count FROM sighting ORDER BY app",
                "SELECT ordinal, bundle_key, from_at, stayed_at, until_at FROM bundle_name ORDER BY app, ordinal",
            ].map { try Row.fetchAll(database, sql: $0).map(\.text) }
        }
        #expect(
            rows == [
                ["NULL NULL NULL 'USD'", "'A' '1.0' 0.0 'USD'"], ["NULL NULL", "4.5 7"],
                ["0 'com.old' 1000 1000 NULL", "1 'com.new' 5000 5000 NULL"],
            ])
        #expect(try await store.findings() == [])
        try await store.close()
    }

    enum TextsOf: CaseIterable { case version14, version15, export }

    /// Whatever Unicode knows as a blank, or as nothing that can be seen.
    private static let blanks = [
        "", " ", "  ", "\t", "\n", "\r\n", "\u{A0}", "\u{2003}", "\u{2028}", "\u{202F}", "\u{3000}", "\u{1680}",
        "\u{200B}", "\u{200D}", "\u{200E}", "\u{2060}", "\u{FEFF}", "\u{AD}", " \u{200B}\u{A0}",
    ]

    @Test(arguments: TextsOf.allCases)
    func `a text of nothing that an earlier version kept is none, now and at a past moment`(_ kept: TextsOf)
        async throws
    {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: 14)
        @Sendable func fill(_ database: Database) throws {
            try database.execute(
                sql: """
                    INSERT INTO storefront (id, country, language) VALUES (1, 'us', '');
                    INSERT INTO app (id, app_id, bundle_id, bundle_key, first_seen_at, last_seen_day)
                        VALUES (1, 777, 'com.a', 'com.a', 1000, 20000);
                    INSERT INTO listing (app, storefront, name, version, screenshot_urls)
                        VALUES (1, 1, 'A', '\u{A0}', 'x');
                    INSERT INTO listing_change (app, storefront, at, field, was)
                        VALUES (1, 1, 5000, 'screenshot_urls', ''), (1, 1, 6000, 'version', '0.9'),
                            (1, 1, 6000, 'seller', ' \u{3000}S S\t'), (1, 1, 6000, 'genre', '\u{200E}G'),
                            (1, 1, 6000, 'currency', 'EURO'), (1, 1, 7000, 'currency', 'usd');
                    """)
            for (index, blank) in Self.blanks.enumerated() {
                try database.execute(
                    sql: "INSERT INTO listing_change (app, storefront, at, field, was) VALUES (1, 1, ?, 'name', ?)",
                    arguments: [5_000 + index, blank])
            }
        }
        if kept == .version14 { try await queue.write { try fill($0) } }
        try queue.close()
        var store = try HistoryStore(path: path)
        if kept != .version14 {
            try await store.write { database in
                try fill(database)
                try database.execute(sql: "DELETE FROM setting WHERE name = 'listing_texts_rule'")
            }
            if kept == .export {
                let file = try await store.export(to: folder)
                store = try HistoryStore(path: folder.file("copy.sqlite"))
                _ = try await store.importExport(file)
            } else {
                try await store.close()
                store = try HistoryStore(path: path)
            }
        }
        let rows = try await store.read {
            try Row.fetchAll($0, sql: "SELECT DISTINCT field, was FROM listing_change ORDER BY field, at").map(\.text)
        }
        #expect(
            rows == [
                "'currency' NULL", "'currency' 'USD'", "'genre' '\u{200E}G'", "'name' NULL", "'screenshot_urls' ''",
                "'seller' 'S S'", "'version' '0.9'",
            ])
        #expect(
            try await store.read { try Row.fetchAll($0, sql: "SELECT version FROM listing").map(\.text) } == ["NULL"])
        let reader = try HistoryReader(path: store.path)
        let app = try reader.apps([DenseID(1)], namedIn: Country(code: "us"), at: Timestamp(secondsSinceEpoch: 2_000))
        #expect(app[DenseID(1)]?.bundleID == bundle("com.a") && app[DenseID(1)]?.name == nil)
        try await store.close()
    }

    @Test func `schema 1 becomes the present one with every row it had`() async throws {
        try release(1)
        let before = try rows()
        #expect(before["check_log"]?.count == 11)
        let store = try HistoryStore(path: path)
        try await store.close()
        let after = try rows()
        for (table, rows) in before where table != "endpoint" {
            // Columns are added at a row's end.
            let kept = rows.filter { row in
                after[table]?.contains { $0 == row || $0.hasPrefix(row + " ") } ?? false
            }
            // Up to which check earlier versions named no places is noted, and by which rule texts are nothing; when
            // something was asked last became a column of what was asked.
            let moved = table == "setting" ? rows.filter { $0.hasPrefix("'last_request_at' ") }.count : 0
            let count = rows.count - moved + (table == "setting" ? 2 : 0)
            #expect(kept.count == rows.count - moved && after[table]?.count == count, "\(table)")
        }
        #expect(
            Set(after.keys).subtracting(before.keys) == [
                "app_presence", "result_page", "pair_fill", "query_fill", "query_app", "country_day",
                "country_day_due", "query_top", "rating_day", "change", "pass_under_way", "alert_mark", "lane",
                "alert_message", "alert_event", "alert_delivery", "alert_channel", "page_top", "bundle_name",
                "held_answer", "pass_answers", "pass_count", "unnumbered_place",
            ])
        let reader = try HistoryReader(path: path)
        #expect(try reader.serviceRecord(now: time("2026-11-05T03:00:00Z")).schemaVersion == Schema.version)
        #expect(try reader.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        #expect(try reader.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check") }.isEmpty)
    }

    @Test func `what was known of the endpoints is known of their lanes`() async throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: 16)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO endpoint VALUES ('search', 'https://a', 'offline', 1000, 60, 2, 0, 5),
                        ('lookup', 'https://b', 'throttled', 2000, 120, 1, 0, 0);
                    INSERT INTO setting VALUES ('search_errors_in_a_row', 80), ('last_request_at', 1234),
                        ('last_lookup_at', 1500);
                    INSERT INTO pass_under_way VALUES (1, 1000, 1100, 9, 4);
                    INSERT INTO pass (started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                        VALUES (500, 600, 3, 3, 0, 0, 3, 0, 1);
                    INSERT INTO country_day VALUES ('us', 0, 1, 1, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL);
                    INSERT INTO country_day_due VALUES ('us', 0);
                    """)
        }
        try queue.close()
        let store = try HistoryStore(path: path)
        let reader = try HistoryReader(path: path)
        let now = Timestamp(secondsSinceEpoch: 1_110)
        #expect(
            try reader.health(of: .search(at: "https://a"))
                == EndpointHealth(
                    pause: .failing, pausedAt: Timestamp(secondsSinceEpoch: 1_000), pauseLength: 60, pausesInARow: 2,
                    errorsInARow: 80, slowTurns: 5))
        #expect(try reader.health(of: .lookup(at: "https://b")).pause == .throttled)
        #expect(try await store.lastRequest()?.secondsSinceEpoch == 1_234)
        #expect(try await store.lastLookup()?.secondsSinceEpoch == 1_500)
        #expect(try reader.passesUnderWay(now: now).map(\.source) == [.itunes])
        #expect(try reader.serviceRecord(now: now).usualLane?.lastPass?.isBadDay == true)
        let days = try await store.read { database in
            (
                try CountryDayRow.all(0...0, of: nil, in: database).map(\.store),
                try CountryDayRow.due(0...0, in: database)
            )
        }
        #expect(days.0 == [Store(in: Country(code: "us")!)] && days.1.map(\.store) == days.0)
        try await store.close()
    }

    @Test func `a request of before anything was known of the endpoint's health is kept`() async throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: 16)
        try await queue.write { try $0.execute(sql: "INSERT INTO setting VALUES ('last_request_at', 1234)") }
        try queue.close()
        let store = try HistoryStore(path: path)
        #expect(try await store.lastRequest()?.secondsSinceEpoch == 1_234)
        #expect(try HistoryReader(path: path).searchOrigin() == nil)
        #expect(try HistoryReader(path: path).health(of: .search(at: "https://a")) == EndpointHealth())
        try await store.close()
    }

    @Test(arguments: 1..<Schema.version)
    func `a migration that ended after any step goes on from there`(version: Int) async throws {
        try release(1)
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: version)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == version)
        try queue.close()
        let store = try HistoryStore(path: path)
        #expect(try await store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == 11)
        try await store.close()
    }

    @Test func `the pages of schema 5 hold the lists that they were made of`() async throws {
        try release(5)
        try await HistoryStore(path: path).close()
        let pages = try HistoryReader(path: path).serviceRecord(now: time("2026-11-05T03:00:00Z")).upkeep
        #expect(pages.pages == 3 && pages.listsInPages > pages.pages)
        #expect(try await HistoryStore(path: path).findings() == [])
        let before = folder.file("before.sqlite")
        try release(1, at: before)
        try await HistoryStore(path: before).close()
        let lists = try lists(in: path)
        #expect(try lists == self.lists(in: before) && lists.count == pages.listsInPages + pages.otherLists)
    }

    @Test func `the first places of schema 5 are read from the lists until there is a check`() async throws {
        try release(5)
        let store = try HistoryStore(path: path)
        let moment = time("2026-11-05T03:00:00Z")
        let asked = query("focus timer")
        let before = try #require(try HistoryReader(path: path).topLists(of: [asked], first: 3, at: moment)[asked])
        #expect(before.apps.count == 3)
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM query_top") } == 0)
        try await store.record(Check(query: asked, at: moment, outcome: .answered(list(["com.example.new"]))))
        #expect(
            try await store.read { try Int64.fetchAll($0, sql: "SELECT since FROM query_top") } == [
                moment.secondsSinceEpoch
            ])
        let after = try HistoryReader(path: path).topLists(of: [asked], first: 3, at: moment)[asked]
        #expect(after?.apps.map { $0?.bundleID.text } == ["com.example.new"])
        #expect(try await store.findings() == [])
        try await store.close()
    }

    @Test func `a query with a dotless letter keeps its history, and its neighbour becomes another`() async throws {
        try release(1)
        let queue = try DatabaseQueue(path: path)
        try Schema.migrate(queue, to: 6)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO query (id, text, folded, country, platform, source, cadences, cadence_seconds, ordinal)
                    VALUES (900, 'ılık ısı', 'ilik isi', 'tr', 'iphone', 'itunes', 'every 86400', 86400, 90);
                    INSERT INTO check_log (id, query, at, outcome, within) VALUES (900, 900, 1762000000, 'good', 0);
                    """)
        }
        try queue.close()
        let store = try HistoryStore(path: path)
        let (dotless, dotted) = (query("ılık ısı", "tr"), query("ilik isi", "tr"))
        try await store.adopt(
            watchlist([(dotless, ["com.a"]), (dotted, ["com.a"])]), now: time("2026-11-05T00:00:00Z"))
        let reader = try HistoryReader(path: path)
        #expect(try reader.firstCheck(of: dotless) == Timestamp(secondsSinceEpoch: 1_762_000_000))
        #expect(try reader.firstCheck(of: dotted) == nil)
        let keys = try await store.read {
            try String.fetchAll($0, sql: "SELECT folded FROM query WHERE country = 'tr' ORDER BY id")
        }
        #expect(keys == ["ılık ısı", "ilik isi"])
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == 12)
        try await store.close()
    }

    @Test func `a query with the capital ẞ keeps its history`() async throws {
        let asked = query("STRAẞE", "de")
        let (now, plan) = (time("2026-11-05T00:00:00Z"), watchlist([(asked, ["com.a"])]))
        let store = try HistoryStore(path: path)
        try await store.adopt(plan, now: now)
        try await store.record(Check(query: asked, at: now, outcome: .answered(list(["com.a"]))))
        // As it was compared before.
        try await store.write { try $0.execute(sql: "UPDATE query SET folded = 'straße'") }
        let adoption = try await store.adopt(plan, now: now + 60)
        #expect(adoption == Adoption(pairsKept: 1))
        #expect(try HistoryReader(path: path).firstCheck(of: query("strasse", "de")) == now)
        #expect(try await store.findings() == [])
        try await store.close()
    }

    private func lists(in path: String) throws -> [StoredList] {
        let reader = try HistoryReader(path: path)
        var lists: [StoredList] = []
        for asked in try reader.askedQueries() {
            try reader.lists(on: asked.query) {
                lists.append($0)
                return true
            }
        }
        return lists
    }

    @Test func `the days of a country from before there were any are derived from the lists`() async throws {
        try release(1)
        let store = try HistoryStore(path: path)
        let days = time("2026-11-01T00:00:00Z").day...time("2026-11-05T00:00:00Z").day
        let reader = try HistoryReader(path: path)
        let live = try reader.countryDays(days)
        #expect(live.reduce(0) { $0 + $1.good + $1.suspect + $1.failed } == 11)
        while let next = try await store.nextCountryDays(now: .startOfDay(days.upperBound + 1), limit: 2) {
            var draft = try CountryDayDraft(next, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM country_day") } == live.count)
        #expect(try reader.countryDays(days) == live)
    }

    @Test func `what schema 1 recorded reads as before`() async throws {
        try release(1)
        let store = try HistoryStore(path: path)
        let standings = try HistoryReader(path: path).standings(days: [1])
        #expect(
            standings.map { "\($0.query.text) \($0.bundleID) \($0.outcome.state) \($0.outcome.gap?.reason ?? "-")" }
                == [
                    "focus timer com.example.a failed timed-out", "timer com.example.a suspect collapsed",
                    "focus timer com.example.tpyo failed timed-out", "focus timer com.example.rival failed timed-out",
                ])
        #expect(standings.map { $0.lastGood?.position?.number } == [5, nil, nil, 3])
        #expect(standings.map { $0.earlier[1]?.position?.number } == [4, nil, nil, 3])
        #expect(standings[0].lastGood?.checkedAt == time("2026-11-04T00:00:00Z"))
        // What its lists have shown need not be looked up; the rest has to be.
        let unseen = try await store.unseenApps()
        #expect(
            unseen.keys.sorted().map { "\($0.country) \($0.bundleID)" } == ["de com.example.a", "us com.example.tpyo"])
        #expect(unseen.values.allSatisfy { $0.isNew })
        try await store.close()
    }
}
