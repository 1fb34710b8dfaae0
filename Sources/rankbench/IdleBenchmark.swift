import Foundation

/// What a daemon costs that waits for a query to come due.
struct IdleBenchmark {
    let bench: Workbench

    static let explanation = """
        idle-memory, idle-cpu: rankd after a pass over 100 queries of 2 MB each, with nothing due for weeks: resident \
        memory, and processor time over a minute; beside a Python that has imported what the script of the pass \
        imports, and wakes once a minute to ask SQLite something.
        """

    private static let queries = 100
    private static let seconds: UInt32 = 60
    private static let modules = ["asyncio", "json", "sqlite3", "aiohttp", "orjson"]

    #if os(Linux)
        func run() throws -> [Row] {
            let store = try SimulatedStore(on: bench)
            let work = PassWork(bundles: store.bundles)
            let watchlist = try bench.write(
                work.watchlist(every: "4w", parallelism: 4, queries: Self.queries), to: "idle.json")
            let rankd = try bench.start(
                "rankd",
                [
                    "--watchlist", watchlist, "--database", bench.file("idle.sqlite"), "--search-url", store.origin,
                ])
            let said = try rankd.wait(for: "housekeeping ended", in: rankd.errors, seconds: 300)
            guard said.contains("succeeded=\(Self.queries)") else {
                throw BenchmarkFailure("rankd's pass did not go well: \(said)")
            }
            let sleeper = try sleeper()
            sleep(3)
            let before = try (Self.processorTime(of: rankd), sleeper.map(Self.processorTime))
            sleep(Self.seconds)
            let after = try (Self.processorTime(of: rankd), sleeper.map(Self.processorTime))
            return [
                Row(
                    name: .idleMemory, value: try Self.residentMemory(of: rankd) / 1e6, unit: "MB",
                    reference: try sleeper.map { try Self.residentMemory(of: $0) / 1e6 }, goal: .value(atMost: 40)),
                Row(
                    name: .idleCPU, value: (after.0 - before.0) * 1e3, unit: "ms",
                    reference: after.1.flatMap { after in before.1.map { (after - $0) * 1e3 } },
                    goal: .value(atMost: 20)),
            ]
        }

        private func sleeper() throws -> Child? {
            if let problem = bench.python.problem(importing: Self.modules, on: bench) {
                bench.say("no Python to compare an idle daemon with: \(problem)")
                return nil
            }
            let script = try bench.write(Self.reference, to: "sleeper.py")
            return try bench.python.start(script, [], importing: Self.modules, streams: bench.file("sleeper"))
        }

        private static let reference = """
            import asyncio, sqlite3

            async def main():
                database = sqlite3.connect(":memory:")
                while True:
                    await asyncio.sleep(60)
                    database.execute("SELECT count(*) FROM sqlite_master").fetchone()

            asyncio.run(main())

            """

        /// User and system, in seconds, of all threads that are or were; to the nanosecond, where /proc/PID/stat counts
        /// hundredths.
        private static func processorTime(of child: Child) throws -> Double {
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(child.process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw BenchmarkFailure("\(child.program) has ended")
            }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        /// In bytes.
        static func residentMemory(of child: Child) throws -> Double {
            let status = try String(contentsOfFile: "/proc/\(child.process)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
                throw BenchmarkFailure("\(child.program) has ended")
            }
            return kilobytes * 1_024
        }
    #else
        func run() throws -> [Row] {
            bench.say("idle-memory and idle-cpu are measured on Linux only")
            return []
        }
    #endif
}
