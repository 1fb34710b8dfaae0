import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Tables as other tools, and rankd itself, write them.
@Suite struct ToolTablesTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let now = time("2026-11-21T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func options(
        within: Int? = nil, country: String? = nil, app: String? = nil, date: Timestamp? = nil, absent: String = ""
    ) -> ForeignTableOptions {
        ForeignTableOptions(
            name: "tool", absent: ForeignTableOptions.marks(absent), within: within,
            country: country.flatMap { Country(code: $0) }, app: app.map { bundle($0) }, date: date)
    }

    @discardableResult
    private func bring(_ text: String, _ options: ForeignTableOptions) async throws -> ImportResult {
        try await store.importTable(try folder.write(text, to: "ranks.csv"), options: options, now: now)
    }

    private func rows() async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT datetime(at, 'unixepoch'), query, country, platform, bundle_id, state, position, within
                    FROM position_history WHERE source = 'import:tool' ORDER BY at, query, bundle_id
                    """
            ).map { $0.text.replacing("'", with: "") }
        }
    }

    private func refusal(_ text: String, _ options: ForeignTableOptions) async throws -> String {
        let refusal = await #expect(throws: ImportRefusal.self) { try await bring(text, options) }
        #expect(try await rows().isEmpty)
        return "\(refusal.map { "\($0)" } ?? "")".replacing(folder.file("ranks.csv"), with: "table")
    }

    @Test func `an app of a table is looked for by the name that the checks which count have told`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now - 90_000)
        for (name, at) in [("Early", now - 86_400), ("Late", now + 40 * 86_400), ("Early", now - 3_600)] {
            let answer = list(["com.a"]) { _ in AppDetails(name: name) }
            try await store.record(Check(query: query("timer"), at: at, outcome: .answered(answer)), clock: at)
        }
        let text = "date,keyword,app,rank\n2026-11-19,tea,NAME,3\n"
        _ = await #expect(throws: ImportRefusal.self) {
            try await bring(text.replacing("NAME", with: "Late"), options(within: 100, country: "us"))
        }
        try await bring(text.replacing("NAME", with: "early"), options(within: 100, country: "us"))
        #expect(try await rows().count == 1)
    }

    // MARK: Files that say nothing

    @Test(arguments: ["date,keyword,rank\n", "date,keyword,rank\r", "date,keyword,rank\n\n,,\n"])
    func `a table without rows is a mistake`(text: String) async throws {
        #expect(
            try await refusal(text, options(within: 100, country: "us", app: "com.a"))
                == "table: there are no rows below the header; check that this is the file that you mean")
    }

    @Test(arguments: ["\n", "\r", "\r\n"]) func `a table is read whatever ends its lines`(end: String) async throws {
        let text = ["date,keyword,rank", "2026-11-01,t,7", "2026-11-02,t,-", ""].joined(separator: end)
        let result = try await bring(text, options(within: 100, country: "us", app: "com.a"))
        #expect(result == ImportResult(checks: 2, positions: 2))
    }

    // MARK: rankd's own

    private static let ownHeader =
        "query,country,platform,source,language,bundleId,checkedAt,state,position,within,reason\r\n"

    @Test func `rankd's own history comes back by its states, and no failure as an absence`() async throws {
        let result = try await bring(
            Self.ownHeader + "'=sum,us,iphone,itunes,,com.a,2026-11-01T08:00:00Z,ranked,7,100,\r\n"
                + "'=sum,us,iphone,itunes,,com.a,2026-11-02T08:00:00Z,absent,,100,\r\n"
                + "'=sum,us,iphone,itunes,,com.a,2026-11-03T08:00:00Z,failed,,,timeout\r\n"
                + "'=sum,us,iphone,itunes,,com.a,2026-11-04T08:00:00Z,suspect,,2,collapsed\r\n"
                + "'=sum,us,iphone,itunes,en_us,com.a,2026-11-04T08:00:00Z,ranked,3,90,\r\n",
            options(absent: "empty"))
        #expect(result.checks == 3 && result.contradictions == 0)
        #expect(
            result.notes == [
                "2 rows of checks that failed, are suspect or are still to come, left out: they say nothing of the app"
            ])
        #expect(
            try await rows() == [
                "2026-11-01 08:00:00 =sum us iphone com.a ranked 7 100",
                "2026-11-02 08:00:00 =sum us iphone com.a absent NULL 100",
                "2026-11-04 08:00:00 =sum us iphone com.a ranked 3 90",
            ])
        let languages = try await store.read {
            try String.fetchAll($0, sql: "SELECT language FROM query ORDER BY language")
        }
        #expect(languages == ["", "en_us"])
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [
        (
            "query,country,platform,bundleId,checkedAt,state,position\nt,us,iphone,com.a,2026-11-01T08:00:00Z,ranked,7\n",
            "or write the report with --columns all"
        ),
        (
            "query,country,platform,source,language,checkedAt,position,readable,bundleId,mark\n"
                + "t,us,iphone,itunes,,2026-11-01T08:00:00Z,1,true,com.a,\n",
            "import the history itself: rankctl export --output history.ndjson"
        ),
        (
            ownHeader + "t,us,iphone,itunes,,com.a,2026-11-01T08:00:00Z,absent,7,100,\r\n",
            "line 2: the state and the position do not fit"
        ),
        (ownHeader + "t,us,iphone,itunes,,com.a,2026-11-01T08:00:00Z,gone,,100,\r\n", "“gone” is no state of a check"),
        (ownHeader + "t,us,iphone,itunes,,com.a,2026-11-01T08:00:00Z,failed,,,x\r\n", "no row has a place"),
    ]) func `what of rankd's own cannot be read back is refused`(text: String, words: String) async throws {
        let refused = try await refusal(text, options())
        #expect(refused.contains(words), "\(refused)")
    }

    @Test func `rankd's own grid is read day by day`() async throws {
        let text =
            "query,country,platform,source,language,2026-11-18,2026-11-19,2026-11-20\r\n"
            + "t,us,iphone,itunes,,18,,>100\r\nmood,gb,ipad,itunes,,?,7,\r\n"
        let result = try await bring(text, options(app: "com.a"))
        #expect(result.notes == ["read as a table with a column for each of 3 days"])
        #expect(
            try await rows() == [
                "2026-11-18 00:00:00 t us iphone com.a ranked 18 100",
                "2026-11-19 00:00:00 mood gb ipad com.a ranked 7 7",
                "2026-11-20 00:00:00 t us iphone com.a absent NULL 100",
            ])
    }

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo", "America/Santiago", "Pacific/Kiritimati"])
    func `rankd's own grid comes back on the days of its zone`(zone: String) async throws {
        let days = ZoneDays(try #require(TimeZone(identifier: zone)))
        var options = options(app: "com.a")
        options.dayZone = days.zone
        let result = try await bring(
            "query,country,platform,source,language,2026-09-06,2026-11-18\r\nt,us,iphone,itunes,,33,>100\r\n", options)
        let moments = try await store.read {
            try Int64.fetchAll($0, sql: "SELECT at FROM position ORDER BY at")
        }.map { Timestamp(secondsSinceEpoch: $0) }
        let expected = ["2026-09-06T00:00:00Z", "2026-11-18T00:00:00Z"].map { time($0).day }
        #expect(moments.map { days.day(of: $0) } == expected && moments == expected.map { days.start(of: $0) })
        #expect(result.notes.contains("dates without a time are days of \(zone)"), "\(result.notes)")
    }

    @Test func `a place has the depth of its own query`() async throws {
        let grid =
            "query,country,platform,source,language,2026-11-18,2026-11-19\nt,us,iphone,itunes,,>34,40\n"
            + "u,us,iphone,itunes,,8,\n"
        try await bring(grid, options(app: "com.a"))
        #expect(
            try await rows() == [
                "2026-11-18 00:00:00 t us iphone com.a absent NULL 34",
                "2026-11-18 00:00:00 u us iphone com.a ranked 8 8",
                "2026-11-19 00:00:00 t us iphone com.a ranked 40 40",
            ])
        // Another depth contradicts no place.
        let again = try await bring(grid, options(within: 200, app: "com.a"))
        #expect(again.contradictions == 0 && again.duplicates == 3)
    }

    // MARK: Others' habits

    @Test(arguments: ["America/Sao_Paulo", "Asia/Tokyo"])
    func `days that an earlier version imported as UTC's are not imported again`(zone: String) async throws {
        let table = "date,keyword,rank\n2026-11-01,t,7\n2026-11-02,t,-\n2026-11-03,t,9\n"
        var options = options(within: 100, country: "us", app: "com.a")
        try await bring(table, options)
        let before = try await rows()
        options.dayZone = TimeZone(identifier: zone)
        let again = try await bring(table + "2026-11-04,t,4\n", options)
        #expect(again.duplicates == 3 && again.checks == 1 && again.contradictions == 0)
        #expect(
            again.notes.contains { $0.hasPrefix("3 rows are there already at 00:00 UTC of their days") },
            "\(again.notes)")
        let after = try await rows()
        #expect(after.count == 4 && Set(after).isSuperset(of: before))
        let differing = try await bring("date,keyword,rank\n2026-11-01,t,8\n", options)
        #expect(differing.contradictions == 1)
        let third = try await bring(table + "2026-11-04,t,4\n", options)
        #expect(third.duplicates == 4 && third.checks == 0)
        #expect(try await store.findings() == [])
    }

    @Test func `a day without a column is the zone's, and a time without a zone UTC's`() async throws {
        var options = options(within: 100, country: "us", app: "com.a", date: time("2026-11-01T03:00:00Z"))
        (options.dayZone, options.dateIsDay) = (TimeZone(identifier: "America/Sao_Paulo"), true)
        let result = try await bring("keyword,rank\nt,7\n", options)
        #expect(result.notes == ["the date is a day of America/Sao_Paulo"])
        let both = try await bring("date,keyword,rank\n2026-11-02,t,8\n2026-11-03 08:30,t,9\n", options)
        #expect(
            both.notes == ["dates without a time are days of America/Sao_Paulo, times without a zone are UTC's"])
        #expect(
            try await rows().map { $0.prefix(19) } == [
                "2026-11-01 03:00:00", "2026-11-02 03:00:00", "2026-11-03 08:30:00",
            ])
    }

    @Test func `a zone beside the name of a column counts, or is refused`() async throws {
        let rows = "t,7,2026-11-01 10:00\nt,8,2026-11-02\n"
        let options = options(within: 100, country: "us", app: "com.a", date: time("2026-11-09T00:00:00Z"))
        let refused = try await refusal("keyword,rank,Date (PST)\n" + rows, options)
        #expect(refused.contains("line 1: “PST” beside the date is no zone that rankctl reads"), "\(refused)")
        try await bring("keyword,rank,Date (UTC+1)\n" + rows, options)
        #expect(try await self.rows().map { $0.prefix(19) } == ["2026-11-01 09:00:00", "2026-11-01 23:00:00"])
    }

    @Test(arguments: ["app", "bundle id"])
    func `rows of an unknown app are not taken for one that the table has by itself`(column: String) async throws {
        let other = column == "app" ? "Unknown One" : "unknown"
        var options = options(within: 100, country: "us", app: "com.a")
        options.aliases = ["daylight": bundle("com.a"), "com.a": bundle("com.a")]
        let own = column == "app" ? "daylight" : "com.a"
        let table = "date,keyword,rank,\(column),name\n2026-11-01,t,7,\(own),\n2026-11-02,t,1,\(other),\n"
        if column == "app" {
            let refused = try await refusal(table, options)
            #expect(
                refused.contains("knows the app “Unknown One”, and the table has other apps too"), "\(refused)")
        } else {
            let refused = try await refusal(
                table.replacing(",name", with: ",app").replacing("unknown,", with: ",Unknown One"), options)
            #expect(refused.contains("the table has other apps too"), "\(refused)")
        }
        let alone = try await bring("date,keyword,rank,app\n2026-11-01,t,7,Day Light\n", options)
        #expect(alone.notes == ["the app “Day Light” of the table is taken for com.a"])
    }

    @Test func `what stands for an app and has no point is what the history calls so, or nothing`() async throws {
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.apps[0].alias = "daylight"
        try await store.adopt(plan, now: now)
        try await bring(
            "date,keyword,rank\n2026-11-01,t,7\n", options(within: 100, country: "us", app: "Daylight"))
        try await bring(
            "date,keyword,rank,bundle id\n2026-11-02,t,8,daylight\n", options(within: 100, country: "us"))
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a ranked 7 100",
                "2026-11-02 00:00:00 t us iphone com.a ranked 8 100",
            ])
        for (app, column) in [
            ("dayligt", nil), ("6800002587", nil), ("id6800002587", nil), (nil, "dayligt"), (nil, "12"),
        ]
            as [(String?, String?)]
        {
            let table = column.map { "date,keyword,rank,bundle id\n2026-11-03,t,7,\($0)\n" }
            let refused = await #expect(throws: ImportRefusal.self) {
                try await bring(
                    table ?? "date,keyword,rank\n2026-11-03,t,7\n", options(within: 100, country: "us", app: app))
            }
            #expect(refused?.description.contains("nor the history knows an app “\(app ?? column ?? "")”") == true)
        }
        for blank in ["-", "unknown", "null"] {
            let refused = await #expect(throws: ImportRefusal.self) {
                try await bring(
                    "date,keyword,rank,bundle id\n2026-11-03,t,7,\(blank)\n", options(within: 100, country: "us"))
            }
            #expect(refused?.description.contains("line 2: there is no app") == true)
        }
    }

    @Test func `an absence from no results is no check`() async throws {
        let result = try await bring(
            "date,keyword,rank,depth\n2026-11-01,t,-,0\n2026-11-02,t,>0,\n2026-11-03,t,0+,\n2026-11-04,t,5,100\n",
            options(country: "us", app: "com.a"))
        #expect(try await rows() == ["2026-11-04 00:00:00 t us iphone com.a ranked 5 100"])
        #expect(result.notes == ["3 rows not found among 0 results, left out: nobody looked"])
    }

    @Test func `rows of one query and app in two languages are refused, others are told`() async throws {
        let header = "date,keyword,rank,Language\n"
        let options = options(within: 100, country: "us", app: "com.a")
        let refused = try await refusal(header + "2026-11-01,t,7,en_us\n2026-11-01,t,9,es_mx\n", options)
        #expect(
            refused.contains(
                "line 3: is about the query and the app of line 2 in another language, “es_mx” and “en_us”"),
            "\(refused)")
        let result = try await bring(header + "2026-11-01,t,7,en_us\n2026-11-01,u,9,es_mx\n", options)
        #expect(result.notes == ["“Language” is not kept: rows of other tools have no language"])
        #expect(try await rows().count == 2)
    }

    @Test(arguments: [
        ("status", "412 → 5", 412), ("status", "Pending Developer Release", 7), ("status", "pending review", 7),
        ("Standard Error", "0.3", 7), ("Error Margin", "0.3", 7), ("Result", "412", 412),
    ])
    func `a place stays beside a word that is not about its check`(name: String, word: String, place: Int) async throws
    {
        try await bring(
            "date,keyword,rank,\(name)\n2026-11-01,t,\(place),\(word)\n",
            options(within: 500, country: "us", app: "com.a"))
        #expect(try await rows() == ["2026-11-01 00:00:00 t us iphone com.a ranked \(place) 500"])
    }

    @Test func `a place that is left out is told with its word and line`() async throws {
        let result = try await bring(
            "date,keyword,rank,status\n2026-11-01,t,7,ok\n2026-11-02,t,8,pending\n",
            options(within: 100, country: "us", app: "com.a"))
        #expect(
            result.notes.contains(
                "1 of the rows left out has a place beside a word for a failed check, such as “pending” in line 3: "
                    + "if it is not about the check, remove its column"), "\(result.notes)")
    }

    @Test(arguments: ["link", "app", "package", "market", "device"])
    func `a query in a wide table may have the name of a column`(name: String) async throws {
        try await bring(
            "date,habit,\(name)\n2026-11-01,5,12\n2026-11-02,6,\n", options(within: 100, country: "us", app: "com.a"))
        #expect(try await rows().contains("2026-11-01 00:00:00 \(name) us iphone com.a ranked 12 100"))
    }

    @Test func `a check of which another tool says that it failed is no absence`() async throws {
        let result = try await bring(
            "keyword,date,status,rank\nt,2026-11-01,ok,7\nt,2026-11-02,failed,\nt,2026-11-03,timed out,-\nt,2026-11-04,ok,\n",
            options(within: 100, country: "us", app: "com.a"))
        #expect(result.checks == 2)
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a ranked 7 100",
                "2026-11-04 00:00:00 t us iphone com.a absent NULL 100",
            ])
    }

    private static let failures = [
        "failed", "Failed: timeout", "Error 403", "ERROR", "timed out", "timedOut", "TIMED_OUT", "not tracked",
        "notChecked", "not checked yet", "blocked", "throttled", "rate-limited", "RateLimited", "429", "HTTP 503",
        "HTTP/1.1 502 Bad Gateway", "404 Not Found", "5xx", "status 500", "check failed", "no data",
    ]

    @Test(arguments: failures) func `no place beside a word for a failure becomes an absence`(word: String) async throws
    {
        for header in ["date,keyword,rank,status", "date,keyword,rank,Country status,Last check state"] {
            for place in ["", "0", "-", ">100", "5"] {
                let other = header.hasSuffix("status") ? "" : ",active"
                let rows = "2026-11-01,t,7\(other),ok\n2026-11-02,t,\(place)\(other),\"\(word)\"\n"
                _ = try await bring(header + "\n" + rows, options(within: 200, country: "us", app: "com.a"))
                #expect(
                    try await self.rows() == ["2026-11-01 00:00:00 t us iphone com.a ranked 7 200"],
                    "\(word) beside “\(place)”")
            }
        }
    }

    @Test(arguments: [
        "ok", "no error", "0 errors", "Not found", "not in the first 500", "unranked", "active", "200", "paused",
        "soon",
    ]) func `other words beside a mark for an absence leave it one`(word: String) async throws {
        let result = try await bring(
            "date,keyword,rank,status\n2026-11-01,t,7,ok\n2026-11-02,t,-,\(word)\n2026-11-03,t,8,\(word)\n",
            options(within: 200, country: "us", app: "com.a"))
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a ranked 7 200",
                "2026-11-02 00:00:00 t us iphone com.a absent NULL 200",
                "2026-11-03 00:00:00 t us iphone com.a ranked 8 200",
            ])
        let isKnown = !["0 errors", "not in the first 500", "paused", "soon"].contains(word)
        let note =
            "1 row read as “not found” beside a state that rankctl does not know, such as “\(word)”: if it means that the "
            + "check failed, remove them"
        #expect(result.notes == (isKnown ? [] : [note]))
    }

    @Test func `what stands in a column for errors is a failure`() async throws {
        try await bring(
            "date,keyword,rank,Last Error\n2026-11-01,t,-,\n2026-11-02,t,-,no route\n2026-11-03,t,-,none\n",
            options(within: 200, country: "us", app: "com.a"))
        #expect(try await rows().map { $0.prefix(10) } == ["2026-11-01", "2026-11-03"])
    }

    @Test(arguments: ["results", "total", "Total Results", "checked", "Apps in Ranking"])
    func `how many results there are is not how many were looked at`(_ name: String) async throws {
        let table = "date,keyword,rank,\(name)\n2026-11-01,t,-,640\n2026-11-02,t,-,50\n2026-11-03,t,7,197\n"
        let refused = try await refusal(table, options(country: "us", app: "com.a"))
        #expect(
            refused.contains("“\(name)” may be how many there are, and not how many it looked at; add --within"),
            "\(refused)")
        try await bring(table, options(within: 200, country: "us", app: "com.a"))
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a absent NULL 200",
                "2026-11-02 00:00:00 t us iphone com.a absent NULL 50",
                "2026-11-03 00:00:00 t us iphone com.a ranked 7 197",
            ])
    }

    @Test(arguments: [
        "Total Downloads", "Proceeds (USD)", "App Units", "Total Downloads,Product Page Views", "habit tracker,units",
    ]) func `a table of an app's figures is none of places`(_ names: String) async throws {
        let cells = names.split(separator: ",").map { _ in "5" }.joined(separator: ",")
        let refused = try await refusal(
            "Date,Country,\(names)\n2026-11-01,us,\(cells)\n", options(within: 200, app: "com.a"))
        #expect(refused.contains("is the name of a figure, and there is no column for the query"), "\(refused)")
    }

    @Test func `a query with the word for a figure is one among others`() async throws {
        try await bring(
            "date,volume booster,streaks,habit tracker\n2026-11-01,5,6,7\n",
            options(within: 200, country: "us", app: "com.a"))
        #expect(try await rows().count == 3)
    }

    @Test func `rows that are dated later than now are told, and count once their time is past`() async throws {
        let text = "date,keyword,rank\n2026-11-20 10:00,t,9\n2026-11-21 08:00,t,2\n2026-11-21 23:00,t,4\n"
        let options = options(within: 100, country: "us", app: "com.a")
        let first = try await bring(text, options)
        #expect(
            first.notes == [
                "2 rows are dated later than now, the last 2026-11-21T23:00:00Z: until then they count for no newest and no "
                    + "best place; import the table again after that if rankd checks nothing here"
            ])
        func standing() async throws -> [String] {
            try await store.read {
                try Row.fetchAll($0, sql: "SELECT position, best, worst FROM standing").map(\.text)
            }
        }
        #expect(try await standing() == ["9 9 9"])
        let file = try folder.write(text, to: "ranks.csv")
        let second = try await store.importTable(file, options: options, now: now + 86_400)
        #expect(second.notes == [] && second.duplicates == 3)
        #expect(try await standing() == ["4 2 9"])
        #expect(try await store.findings() == [])
    }

    @Test func `a table can be about an app with the greatest number of Apple's`() async throws {
        let number = (Int64(1) << 53) - 1
        let app = SeenApp(id: AppID(number), bundleID: bundle("com.a"), fingerprint: 1) { AppDetails(name: "A") }
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        try await store.record(
            Check(query: query("timer"), at: now, outcome: .answered(ResultList(places: [app]))))
        let reader = try HistoryReader(path: store.path)
        #expect(try reader.namesByAppID(of: [bundle("com.a")]) == [AppID(number): bundle("com.a")])
        // The number is that of the app, although the table's is nobody's.
        let refused = try await refusal(
            "keyword,app id,date,rank\nt,12,2026-11-01,7\n", options(within: 100, country: "us", app: "com.a"))
        #expect(refused.contains("the table is about app 12, and com.a is app \(number)"), "\(refused)")
        try await bring("keyword,app id,date,rank\nt,\(number),2026-11-01,7\n", options(within: 100, country: "us"))
        #expect(try await rows() == ["2026-11-01 00:00:00 t us iphone com.a ranked 7 100"])
    }

    @Test func `a table with a column for each query is read, and an empty cell says nothing`() async throws {
        try await bring(
            "date,habit tracker,streaks\n2026-11-01,12,>100\n2026-11-02,,9\n", options(country: "us", app: "com.a"))
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 habit tracker us iphone com.a ranked 12 100",
                "2026-11-01 00:00:00 streaks us iphone com.a absent NULL 100",
                "2026-11-02 00:00:00 streaks us iphone com.a ranked 9 100",
            ])
        let figures = try? await bring(
            "date,impressions,downloads\n2026-11-01,12,5\n", options(within: 100, country: "us", app: "com.a"))
        #expect(figures == nil)
    }

    @Test(arguments: [
        (
            ["N/A", "", "5"], ["absent", "ranked"],
            [
                "1 row with an empty place, left out: the table has another mark for “not found”",
                "1 row with “N/A”, read as “not found”; if “N/A” means that nobody looked, name the mark for “not found”: "
                    + "--absent MARK",
            ]
        ),
        (
            ["", "", "5"], ["absent", "absent", "ranked"],
            [
                "2 rows with an empty place, read as “not found”; if an empty cell means that nobody looked, name the mark "
                    + "for “not found”: --absent MARK"
            ]
        ),
        (
            ["-", "N/A", "5"], ["absent", "ranked"],
            ["1 row with “N/A”, left out: the table has another mark for “not found”"]
        ),
        (["?", "-", "5"], ["absent", "ranked"], ["1 row with “?”, left out: it does not say where the app is"]),
    ]) func `what is left out or guessed is told by what its cell holds`(
        places: [String], states: [String], notes: [String]
    ) async throws {
        let rows = places.enumerated().map { "2026-11-0\($0 + 1),t,\($1)\n" }.joined()
        let result = try await bring(
            "date,keyword,rank\n" + rows, options(within: 100, country: "us", app: "com.a"))
        #expect(result.notes == notes)
        let read = try await store.read {
            try String.fetchAll($0, sql: "SELECT state FROM position_history ORDER BY at")
        }
        #expect(read == states)
    }

    @Test func `a country is read by its three-letter code, and that is told`() async throws {
        let result = try await bring(
            "date,keyword,rank,country\n2026-11-01,a,1,USA\n2026-11-01,b,2,gbr\n2026-11-01,c,3,U.S.\n"
                + "2026-11-01,d,4,UAE\n2026-11-01,e,5,UK\n2026-11-01,f,6,u.s.a.\n",
            options(within: 100, app: "com.a"))
        #expect(result.notes == ["countries read by their longer codes: GBR as gb, UAE as ae, US as us, USA as us"])
        let read = try await store.read {
            try String.fetchAll($0, sql: "SELECT country FROM position_history ORDER BY query")
        }
        #expect(read == ["us", "gb", "us", "ae", "gb", "us"])
    }

    @Test func `a name beside an unknown number is looked up in the watchlist`() async throws {
        var options = options(within: 100, country: "us")
        options.aliases = ["habits": bundle("com.a"), "com.a": bundle("com.a")]
        try await bring("date,keyword,rank,app id,app\n2026-11-01,t,7,12,com.a\n", options)
        try await bring("date,keyword,rank,app\n2026-11-02,t,8,COM.A\n", options)
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a ranked 7 100",
                "2026-11-02 00:00:00 t us iphone com.a ranked 8 100",
            ])
    }

    @Test func `two app numbers under one alias are refused, and one of them is not`() async throws {
        var options = options(within: 100, country: "us")
        options.aliases = ["habits": bundle("com.a"), "com.a": bundle("com.a")]
        let table = "date,keyword,rank,app id,app\n2026-11-01,t,7,12,habits\n2026-11-01,t,9,345,Habits\n"
        #expect(
            try await refusal(table, options)
                == "table: 12 and 345 are two apps, and the watchlist has one by that name; import the rows of that one "
                + "alone, or add a column bundle_id")
        try await bring(table.replacing("345", with: "12").replacing("-01,t,9", with: "-02,t,9"), options)
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t us iphone com.a ranked 7 100",
                "2026-11-02 00:00:00 t us iphone com.a ranked 9 100",
            ])
    }

    @Test func `a row ends early, a tool praises itself, and nothing is lost or made up`() async throws {
        let header = "Keyword,App Id,Date,Rank,Note,Tags\n"
        let options = options(within: 100, country: "us", app: "com.a")
        let result = try await bring(
            header
                + "t,12345,2026-11-01,7\nt,12345,2026-11-02,8,x,core,brand\n\nMade by a tool - https://example.com\n",
            options)
        #expect(result.checks == 2)
        #expect(
            result.notes == [
                "line 5 and what follows are no rows and were left out: “Made by a tool - https://example.com”",
                "the app 12345 of the table is taken for com.a",
            ])
    }

    @Test(arguments: [
        ("t,1,2026-11-01\n", "line 2: has 3 fields, the header 6: it ends before the rank; complete the line"),
        ("Made by a tool\nt,1,2026-11-01,7,,\n", "line 2: has 1 fields, the header 6"),
        (
            "t,1,2026-11-01,7,,\nt,1,11/12/2026,7,,\n",
            "line 3: “11/12/2026” is not a date, or can be read in more than one way"
        ),
        ("t,1,13.11.2026,7,,\nt,1,11.13.2026,7,,\n", "has day and month in another order than line 3"),
    ]) func `what is not understood is told with its line, and nothing of the table stays`(
        rows: String, words: String
    ) async throws {
        let refused = try await refusal(
            "Keyword,App Id,Date,Rank,Note,Tags\n" + rows, options(within: 100, country: "us", app: "com.a"))
        #expect(refused.contains(words), "\(refused)")
    }

    @Test func `an app is its number, its alias, or its name in a store`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        let answer = list(["com.a", "com.b"]) { AppDetails(name: $0 == "com.b" ? "Day Light" : "Mine") }
        try await store.record(Check(query: query("timer"), at: now, outcome: .answered(answer)))
        let id = try await store.read { database in
            try History.Row.fetchOne(database, sql: "SELECT app_id FROM app WHERE bundle_key = 'com.a'")?.wide(0) ?? 0
        }
        let options = options(within: 100, country: "us")
        try await bring("keyword,app,date,rank\nt,com.a,2026-11-01,7\n", options)
        try await bring("keyword,app id,date,rank\nt,\(id),2026-11-02,8\n", options)
        try await bring("keyword,url,date,rank\nt,https://apps.apple.com/us/app/x/id\(id),2026-11-03,9\n", options)
        try await bring("keyword,app,date,rank\nt,DAY LIGHT,2026-11-04,5\n", options)
        #expect(
            try await rows()
                == ["7", "8", "9"].enumerated().map {
                    "2026-11-0\($0 + 1) 00:00:00 t us iphone com.a ranked \($1) 100"
                } + ["2026-11-04 00:00:00 t us iphone com.b ranked 5 100"])
        let refused = await #expect(throws: ImportRefusal.self) {
            try await bring("keyword,app,date,rank\nt,Pomelo,2026-11-01,7\n", options)
        }
        #expect(refused?.description.contains("neither the watchlist nor the history knows the apps “Pomelo”") == true)
    }

    @Test func `a table that contradicts itself keeps its first line, and says where`() async throws {
        let result = try await bring(
            "keyword,bundle_id,date,rank\nt,com.a,2026-11-01,5\nt,com.a,2026-11-01,9\n",
            options(within: 100, country: "us"))
        #expect(try await rows() == ["2026-11-01 00:00:00 t us iphone com.a ranked 5 100"])
        #expect(result.contradictions == 1 && result.firstContradiction == 3)
    }

    @Test func `a rank that says more than a place is not offered as an absence`() async throws {
        let refused = try await refusal(
            "keyword,bundle_id,date,rank\nt,com.a,2026-11-01,5\nt,com.a,2026-11-02,5 (+2)\n",
            options(within: 100, country: "us"))
        #expect(refused.contains("write the place alone") && !refused.contains("--absent"), "\(refused)")
    }

    @Test func `an app that came under another name keeps the pair that was imported`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.old"])]), now: now)
        let options = options(within: 100, country: "us")
        try await store.record(Check(query: query("timer"), at: now - 900, outcome: .answered(list(["com.old"]))))
        let id = try await store.read { try History.Row.fetchOne($0, sql: "SELECT app_id FROM app")?.wide(0) ?? 0 }
        try await bring("keyword,app id,date,rank\nt,\(id),2026-11-01,7\n", options)
        try await store.write { database in
            try database.execute(
                sql: """
                    UPDATE app SET bundle_id = 'com.new', bundle_key = 'com.new';
                    INSERT INTO bundle_name (app, ordinal, bundle_key, bundle_id, from_at, stayed_at)
                    SELECT id, 0, 'com.old', 'com.old', first_seen_at, first_seen_at FROM app
                    UNION ALL SELECT id, 1, 'com.new', 'com.new', first_seen_at + 600, first_seen_at + 600 FROM app;
                    """)
        }
        for column in ["app id,date,rank\nt,\(id)", "bundle id,date,rank\nt,com.new", "bundle id,date,rank\nt,com.old"]
        {
            let again = try await bring("keyword,\(column),2026-11-01,7\n", options)
            #expect(again.duplicates == 1 && again.checks == 0, "\(column)")
        }
        #expect(try await rows().count == 1)
    }

    // MARK: Samples

    private static let samples = [ProcessInfo.processInfo.environment["RANKD_CORPUS"], beside]
        .compactMap { $0.map { $0 + "/imports" } }.first { FileManager.default.fileExists(atPath: $0) }

    private static let beside = URL(filePath: #filePath).pathComponents.firstIndex(of: "Tests").map { place in
        let root = URL(filePath: #filePath).pathComponents.prefix(place).dropFirst().joined(separator: "/")
        return URL(filePath: "/" + root).deletingLastPathComponent().path + "/shared/corpus"
    }

    private static let needsSamples = "needs the tables: put them in ../shared/corpus or name RANKD_CORPUS"

    @Test(.enabled(if: samples != nil, Comment(rawValue: needsSamples)))
    func `tables of places are read as each tool writes them`() async throws {
        let folder = try #require(Self.samples)
        let day = time("2026-07-20T00:00:00Z")
        let expected = [
            "openaso": [
                "2026-05-05 18:54:09 focus timer us iphone com.pomelo ranked 7 197",
                "2026-05-05 18:54:10 pomodoro de iphone com.pomelo absent NULL 200",
            ],
            "respectaso": [
                "2026-05-10 09:15:00 habit tracker us iphone com.pomelo ranked 12 200",
                "2026-05-10 09:15:00 streaks de iphone com.pomelo absent NULL 200",
            ],
            "serpbear": [
                "2026-11-20 09:00:00 habit tracker us iphone com.pomelo ranked 12 200",
                "2026-11-20 09:00:00 q&a \"best\" de mac com.pomelo absent NULL 200",
            ],
            "asobeast-keywords": [
                "2026-07-20 00:00:00 streaks us iphone com.pomelo absent NULL 100",
                "2026-07-20 04:00:00 habit tracker us iphone com.pomelo ranked 12 200",
            ],
            "aso-ninja": [
                "2026-07-20 00:00:00 habit tracker us iphone com.pomelo ranked 12 200",
                "2026-07-20 00:00:00 streaks us iphone com.pomelo absent NULL 200",
            ],
        ]
        for (name, rows) in expected {
            let store = try HistoryStore(path: self.folder.file("\(name).sqlite"))
            let options = options(within: 200, country: "us", app: "com.pomelo", date: day)
            _ = try await store.importTable("\(folder)/\(name).csv", options: options, now: now)
            let read = try await store.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT datetime(at, 'unixepoch'), query, country, platform, bundle_id, state, position, within
                        FROM position_history ORDER BY at, query
                        """
                ).map { $0.text.replacing("'", with: "") }
            }
            #expect(read == rows, "\(name)")
            try await store.close()
        }
    }

    @Test(
        .enabled(if: samples != nil, Comment(rawValue: needsSamples)),
        arguments: [
            ("openaso", nil, "focus timer", 41.0), ("respectaso", nil, "habit tracker", 46),
            ("appfigures", nil, "# instagram", 5), ("aso-ninja", "Volume", "habit tracker", 54),
            ("asobeast-keywords", "traffic", "habit tracker", 60),
        ] as [(String, String?, String, Double)])
    func `tables of popularity are read as each tool writes them`(
        name: String, column: String?, query: String, figure: Double
    ) throws {
        let folder = try #require(Self.samples)
        let us = try #require(Country(code: "us"))
        let table = try PopularityTable("\(folder)/\(name).csv", country: us, popularity: column)
        #expect(table.figures[Query.fold(query)]?[us] == figure)
    }
}
