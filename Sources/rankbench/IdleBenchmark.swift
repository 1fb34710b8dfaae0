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
    private static let rest: UInt32 = 75
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
            // A request's time limit goes off half a minute after it began, though nobody waits for it any more. A minute into
            // its rest rankd gives back the pages of its program.
            sleep(Self.rest)
            let before = try (rankd.processorTime(), sleeper.map { try $0.processorTime() })
            sleep(Self.seconds)
            let after = try (rankd.processorTime(), sleeper.map { try $0.processorTime() })
            return [
                Row(
                    name: .idleMemory, value: try rankd.memory("VmRSS:") / 1e6, unit: "MB",
                    reference: try sleeper.map { try $0.memory("VmRSS:") / 1e6 }, goal: .value(atMost: 32)),
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
    #else
        func run() throws -> [Row] {
            bench.say("idle-memory and idle-cpu are measured on Linux only")
            return []
        }
    #endif
}
