import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct OpportunitiesReportTests: OpportunityRows {
    @Test func `a reason that has no room beside its row is told whole below it, and only what is there is explained`()
    {
        let found = Opportunities(
            generatedAt: noon,
            rows: [row(weeks(20, 20), difficulty: difficulty(median: 5, withWords: 0), ratings: 9)].compactMap(\.self))
        let narrow = OpportunitiesReport(found).render(as: .table, style: TerminalStyle(colour: false, width: 50))
        #expect(
            narrow.contains(
                "\n    the top 10 has no more ratings than the app;\n    none of the top 10 has the words in its name\n"
            ),
            "\(narrow)")
        #expect(
            narrow.contains("push: the app is at 11–30") && !narrow.contains("defend:") && !narrow.contains("drop:"))
    }

    @Test func `each has its reason and the figures behind it`() throws {
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: try showcase))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(text.hasPrefix("3 to do, the largest gain first\n"))
        #expect(text.contains("1 to drop: they bring nothing\n"))
        #expect(text.contains("rising: usually #18, #28 before it moved; only 2 of the top 10"), "\(text)")
        #expect(text.contains("slipping: usually #2, #1 before it moved; Rival climbed to #4,"))
        #expect(text.contains("absent on each of the 30 days with a good check, of the last 30"))
        for width in 20...160 {
            for line in lines(report.render(as: .table, style: TerminalStyle(colour: false, width: width))) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `the columns say what to do and which place is in reach`() throws {
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: try showcase))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(text.contains(/now +do +reach +gain/), "\(text)")
        #expect(text.contains("reach: the place to win, to win back or to keep;"), "\(text)")
    }

    @Test func `what left the list says which place it had, and since when it is absent`() throws {
        let left = row(Array(repeating: 12, count: 30) + Array(repeating: 0, count: 15))
        let dropped = Opportunities.row(
            of: pair(Array(repeating: 0, count: 30)), .init(app: me, best: Position(12), lastRanked: noon.day - 400),
            rivals: [], judgement: nil, on: noon.day)
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: [left, dropped].compactMap(\.self)))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 200))
        #expect(text.contains("was at #12, absent since 6 Nov\n"), "\(text)")
        #expect(text.contains("best #12, absent since 17 Oct 2025\n"), "\(text)")
        #expect(report.render(as: .json).contains(#""leftOn":"2026-11-06""#))
        try expectConforms(report.render(as: .json), to: "opportunities")
    }

    @Test func `json is as documented, and csv has a record each`() throws {
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: try showcase))
        try expectConforms(report.render(as: .json), to: "opportunities")
        #expect(lines(report.render(as: .csv).replacing("\r\n", with: "\n")).count == 6)
        try expectConforms(
            OpportunitiesReport(Opportunities(generatedAt: noon, rows: [])).render(as: .json), to: "opportunities")
    }
}
