import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct ForeignTableTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let now = time("2026-11-21T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func options(
        _ absent: String = "0,999,\">200\",empty", within: Int? = 200, country: String? = nil, app: String? = nil,
        zone: String = "UTC"
    ) -> ForeignTableOptions {
        ForeignTableOptions(
            name: "tool", absent: ForeignTableOptions.marks(absent), within: within,
            country: country.flatMap { Country(code: $0) }, timeZone: TimeZone(identifier: zone)!,
            app: app.map { bundle($0) })
    }

    @discardableResult
    private func bring(_ text: String, _ options: ForeignTableOptions) async throws -> ImportResult {
        let file = try folder.write(text, to: "ranks.csv")
        return try await store.importTable(file, options: options, now: now)
    }

    private func rows() async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT datetime(at, 'unixepoch'), query, country, platform, source, bundle_id, state, position, within
                    FROM position_history ORDER BY at, query, bundle_id
                    """
            ).map { $0.text.replacing("'", with: "") }
        }
    }

    @Test(arguments: [("2126-11-01", "in the future"), ("1026-11-01", "before there was an App Store")])
    func `a time that cannot be is refused before anything is written`(_ date: String, _ why: String) async throws {
        let text = "Date,Keyword,Country,Rank,Bundle ID\n2026-11-01,habit,us,5,com.a\n\(date),habit,us,5,com.a\n"
        let refusal = await #expect(throws: ImportRefusal.self) { try await bring(text, options()) }
        #expect(refusal?.line == 3 && refusal?.description.contains(why) == true, "\(String(describing: refusal))")
        #expect(try await rows().isEmpty)
    }

    @Test func `what another tool saw is no day of the store, and not the newest check`() async throws {
        try await store.adopt(watchlist([(query("habit"), ["com.a"])]), now: now - 3 * 86_400)
        let asked = now - 2 * 86_400 + 60
        try await store.record(Check(query: query("habit"), at: asked, outcome: .answered(list(["com.a"]))))
        try await bring(
            "Date,Keyword,Country,Rank,Bundle ID\n2026-11-01,habit,us,5,com.a\n2026-11-19,habit,us,5,com.a\n", options()
        )
        #expect(try await store.nextDayToRollUp(today: now.day) == time("2026-11-01T00:00:00Z").day)
        #expect(try await store.nextCountryDays(now: .startOfDay(now.day), limit: 99) == asked.day...now.day - 1)
        let reader = try HistoryReader(path: store.path)
        let days = try reader.countryDays(now.day - 30...now.day)
        #expect(days.map(\.day) == [asked.day] && days.map(\.good) == [1] && days.map(\.queries) == [1])
        let record = try reader.serviceRecord(now: now)
        #expect(record.oldestCheck == asked && record.newestCheck == asked)
        #expect(try reader.oldestCheck() == asked)
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [
        ("2026-11-01 08:30:00.123456+02:00", "06:30:00"), ("2026-11-01T08:30:00.5Z", "08:30:00"),
        ("2026-11-01 08:30:00+02:00", "06:30:00"), ("2026-11-01 08:30:00.123456-0500", "13:30:00"),
        ("2026-11-01 08:30:00.123", "07:30:00"), ("2026-11-01 08:30:00,25", "07:30:00"),
        ("2026-11-01 08:30", "07:30:00"),
    ]) func `a zone counts, with a fraction of a second before it and without`(
        _ text: String, _ expected: String
    ) async throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var options = options()
        options.timeZone = zone
        try await bring("Date,Keyword,Country,Rank,Bundle ID\n\"\(text)\",habit,us,5,com.a\n", options)
        #expect(try await rows().first?.hasPrefix("2026-11-01 \(expected) ") == true)
    }

    @Test(arguments: ["2026-11-01 08:30:00.", "2026-11-01 08:30:00.5 CET", "2026-11-01 08:30:00.5+2"])
    func `what follows the seconds and is no zone is refused`(_ text: String) async throws {
        let table = "Date,Keyword,Country,Rank,Bundle ID\n\"\(text)\",habit,us,5,com.a\n"
        let refusal = await #expect(throws: ImportRefusal.self) { try await bring(table, options()) }
        #expect(refusal?.problem.contains("is not a date") == true)
    }

    @Test func `each mark for an absence is one when it is said to be`() async throws {
        let result = try await bring(
            """
            Date,Keyword,Country,Rank,Bundle ID
            2026-11-01,habit tracker,US,5,com.a
            2026-11-02,habit tracker,us,0,com.a
            2026-11-03,habit tracker,us,999,com.a
            2026-11-04,habit tracker,us,>200,com.a
            2026-11-05,habit tracker,us,,com.a
            2026-11-06,Habit  Tracker,us,#200,COM.A
            """, options())
        #expect(result == ImportResult(checks: 6, positions: 6))
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 habit tracker us iphone import:tool com.a ranked 5 200",
                "2026-11-02 00:00:00 habit tracker us iphone import:tool com.a absent NULL 200",
                "2026-11-03 00:00:00 habit tracker us iphone import:tool com.a absent NULL 200",
                "2026-11-04 00:00:00 habit tracker us iphone import:tool com.a absent NULL 200",
                "2026-11-05 00:00:00 habit tracker us iphone import:tool com.a absent NULL 200",
                "2026-11-06 00:00:00 habit tracker us iphone import:tool com.a ranked 200 200",
            ])
    }

    @Test(arguments: [
        ("999", "“999” is beyond the 200 results that the tool looked at; if it means “not found”, add it to --absent"),
        ("5.5", "“5.5” is not a rank; write the place alone, as a whole number"),
        ("-1", "“-1” is not a rank; if it means “not found”, add it to --absent: --absent '-1'"),
        ("soon", "“soon” is not a rank"), ("1.234", "the column does not say whether “1.234” has a decimal mark"),
    ]) func `no unusual mark is guessed, and nothing is written then`(_ rank: String, _ words: String) async throws {
        let text = "date,query,country,rank,bundle_id\n2026-11-01,t,us,1,com.a\n2026-11-02,t,us,\(rank),com.a\n"
        do {
            try await bring(text, options(""))
            Issue.record("imported")
        } catch let refusal as ImportRefusal {
            #expect(refusal.line == 3 && refusal.description.contains(words), "\(refusal)")
        }
        #expect(try await rows().isEmpty)
    }

    @Test func `columns go by many names, with semicolons, quotes, a byte order mark and CRLF`() async throws {
        try await bring(
            "\u{FEFF}Search Term;Position;\"App Bundle ID\";Day;Notes;Depth;Device\r\n"
                + "\"to \"\"do\"\"; list\";3;com.a;2026/11/01 15:30;\"two\r\nlines\";100;iPad\r\n"
                + "\r\nclock;4;com.a;2026-11-01T15:30:00+01:00;;50;\r\n",
            options(within: nil, country: "de", zone: "Europe/Berlin"))
        #expect(
            try await rows() == [
                "2026-11-01 14:30:00 clock de iphone import:tool com.a ranked 4 50",
                "2026-11-01 14:30:00 to \"do\"; list de ipad import:tool com.a ranked 3 100",
            ])
    }

    /// Where clocks go forward at midnight, a day begins at 01:00.
    @Test(arguments: [
        ("America/Santiago", "2025-09-07", "2025-09-07 04:00:00"),
        ("Africa/Cairo", "2026-04-24", "2026-04-23 22:00:00"),
        ("America/Havana", "2026-03-08", "2026-03-08 05:00:00"),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04 03:00:00"),
        ("Asia/Kathmandu", "2025-11-10", "2025-11-09 18:15:00"), ("Pacific/Apia", "2011-12-31", "2011-12-30 10:00:00"),
    ]) func `a date is the first moment of its day in the table's zone`(
        zone: String, date: String, moment: String
    ) async throws {
        try await bring("date,keyword,rank,bundle id\n\(date),t,7,com.a\n", options(country: "us", zone: zone))
        #expect(try await rows() == ["\(moment) t us iphone import:tool com.a ranked 7 200"])
    }

    @Test func `a date that the zone left out is none`() async throws {
        let refusal = await #expect(throws: ImportRefusal.self) {
            try await bring(
                "date,keyword,rank,bundle id\n2011-12-30,t,7,com.a\n", options(country: "us", zone: "Pacific/Apia"))
        }
        #expect(refusal?.description.contains("is not a date") == true, "\(String(describing: refusal))")
    }

    @Test func `an app id is looked up among the apps that were seen, else it is named`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        try await store.record(Check(query: query("timer"), at: now, outcome: .answered(list(["com.a"]))))
        let id = try await store.read { try History.Row.fetchOne($0, sql: "SELECT app_id FROM app")?.wide(0) ?? 0 }
        try await bring("date,keyword,rank,app id\n2026-11-01,t,7,id\(id)\n", options(country: "us"))
        #expect(try await rows().first == "2026-11-01 00:00:00 t us iphone import:tool com.a ranked 7 200")
        do {
            try await bring("date,keyword,rank,app id\n2026-11-01,t,7,12\n2026-11-01,t,7,13\n", options(country: "us"))
            Issue.record("imported")
        } catch let refusal as ImportRefusal {
            #expect(refusal.description.contains("the apps 12, 13, so their bundle ids"), "\(refusal)")
        }
    }

    @Test func `what was imported is asked by nobody, and stands in no report`() async throws {
        try await store.adopt(watchlist([(query("t"), ["com.a"])]), now: now)
        try await bring("date,keyword,rank\n2026-11-01,t,7\n", options(country: "us", app: "com.a"))
        #expect(try await store.attempts(asOf: now).count == 1)
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.standings().map(\.outcome) == [.pending])
        #expect(try reader.serviceRecord(now: now).queries.count == 1)
        let adoption = try await store.adopt(watchlist([(query("t"), ["com.a"])]), now: now + 5)
        #expect(adoption == Adoption(pairsKept: 1))
    }

    @Test func `a table can be imported again, and in any order, with nothing to find wrong`() async throws {
        let header = "date,keyword,rank,bundle id\n"
        let lines = (1...9).map { "2026-11-0\($0),t,\($0),com.a\n2026-11-0\($0),t,0,com.b\n" }
        try await bring(header + lines.reversed().joined(), options(country: "us"))
        let again = try await bring(header + lines.joined(), options(country: "us"))
        #expect(again == ImportResult(duplicates: 18))
        let differing = try await bring(header + "2026-11-01,t,8,com.a\n", options(country: "us"))
        #expect(differing == ImportResult(contradictions: 1, firstContradiction: 2))
        let found = Mutex(0)
        let reader = try HistoryReader(path: store.path)
        _ = try await reader.verify { finding in
            Issue.record("\(finding)")
            found.withLock { $0 += 1 }
        }
        let standing = try await store.read {
            try Row.fetchAll($0, sql: "SELECT state, good_at, position, best, worst FROM standing").map(\.text)
        }
        let last = time("2026-11-09T00:00:00Z").secondsSinceEpoch
        #expect(standing == ["'ranked' \(last) 9 1 9", "'absent' \(last) NULL NULL NULL"])
    }

    @Test(arguments: [
        ("date,rank,bundle id,country\n", "line 1: there is no column for the query"),
        ("date,query,rank,bundle id\n", "line 1: there is no column for the country; add --country"),
        ("date,query,rank,country\n", "line 1: there is no column for the app's bundle id, number or name; add --app"),
        ("date,query,keyword,rank,country,app id\n", "line 1: “query” and “keyword” both name the query"),
        (
            "date,query,rank,country,bundle id\n01/02/2026,t,1,us,com.a\n",
            "line 2: “01/02/2026” is not a date, or can be read in more than one way; write YYYY-MM-DD"
        ),
        ("date,query,rank,country,bundle id\n2026-02-30,t,1,us,com.a\n", "line 2: “2026-02-30” is not a date"),
        (
            "date,query,rank,country,bundle id\n2026-02-03,t,1,xx,com.a\n",
            "line 2: “xx” is no country with an App Store; write its code"
        ),
        ("date,query,rank,country,bundle id\n2026-02-03,,1,us,com.a\n", "line 2: the query is empty"),
        ("date,query,rank,country,bundle id\n2026-02-03,t,1,us\n", "line 2: has 4 fields, the header 5"),
        ("date,query,rank,country,bundle id\n2026-02-03,\"t,1,us,com.a\n", "line 2: a quote is not closed"),
        ("date,query,rank,country,bundle id\n2026-02-03,t,1,us,com a\n", "line 2: “com a” is not a bundle id"),
        ("date,query,rank,country,app id\n2026-02-03,t,1,us,com.a\n", "line 2: “com.a” is not an app id"),
        (
            "at,query,country,platform,source,bundle_id,app_name,state,position,within\n",
            "line 1: is rankctl's own CSV export, which has no lists; import the history itself: rankctl export"
        ), ("", "there is no header"),
    ]) func `what is wrong with a table is told with its line`(_ text: String, _ words: String) async throws {
        do {
            try await bring(text, options())
            Issue.record("imported")
        } catch let refusal as ImportRefusal {
            #expect(refusal.description.contains(words), "\(refusal)")
        }
    }

    @Test func `a table that says UK means gb`() async throws {
        try await bring("date,keyword,rank,country\n2026-11-01,t,7,UK\n", options(app: "com.a"))
        #expect(try HistoryReader(path: store.path).askedQueries().map(\.query.country.code) == ["gb"])
    }

    @Test func `without a depth an absence would mean nothing`() async throws {
        await #expect(throws: ImportRefusal.self) {
            try await bring("date,query,rank,bundle id\n", options(within: nil, country: "us"))
        }
    }
}
