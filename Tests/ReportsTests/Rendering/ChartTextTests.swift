import Foundation
import History
import Judging
import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct ChartTextTests {
    private static let start = noon - 60 * day

    /// One point a day from the start; `nil` for an absence, 0 for a gap.
    private func line(
        _ name: String = "Habit Hero", _ mark: AppMark? = .mine, _ places: [Int?], every step: Int64 = day
    ) -> Chart.PositionLine {
        .init(
            name: name, mark: mark,
            points: places.enumerated().map { index, place in
                let at = Self.start + Int64(index) * step
                guard let place else { return .init(at: at, place: .absent(within: 180)) }
                return .init(at: at, place: Position(place).map { .ranked($0) } ?? .gap)
            })
    }

    private func chart(
        _ lines: [Chart.PositionLine], events: [Chart.Event] = [], until end: Timestamp? = nil,
        size: Chart.Size = .full
    ) -> Chart {
        let moments = lines.flatMap(\.points).map(\.at)
        let first = moments.min() ?? Self.start
        return Chart(
            title: "habit tracker", summary: "said aloud", span: first...(end ?? moments.max() ?? first),
            content: .positions(lines), events: events, size: size)
    }

    private func text(_ chart: Chart, width: Int = 60) -> String {
        chart.lines(TerminalStyle(colour: false, width: width)).joined(separator: "\n")
    }

    /// Everything that a chart of positions can show.
    private func full(lines count: Int = 3) -> Chart {
        let indices = Array(0...60)
        let mine = indices.map { (day: Int) -> Int? in
            if (20...23).contains(day) { return 0 }
            return (51...53).contains(day) ? nil : 40 - day / 2 + day * 7 % 5
        }
        let rival = indices.map { (day: Int) -> Int? in 3 + day * 5 % 4 + day / 6 }
        let other = indices.map { (day: Int) -> Int? in day < 30 ? nil : 150 - day }
        let lines = [
            line(places: mine), line("Streaks", .competitor, rival), line("習慣 <b>\u{1B}[2J", nil, other),
        ]
        return chart(
            Array(lines.prefix(count)),
            events: [
                .init(at: Self.start + 30 * day, kind: .note, label: "new subtitle"),
                .init(at: Self.start + 10 * day, kind: .version, label: "2.1\u{1B}[31m"),
                .init(at: Self.start + 31 * day, kind: .weather, label: "the store shuffled"),
                .init(at: Self.start - day, kind: .version, label: "before"),
            ])
    }

    private func line(places: [Int?]) -> Chart.PositionLine { line("Habit Hero", .mine, places) }

    @Test func `days of weather are marked below the axis as wide as they are, with what they were`() {
        var chart = chart([line(places: (0...60).map { 20 + $0 % 7 })])
        let first = Self.start.day
        chart.weather = .init(days: [first + 40, first + 10, first + 400], legend: "the US store shuffled on 2 days")
        for width in [60, 200] {
            let shown = lines(text(chart, width: width))
            let marks = shown.filter { $0.contains("≈") && !$0.hasPrefix("≈") }
            #expect(marks.count == 1 && marks[0].split(separator: " ").count == 2, "\(marks)")
            #expect(marks[0].count { $0 == "≈" } >= (width == 60 ? 2 : 6))
            #expect(shown.last == "≈ the US store shuffled on 2 days")
        }
        chart.weather?.legend = ""
        #expect(lines(text(chart)).count { $0.contains("≈") } == 1)
    }

    private func values(_ values: [Double?], range: ClosedRange<Double>? = nil) -> Chart {
        Chart(
            title: "Visibility", summary: "", span: Self.start...noon,
            content: .values(
                [
                    .init(
                        name: "us",
                        points: values.enumerated().map { .init(at: Self.start + Int64($0) * day, value: $1) })
                ],
                range: range), unit: "%")
    }

    private func stack(_ counts: [[Int]]) -> Chart {
        Chart(
            title: "Distribution", summary: "", span: Self.start...noon,
            content: .stack(
                counts.enumerated().map { .init(at: Self.start + Int64($0) * 7 * day, counts: $1) },
                parts: ["1", "2–3", "4–10", "absent"]))
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200])
    func `no line is wider than the terminal, ends in a space or acts on it`(width: Int) {
        let figures = (0...60).map { (index: Int) -> Double? in index == 30 ? nil : 20 + Double(index * 3 % 17) }
        let charts = [
            full(), full(lines: 1), values(figures),
            stack([[1, 2, 5, 12], [], [2, 2, 5, 11], [3, 2, 5, 10]]),
        ]
        for chart in charts {
            for line in chart.lines(TerminalStyle(colour: false, width: width)) {
                #expect(TerminalText.width(line) <= width, "\(line)")
                #expect(!line.hasSuffix(" ") && !line.contains("\u{1B}"), "\(line)")
            }
            let coloured = chart.lines(TerminalStyle(colour: true, width: width)).joined(separator: "\n")
            #expect(uncoloured(coloured) == text(chart, width: width))
        }
    }

    @Test func `several lines with everything that a chart of positions can show`() {
        #expect(
            text(full()) == """
                habit tracker
                said aloud
                     │⠑⢄ ⡜⢆ ⢠⡀┊
                  #5 ┤ ⠈⠚ ⠈⠢⠎⠈⠒⠤⠓⠢⢄⠎⠒⡄⢠⠢⣀ ⣄⡀ ⡠⣀  ⡀
                     │        ┊      ⠈⠁  ⠉ ⠈⠑⠁ ⠑⠜⠈⠑⠤⠊⠢⠤⠜⠒⠤⡠⠢⠤⣀⠤⢄⣀⡠⠤⣀⣀⣄⣀⣄⣔ ab
                 #20 ┤        ┊                    ⣀⣀⢀⣀⡠⣀⣀⠤⠔⠢⠤⠒⠔⠁a ⠈⠉⠈⠁⠈
                     │⣀⣀⣀⣀⣀⣀⡠⣀⠤⠤⡠⠤⠤⠤⠤⠢⠄a  ⠊⠑⠒⠉⠒⠉⠉⠉⠉  ⠁
                     │        ┊
                #120 ┤        ┊                ⢀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠒ c
                >180 ┤ccccccccccccccccccccccccc                  aa
                     └───────────┬───────────┬───────────┬──────────┬────
                            5 Oct 2026    19 Oct       2 Nov     16 Nov
                              v1               n2
                                                w3
                a Habit Hero: #10   b Streaks: #13
                c 習慣 <b>\\u{1B}[2J: #90
                v1 2026-10-01 2.1\\u{1B}[31m
                n2 2026-10-21 new subtitle
                w3 2026-10-22 the store shuffled
                """)
    }

    @Test func `the same on a wider terminal`() {
        #expect(
            text(full(), width: 80) == """
                habit tracker
                said aloud
                     │⠱⡀  ⢠⠳⡀  ⢀  ┊
                  #5 ┤ ⠈⠑⢤⠃ ⠘⣄⢀⠎⠑⠤⡀⢀⠔⢄  ⢀⠦⢄   ⡀
                     │        ⠉   ⠈⠁  ⠉⠑⠊  ⠑⠤⠊⠈⠑⠒⠤⠊⠑⠢⢄⡠⠊⠒⠤⡀⢠⠒⠤⣀ ⣀⢄⣀  ⡠⢄⡀  ⢀                  ⢀ a
                     │            ┊                       ⠈⠁   ⠉   ⠉⠒⠁ ⠈⠢⠔⠁⠉⠑⠢⠔⠉⠒⢤⢄⡰⠑⠢⢄⣠⣔⡢⢤⣢⣄⠮ b
                 #20 ┤            ┊                            ⣀⡀  ⣀ ⡠⢄⣀⡠⠤⠤⠒⠢⠤⠔⠑⠢⠃    ⠈  ⠈⠁
                     │           ⢀⡀  ⣀ ⢀⣀⣀ ⡠⣀a    ⠠⠔⠢⠤⠤⠒⠤⠒⠑⠒⠒⠉⠉ ⠈⠉⠉ ⠉
                 #50 ┤⠒⠒⠒⠒⠒⠊⠉⠉⠒⠉⠉⠁⠈⠉⠉ ⠉⠁  ⠉
                     │            ┊
                #120 ┤            ┊                       ⣀⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉ c
                >180 ┤ccccccccccccccccccccccccccccccccccc                          aaa
                     └────────────────┬────────────────┬───────────────┬────────────────┬─────
                                 5 Oct 2026         19 Oct           2 Nov           16 Nov
                                  v1                      n2
                                                           w3
                a Habit Hero: #10   b Streaks: #13   c 習慣 <b>\\u{1B}[2J: #90
                v1 2026-10-01 2.1\\u{1B}[31m
                n2 2026-10-21 new subtitle
                w3 2026-10-22 the store shuffled
                """)
    }

    @Test func `one line with gaps and absences`() {
        #expect(
            text(full(lines: 1)) == """
                habit tracker
                said aloud
                 #10 ┤         ┊                                         ⢀ ⡜
                     │         ┊                                      ⢀⠦⢄⡸⠳⠁
                     │         ┊                              ⡀  ⣄⡜   ⠊ ⠈⠃
                 #20 ┤         ┊                     ⡀  ⡀⡰⢄⣀⠔⠜⠈⠑⠜⠈
                     │         ┊            ⢀ ⢀⢄⢠⠢⣀⠔⠴⠉⠑⠜⠈⠁
                 #30 ┤         ⡀ ⢀ ⡠⣀⢀⢄⡀   ⠐⠁⠑⠊ ⠁
                     │⢄⣀⡠⠤⠒⠒⠔⠑⠊⠈⠑⠁⠉  ⠁
                >180 ┤                                             ___
                     └────────────┬─────···───┬────────────┬───────────┬────
                             5 Oct 2026    19 Oct        2 Nov      16 Nov
                               v1                n2
                                                 w3
                v1 2026-10-01 2.1\\u{1B}[31m
                n2 2026-10-21 new subtitle
                w3 2026-10-22 the store shuffled
                """)
    }

    @Test func `parts of a whole, and a week of which nothing is known`() {
        #expect(
            text(stack([[1, 2, 5, 12], [], [2, 2, 5, 11], [3, 2, 5, 10]])) == """
                Distribution
                20 ┤▓▓▓▓▓▓▓▓▓▓▓             ███████████ ███████████ 1
                   │▒▒▒▒▒▒▒▒▒▒▒             ▒▒▒▒▒▒▒▒▒▒▒ ▓▓▓▓▓▓▓▓▓▓▓ 2–3
                   │▒▒▒▒▒▒▒▒▒▒▒             ▒▒▒▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒▒▒▒ 4–10
                   │░░░░░░░░░░░             ░░░░░░░░░░░ ▒▒▒▒▒▒▒▒▒▒▒
                   │░░░░░░░░░░░             ░░░░░░░░░░░ ░░░░░░░░░░░
                   │░░░░░░░░░░░             ░░░░░░░░░░░ ░░░░░░░░░░░ absent
                 0 ┤░░░░░░░░░░░             ░░░░░░░░░░░ ░░░░░░░░░░░
                   └─────┬──────·····┬·····──────┬───────────┬─────
                    28 Sep 2026    5 Oct      12 Oct      19 Oct
                █ 1: 1 → 3   ▓ 2–3: 2   ▒ 4–10: 5   ░ absent: 12 → 10
                """)
    }

    @Test func `what is not known is hatched, and a time of nothing is blank`() {
        var chart = stack([[0, 0, 0, 0], [0, 0, 0, 4], [2, 0, 0, 2]])
        guard case .stack(let columns, _) = chart.content else { return }
        chart.content = .stack(
            columns, parts: ["1", "2–3", "4–10", Chart.StackPart("no fresh check", isUnknown: true)])
        let plot = lines(text(chart, width: 80)).filter { $0.contains("│") }
        #expect(!plot.isEmpty && plot.allSatisfy { $0.hasPrefix("  │            ╱╱╱╱╱╱╱╱╱╱╱ ") }, "\(plot)")
        #expect(text(chart).contains("█ 1: 0 → 2   ╱ no fresh check: 4 → 2"))
        #expect(lines(text(chart)).first { $0.contains("└") }?.contains("·") == false)
    }

    @Test func `figures in percent, and a day without one`() {
        #expect(
            text(values((0...60).map { $0 == 30 ? nil : Double($0 * $0 % 37) })) == """
                Visibility
                40% ┤     ⢀                      ⡀          ⡀
                    │     ⡾⡀    ⣆  ⢸⢆  ⡰⡇  ⢰     ⢱         ⢰⢇    ⢰⡀  ⡷⡀ ⢀⣼
                    │    ⢰⠁⡇⢰ ⡆⢰⠹⡀ ⡜ ⠉⠉ ⢣  ⡜⡆⢰ ⢰ ⠈⡆        ⡎⢸ ⡆⢰ ⡎⢇ ⢠⠃⠈⠉⠁⠘⡄
                20% ┤   ⢀⠇ ⢇⣿⢰⢹⢸ ⡇ ⡇    ⢸ ⢀⠇⡇⡏⡆⡎  ⠸⡀      ⡸ ⠸⣸⢱⢸⡇⡇⠸⡀⢸     ⡇
                    │   ⡜  ⢸⠁⡿⠘⡎ ⢱ ⡇    ⢸ ⡸ ⢱⠃⢇⠇   ⢣     ⢀⠇  ⡏⠸⡇⢳⠁ ⢇⢸     ⡇
                    │  ⡸     ⠇ ⠁ ⠘⣼      ⣧⠃ ⠈ ⠸     ⢣    ⡜     ⠇⠈  ⠸⡇     ⢸⡜
                 0% ┤⡠⠔⠁          ⠘      ⠃           ⠱⣀⠤⠊           ⠃     ⠘
                    └────────────┬────────────┬─·─────────┬────────────┬────
                            5 Oct 2026     19 Oct       2 Nov       16 Nov
                """)
    }

    @Test(arguments: [60, 80, 120, 200])
    func `a chart uses the whole width`(width: Int) {
        let lines = full().lines(TerminalStyle(colour: false, width: width))
        #expect(lines.contains { TerminalText.width($0) == width })
    }

    @Test func `better is higher, on a logarithmic axis`() {
        let rows = lines(text(chart([line(places: [128, 64, 32, 16, 8, 4, 2, 1])])))
        #expect(rows[2].hasPrefix("  #1 ┤") && rows[2].hasSuffix("⠁") == false)
        let labels: [String] = rows.filter { $0.contains("┤") }.map {
            String($0.drop { $0 == " " }.prefix { $0 != " " })
        }
        #expect(labels == ["#1", "#5", "#20", "#128"])
    }

    @Test(arguments: [60, 80, 120, 200])
    func `a label stands on the row of its value, and the best one's row is called by it`(width: Int) {
        let shown = lines(text(chart([line(places: [4, 5, 6, 5, 9, 26, 27])], size: .low), width: width))
        let labels = shown.filter { $0.contains("┤") }.map { $0.trimmingPrefix { $0 == " " }.prefix { $0 != " " } }
        #expect(labels.first == "#4" && !labels.contains("#5"), "\(shown)")
        #expect(labels.last == "#27" || labels.last == "#20", "\(shown)")
    }

    @Test(arguments: 3...16) func `no label stands on a row in which its value is not drawn`(rows: Int) throws {
        for (best, worst) in [(1, 2), (1, 200), (4, 17), (6, 7), (12, 40), (90, 110), (37, 190)] {
            let axis = try #require(ChartAxis(of: chart([line(places: [best, worst])])))
            for (row, label) in axis.labels(rows: rows) {
                let place = try #require(Int(label.dropFirst()))
                #expect(axis.row(log2(Double(place)), of: rows) == row, "\(label) of \(best)–\(worst)")
            }
            let top = axis.labels(rows: rows)[axis.row(log2(Double(best)), of: rows)]
            #expect(top == nil || top == "#\(best)", "\(top ?? "") of \(best)–\(worst)")
        }
    }

    @Test func `a line is broken by failures and by checks that are missing, an absence is at the floor`() {
        func dots(_ chart: Chart) -> Int {
            text(chart).unicodeScalars.count { (0x2801...0x28FF).contains($0.value) }
        }
        let whole = dots(chart([line(places: Array(repeating: 5, count: 41))]))
        let broken = dots(
            chart([
                line(
                    places: Array(repeating: 5, count: 15) + Array(repeating: 0, count: 11)
                        + Array(repeating: 5, count: 15))
            ]))
        #expect(broken < whole)
        let absent = text(chart([line(places: [5, 5, nil, nil, nil, 5, 5])]))
        #expect(lines(absent).contains { $0.hasPrefix(">180 ┤") && $0.contains("___") })
        var early = line(places: Array(repeating: 5, count: 15))
        early.points += early.points.map { .init(at: $0.at + 26 * day, place: $0.place) }
        #expect(dots(chart([early])) < whole)
        #expect(lines(absent).allSatisfy { !$0.contains("·") })
    }

    @Test func `failures are marked on the axis`() {
        let rows = lines(text(chart([line(places: [5, 5, 5, 0, 0, 0, 5, 5, 5])])))
        #expect(rows.contains { $0.contains("└") && $0.contains("·") })
    }

    @Test func `several lines have letters at their ends and a legend, without colour`() {
        let shown = text(full(), width: 80)
        #expect(shown.contains("a Habit Hero: #10   b Streaks: #13   c 習慣 <b>\\u{1B}[2J: #90"))
        let plot = lines(shown).filter { ($0.contains("│") || $0.contains("┤")) && !$0.hasPrefix(">") }
        #expect(plot.compactMap(\.last).filter("abc".contains) == ["a", "b", "c"])
        // Nowhere else: the line of a ends in a gap at first, and nothing else stands on a line.
        #expect(plot.joined().filter("abc".contains).count == 4)
    }

    @Test func `lines that end beside each other have their letters beside each other, the better one first`() {
        let shown = lines(text(chart([line("a", nil, [9, 12]), line("b", nil, [30, 11]), line("c", nil, [5, 40])])))
        #expect(shown.contains { $0.hasSuffix(" ba") } && shown.contains { $0.hasSuffix(" c") })
    }

    @Test func `where one line runs there is no gap, though another is unknown`() {
        func line(_ name: String, from: Int) -> Chart.ValueLine {
            .init(
                name: name,
                points: (0...40).map {
                    .init(at: Self.start + Int64($0) * day, value: $0 < from ? nil : Double($0 % 5))
                })
        }
        func axis(_ values: [Chart.ValueLine]) -> String? {
            let chart = Chart(
                title: "", summary: "", span: Self.start...(Self.start + 40 * day), content: .values(values, range: nil)
            )
            return lines(text(chart, width: 120)).first { $0.contains("└") }
        }
        #expect(axis([line("moved", from: 0), line("usual", from: 14)])?.contains("·") == false)
        #expect(axis([line("usual", from: 14)])?.contains("·") == true)
    }

    @Test func `a heading that is said already is left out, and so is what an event means`() {
        var chart = full(lines: 1)
        chart.heading = ""
        chart.tellsEvents = false
        #expect(text(chart).hasPrefix("said aloud\n"))
        #expect(text(chart).contains("v1") && !text(chart).contains("new subtitle"))
        chart.caption = ""
        #expect(!text(chart).contains("said aloud"))
    }

    @Test(arguments: [1, 2, 7, 30, 31, 90, 365], [24, 60, 80, 120, 200])
    func `the bars of a stack are of one width, and the newest is whole`(count: Int, width: Int) throws {
        let moments = (0..<count).map { Self.start + Int64($0) * day }
        let bars = try #require(StackBars(of: moments, columns: width))
        #expect(bars.columns <= width && Set(bars.newest.indices.map { bars.columns(of: $0).count }).count == 1)
        let starts = bars.newest.indices.map { bars.columns(of: $0).lowerBound }
        #expect(Set(zip(starts.dropFirst(), starts).map { $0 - $1 }).count <= 1)
        #expect(bars.newest.allSatisfy { $0 != nil } && bars.newest.last == count - 1)
        #expect(moments.allSatisfy { moment in bars.column(moment).map { $0 < bars.columns } ?? false })
        #expect(bars.column(moments[0] - 400 * day) == nil)
        // As long as there is room each moment has a bar of its own.
        if count > 2, count <= width { #expect(bars.newest == moments.indices.map { $0 }) }
    }

    @Test func `parts that never occur are not explained, and a count says of what`() {
        var chart = stack([[0, 1, 0, 12], [0, 3, 0, 1]])
        chart.unit = "pair"
        let shown = text(chart)
        #expect(shown.hasSuffix("\n▓ 2–3: 1 → 3 pairs   ░ absent: 12 → 1 pair"))
        #expect(!shown.contains("4–10"))
        #expect(lines(shown).contains { $0.hasSuffix("▓ 2–3") })
    }

    @Test func `events are numbered in order of time, and told below`() {
        let shown = text(full(lines: 1))
        #expect(
            shown.contains("v1 2026-10-01 2.1\\u{1B}[31m\nn2 2026-10-21 new subtitle\nw3 2026-10-22 the store shuffled")
        )
        #expect(!shown.contains("before") && shown.contains("┊"))
        let many = (0..<25).map { Chart.Event(at: Self.start + $0 * day, kind: .note, label: "x") }
        #expect(
            text(chart([line(places: Array(repeating: 3, count: 40))], events: many)).hasSuffix(
                "5 earlier events not marked"))
    }

    @Test func `what is hardly anything is still a chart`() {
        #expect(text(chart([line(places: [7])])).contains("•"))
        #expect(text(chart([line(places: [nil])])).contains(">180 ┤"))
        #expect(text(chart([line(places: [nil, nil, nil])])).contains("_______"))
        for empty in [
            chart([]), chart([line(places: [])]), chart([line(places: [0, 0])]), values([nil]), stack([]),
            stack([[], [0, 0, 0, 0]]),
        ] {
            #expect(text(empty).contains("no good check in this time"))
        }
        #expect(text(chart([line(places: [1, 1, 1])])).contains("#1 ┤⠉⠉"))
        #expect(!text(chart([line(places: [3, 9])])).contains("•"))
    }

    @Test func `no span and no figure is too much`() {
        var point = line(places: [5])
        point.points.append(.init(at: Timestamp(secondsSinceEpoch: .max), place: .gap))
        for span in [ClosedRange<Timestamp>.always, Timestamp(secondsSinceEpoch: 0)...noon] {
            #expect(!Chart(title: "t", summary: "", span: span, content: .positions([point])).lines(.plain).isEmpty)
        }
        for values in [[Double.nan, .infinity], [1e300, -1e300, 0], [0, 0], [5], [1e-9, 2e-9]] as [[Double]] {
            #expect(!text(self.values(values)).contains("nan"))
        }
    }

    @Test func `values have a linear axis with round labels`() {
        let shown = text(values((0...60).map { Double($0) }, range: 0...100))
        for label in ["100% ┤", "50% ┤", "0% ┤"] { #expect(shown.contains(label), "\(shown)") }
    }

    @Test func `the parts of a stack add up to its height, by the largest remainder`() {
        #expect(StackPlot.cells([1, 1, 1], rows: 4, most: 3) == [0, 0, 1, 2])
        #expect(StackPlot.cells([0, 5, 0, 5], rows: 6, most: 10) == [1, 1, 1, 3, 3, 3])
        #expect(StackPlot.cells([1, 0, 1], rows: 6, most: 12) == [0])
        #expect(StackPlot.cells([], rows: 6, most: 12) == [] && StackPlot.cells([0, 0], rows: 6, most: 12) == [])
        let shown = text(stack([[1, 2, 5, 12], [], [2, 2, 5, 11]]))
        #expect(shown.contains("█ 1: 1 → 2   ▓ 2–3: 2   ▒ 4–10: 5   ░ absent: 12 → 11"))
        #expect(lines(shown).contains { $0.contains("└") && $0.contains("·") })
    }
}
