import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// JSON and CSV: the contracts.
@Suite struct StandingsReportDataTests {
    private func document(_ rows: [Standings.Row]) throws -> [String: Any] {
        let text = StandingsReport(Standings(generatedAt: noon, rows: rows)).render(as: .json)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func only(_ row: Standings.Row) throws -> [String: Any] {
        try #require((try document([row])["standings"] as? [[String: Any]])?.first)
    }

    @Test func `json is the contract, key by key`() throws {
        let rows = Array(try showcase().rows.prefix(1)) + [try showcase().rows[5]]
        #expect(
            StandingsReport(Standings(generatedAt: noon, rows: rows)).render(as: .json) == #"""
                {"version":1,"generatedAt":"2026-11-20T12:00:00Z","since":null,"until":"2026-11-20T12:00:00Z","firstVerdicts":null,"damagedLists":[],"standings":[
                {"query":"habit tracker","country":"us","platform":"iphone","source":"itunes","language":null,"bundleId":"com.me.habits","alias":"habits","appId":1438388363,"appName":"Habit Hero: Daily Routine","mine":true,"tags":["core"],"state":"ranked","position":12,"within":180,"checkedAt":"2026-11-20T10:00:00Z","reason":null,"detail":null,"lastGood":{"position":12,"within":180,"checkedAt":"2026-11-20T10:00:00Z"},"change":{"1d":3,"7d":12,"30d":0},"best":{"position":4,"at":"2026-10-11T12:00:00Z"},"worst":{"position":61,"at":"2026-08-22T12:00:00Z"},"note":null,"changeSince":null,"judgement":null,"difficulty":null,"slide":null,"month":null},
                {"query":"streaks","country":"gb","platform":"iphone","source":"itunes","language":null,"bundleId":"com.me.habits","alias":null,"appId":null,"appName":null,"mine":true,"tags":[],"state":"pending","position":null,"within":null,"checkedAt":null,"reason":null,"detail":null,"lastGood":null,"change":{"1d":null,"7d":null,"30d":null},"best":null,"worst":null,"note":null,"changeSince":null,"judgement":null,"difficulty":null,"slide":null,"month":null}
                ]}

                """#)
    }

    @Test func `every row has every key`() throws {
        let keys: Set = [
            "query", "country", "platform", "source", "language", "bundleId", "alias", "appId", "appName", "mine",
            "tags", "state", "position", "within", "checkedAt", "reason", "lastGood", "change", "best", "worst",
            "note", "changeSince", "judgement", "difficulty", "slide", "month", "detail",
        ]
        let standings = try #require(try document(try showcase().rows)["standings"] as? [[String: Any]])
        #expect(standings.count == 8)
        for row in standings {
            #expect(Set(row.keys) == keys)
            #expect((row["change"] as? [String: Any]).map { Set($0.keys) } == ["1d", "7d", "30d"])
        }
    }

    @Test func `changes are numbers, words or null`() throws {
        var row = try row()
        row.change1d = .places(-7)
        row.change7d = .entered
        let change = try #require(try only(row)["change"] as? [String: Any])
        #expect(change["1d"] as? Int == -7)
        #expect(change["7d"] as? String == "entered")
        #expect(change["30d"] is NSNull)
    }

    @Test func `a failure keeps the last good position apart from its own`() throws {
        let failed = try only(row(try row(), became: .failed(.check(.timedOut))))
        #expect(failed["state"] as? String == "failed")
        #expect(failed["position"] is NSNull && failed["within"] is NSNull)
        #expect((failed["lastGood"] as? [String: Any])?["position"] as? Int == 12)
    }

    @Test func `hostile names come back exactly from json`() throws {
        var hostile = try row("\u{1B}]0;x\u{7}\r\n\"\\")
        hostile.appName = "\u{202E}👩‍👩‍👧‍👦"
        let back = try only(hostile)
        #expect(back["query"] as? String == hostile.query)
        #expect(back["appName"] as? String == hostile.appName)
    }

    @Test func `nothing tracked is an empty array and a header`() throws {
        #expect((try document([])["standings"] as? [Any])?.isEmpty == true)
        #expect(
            StandingsReport(Standings(generatedAt: noon, rows: [])).render(as: .csv).hasSuffix(
                ",ownRatings,topWithWords,topNamed,slideFrom,slideTo,evidence\r\n"))
    }

    @Test func `csv has one record a pair, competitors included, and ends every one in CRLF`() throws {
        let text = StandingsReport(try showcase()).render(as: .csv)
        #expect(
            text.replacing("\r\n", with: "\n") == #"""
                query,country,platform,source,language,bundleId,alias,appId,appName,mine,tags,state,position,within,checkedAt,reason,lastGoodPosition,lastGoodWithin,lastGoodCheckedAt,change1d,change7d,change30d,bestPosition,bestAt,worstPosition,worstAt,note,changeSince,judgement,usualFrom,usualTo,movedOn,strength,weather,shortage,topMedianRatings,ownRatings,topWithWords,topNamed,slideFrom,slideTo,evidence
                habit tracker,us,iphone,itunes,,com.me.habits,habits,1438388363,Habit Hero: Daily Routine,true,core,ranked,12,180,2026-11-20T10:00:00Z,,12,180,2026-11-20T10:00:00Z,3,12,0,4,2026-10-11T12:00:00Z,61,2026-08-22T12:00:00Z,,,,,,,,,,,,,,,,
                habit tracker,us,ipad,itunes,,com.me.habits,habits,1438388363,Habit Hero: Daily Routine,true,core,ranked,12,180,2026-11-20T10:00:00Z,,12,180,2026-11-20T10:00:00Z,3,12,0,4,2026-10-11T12:00:00Z,61,2026-08-22T12:00:00Z,,,,,,,,,,,,,,,,
                gewohnheiten,de,iphone,itunes,,com.me.habits,,,,true,,absent,,180,2026-11-20T10:00:00Z,,,180,2026-11-20T10:00:00Z,left,left,,171,2026-11-17T12:00:00Z,,,,,,,,,,,,,,,,,,
                daily routine,us,iphone,itunes,,com.me.habits,,,,true,,failed,,,2026-11-20T11:00:00Z,timed-out,8,180,2026-11-20T10:00:00Z,-2,1,,5,2026-11-08T12:00:00Z,,,,,,,,,,,,,,,,,,
                피트니스,kr,iphone,itunes,,com.me.habits,,,,true,,suspect,,,2026-11-20T11:00:00Z,collapsed,31,180,2026-11-20T10:00:00Z,,entered,,29,2026-11-18T12:00:00Z,,,,,,,,,,,,,,,,,,
                streaks,gb,iphone,itunes,,com.me.habits,,,,true,,pending,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
                習慣 日本語,jp,iphone,itunes,,jp.me.kazoku,,,家族 👩‍👩‍👧‍👦 café,true,,ranked,1,180,2026-11-20T10:00:00Z,,1,180,2026-11-20T10:00:00Z,0,0,,1,2026-10-21T12:00:00Z,,,,,,,,,,,,,,,,,,
                habit tracker,us,iphone,itunes,,com.x.streaks,,,Streaks,false,,ranked,2,180,2026-11-20T10:00:00Z,,2,180,2026-11-20T10:00:00Z,1,,,1,2026-11-11T12:00:00Z,,,,,,,,,,,,,,,,,,

                """#)
        #expect(text.utf8.count { $0 == 0x0A } == text.utf8.count { $0 == 0x0D })
    }

    @Test func `an app that the store does not sell is noted in its rows`() throws {
        var row = try row()
        row.unknown = UnknownApp(
            bundleID: row.bundleID, country: row.country, since: noon - 9 * day, lastAskedAt: noon - hour, answers: 3)
        let note = "the US store sells no app com.me.habits (looked up 3 times, last 2026-11-20): check the bundleId"
        #expect(try only(row)["note"] as? String == note)
        let text = StandingsReport(Standings(generatedAt: noon, rows: [row])).render(as: .csv)
        #expect(text.contains(",\"\(note)\",") || text.contains(",\(note),"))
    }

    @Test func `csv defuses formulas and keeps losses numbers`() throws {
        var hostile = try row("=cmd|' /C calc'!A0")
        hostile.appName = "＋1, \"best\""
        hostile.tags = ["a", "b c"]
        hostile.change1d = .places(-7)
        let text = StandingsReport(Standings(generatedAt: noon, rows: [hostile])).render(as: .csv)
        #expect(text.contains("\n'=cmd|' /C calc'!A0,us,") || text.contains("\r\n'=cmd|' /C calc'!A0,us,"))
        #expect(text.contains(",\"'＋1, \"\"best\"\"\",true,a;b c,ranked,"))
        #expect(text.contains(",-7,,,"))
    }

    @Test func `lists that would have told how hard a query is and are damaged are named`() throws {
        var standings = Standings(generatedAt: noon, rows: Array(try showcase().rows.prefix(1)))
        standings.damaged = [DamagedLists(query: query("habit tracker"), from: noon - 7_200, through: noon - 3_600)]
        let report = StandingsReport(standings)
        let line = "“habit tracker” in us on iPhone: lists from 2026-11-20 10:00 to 2026-11-20 11:00 are damaged"
        #expect(report.render(as: .table).contains(line) && report.render(as: .html).contains(line))
        #expect(report.render(as: .json).contains(#""from":"2026-11-20T10:00:00Z","through":"2026-11-20T11:00:00Z"}]"#))
        #expect(report.damaged.words().count == 1)
        let opportunities = OpportunitiesReport(Opportunities(generatedAt: noon, rows: []))
        #expect(!opportunities.render(as: .table).contains("damaged") && opportunities.damaged.isEmpty)
        try expectConforms(report.render(as: .json), to: "standings")
    }
}
