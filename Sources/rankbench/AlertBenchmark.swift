import Foundation
import History
import RankKit

/// What messages cost on a year of hourly lists and 1,000 pairs, with the usual rules.
struct AlertBenchmark {
    let bench: Workbench

    static let explanation = """
        alerts-preview, alerts-preview-cpu, alerts-preview-memory: elapsed time, processor time and the most memory \
        that is resident of rankctl alerts preview, over 90 days as it is by itself, of a file with a year of hourly lists \
        of 200 places on 800 queries, with 1,000 pairs and the usual rules; alerts-preview-year, \
        alerts-preview-year-memory: the same over the whole year. alerts-deciding: processor time of rankd's look at what is worth a message, \
        after a pass over these pairs, from opening the file to the decision being written; the median of a week, \
        in a history that remembers four months of messages, of hourly looks; alerts-deciding-newcomers: the same of \
        those that look for newcomers, once a day; alerts-deciding-daily: the same of the first look of a day, which looks for slow \
        slides as well. alerts-writer: the longest that any of these looks holds the writer. alerts-deciding-memory: what one look adds to the memory of an idle rankd.
        """

    static let names: [RowName] = [
        .alertsPreview, .alertsPreviewCPU, .alertsPreviewMemory, .alertsPreviewYear, .alertsPreviewYearMemory,
        .alertsDeciding, .alertsDecidingNewcomers, .alertsDecidingDaily, .alertsWriter, .alertsDecidingMemory,
    ]

    private static let days: Int64 = 365
    /// The last days are added one by one, with looks after their passes.
    private static let looks: Int64 = 7
    /// After the pass of each of these hours (UTC) there is a look.
    private static let lookedHours = 0..<10
    /// That of the pass that ends when newcomers are told.
    private static let newcomersHour = 6
    private static let rounds = 3

    func run(_ wanted: Set<RowName>) async throws -> [Row] {
        let path = bench.file("alerts.sqlite")
        let today = Timestamp(Date()).day
        let year = try await YearOfLists(path, start: .startOfDay(today - Self.days))
        try await year.grow(by: (Self.days - Self.looks) * 24)
        let watchlist = try bench.write(try Self.watchlist(of: year), to: "alerts.json")
        try year.addDays(noting: Self.app(year.tracked[5][0]))
        let looks = try await AlertLooks(of: year, watchlist: watchlist)
        var rows: [Row] = []
        if !wanted.isDisjoint(with: [.alertsDeciding, .alertsDecidingNewcomers, .alertsDecidingDaily, .alertsWriter]) {
            rows += try await deciding(looks, year)
        }
        if year.end.day < today {
            try await year.grow(by: (today - year.end.day) * 24)
            try year.addDays(noting: Self.app(year.tracked[5][0]))
        }
        if wanted.contains(where: { $0.rawValue.hasPrefix("alerts-preview") }) {
            rows += try preview(year, watchlist: watchlist)
        }
        if wanted.contains(.alertsDecidingMemory) { rows += try await memory(year, watchlist: watchlist) }
        try bench.removeDatabase(path)
        return rows
    }

    private static func app(_ number: Int64) -> String { "com.example.app\(number)" }

    /// Each query has an app of mine. The second app of a query is its competitor, unless it is mine on another query.
    private static func watchlist(of year: YearOfLists) throws -> String {
        let mine = Set(year.tracked.map { $0[0] })
        var rivals: [Int64: Set<Int64>] = [:]
        for apps in year.tracked {
            for other in apps.dropFirst() where !mine.contains(other) { rivals[apps[0], default: []].insert(other) }
        }
        let apps = rivals.sorted { $0.key < $1.key }.map { own, others in
            let names = others.sorted().map { "\"\(app($0))\"" }.joined(separator: ", ")
            return "\"app\(own)\": { \"bundleId\": \"\(app(own))\", \"competitors\": [\(names)] }"
        }
        return """
            { "apps": {
            \(apps.joined(separator: ",\n"))
            }, "watch": [
            \(try year.watchLines().joined(separator: ",\n"))
            ], "service": { "requestsPerMinute": 1, "parallelism": 1 },
            "alerts": { "channels": { "nobody": { "command": ["/bin/true"] } }, "to": ["nobody"] } }

            """
    }

    // MARK: Deciding

    private func deciding(_ looks: AlertLooks, _ year: YearOfLists) async throws -> [Row] {
        try await looks.remember(until: year.end - 1)
        var (first, newcomers, usual): ([AlertLooks.Look], [AlertLooks.Look], [AlertLooks.Look]) = ([], [], [])
        for _ in 1...Self.looks {
            for hour in Self.lookedHours {
                try await year.grow(by: 1)
                if hour == 0 { try year.addDays(noting: Self.app(year.tracked[5][0])) }
                let look = try await looks.look(at: year.end)
                switch hour {
                case 0: first.append(look)
                case Self.newcomersHour: newcomers.append(look)
                default: usual.append(look)
                }
            }
            // The rest of the day, with a look after its last pass.
            try await year.grow(by: 24 - Int64(Self.lookedHours.count))
            usual.append(try await looks.look(at: year.end - 1))
            try year.joinPages()
        }
        // Looks that find nothing would be cheap ones.
        guard (first + newcomers).allSatisfy({ $0.lines > 0 }) else {
            throw BenchmarkFailure("a look found nothing to tell")
        }
        let times = usual.map { $0.processorTime * 1e3 }
        let daily = first.map { $0.processorTime * 1e3 }
        let turns = newcomers.map { $0.processorTime * 1e3 }
        func list(_ times: [Double]) -> String { times.map { "\(Int($0.rounded()))" }.joined(separator: ", ") }
        func lines(_ looks: [AlertLooks.Look]) -> String { looks.map { "\($0.lines)" }.joined(separator: ", ") }
        let steps = looks.longest.prefix(5).map { step in
            "\(step.step) \(Self.rounded(step.wall)) ms (\(Self.rounded(step.processor)) computing)"
        }
        bench.say(
            """
            first looks of a day of \(list(daily)) ms, which told of \(lines(first)) events; those that look for \
            newcomers of \(list(turns)) ms, which told of \(lines(newcomers)); others of \(list(times)) ms; what held the writer longest: \
            \(steps.joined(separator: ", "))
            """)
        guard let time = times.median, let turn = turns.median, let day = daily.median,
            let longest = looks.longest.first
        else { return [] }
        return [
            Row(name: .alertsDeciding, value: time, unit: "ms", reference: nil, goal: .value(atMost: 300)),
            Row(name: .alertsDecidingNewcomers, value: turn, unit: "ms", reference: nil, goal: .value(atMost: 300)),
            Row(name: .alertsDecidingDaily, value: day, unit: "ms", reference: nil, goal: .value(atMost: 300)),
            Row(
                name: .alertsWriter, value: longest.wall / .milliseconds(1), unit: "ms", reference: nil,
                goal: .value(atMost: 50)),
        ]
    }

    private static func rounded(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded(.up)) }

    // MARK: The preview

    private func preview(_ year: YearOfLists, watchlist: String) throws -> [Row] {
        let quarter = try previewed(90, of: year, watchlist: watchlist)
        let whole = try previewed(Self.days, of: year, watchlist: watchlist)
        return [
            Row(name: .alertsPreview, value: quarter.elapsed, unit: "ms", reference: nil, goal: .value(atMost: 2_000)),
            Row(name: .alertsPreviewCPU, value: quarter.processor, unit: "ms", reference: nil, goal: nil),
            Row(name: .alertsPreviewMemory, value: quarter.peak, unit: "MB", reference: nil, goal: .value(atMost: 96)),
            Row(
                name: .alertsPreviewYear, value: whole.elapsed, unit: "ms", reference: nil, goal: .value(atMost: 2_000)),
            Row(
                name: .alertsPreviewYearMemory, value: whole.peak, unit: "MB", reference: nil, goal: .value(atMost: 96)),
        ]
    }

    /// What a preview of so many days takes: the medians of its times in milliseconds, and the most memory in MB.
    private func previewed(
        _ days: Int64, of year: YearOfLists, watchlist: String
    ) throws -> (elapsed: Double, processor: Double, peak: Double) {
        var times: [(elapsed: Double, processor: Double)] = []
        var peak = 0.0
        for _ in 0..<Self.rounds {
            let began = ContinuousClock.now
            let child = try bench.start(
                "rankctl",
                ["alerts", "preview", "--since", "\(days)d", "--watchlist", watchlist, "--database", year.path])
            let usage = try child.usage()
            times.append((began.duration(to: .now) / .milliseconds(1), usage.processorTime * 1e3))
            peak = max(peak, usage.peakMemory)
            // A preview that shows nothing would be a cheap one.
            let said = String(decoding: FileManager.default.contents(atPath: child.output) ?? Data(), as: UTF8.self)
            let shown = said.split(separator: "\n").count { $0.hasSuffix(" to nobody") }
            guard shown >= days / 2 else { throw BenchmarkFailure("a preview of \(days) days shows \(shown) messages") }
        }
        guard let elapsed = times.map(\.elapsed).median, let processor = times.map(\.processor).median else {
            throw BenchmarkFailure("no preview was timed")
        }
        return (elapsed, processor, peak / 1e6)
    }

    // MARK: Memory

    #if os(Linux)
        /// rankd finds no store, so that no answer takes memory beside the look.
        private func memory(_ year: YearOfLists, watchlist: String) async throws -> [Row] {
            let rankd = try bench.start(
                "rankd",
                ["--watchlist", watchlist, "--database", year.path, "--search-url", "http://127.0.0.1:9"])
            _ = try rankd.wait(for: "watchlist adopted", in: rankd.errors, seconds: 60)
            // An idle daemon gives back what it does not need each time that it looks at the clock, once a minute. By
            // then a check has failed, so that there is something to look at.
            sleep(130)
            let idle = try rankd.memory("VmRSS:")
            let before = try HistoryReader(path: year.path).alertMark()
            kill(rankd.process, SIGHUP)
            var most = idle
            let end = Date().addingTimeInterval(60)
            while try HistoryReader(path: year.path).alertMark() == before {
                guard Date() < end else { throw BenchmarkFailure("rankd did not look at what is new") }
                for _ in 0..<10 {
                    most = max(most, try rankd.memory("VmRSS:"))
                    usleep(2_000)
                }
            }
            return [
                Row(name: .alertsDecidingMemory, value: (most - idle) / 1e6, unit: "MB", reference: nil, goal: nil)
            ]
        }
    #else
        private func memory(_ year: YearOfLists, watchlist: String) async throws -> [Row] {
            bench.say("alerts-deciding-memory is measured on Linux only")
            return []
        }
    #endif
}
