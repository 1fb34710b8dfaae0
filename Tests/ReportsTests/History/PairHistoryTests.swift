import Foundation
import History
import JudgingStage
import TestSupport
import Testing

@testable import Judging
@testable import RankKit
@testable import Reports

@Suite struct PairHistoryTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func record(_ outcome: Check.Outcome, after hours: Int64) async throws {
        try await store.record(Check(query: timer, at: start + hours * 3_600, outcome: outcome))
    }

    private func history(
        _ name: String, in span: ClosedRange<Timestamp> = .always, now: Timestamp? = nil
    ) throws -> PairHistory {
        try PairHistory(
            of: bundle(name), on: timer, in: span, from: HistoryReader(path: store.path), now: now ?? start)
    }

    private func words(_ history: PairHistory) -> [String] {
        history.checks.map { check in
            "\(check.outcome.state) \(check.position.map(\.description) ?? "-") \(check.outcome.within ?? -1) \(check.outcome.gap?.reason ?? "")"
        }
    }

    @Test func `every check is a row, and a failure or a suspect list is never an absence`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(.answered(list(["com.b", nil, "com.a"])), after: 0)
        try await record(.failed(Failure(.timedOut)), after: 1)
        try await record(.answered(list(["com.b"])), after: 2)
        try await record(.suspect(list([]), .collapsed), after: 3)
        let expected = ["ranked #3 3 ", "failed - -1 timed-out", "absent - 1 ", "suspect - 0 collapsed"]
        #expect(try words(history("com.a")) == expected)
        // The same for one that is only in the lists.
        #expect(
            try words(history("com.b")) == [
                "ranked #1 3 ", "failed - -1 timed-out", "ranked #1 1 ", "suspect - 0 collapsed",
            ])
        #expect(try words(history("com.a", in: start + 3_600...start + 7_200)) == Array(expected[1...2]))
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `every position is the place in its list, whoever was tracked when`(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        let names = (1...8).map { "com.app\($0)" }
        var truth: [String: [String]] = [:]
        for index in 0..<120 as Range<Int64> {
            if index % 20 == 0 {
                let tracked = names.shuffled(using: &random).prefix(3)
                try await store.adopt(watchlist([(timer, Array(tracked))]), now: start + index * 3_600)
            }
            let places: [String?] = names.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
                .map { Int.random(in: 0..<9, using: &random) == 0 ? nil : $0 }
            let outcome: Check.Outcome =
                Int.random(in: 0..<8, using: &random) == 0
                ? .suspect(list(places), .collapsed) : .answered(list(places))
            try await record(outcome, after: index)
            for name in names {
                let row: String
                if case .suspect = outcome {
                    row = "suspect - \(places.count) collapsed"
                } else if let place = places.firstIndex(of: name) {
                    row = "ranked #\(place + 1) \(places.count) "
                } else if places.contains(nil) {
                    row = "failed - -1 unreadable-places"
                } else {
                    row = "absent - \(places.count) "
                }
                truth[name, default: []].append(row)
            }
        }
        for name in names { #expect(try words(history(name)) == truth[name], "\(name)") }
        for query in try await store.queriesToFill() {
            guard let work = try await store.backFillWork(on: query) else { continue }
            let batch = try BackFillBatch(work, from: HistoryReader(path: store.path))
            _ = try await batch.write(to: store) {}
        }
        for name in names { #expect(try words(history(name)) == truth[name], "\(name), filled in") }
    }

    // MARK: The table

    private func table(_ history: PairHistory, width: Int = 100) -> String {
        PairHistoryReport(history).render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    @Test func `the table folds what does not change, and shows gaps`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(.answered(list(["com.b", "com.a"])), after: 0)
        try await record(.answered(list(["com.b", "com.a"])), after: 6)
        try await record(.failed(Failure(.timedOut)), after: 12)
        try await record(.answered(list(["com.a"])), after: 48)
        try await record(.answered(list(["com.b"])), after: 96)
        #expect(
            table(try history("com.a")) == """
                com.a · mine
                timer in us on iPhone · 5 checks from 2026-11-01 to 2026-11-05: 3 ranked, 1 absent, 1 failed
                best #1 on 2026-11-03 · worst #2 on 2026-11-01
                #1 ┤                                                •
                   │
                   │
                   │
                   │
                #2 ┤⠤⠤⠤⠤⠤⠤⠄
                   │
                   │
                #3 ┤
                   │
                #4 ┤
                >1 ┤                                                                                               _
                   └┬───────────·───────────┬───────────────────────┬──────────────────────┬───────────────────────┬
                    1 Nov 2026            2 Nov                   3 Nov                  4 Nov                 5 Nov

                  since             place  change  checks  note
                  2026-11-01 00:00     #2               2
                  2026-11-01 12:00      ·               1  failed: no complete answer in time
                  2026-11-03 00:00     #1      ▲1       1
                  2026-11-05 00:00     >1   ▼ out       1

                · a gap: the check failed or is suspect, so the place is unknown
                times in UTC; positions in Apple's iTunes Search API; phones can differ

                """)
    }

    @Test func `several queries are lines of one chart, and rows that name their query`() async throws {
        let clock = query("clock")
        try await store.adopt(watchlist([(timer, ["com.a"]), (clock, ["com.a"])]), now: start)
        for hours in [0, 24, 48] as [Int64] {
            try await record(.answered(list(["com.b", "com.a"])), after: hours)
            try await store.record(
                Check(query: clock, at: start + hours * 3_600, outcome: .answered(list(["com.a"]))))
        }
        let history = try AppHistory(
            of: bundle("com.a"), on: [timer, clock], in: .always, from: HistoryReader(path: store.path), zone: .gmt,
            now: start)
        let report = PairHistoryReport(history)
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(text.contains("a timer in us on iPhone: #2   b clock in us on iPhone: #1"), "\(text)")
        #expect(text.contains("timer in us on iPhone · 3 checks") && text.contains("clock in us on iPhone · 3 checks"))
        let json = report.render(as: .json)
        #expect(json.components(separatedBy: "{\"query\":\"clock\"").count == 5)
        #expect(report.render(as: .csv).components(separatedBy: "\r\nclock,us").count == 4)
    }

    @Test func `an older place of several queries is marked where the newest check says nothing`() async throws {
        let clock = query("clock")
        try await store.adopt(watchlist([(timer, ["com.a"]), (clock, ["com.a"])]), now: start)
        try await record(.answered(list(["com.b", "com.a"])), after: 0)
        try await record(.failed(Failure(.timedOut)), after: 24)
        try await store.record(Check(query: clock, at: start, outcome: .answered(list(["com.a"]))))
        let history = try AppHistory(
            of: bundle("com.a"), on: [timer, clock], in: .always, from: HistoryReader(path: store.path), zone: .gmt,
            now: start)
        let text = PairHistoryReport(history).render(as: .table, style: TerminalStyle(colour: false, width: 100))
        let lines = text.split(separator: "\n")
        #expect(lines.contains { $0.contains("timer") && $0.contains("○ #2") }, "\(text)")
        #expect(lines.contains { $0.contains("clock") && $0.contains("#1") && !$0.contains("○") }, "\(text)")
        #expect(text.contains("○ the last good position: the newest check failed or is suspect"), "\(text)")
    }

    @Test func `of many queries each has its chart, under no second heading, and versions are told once`() async throws
    {
        let queries = (1...5).map { query("clock \($0)") }
        try await store.adopt(watchlist(queries.map { ($0, ["com.a"]) }), now: start)
        for query in queries {
            for hours in [0, 24, 48] as [Int64] {
                try await store.record(
                    Check(query: query, at: start + hours * 3_600, outcome: .answered(list(["com.b", "com.a"]))))
            }
        }
        var history = try AppHistory(
            of: bundle("com.a"), on: queries, in: .always, from: HistoryReader(path: store.path), zone: .gmt, now: start
        )
        history.events = [.init(at: start + 36 * 3_600, kind: .version, label: "2.1")]
        let text = PairHistoryReport(history).render(as: .table, style: TerminalStyle(colour: false, width: 80))
        for query in queries {
            let named = lines(text).filter { $0.contains(query.text) && !$0.hasPrefix("  ") }
            #expect(named.count == 1 && named[0].contains("3 checks"), "\(named)")
        }
        #expect(text.components(separatedBy: "v1 2026-11-02 2.1").count == 2)
        #expect(lines(text).count { $0.hasSuffix(" v1") } == 5)
    }

    @Test func `too many changes are folded by day`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        for hour in 0..<72 as Range<Int64> {
            if hour == 30 {
                try await record(.failed(Failure(.status)), after: hour)
            } else {
                let above = (0..<(hour * 7 % 5)).map { "x\($0)" }
                try await record(.answered(list(above + ["com.a"])), after: hour)
            }
        }
        #expect(
            table(try history("com.a")).contains(
                """
                  day         place  between   change  checks  note
                  2026-11-01     #2  #1 to #5              24
                  2026-11-02     #5  #1 to #5      ▼3      24  1 failed
                  2026-11-03     #3  #1 to #5      ▲2      24

                """))
    }

    @Test func `a name that would act on a terminal is shown, not run`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(
            .answered(list(["com.a"]) { _ in AppDetails(name: "\u{1B}[2JEvil\u{202E}", developer: "=x\r\n") }), after: 0
        )
        let history = try history("com.a")
        #expect(!table(history).contains("\u{1B}") && table(history).contains("\\u{1B}[2JEvil\\u{202E}"))
        #expect(!PairHistoryReport(history).render(as: .json).contains("\u{1B}"))
        let directory = try AppDirectory(
            matching: "evil", limit: 5, from: HistoryReader(path: store.path), now: start)
        #expect(directory.rows.map(\.app.bundleID) == [bundle("com.a")])
        #expect(!AppDirectoryReport(directory).render(as: .table).contains("\u{1B}"))
        #expect(AppDirectoryReport(directory).render(as: .csv).contains("'=x"))
    }

    @Test func `no check at all says so`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        #expect(table(try history("com.a")) == "com.a · mine\ntimer in us on iPhone: no check in this time\n")
        #expect(
            PairHistoryReport(try history("com.a")).render(as: .json).hasSuffix(
                "\"mark\":\"mine\",\"damagedLists\":[],\"weather\":[\n],\"history\":[\n]}\n")
        )
    }

    // MARK: The store's weather

    /// Two days of checks in two countries, and the weather of five.
    private func stormy() throws -> AppHistory {
        func checks() -> [PairHistory.Check] {
            (0..<48).map { .init(checkedAt: start + $0 * 3_600, outcome: .placed(Position(5), of: 100)) }
        }
        func store(_ code: String, storm: Int64?, trouble: StoreWeather.Trouble? = nil) throws -> StoreWeather {
            let country = try country(code)
            let days = (start.day - 2...start.day + 2).map { day in
                let isStorm = day - start.day == storm
                return StoreWeather.Day(
                    facts: CountryDay(store: Store(in: country), day: day), figure: nil,
                    weather: Weather.Day(day: day, moves: isStorm ? 9 : 2, usual: 2, z: isStorm ? 7 : 0),
                    trouble: day == start.day ? trouble : nil)
            }
            return StoreWeather(store: Store(in: country), days: days)
        }
        let app = ReportedApp(bundleID: bundle("com.a"))
        let queries = [timer, query("timer", "de")].map {
            PairHistory(generatedAt: start + 48 * 3_600, query: $0, app: app, checks: checks())
        }
        return AppHistory(
            generatedAt: start + 48 * 3_600, app: app, queries: queries,
            weather: [try store("de", storm: nil, trouble: .failures), try store("us", storm: 1)])
    }

    @Test func `the chart marks the days on which the store of the query's country was stormy, and says so`() throws {
        var history = try stormy()
        let several = PairHistoryReport(history).render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(
            several.contains(
                "\n≈ the US store shuffled on 2 Nov; most checks in the DE store failed on 1 Nov\n"), "\(several)")
        history.queries.removeLast()
        history.weather.removeFirst()
        let report = PairHistoryReport(history)
        let one = report.render(as: .table, style: TerminalStyle(colour: false, width: 80))
        #expect(one.contains("\n≈ the US store shuffled on 2 Nov\n"), "\(one)")
        let marks = try #require(lines(one).first { $0.hasPrefix("   ") && $0.contains("≈") })
        #expect(marks.prefix(40).allSatisfy { $0 == " " } && marks.hasSuffix("≈≈≈≈"), "\(marks)")
        for format in [ReportFormat.markdown, .html] {
            #expect(report.render(as: format).contains("the US store shuffled on 2 Nov"))
        }
        #expect(report.render(as: .html).contains("<rect class=\"caution\""))
    }

    @Test func `the data name the days of storm and trouble, and no calm ones`() throws {
        let json = PairHistoryReport(try stormy()).render(as: .json)
        let days = [
            #"{"country":"de","day":"2026-11-01","state":"calm","trouble":"failures"}"#,
            #"{"country":"us","day":"2026-11-02","state":"stormy","trouble":null}"#,
        ]
        #expect(json.contains(#""weather":[\#n"# + days.joined(separator: ",\n") + "\n],"), "\(json)")
        try expectConforms(json, to: "history")
    }

    // MARK: Lists that cannot be read

    /// Three days of one place, of which the second is damaged.
    private func damaged(place: Int = 5) throws -> PairHistory {
        func check(_ hour: Int64) -> PairHistory.Check {
            .init(checkedAt: start + hour * 3_600, outcome: .placed(Position(place), of: 100))
        }
        return PairHistory(
            generatedAt: start + 72 * 3_600, query: timer, app: ReportedApp(bundleID: bundle("com.a")),
            checks: (Array(0..<24) + Array(48..<72)).map(check),
            damaged: [DamagedLists(query: timer, from: start + 86_400, through: start + 47 * 3_600)])
    }

    @Test func `lists that cannot be read are a stretch of their own, and no place goes on through them`() throws {
        let stretches = try damaged().folded(limit: 10).stretches
        #expect(stretches.map(\.checks) == [24, 0, 24])
        #expect(stretches.map(\.isDamaged) == [false, true, false])
        #expect(stretches[1].last == nil && stretches[1].absent == 0)
        #expect(stretches.map(\.from) == [start, start + 86_400, start + 2 * 86_400])
    }

    @Test func `lists that cannot be read are told in every form, with a gap in the chart`() throws {
        let report = PairHistoryReport(try damaged())
        let line = "lists from 2026-11-02 00:00 to 2026-11-02 23:00 are damaged and left out: rankctl verify"
        for format in [ReportFormat.table, .markdown, .html] { #expect(report.render(as: format).contains(line)) }
        #expect(report.render(as: .table).contains("damaged lists through 2026-11-02 23:00"))
        #expect(
            report.render(as: .json).contains(
                #"{"query":"timer","country":"us","platform":"iphone","source":"itunes","language":null,"from":"2026-11-02T00:00:00Z","through":"2026-11-02T23:00:00Z"}"#
            ))
        let points = report.document.blocks.compactMap { block -> [Chart.PositionLine.Point]? in
            guard case .chart(let chart) = block, case .positions(let lines) = chart.content else { return nil }
            return lines.first?.points
        }
        #expect(points.first?.filter { $0.place == .gap }.map(\.at) == [start + 86_400, start + 47 * 3_600])
        #expect(points.first?.map(\.at) == points.first?.map(\.at).sorted())
        #expect(report.damaged.words() == ["“timer” in us on iPhone: " + line])
        try expectConforms(report.render(as: .json), to: "history")
    }

    @Test func `a history of nothing but lists that cannot be read does not say that there was no check`() throws {
        var history = try damaged()
        history.checks = []
        let text = PairHistoryReport(history).render(as: .table)
        #expect(text.contains("timer in us on iPhone: no check of this time can be read"), "\(text)")
        #expect(text.contains("are damaged and left out") && !text.contains("no check in this time"), "\(text)")
    }
}

/// The same numbers for the same seed (xorshift64).
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
