import Foundation

/// One pass of `rankd --once` over 200 queries, each answered with a full list of 2 MB.
struct PassBenchmark {
    let bench: Workbench

    static let explanation = """
        pass-cpu-per-search, pass-peak-memory: rankd --once over 200 queries, each answered with 2 MB, beside an \
        asyncio script with aiohttp and orjson (processor time without its imports).
        """

    private static let rounds = 5
    private static let modules = ["asyncio", "json", "sqlite3", "sys", "time", "aiohttp", "orjson"]

    func run() throws -> [Row] {
        let store = try SimulatedStore(on: bench)
        let work = PassWork(bundles: store.bundles)
        let watchlist = try bench.write(work.watchlist(every: "1d", parallelism: PassWork.parallelism), to: "pass.json")
        let peer = try peer()
        var ours: [Child.Usage] = []
        var theirs: [(processorTime: Double, peakMemory: Double)] = []
        for _ in 0..<Self.rounds {
            try bench.removeDatabase(bench.file("pass.sqlite"))
            let rankd = try bench.start(
                "rankd",
                [
                    "--once", "--watchlist", watchlist, "--database", bench.file("pass.sqlite"), "--search-url",
                    store.origin,
                ])
            ours.append(try rankd.usage())
            try confirm(rankd)
            guard let peer else { continue }
            theirs.append(try measure(peer, work, at: store.origin))
        }
        let perSearch = 1e3 / Double(PassWork.queries)
        return [
            Row(
                name: .passCPU, value: (ours.map(\.processorTime).median ?? 0) * perSearch, unit: "ms",
                reference: theirs.map(\.processorTime).median.map { $0 * perSearch }, goal: .ratio(atMost: 1.5)),
            Row(
                name: .passMemory, value: (ours.map(\.peakMemory).max() ?? 0) / 1e6, unit: "MB",
                reference: theirs.map(\.peakMemory).max().map { $0 / 1e6 }, goal: .value(atMost: 96)),
        ]
    }

    /// A pass that failed would be a cheap one.
    private func confirm(_ rankd: Child) throws {
        let said = String(decoding: FileManager.default.contents(atPath: rankd.output) ?? Data(), as: UTF8.self)
        let good = said.split(separator: "\n").count { $0.contains("outcome=good") }
        guard good == PassWork.queries else {
            throw BenchmarkFailure("rankd recorded \(good) good checks, not \(PassWork.queries)")
        }
    }

    private func peer() throws -> String? {
        let folder = ProcessInfo.processInfo.environment["RANKD_BENCH_PEERS"] ?? "../shared/bench"
        let script = "\(folder)/peer_asyncio.py"
        guard FileManager.default.fileExists(atPath: script) else {
            bench.say("no \(script) to compare a pass with: name its folder in RANKD_BENCH_PEERS")
            return nil
        }
        if let problem = bench.python.problem(importing: Self.modules, on: bench) {
            bench.say("no Python to compare a pass with: \(problem)")
            return nil
        }
        return script
    }

    private func measure(
        _ peer: String, _ work: PassWork, at origin: String
    ) throws -> (processorTime: Double, peakMemory: Double) {
        try bench.removeDatabase(bench.file("peer.sqlite"))
        let pairs = try bench.write(work.pairs, to: "peer.json")
        let child = try bench.python.start(
            peer, [origin, pairs, bench.file("peer.sqlite"), "\(PassWork.parallelism)"], importing: Self.modules,
            streams: bench.file("peer"))
        let usage = try child.usage()
        return (try bench.python.processorTime(of: child), usage.peakMemory)
    }
}

/// The queries and pairs of a measured pass.
struct PassWork {
    static let queries = 200
    static let parallelism = 16

    /// The apps tracked on each query: some in the list, one not.
    let bundles: [String]

    static func term(_ number: Int) -> String { "fitness \(number)" }

    private func pair(_ query: Int, _ bundle: String) -> String {
        "{\"query\": \"\(Self.term(query))\", \"bundleId\": \"\(bundle)\"}"
    }

    /// A bare array, as the reference reads it.
    var pairs: String {
        let pairs = (0..<Self.queries).flatMap { query in bundles.map { pair(query, $0) } }
        return "[\n" + pairs.joined(separator: ",\n") + "\n]\n"
    }

    func watchlist(every cadence: String, parallelism: Int, queries: Int = Self.queries) -> String {
        let pairs = (0..<queries).flatMap { query in bundles.map { pair(query, $0) } }
        return """
            {
              "defaults": {"country": "us", "every": "\(cadence)"},
              "watch": [
            \(pairs.joined(separator: ",\n"))
              ],
              "service": {"requestsPerMinute": 100000, "parallelism": \(parallelism)}
            }

            """
    }
}
