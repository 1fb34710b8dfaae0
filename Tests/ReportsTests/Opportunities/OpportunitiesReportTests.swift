import History
import Judging
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct OpportunitiesReportTests {
    private let me = ReportedApp(bundleID: bundle("com.me"), name: "Mine", mark: .mine)
    private let rival = ReportedApp(bundleID: bundle("com.rival"), name: "Rival", mark: .competitor)

    /// One reading a day, the last one today; `nil` for a day without a good check, 0 for an absence.
    private func pair(_ positions: [Int?]) -> PairDays {
        var days: [Int64: Reading] = [:]
        for (index, position) in positions.reversed().enumerated() {
            guard let position else { continue }
            days[noon.day - Int64(index)] = reading(
                position == 0 ? nil : position, secondsAgo: Int64(index) * day)
        }
        return PairDays(
            query: query("habit tracker"), bundleID: me.bundleID, cadence: day, days: DailyReadings(days))
    }

    /// The last week at `recent`, the three before at `earlier`.
    private func weeks(_ recent: Int, _ earlier: Int) -> [Int?] {
        Array(repeating: earlier, count: 21) + Array(repeating: recent, count: 7)
    }

    private func row(
        _ positions: [Int?], difficulty: QueryDifficulty? = nil, ratings: Int64? = nil,
        rivals: [Opportunities.Rival] = []
    ) -> Opportunities.Row? {
        Opportunities.row(
            of: pair(positions),
            .init(app: me, difficulty: difficulty, ratingCount: ratings), rivals: rivals, judgement: nil,
            until: noon)
    }

    private func difficulty(median: Double? = nil, withWords: Int? = nil) -> QueryDifficulty {
        QueryDifficulty(at: noon, medianRatings: median, withWords: withWords, named: 10)
    }

    private var showcase: [Opportunities.Row] {
        get throws {
            var pushed = try #require(
                row(weeks(18, 28), difficulty: difficulty(median: 8_200, withWords: 2), ratings: 340))
            pushed.popularity = 46
            let climbing = Opportunities.Rival(app: rival, position: try #require(Position(4)), usual: 9.5)
            return [
                try #require(row(Array(repeating: 0, count: 30))),
                try #require(row(weeks(2, 1), rivals: [climbing])),
                try #require(row(weeks(20, 20), difficulty: difficulty(withWords: 0))), pushed,
            ]
        }
    }

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
        #expect(text.hasPrefix("2 to push: within reach of the top ten\n"))
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
