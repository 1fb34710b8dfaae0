import Foundation
import History
import RankKit
import Tracking

/// How quickly lists go into pages, and what recording feels of it.
struct CompactionBenchmark {
    let bench: Workbench

    static let explanation = """
        compaction-rate: lists a second that go into pages, a day of 24 lists of 200 places for each of 100 queries at \
        a time, with full durability. record-p99-while-compacting: of 100 checks a pass, the slowest one in a hundred, \
        while a clean-up runs between the passes; beside the same without a clean-up.
        """

    private static let days = 5
    private static let queries = 100
    private static let passes = 20
    private static let checks = 100
    /// Days of lists that the clean-up has to do beside the passes.
    private static let backlog = 90

    func run() async throws -> [Row] {
        let today = Timestamp(Date()).day
        let rates = try await rates(today: today)
        let alone = try await latencies(compacting: false, today: today)
        let beside = try await latencies(compacting: true, today: today)
        return [
            Row(name: .compactionRate, value: rates.median ?? 0, unit: "lists/s", reference: nil, goal: nil),
            Row(
                name: .recordWhileCompacting, value: Self.slowest(beside), unit: "ms", reference: Self.slowest(alone),
                goal: .ratio(atMost: 1.5)),
        ]
    }

    private func rates(today: Int64) async throws -> [Double] {
        let path = bench.file("compaction.sqlite")
        try await RecordBenchmark(bench: bench).prepare(path, at: .startOfDay(today), queries: Self.queries)
        try Self.fill(path, days: today - Int64(Self.days)..<today, queries: Self.queries)
        let store = try HistoryStore(path: path)
        var rates: [Double] = []
        for day in today - Int64(Self.days)..<today {
            let clock = ContinuousClock()
            let began = clock.now
            let lists = try await store.compactAll(before: .startOfDay(day + 1))
            guard lists == Self.queries * 24 else { throw BenchmarkFailure("\(lists) lists were compacted") }
            rates.append(Double(lists) / (began.duration(to: clock.now) / .seconds(1)))
        }
        try await store.close()
        return rates
    }

    /// Hourly lists of past days, as rankd would have left them.
    static func fill(_ path: String, days: Range<Int64>, queries: Int) throws {
        let database = try PlainSQLite(path)
        var walks = (0..<queries).map { ListWalk(seed: UInt64($0 + 1)) }
        try database.run("BEGIN")
        for hour in days.lowerBound * 24..<days.upperBound * 24 {
            for query in 0..<queries {
                try database.run(
                    "INSERT INTO check_log (query, at, outcome, within) VALUES (?, ?, 'good', 200)",
                    [.integer(Int64(query + 1)), .integer(hour * 3_600 + Int64(query * 4))])
                try database.run(
                    "INSERT INTO result_list (check_id, places) VALUES (?, ?)",
                    [.integer(database.lastRow), .blob(ResultListCodec.encode(walks[query].next()))])
            }
        }
        try database.run("COMMIT")
    }

    /// In milliseconds.
    private func latencies(compacting: Bool, today: Int64) async throws -> [Double] {
        let path = bench.file("beside.sqlite")
        try bench.removeDatabase(path)
        let start = Timestamp.startOfDay(today)
        try await RecordBenchmark(bench: bench).prepare(path, at: start, queries: RecordBenchmark.queries)
        try Self.fill(path, days: today - Int64(Self.backlog)..<today, queries: RecordBenchmark.queries)
        let store = try HistoryStore(path: path)
        let activity = PassActivity()
        let cleaning = Task.detached(priority: .background) {
            if compacting { try await store.compactAll(before: start) { try await activity.ended() } }
        }
        var latencies: [Double] = []
        let clock = ContinuousClock()
        for pass in 0..<Self.passes {
            await activity.begin()
            // The first answer of a pass takes its time.
            try await clock.sleep(for: .milliseconds(20))
            for number in 0..<Self.checks {
                let at = start + Int64(pass * Self.checks + number + 1)
                let check = try RecordBenchmark.check(number % RecordBenchmark.queries, at: at)
                let began = clock.now
                try await store.record(check)
                latencies.append(began.duration(to: clock.now) / .milliseconds(1))
            }
            await activity.end()
            try await clock.sleep(for: .milliseconds(20))
        }
        cleaning.cancel()
        do { try await cleaning.value } catch is CancellationError {}
        try await store.close()
        let database = try PlainSQLite(path)
        let isDone =
            try database.integer("SELECT count(*) FROM result_list WHERE check_id > 20") == Self.passes * Self.checks
        if compacting, isDone { bench.say("the clean-up ended before the last pass") }
        let pages = try database.integer("SELECT count(*) FROM result_page")
        guard !compacting || pages > 0 else {
            throw BenchmarkFailure("nothing was compacted beside the passes")
        }
        return latencies
    }

    /// The 99th percentile.
    private static func slowest(_ latencies: [Double]) -> Double {
        latencies.isEmpty ? 0 : latencies.sorted()[latencies.count * 99 / 100]
    }
}
