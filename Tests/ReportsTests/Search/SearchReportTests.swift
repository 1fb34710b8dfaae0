import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct SearchReportTests {
    private func report(_ places: [SeenApp?]? = nil) throws -> SearchReport {
        SearchReport(
            query: Query(text: "habit tracker", country: try country("us")), generatedAt: noon,
            results: ResultList(places: try places ?? self.places()),
            marks: [try bundleID("COM.me.habits"): .mine, try bundleID("com.x.streaks"): .competitor])
    }

    private func places() throws -> [SeenApp?] {
        [
            try app(
                1_438_388_363, "com.me.habits",
                AppDetails(name: "Habit Hero: Daily Routine", developer: "Me Apps GmbH", rating: 4.534, ratingCount: 12)
            ),
            nil,
            try app(
                572_688_855, "com.x.streaks",
                AppDetails(name: "Streaks\u{1B}[2J\u{202E}", developer: "=cmd|calc", rating: 4.9, ratingCount: 9)),
            try app(9, "kr.fit", AppDetails(name: "피트니스 👩‍👩‍👧‍👦", developer: "日本語株式会社", rating: 0, ratingCount: 0)),
            try app(10, "bare", AppDetails()),
        ]
    }

    private func app(_ id: Int64, _ identifier: String, _ details: AppDetails) throws -> SeenApp {
        SeenApp(id: AppID(id), bundleID: try bundleID(identifier), fingerprint: 0, details: { details })
    }

    private func table(_ report: SearchReport, width: Int) -> String {
        report.render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    @Test func `an app that comes under another bundle identifier is marked by its number`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(path: folder.file("history.sqlite"))
        let timer = query("timer")
        try await store.adopt(watchlist([(timer, ["com.old"])]), now: noon)
        try await store.record(
            Check(
                query: timer, at: noon,
                outcome: .answered(ResultList(places: [try app(777, "com.old", AppDetails(name: "Habits"))]))))
        let marks = try AppMarks([try bundleID("com.old"): .mine], knownTo: HistoryReader(path: store.path))
        #expect(marks[try app(777, "com.new", AppDetails())] == .mine)
        #expect(marks.name(of: try app(777, "com.new", AppDetails())) == (try bundleID("com.old")))
        #expect(marks[try app(778, "com.other", AppDetails())] == nil)
        #expect(marks[try app(778, "com.old", AppDetails())] == .mine)
    }

    @Test func `a wide terminal has one line a result`() throws {
        #expect(
            table(try report(), width: 120) == #"""
                habit tracker in us on iPhone · 5 results

                ● 1. Habit Hero: Daily Routine — Me Apps GmbH — 4.53 (12 ratings)  com.me.habits · id1438388363
                  2. (unreadable entry)
                ○ 3. Streaks\u{1B}[2J\u{202E} — =cmd|calc — 4.90 (9 ratings)       com.x.streaks · id572688855
                  4. 피트니스 👩‍👩‍👧‍👦 — 日本語株式会社 — unrated                        kr.fit · id9
                  5. bare — unrated                                                bare · id10

                ● mine  ○ competitor
                positions in Apple's iTunes Search API; phones can differ

                """#)
    }

    @Test func `a narrow one has the identifiers below, and the rating is never cut`() throws {
        #expect(
            table(try report(), width: 44) == #"""
                habit tracker in us on iPhone · 5 results

                ● 1. Habit Hero… — Me A… — 4.53 (12 ratings)
                     com.me.habits · id1438388363
                  2. (unreadable entry)
                ○ 3. Streaks\u{1… — =cmd… — 4.90 (9 ratings)
                     com.x.streaks · id572688855
                  4. 피트니스 👩‍👩‍👧‍👦 — 日本語株式会社 — unrated
                     kr.fit · id9
                  5. bare — unrated
                     bare · id10

                ● mine  ○ competitor
                positions in Apple's iTunes Search API;
                phones can differ

                """#)
    }

    @Test func `no line is wider than the terminal or ends in a space`() throws {
        for width in 20...160 {
            for line in lines(table(try report(), width: width)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "))
            }
        }
    }

    @Test func `every form for people has the number of ratings beside their average`() throws {
        #expect(table(try report(), width: 120).contains("4.53 (12 ratings)"))
        let page = try report().render(as: .html)
        #expect(page.contains("<th scope=\"col\" class=\"right\">ratings</th>"))
        #expect(try report().render(as: .markdown).contains("| 4.53 | 12 |"))
    }

    @Test func `the legend explains only the marks that are there`() throws {
        let others = try places().suffix(2)
        #expect(!table(try report(Array(others)), width: 80).contains("competitor"))
        #expect(table(try report(Array(try places().suffix(3))), width: 80).contains("\n○ competitor\n"))
    }

    @Test func `nothing found is a sentence`() throws {
        #expect(
            table(try report([]), width: 80) == "The App Store finds nothing for “habit tracker” in us on iPhone.\n")
    }

    @Test func `colour adds nothing but colour`() throws {
        let coloured = try report().render(as: .table, style: TerminalStyle(colour: true, width: 100))
        #expect(coloured.contains("\u{1B}[38;5;28m●"))
        #expect(uncoloured(coloured) == table(try report(), width: 100))
    }

    @Test func `json keeps names exactly and unreadable entries in their place`() throws {
        #expect(
            try report().render(as: .json) == #"""
                {"version":1,"generatedAt":"2026-11-20T12:00:00Z","query":"habit tracker","country":"us","platform":"iphone","source":"itunes","language":null,"results":[
                {"position":1,"readable":true,"bundleId":"com.me.habits","appId":1438388363,"appName":"Habit Hero: Daily Routine","subtitle":null,"developer":"Me Apps GmbH","rating":4.534,"ratingCount":12,"mark":"mine"},
                {"position":2,"readable":false,"bundleId":null,"appId":null,"appName":null,"subtitle":null,"developer":null,"rating":null,"ratingCount":null,"mark":null},
                {"position":3,"readable":true,"bundleId":"com.x.streaks","appId":572688855,"appName":"Streaks\u001B[2J\u202E","subtitle":null,"developer":"=cmd|calc","rating":4.9,"ratingCount":9,"mark":"competitor"},
                {"position":4,"readable":true,"bundleId":"kr.fit","appId":9,"appName":"피트니스 👩‍👩‍👧‍👦","subtitle":null,"developer":"日本語株式会社","rating":0.0,"ratingCount":0,"mark":null},
                {"position":5,"readable":true,"bundleId":"bare","appId":10,"appName":null,"subtitle":null,"developer":null,"rating":null,"ratingCount":null,"mark":null}
                ],"advertisements":[],"otherItems":0,"unknownKinds":[]}

                """#)
    }

    @Test func `csv cannot be run by a spreadsheet`() throws {
        #expect(
            try report().render(as: .csv).replacing("\r\n", with: "\n") == #"""
                position,readable,bundleId,appId,appName,developer,rating,ratingCount,mark
                1,true,com.me.habits,1438388363,Habit Hero: Daily Routine,Me Apps GmbH,4.534,12,mine
                2,false,,,,,,,
                3,true,com.x.streaks,572688855,Streaks\u{1B}[2J\u{202E},'=cmd|calc,4.9,9,competitor
                4,true,kr.fit,9,피트니스 👩‍👩‍👧‍👦,日本語株式会社,0.0,0,
                5,true,bare,10,,,,,

                """#)
    }
}
