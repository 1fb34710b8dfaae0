import Foundation
import History
import RankKit

/// What a year of hourly lists takes in the file, and how quickly it answers.
struct YearBenchmark {
    let bench: Workbench

    static let explanation = """
        bytes-per-place-year, file-size-year: a year of hourly lists of 200 places on 800 queries, in pages; beside a \
        table with a row a place, of 8 of the queries, times 100. history-tracked, history-untracked: processor time \
        of an app's positions on one query in the whole year, from the recorded positions and from the lists alone. \
        app-90-days: those of one app on all its queries over 90 days. report-year: standings of 1,000 pairs with \
        changes and trend. rankctl-memory: the most that any rankctl command has \
        resident on that file. view-NAME: processor time of each report as a person starts it, and view-memory the most \
        that one of them has resident. growth: the most that a question about as much history takes longer after 12 \
        months than after 3.
        """

    private static let rounds = 5
    private static let referenceQueries = 8
    /// Hours of 3, 6 and 12 months.
    private static let prefixes: [Int64] = [2_190, 4_380, 8_760]

    /// Processor time in milliseconds.
    private struct Times {
        var tracked = 0.0
        var untracked = 0.0
        var quarter = 0.0
        var report = 0.0
        /// The queries that the app is on in the 90 days.
        var quarterQueries = 0
        var hours: Int64

        /// What does not grow with the time that is asked about.
        var steady: [Double] { [tracked / Double(hours), untracked / Double(hours), quarter, report] }
    }

    func run() async throws -> [Row] {
        let path = bench.file("lists.sqlite")
        let today = Timestamp(Date()).day
        let year = try await YearOfLists(path, start: .startOfDay(today) - (Self.prefixes.last ?? 0) * 3_600)
        var times: [Times] = []
        for hours in Self.prefixes {
            try await year.grow(by: hours - year.hours)
            let measured = try measure(year)
            times.append(measured)
            let size = try Self.fileSize(path)
            bench.say(
                """
                after \(hours) hours: \(Int(size / 1e6)) MB, history-tracked \(Self.text(measured.tracked)) ms, \
                history-untracked \(Self.text(measured.untracked)) ms, app-90-days \(Self.text(measured.quarter)) ms \
                on \(measured.quarterQueries) queries, \
                report-year \(Self.text(measured.report)) ms
                """)
        }
        guard let first = times.first, let last = times.last else { return [] }
        let places = Double(YearOfLists.queries * ListWalk.places) * Double(year.hours)
        let size = Double(try PlainSQLite(path).size(of: ["result_list", "result_page", "page_top"]))
        let fileSize = try Self.fileSize(path)
        let plain = try reference(year)
        // Last, because it changes the file.
        let memory: [Row]
        do { memory = try commands(year) } catch {
            bench.say("\(error)")
            memory = []
        }
        try bench.removeDatabase(path)
        let growth = zip(last.steady, first.steady).map { $0 / $1 }.max() ?? 0
        return [
            Row(name: .yearBytes, value: size / places, unit: "bytes", reference: plain.size / places, goal: nil),
            Row(name: .yearSize, value: fileSize / 1e6, unit: "MB", reference: plain.size / 1e6, goal: nil),
            Row(
                name: .historyTracked, value: last.tracked, unit: "ms", reference: plain.history,
                goal: .value(atMost: 20)),
            Row(
                name: .historyUntracked, value: last.untracked, unit: "ms", reference: plain.history,
                goal: .value(atMost: 60)),
            Row(
                name: .appQuarter, value: last.quarter, unit: "ms", reference: plain.quarter,
                goal: .value(atMost: 2_000)),
            Row(name: .reportYear, value: last.report, unit: "ms", reference: nil, goal: .value(atMost: 150)),
            Row(name: .growth, value: growth, unit: "×", reference: nil, goal: .value(atMost: 1.5)),
        ] + memory
    }

    /// The query that is asked about, and its app that was never tracked.
    private static let query = 5
    private static func untracked(_ year: YearOfLists) -> Int64 {
        let list = ListWalk(seed: UInt64(query + 1)).list
        return list.dropFirst(40).first { !year.tracked[query].contains($0) } ?? 1
    }

    private func commands(_ year: YearOfLists) throws -> [Row] {
        let apps = (
            tracked: "com.example.app\(year.tracked[Self.query][0])",
            untracked: "com.example.app\(Self.untracked(year))"
        )
        let watchlist = try bench.write(
            "{ \"watch\": [\n\(try year.watchLines().joined(separator: ",\n"))\n] }\n", to: "year.json")
        let store = try SimulatedStore(on: bench)
        let memory = CommandMemory(bench: bench, origin: store.origin)
        let own = year.tracked[Self.query][0]
        let others = year.tracked.indices.filter { $0 != Self.query && year.tracked[$0].contains(own) }
        let views = try ViewBenchmark(bench: bench, year: year).rows(
            app: apps.tracked, queries: try ([Self.query] + others.prefix(2)).map { try year.query($0).text },
            memory: memory)
        let most = try memory.most(
            of: memory.commands(
                database: year.path, query: try year.query(Self.query).text, apps: apps,
                pruned: try year.query(YearOfLists.queries - 1).text, watchlist: watchlist))
        let mostOfViews = views.first { $0.name == .viewMemory }?.value ?? 0
        return views + [
            Row(
                name: .rankctlMemory, value: max(most / 1e6, mostOfViews), unit: "MB", reference: nil,
                goal: .value(atMost: 64))
        ]
    }

    private func measure(_ year: YearOfLists) throws -> Times {
        let query = try year.query(Self.query)
        guard let tracked = BundleID("com.example.app\(year.tracked[Self.query][0])"),
            let untracked = BundleID("com.example.app\(Self.untracked(year))"),
            let popular = BundleID("com.example.app20")
        else { throw BenchmarkFailure("no bundle identifier") }
        let quarter = year.end - 90 * Timestamp.secondsPerDay...year.end
        var times = Times(hours: year.hours)
        times.tracked = try processorTime {
            let readings = try HistoryReader(path: year.path).readings(of: tracked, on: query)
            try expect(readings.count, year.hours)
        }
        times.untracked = try processorTime {
            let reader = try HistoryReader(path: year.path)
            let places = try reader.places(of: reader.numbers(of: untracked), on: query)
            try expect(places.count, year.hours)
        }
        times.quarter = try processorTime {
            let reader = try HistoryReader(path: year.path)
            let numbers = try reader.numbers(of: popular)
            let queries = try reader.queries(mentioning: numbers, in: quarter)
            times.quarterQueries = queries.count
            guard queries.count > 10 else { throw BenchmarkFailure("an app on \(queries.count) queries only") }
            for query in queries {
                let places = try reader.places(of: numbers, on: query, in: quarter)
                guard places.count >= 2_158 else { throw BenchmarkFailure("\(places.count) lists in 90 days") }
            }
        }
        times.report = try processorTime {
            let standings = try HistoryReader(path: year.path).standings(
                days: [1, 7, 30], trendSince: year.end.day - 29)
            try expect(standings.count, Int64(YearOfLists.pairs))
        }
        return times
    }

    private func expect(_ count: Int, _ wanted: Int64) throws {
        guard count == wanted else { throw BenchmarkFailure("an answer of \(count) rows, not of \(wanted)") }
    }

    private func reference(_ year: YearOfLists) throws -> (size: Double, history: Double, quarter: Double) {
        let path = bench.file("places.sqlite")
        let plain = try PlainPlaces(path)
        let reader = try HistoryReader(path: year.path)
        for number in 0..<Self.referenceQueries {
            var lists: [(at: Int64, apps: [Int64])] = []
            try reader.lists(on: year.query(number)) { list in
                lists.append((list.at.secondsSinceEpoch, list.places.map { $0?.number ?? 0 }))
                return true
            }
            try plain.write(query: Int64(number + 1), lists: lists)
        }
        let app = Self.untracked(year)
        let history = try processorTime {
            _ = try plain.positions(of: app, on: Int64(Self.query + 1), since: 0)
        }
        let since = year.end.secondsSinceEpoch - 90 * Timestamp.secondsPerDay
        let quarter = try processorTime {
            for query in 1...Self.referenceQueries { _ = try plain.positions(of: app, on: Int64(query), since: since) }
        }
        let scale = Double(YearOfLists.queries) / Double(Self.referenceQueries)
        let size = Double(try plain.size) * scale
        try bench.removeDatabase(path)
        return (size, history, quarter * scale)
    }

    /// In milliseconds, of all threads.
    private func processorTime(_ work: () throws -> Void) throws -> Double {
        var times: [Double] = []
        for _ in 0..<Self.rounds {
            let before = Self.processorTime()
            try work()
            times.append(Self.processorTime() - before)
        }
        return (times.median ?? 0) * 1e3
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func fileSize(_ path: String) throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return Double((attributes[.size] as? NSNumber)?.int64Value ?? 0)
    }

    private static func text(_ number: Double) -> String { String((number * 10).rounded() / 10) }
}
