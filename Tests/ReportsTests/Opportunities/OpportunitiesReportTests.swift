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
        #expect(narrow.contains("push: 11–30 and rising") && !narrow.contains("defend:") && !narrow.contains("drop:"))
    }

    @Test func `each has its reason and the figures behind it`() throws {
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: try showcase))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(text.hasPrefix("3 to do, the largest gain first\n"))
        #expect(text.contains("1 to drop: they bring nothing\n"))
        #expect(text.contains("rising: usually #18, three weeks ago #28; only 2 of the top 10"), "\(text)")
        #expect(text.contains("slipping: usually #2, three weeks ago #1; Rival climbed to #4 from #9.5"))
        #expect(text.contains("absent on all of 30 days with a good check in 30"))
        for width in 20...160 {
            for line in lines(report.render(as: .table, style: TerminalStyle(colour: false, width: width))) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "), "\(width): \(line)")
            }
        }
    }

    @Test func `json is as documented, and csv has a record each`() throws {
        let report = OpportunitiesReport(Opportunities(generatedAt: noon, rows: try showcase))
        try expectConforms(report.render(as: .json), to: "opportunities")
        #expect(lines(report.render(as: .csv).replacing("\r\n", with: "\n")).count == 6)
        try expectConforms(
            OpportunitiesReport(Opportunities(generatedAt: noon, rows: [])).render(as: .json), to: "opportunities")
    }
}
