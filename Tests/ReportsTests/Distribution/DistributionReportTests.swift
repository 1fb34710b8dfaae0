import Foundation
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct DistributionReportTests {
    /// 20 Oct against 20 Nov, with nothing checked between the two.
    private func distribution() throws -> Distribution {
        let days = noon.day - 31...noon.day
        func row(
            _ id: String, _ name: String?, _ mark: AppMark, then: [Int?], now: [Int?], unchecked: Int = 0
        ) throws -> Distribution.Row {
            func count(_ places: [Int?], of all: Int) -> Distribution.Count {
                var count = Distribution.Count()
                for place in places { count.add(reading(place)) }
                for _ in places.count..<all { count.add(nil) }
                return count
            }
            let all = max(then.count, now.count + unchecked)
            let silent = Array(repeating: count([], of: all), count: days.count - 2)
            var tally = Distribution.Tally(days: days.count)
            tally.counts = [count(then, of: all)] + silent + [count(now, of: all)]
            let both = min(then.count, now.count)
            tally.compared = .init(
                now: count(Array(now.prefix(both)), of: both), then: count(Array(then.prefix(both)), of: both))
            return Distribution.Row(
                app: ReportedApp(bundleID: try bundleID(id), name: name, mark: mark), tally: tally)
        }
        return Distribution(
            generatedAt: noon, days: days,
            rows: [
                try row(
                    "com.me.habits", "Habit Hero", .mine, then: [12, 40, nil, nil], now: [1, 8, 22], unchecked: 1),
                try row("com.me.timer", nil, .mine, then: [3], now: [nil]),
                try row("com.x.streaks", "=Streaks", .competitor, then: [nil], now: [2]),
            ])
    }

    /// Without the drawing, whose form is the chart's own.
    private func text(_ distribution: Distribution, width: Int = 100) -> String {
        var document = DistributionReport(distribution).document
        document.blocks.removeAll { if case .chart = $0 { true } else { false } }
        return document.text(TerminalStyle(colour: false, width: width))
    }

    @Test func `the bands of mine come first, then each app now and then`() throws {
        let found = text(try distribution())
        #expect(
            found == """
                mine: 2 of 5 pairs in the top 10, 1 absent; 1 without a fresh good check
                since 20 Oct, on the 4 pairs that can be compared: 1 → 2 in the top 10, 1 → 1 absent

                  places          now  20 Oct  change
                  1                 1       0      +1  ████████████████████████
                  2–3               0       1      −1
                  4–10              1       0      +1  ████████████████████████
                  11–30             1       1       =  ████████████████████████
                  31–50             0       1      −1
                  51–100            0       0       =
                  101–200           0       0       =
                  absent            1       2       =  ████████████████████████
                  no fresh check    1       0          ████████████████████████

                     app                   1  2–3  4–10  11–30  31–50  absent  no fresh check
                  ●  Habit Hero       now  1          1      1                              1
                                   20 Oct                    1      1       2
                  ●  com.me.timer     now                                   1
                                   20 Oct       1
                  ○  =Streaks         now       1
                                   20 Oct                                   1

                ● mine · ○ competitor
                change: only pairs whose checks of both days can be compared count
                each pair counts by its newest good check, from the last day or, if longer, the last two cadences;
                  no fresh check: there was none in that time; absent: not among Apple's results, which are 200 at
                  most
                positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200]) func `no line is wider than the terminal`(width: Int) throws {
        for line in lines(text(try distribution(), width: width)) { #expect(line.count <= width, "\(line)") }
    }

    @Test func `only what mine did is good or bad news, and what lies between is neither`() throws {
        func inks(_ distribution: Distribution) -> [Ink] {
            for case .table(let table) in DistributionReport(distribution).document.blocks {
                return table.rows.compactMap { if case .cells(let cells) = $0 { cells[3].ink } else { nil } }
            }
            return []
        }
        var distribution = try distribution()
        #expect(inks(distribution) == [.good, .bad, .good, .faint, .plain, .faint, .faint, .faint, .plain])
        distribution.rows.removeFirst(2)
        #expect(Set(inks(distribution)) == [.faint, .plain])
        #expect(text(distribution).hasPrefix("competitors: 1 of 1 pair in the top 10 (0 on 20 Oct), 0 absent (1)\n"))
    }

    @Test func `a single day is compared with nothing`() throws {
        var distribution = try distribution()
        distribution.days = noon.day...noon.day
        for index in distribution.rows.indices {
            var tally = Distribution.Tally(days: 1)
            tally.counts = [distribution.rows[index].tally.now]
            distribution.rows[index].tally = tally
        }
        let text = text(distribution)
        #expect(text.hasPrefix("mine: 2 of 5 pairs in the top 10, 1 absent; 1 without a fresh good check\n"))
        #expect(!text.contains("change"))
    }

    @Test func `places beyond Apple's lists have a line where something stands there`() throws {
        var distribution = try distribution()
        #expect(!text(distribution).contains("over 200"))
        distribution.rows[0].tally.counts[distribution.days.count - 1].add(reading(230, within: 250))
        #expect(text(distribution).contains("over 200"))
    }

    @Test func `the chart has a column a day, of the bands and what is not known`() throws {
        let document = DistributionReport(try distribution()).document
        let charts = document.blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
        guard case .stack(let columns, let parts) = try #require(charts.first).content else {
            Issue.record("not a stack")
            return
        }
        #expect(parts.count == 9 && parts.last?.name == "no fresh check")
        #expect(columns.count == 32)
        #expect(columns.allSatisfy { $0.counts.count == parts.count && $0.counts.reduce(0, +) == 5 })
        #expect(columns[1].counts.last == 5)
        // Not in the shade of the first place.
        #expect(parts.map(\.isUnknown) == Array(repeating: false, count: 8) + [true])
        let (page, text) = (DistributionReport(try distribution()).render(as: .html), document.text(.plain))
        #expect(page.contains("class=\"unknown\"") && text.contains("╱ no fresh check: "))
        #expect(page.components(separatedBy: "class=\"part-0\"").count == 3, "a bar and its key")
    }

    /// Two pairs whose first check was on the day before the last.
    private func young() throws -> Distribution {
        let days = noon.day - 31...noon.day
        var tally = Distribution.Tally(days: days.count)
        for index in tally.counts.indices {
            let isChecked = index >= days.count - 2
            for place in [4, 12] { tally.counts[index].add(isChecked ? reading(place) : nil) }
            tally.notYet[index] = isChecked ? 0 : 2
        }
        let app = ReportedApp(bundleID: try bundleID("com.me.habits"), name: "Habit Hero", mark: .mine)
        return Distribution(generatedAt: noon, days: days, rows: [.init(app: app, tally: tally)])
    }

    @Test func `the time before the first check is blank, and nothing is compared with it`() throws {
        let report = DistributionReport(try young())
        let text = report.document.text(TerminalStyle(colour: false, width: 80))
        #expect(
            text.hasPrefix(
                """
                mine: 1 of 2 pairs in the top 10, 0 absent
                nothing to compare with 20 Oct: the first check was on 19 Nov; 31 days can be
                  compared from about 20 Dec

                  places   now
                  1          0
                """), "\(text)")
        #expect(text.contains("In the top 10: 1 of 2 pairs on 19 Nov, 1 of 2 on 20 Nov.\n"))
        #expect(!text.contains("fresh check") && !text.contains("╱") && !text.contains("█ 1"))
        let plot = lines(text).filter { $0.contains("│") }
        #expect(!plot.isEmpty && plot.allSatisfy { $0.dropFirst(4).hasPrefix("                    ") }, "\(text)")
        #expect(lines(text).first { $0.contains("└") }?.contains("·") == false)
        let page = report.render(as: .html)
        #expect(!page.contains("class=\"gap\"") && !page.contains("class=\"unknown\"") && !page.contains("0 of 2"))
    }

    @Test func `nothing tracked says what to do`() {
        let empty = Distribution(generatedAt: noon, days: noon.day...noon.day, rows: [])
        #expect(text(empty).hasPrefix("No tracked pair to report."))
        #expect(!DistributionReport(empty).render(as: .html).isEmpty)
    }

    @Test func `JSON has the documented shape`() throws {
        let report = DistributionReport(try distribution())
        let json = report.render(as: .json)
        try expectConforms(json, to: "distribution")
        let document = try ParsedJSON(json)
        #expect(document["day"] == .string("2026-11-20"))
        #expect(document["mine"]?["now"]?["noFreshCheck"] == .number(1))
        #expect(document["mine"]?["compared"]?["then"]?["absent"] == .number(1))
        let young = DistributionReport(try young()).render(as: .json)
        try expectConforms(young, to: "distribution")
        #expect(young.contains("2,2,2,0,0]"))
        let empty = Distribution(generatedAt: noon, days: noon.day...noon.day, rows: [])
        try expectConforms(DistributionReport(empty).render(as: .json), to: "distribution")
    }

    @Test func `CSV has a row an app and day, and no cell that a spreadsheet runs`() throws {
        let rows = DistributionReport(try distribution()).render(as: .csv).split(separator: "\r\n").map(String.init)
        #expect(
            rows[0] == "day,bundleId,alias,appId,appName,mark,first,to3,to10,to30,to50,to100,to200,beyond200,absent,"
                + "noFreshCheck,notYetChecked")
        #expect(rows.count == 1 + 3 * 32)
        #expect(rows[1] == "2026-10-20,com.me.habits,,,Habit Hero,mine,0,0,0,1,1,0,0,0,2,0,0")
        #expect(rows.last == "2026-11-20,com.x.streaks,,,'=Streaks,competitor,0,1,0,0,0,0,0,0,0,0,0")
    }

    @Test func `Markdown and HTML carry the same figures, names escaped`() throws {
        var distribution = try distribution()
        distribution.rows[0].app.name = "<b>Habit|Hero</b>"
        let report = DistributionReport(distribution)
        let markdown = report.render(as: .markdown)
        #expect(markdown.contains("| no fresh check |"))
        #expect(!markdown.contains("<b>") && !markdown.contains("Habit|Hero"))
        #expect(!report.render(as: .html).contains("<b>"))
    }
}
