import Foundation
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct VisibilityReportTests {
    private let days = noon.day - 2...noon.day

    private func point(_ score: Double?, of queries: Int = 3, counted: Int? = nil) -> VisibilityHistory.Point {
        var point = VisibilityHistory.Point()
        point.score = score
        point.counted = counted ?? queries
        point.coverage = Double(point.counted) / Double(queries)
        return point
    }

    private func series(
        _ id: String, _ name: String, _ mark: AppMark, _ points: [VisibilityHistory.Point], week: Double? = nil,
        month: Double? = nil
    ) throws -> VisibilityHistory.Series {
        .init(
            app: ReportedApp(bundleID: try bundleID(id), name: name, mark: mark), points: points,
            change7d: week.map { .init(points: $0, coverage: 1) },
            change30d: month.map { .init(points: $0, coverage: 1) })
    }

    private func history() throws -> VisibilityHistory {
        let scores: [Double?] = [30, nil, 33.333]
        return VisibilityHistory(
            generatedAt: noon, days: days,
            rows: [
                .init(
                    country: try country("us"), platform: .iphone, queries: 3, isWeighted: true,
                    series: [
                        try series("com.me", "Habit Hero", .mine, scores.map { point($0) }, week: 0.04, month: 3.333),
                        try series(
                            "com.x", "Streaks", .competitor, [50, 48, 45.25].map { point($0) }, week: -1.06,
                            month: -4.75),
                    ]),
                .init(
                    country: try country("de"), platform: .iphone, queries: 3, isWeighted: false,
                    series: [
                        try series("com.me", "Habit Hero", .mine, [nil, nil, nil].map { point($0, counted: 1) })
                    ]),
            ])
    }

    private func text(_ history: VisibilityHistory, width: Int = 100) -> String {
        var document = VisibilityReport(history).document
        document.blocks.removeAll { if case .chart = $0 { true } else { false } }
        return document.text(TerminalStyle(colour: false, width: width))
    }

    private func charts(_ history: VisibilityHistory) -> [Chart] {
        VisibilityReport(history).document.blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
    }

    @Test func `each of my apps has its countries, and its competitors beside it`() throws {
        let found = text(try history())
        #expect(
            found == """
                mine: 1 rose, 1 not comparable yet · over 30 days

                  in     app          now    7d   30d  queries
                Habit Hero · mine
                  us  ●  Habit Hero  33.3     =  ▲3.3   3 of 3
                      ○  Streaks     45.3  ▼1.1  ▼4.8   3 of 3
                  de  ●  Habit Hero     –               1 of 3

                ● mine · ○ competitor
                100: first on every query; 0: on none. 100 × Σ weight ÷ log2(1 + position) ÷ Σ weight; popularity is
                  the weight if all queries of a number have one
                queries: how many have a fresh good check, from the last day or, if longer, the last two cadences; a
                  value needs two thirds of the weight
                changes: only queries with a fresh check on both days count
                positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200]) func `no line is wider than the terminal`(width: Int) throws {
        for line in lines(text(try history(), width: width)) { #expect(line.count <= width, "\(line)") }
    }

    @Test func `a competitor's change is neither good nor bad news`() throws {
        var inks: [[Ink]] = []
        for case .table(let table) in VisibilityReport(try history()).document.blocks {
            for case .cells(let cells) in table.rows { inks.append(cells[5...6].map(\.ink)) }
        }
        #expect(inks == [[.faint, .good], [.plain, .plain], [.plain, .plain]])
    }

    @Test func `platforms are told apart where there are several`() throws {
        var history = try history()
        #expect(!text(history).contains("iPhone"))
        history.rows[1].platform = .ipad
        #expect(text(history).contains("  de  iPad    ●  Habit Hero"))
    }

    @Test func `an app with several numbers has a line each, from the first value on, gaps kept`() throws {
        var history = try history()
        history.rows[1].series[0].points[2] = point(10)
        guard case .values(let lines, _) = try #require(charts(history).first).content else {
            Issue.record("no values")
            return
        }
        #expect(lines.map(\.name) == ["us", "de"])
        #expect(lines[0].points.map(\.value) == [30, nil, 33.333])
        #expect(lines[1].points.map(\.value) == [nil, nil, 10])
    }

    @Test func `an app with one number is drawn beside its competitors`() throws {
        var history = try history()
        history.rows.removeLast()
        history.rows[0].series[0].points[0] = point(nil)
        history.rows[0].series[1].points[0] = point(nil)
        let chart = try #require(charts(history).first)
        #expect(chart.title == "Visibility of Habit Hero in us")
        #expect(chart.span == .startOfDay(noon.day - 1) ... .startOfDay(noon.day))
        guard case .values(let lines, _) = chart.content else { return }
        #expect(lines.map(\.mark) == [.mine, .competitor])
        #expect(lines.map(\.points.count) == [2, 2])
    }

    @Test func `no value at all is no chart, and nothing tracked says what to do`() throws {
        var history = try history()
        history.rows.removeFirst()
        #expect(charts(history).isEmpty)
        #expect(text(history).hasPrefix("mine: 1 number, none can be compared with 30 days before yet\n"))
        (history.rows, history.pairs) = ([], 1)
        #expect(text(history).hasPrefix("nothing to show: this is about your apps, and the 1 pair is a competitor's"))
        history.pairs = 0
        #expect(text(history, width: 400).hasPrefix(NoSuchPair.report))
    }

    @Test func `JSON has the documented shape, null where there is no value`() throws {
        let json = VisibilityReport(try history()).render(as: .json)
        try expectConforms(json, to: "visibility")
        guard case .array(let rows)? = try ParsedJSON(json)["visibility"] else {
            Issue.record("no rows")
            return
        }
        #expect(rows.map { $0["score"] } == [.number(33.333), .number(45.25), .null])
        #expect(rows.map { $0["queriesOf"] } == Array(repeating: .string("com.me"), count: 3))
        #expect(rows[0]["change"]?["30d"] == .number(3.333))
        #expect(rows[2]["change"]?["30d"] == .null)
        let empty = VisibilityHistory(generatedAt: noon, days: days, rows: [])
        try expectConforms(VisibilityReport(empty).render(as: .json), to: "visibility")
    }

    @Test func `CSV has a row an app, country and day`() throws {
        let rows = VisibilityReport(try history()).render(as: .csv).split(separator: "\r\n").map(String.init)
        #expect(rows.count == 1 + 9)
        #expect(rows[2] == "2026-11-19,com.me,us,iphone,com.me,,,Habit Hero,mine,3,true,,1.0,3")
        #expect(rows[6] == "2026-11-20,com.me,us,iphone,com.x,,,Streaks,competitor,3,true,45.25,1.0,3")
    }

    @Test func `Markdown and HTML carry the same figures, names escaped`() throws {
        var history = try history()
        history.rows[0].series[0].app.name = "<b>Hero</b>"
        for format in [ReportFormat.markdown, .html] {
            let text = VisibilityReport(history).render(as: format)
            #expect(text.contains("33.3") && text.contains("▲3.3") && text.contains("3 of 3"))
            #expect(text.contains("&lt;b&gt;Hero&lt;/b&gt;"))
        }
    }
}
