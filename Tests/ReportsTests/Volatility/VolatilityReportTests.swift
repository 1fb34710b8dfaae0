import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct VolatilityReportTests {
    private let today = noon.day

    private func facts(_ code: String, daysAgo: Int64, moved quartiles: (Int, Int, Int)?) throws -> CountryDay {
        var day = CountryDay(store: Store(in: try country(code)), day: today - daysAgo)
        (day.queries, day.good) = (5, 20)
        guard let quartiles else { return day }
        (day.moves.compared, day.moves.apps, day.moves.entered, day.moves.left) = (5, 1_000, 12, 9)
        day.moves.spread = .init(
            lowerQuartile: quartiles.0, median: quartiles.1, upperQuartile: quartiles.2, ninthDecile: 30)
        return day
    }

    /// The US with a month of calm, a stormy day and one of failures; Germany too young to be judged.
    private func volatility() throws -> Volatility {
        var us = try (1...40).map { try facts("us", daysAgo: $0, moved: $0 == 4 ? (4, 8, 16) : (0, 2, 4)) }
        us[1].failed = 30
        us[1].good = 12
        let de = [try facts("de", daysAgo: 2, moved: nil), try facts("de", daysAgo: 1, moved: (0, 1, 2))]
        let shown = today - 16...today
        let trouble = StoreTrouble(store: Store(in: try country("us")), day: today - 2, queries: 4, hasBadDay: false)
        return Volatility(
            generatedAt: noon, days: shown,
            stores: [
                StoreWeather(Store(in: try country("de")), de, [:], shown: shown),
                StoreWeather(Store(in: try country("us")), us, [today - 2: trouble], shown: shown),
            ])
    }

    private func text(_ volatility: Volatility, width: Int = 100) -> String {
        var document = VolatilityReport(volatility).document
        document.blocks.removeAll { if case .chart = $0 { true } else { false } }
        return document.text(TerminalStyle(colour: false, width: width))
    }

    @Test func `it says first what was out of the ordinary, then tells the days`() throws {
        let text = lines(text(try volatility()))
        #expect(
            text.prefix(19).joined(separator: "\n") == """
                The US store shuffled on 16 Nov
                Most checks in the US store failed on 18 Nov

                DE: no day can be judged yet
                  day     weather  moved  usual  z   apps  entered  left
                  19 Nov  –         1.00      –  –  1,000       12     9
                  18 Nov  –            –      –  –

                US: 16 days judged, 1 stormy
                  day        weather  moved  usual     z   apps  entered  left  failed  note
                  19 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  18 Nov     calm      2.00   2.00   0.0  1,000       12     9      30  most checks failed
                  17 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  16 Nov  ●  stormy    9.00   2.00  28.0  1,000       12     9
                  15 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  14 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  13 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  12 Nov     calm      2.00   2.00   0.0  1,000       12     9
                  11 Nov     calm      2.00   2.00   0.0  1,000       12     9
                """)
        // Fourteen days at most are told one by one.
        #expect(text.contains { $0.hasPrefix("  6 Nov") })
        #expect(!text.contains { $0.hasPrefix("  5 Nov") })
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200]) func `no line is wider than the terminal`(width: Int) throws {
        for line in lines(text(try volatility(), width: width)) { #expect(line.count <= width, "\(line)") }
    }

    @Test func `calm stores and young ones say so`() throws {
        var calm = try volatility()
        calm.stores.removeFirst()
        calm.stores[0].days.removeAll { $0.trouble != nil || $0.weather?.state == .stormy }
        #expect(text(calm).hasPrefix("Nothing out of the ordinary since 4 Nov.\n"))
        var young = try volatility()
        young.stores.removeLast()
        #expect(text(young).hasPrefix("No day can be judged yet. It takes 14 earlier days"))
        young.stores = []
        #expect(text(young).hasPrefix("There is no day to show yet"))
    }

    @Test func `no weather is good or bad news`() throws {
        for case .table(let table) in VolatilityReport(try volatility()).document.blocks {
            for case .cells(let cells) in table.rows {
                #expect(!cells.contains { $0.ink == .good || $0.ink == .bad })
            }
        }
    }

    @Test func `the chart has what moved beside what is usual, and marks the days`() throws {
        let charts = VolatilityReport(try volatility()).document.blocks.compactMap { block in
            if case .chart(let chart) = block { chart } else { nil }
        }
        let chart = try #require(charts.last)
        #expect(charts.count == 1)
        // The heading above it names the country and what was judged.
        #expect(chart.heading == "" && chart.title == "US: places moved, day by day")
        #expect(chart.summary.hasPrefix("Places moved, day by day: 2.00 on 19 Nov"))
        #expect(chart.events.map(\.label) == ["stormy", "most checks failed"])
        guard case .values(let lines, _) = chart.content else { return }
        #expect(lines.map(\.name) == ["moved", "usual"])
        #expect(lines[0].points.map(\.value).filter { $0 == 9 }.count == 1)
        #expect(lines.allSatisfy { $0.points.count == 16 })
    }

    @Test func `JSON has the documented shape, null where a day cannot be judged`() throws {
        let json = VolatilityReport(try volatility()).render(as: .json)
        try expectConforms(json, to: "volatility")
        let document = try ParsedJSON(json)
        #expect(
            document["remarks"]
                == .array([
                    .string("the US store shuffled on 16 Nov"), .string("most checks in the US store failed on 18 Nov"),
                ]))
        guard case .array(let stores)? = document["volatility"], case .array(let days)? = stores[0]["days"] else {
            Issue.record("no stores")
            return
        }
        #expect((days[1]["state"], days[1]["moves"], days[1]["z"]) == (.null, .number(1), .null))
        try expectConforms(
            VolatilityReport(Volatility(generatedAt: noon, days: today...today, stores: [])).render(as: .json),
            to: "volatility")
    }

    @Test func `CSV has a row a country and day`() throws {
        let rows = VolatilityReport(try volatility()).render(as: .csv).split(separator: "\r\n").map(String.init)
        #expect(rows.count == 1 + 2 + 16)
        #expect(rows[2] == "de,2026-11-19,,,1.0,,5,1000,12,9,5,20,0,0,")
        #expect(rows[17] == "us,2026-11-18,calm,0.0,2.0,2.0,5,1000,12,9,5,12,0,30,failures")
    }

    @Test func `Markdown and HTML carry the same days`() throws {
        for format in [ReportFormat.markdown, .html] {
            let text = VolatilityReport(try volatility()).render(as: format)
            #expect(text.contains("16 Nov") && text.contains("stormy") && text.contains("9.00"))
        }
    }
}
