import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Which apps the rows of a table are about, and which rows contradict each other.
@Suite struct TableAppsTests {
    private let stage: TableStage
    private var now: Timestamp { stage.now }
    private var store: HistoryStore { stage.store }

    init() throws { stage = try TableStage() }

    private func options(_ app: String?) -> ForeignTableOptions {
        ForeignTableOptions(name: "tool", within: 100, country: Country(code: "us"), app: app.map { bundle($0) })
    }

    @discardableResult
    private func bring(_ text: String, app: String? = nil) async throws -> ImportResult {
        try await stage.bring(text, options(app))
    }

    private func refusal(_ text: String, app: String? = nil) async throws -> String {
        try await stage.refusal(text, options(app))
    }

    private func rows() async throws -> [String] {
        try await stage.rows("datetime(at, 'unixepoch'), query, bundle_id, position")
    }

    /// An app that a check has shown.
    private func see(_ bundleID: String, number: Int64, name: String) async throws {
        let app = SeenApp(id: AppID(number), bundleID: bundle(bundleID), fingerprint: 1) { AppDetails(name: name) }
        try await store.record(
            Check(query: query("timer"), at: now - 60, outcome: .answered(ResultList(places: [app]))))
    }

    @Test func `two numbers under an alias that the history adopted are refused`() async throws {
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.apps[0].alias = "habits"
        try await store.adopt(plan, now: now)
        for second in ["Habits", "com.a"] {
            let refused = try await refusal(
                "date,keyword,rank,app id,app\n2026-11-01,t,7,12,habits\n2026-11-01,t,9,345,\(second)\n")
            #expect(
                refused
                    == "table: 12 and 345 are two apps, and the history has one by that name; import the rows of that one "
                    + "alone, or add a column bundle_id")
        }
    }

    @Test func `a column of bundle ids holds no names of a store`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        try await see("com.other", number: 6_800_000_001, name: "Pomelo")
        let refused = try await refusal("date,keyword,rank,bundle_id\n2026-11-01,t,7,Pomelo\n")
        #expect(refused.contains("neither the watchlist nor the history knows an app “Pomelo”"), "\(refused)")
        try await bring("date,keyword,rank,app\n2026-11-01,t,7,Pomelo\n")
        #expect(try await rows() == ["2026-11-01 00:00:00 t com.other 7"])
    }

    @Test func `a column of apps can hold Apple's numbers`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        try await see("com.a", number: 1_667_900_926, name: "2048")
        try await bring(
            "date,keyword,rank,app\n2026-11-01,t,7,1667900926\n2026-11-02,t,8,id1667900926\n2026-11-03,t,9,2048\n")
        #expect(
            try await rows() == [
                "2026-11-01 00:00:00 t com.a 7", "2026-11-02 00:00:00 t com.a 8", "2026-11-03 00:00:00 t com.a 9",
            ])
    }

    @Test func `an unknown number among apps is none that has another number`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"])]), now: now)
        try await see("com.a", number: 1_667_900_926, name: "A")
        let refused = try await refusal("date,keyword,rank,app\n2026-11-01,t,7,1667900927\n", app: "com.a")
        #expect(refused.contains("the table is about app 1667900927, and com.a is app 1667900926"), "\(refused)")
    }

    // MARK: Rows that contradict each other

    @Test(arguments: [
        "2026-11-01 08:00:00,t,7,12,A,en_us\n2026-11-01 08:00:04,t,9,12,A,es_mx\n",
        "2026-11-01,t,7,12,Habits,en_us\n2026-11-01,t,9,12,Hábitos,es_mx\n",
        "2026-11-01,t,7,12,A,en-US\n2026-11-02,t,9,12,A,es_mx\n",
    ])
    func `rows of two languages are no rows of one app's list`(rows: String) async throws {
        let refused = try await refusal("date,keyword,rank,app id,app,Language\n" + rows, app: "com.a")
        #expect(
            refused.contains("line 3: is about the query and the app of line 2 in another language, “es_mx” and “en"),
            "\(refused)")
        #expect(refused.hasSuffix("import the rows of each language alone, each with a --source of its own"))
    }

    @Test func `a row without a language is not one of a language`() async throws {
        let refused = try await refusal(
            "date,keyword,rank,app,Language\n2026-11-01,t,7,A,\n2026-11-01 00:00:04,t,9,A,es_mx\n", app: "com.a")
        #expect(refused.contains("in another language, “es_mx” and none, which rankctl"), "\(refused)")
    }

    @Test func `one language in two spellings is one`() async throws {
        try await bring(
            "date,keyword,rank,app,Language\n2026-11-01,t,7,A,en_US\n2026-11-02,t,8,A,en-us\n", app: "com.a")
        #expect(try await rows().count == 2)
    }

    @Test func `two apps at one place of one list contradict each other, which is told by line`() async throws {
        let table =
            "date,keyword,rank,bundle_id\n2026-11-01T00:00:00Z,t,5,com.a\n2026-11-01T00:00:00Z,t,5,com.b\n"
            + "2026-11-01T00:00:00Z,u,5,com.b\n"
            + "2026-11-02T00:00:00Z,t,5,com.b\n2026-11-02T00:00:00Z,t,-,com.a\n"
            + "2026-11-03T00:00:00Z,t,-,com.a\n2026-11-03T00:00:00Z,t,-,com.b\n"
        let result = try await bring(table)
        #expect(result.contradictions == 1 && result.firstContradiction == 3 && result.positions == 6)
        #expect(
            result.notes == [
                "line 3 has com.b at place 5 of “t” in us at 2026-11-01T00:00:00Z, where line 2 has another app; what came "
                    + "first was taken: correct the table and import it again, or if the number means “not found”, add it "
                    + "to --absent"
            ])
        #expect(try await rows().filter { $0.hasSuffix(" 5") }.count == 3)
        let again = try await bring(table)
        #expect(again.duplicates == 6 && again.contradictions == 1 && again.checks == 0)
        #expect(try await store.findings() == [])
    }

    @Test func `two apps at one place of a day may be of two lists of it`() async throws {
        let result = try await bring(
            "date,keyword,rank,bundle_id\n2026-11-01,t,5,com.a\n2026-11-01,t,5,com.b\n")
        #expect(result.contradictions == 0 && result.notes == [])
        #expect(try await rows() == ["2026-11-01 00:00:00 t com.a 5", "2026-11-01 00:00:00 t com.b 5"])
    }

    @Test func `a place of a row that was left out is free`() async throws {
        let result = try await bring(
            "date,keyword,rank,bundle_id\n2026-11-01T00:00:00Z,t,5,com.a\n2026-11-01T00:00:00Z,t,9,com.a\n"
                + "2026-11-01T00:00:00Z,t,9,com.b\n")
        #expect(result.contradictions == 1 && result.firstContradiction == 3 && result.notes == [])
        #expect(try await rows() == ["2026-11-01 00:00:00 t com.a 5", "2026-11-01 00:00:00 t com.b 9"])
    }

    @Test func `two platforms and two countries have places of their own`() async throws {
        let result = try await bring(
            "date,keyword,rank,bundle_id,device,country\n2026-11-01,t,5,com.a,iphone,us\n"
                + "2026-11-01,t,5,com.b,ipad,us\n2026-11-01,t,5,com.c,iphone,de\n2026-11-01 08:00,t,5,com.d,iphone,us\n"
        )
        #expect(result.contradictions == 0 && result.positions == 4)
    }
}
