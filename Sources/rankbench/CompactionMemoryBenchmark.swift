import Foundation
import RankKit

/// What a daemon needs while it compacts.
struct CompactionMemoryBenchmark {
    let bench: Workbench

    static let explanation = """
        compaction-memory: the most memory that rankd has resident while it compacts a month of hourly lists of 100 \
        queries, over what it has when idle afterwards.
        """

    private static let queries = 100
    private static let days: Int64 = 30

    #if os(Linux)
        func run() async throws -> [Row] {
            let today = Timestamp(Date()).day
            let path = bench.file("memory.sqlite")
            try await RecordBenchmark(bench: bench).prepare(path, at: .startOfDay(today), queries: Self.queries)
            try CompactionBenchmark.fill(path, days: today - Self.days..<today, queries: Self.queries)
            let store = try SimulatedStore(on: bench)
            let watchlist = try bench.write(
                PassWork(bundles: store.bundles).watchlist(every: "4w", parallelism: 1, queries: 1), to: "memory.json")
            let rankd = try bench.start(
                "rankd", ["--watchlist", watchlist, "--database", path, "--search-url", store.origin])
            _ = try rankd.wait(for: "pass ended", in: rankd.errors, seconds: 60)
            var most = 0.0
            var said = ""
            let end = Date().addingTimeInterval(300)
            while !said.contains("housekeeping ended"), Date() < end {
                for _ in 0..<20 {
                    most = max(most, try rankd.memory("VmRSS:"))
                    usleep(2_000)
                }
                said = String(decoding: FileManager.default.contents(atPath: rankd.errors) ?? Data(), as: UTF8.self)
            }
            guard said.contains("listsCompacted=\(Self.days * 24 * Int64(Self.queries))") else {
                throw BenchmarkFailure("rankd did not compact what there was: \(said.suffix(300))")
            }
            // An idle daemon gives back what it does not need each time that it looks at the clock, once a minute.
            sleep(65)
            let idle = try rankd.memory("VmRSS:")
            return [
                Row(
                    name: .compactionMemory, value: (most - idle) / 1e6, unit: "MB", reference: nil,
                    goal: .value(atMost: 20))
            ]
        }
    #else
        func run() async throws -> [Row] {
            bench.say("compaction-memory is measured on Linux only")
            return []
        }
    #endif
}
