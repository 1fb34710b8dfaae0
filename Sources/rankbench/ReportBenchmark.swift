import Foundation
import RankKit

/// What `rankctl report` costs over a year of checks, and how that grows.
struct ReportBenchmark {
    let bench: Workbench

    static let explanation = """
        report-cpu: processor time of rankctl report, as JSON or as a table, whichever is dearer, over 1,000 pairs \
        with a year of four checks a day; beside Python's sqlite3 and json asking the recorded positions themselves. \
        report-cpu-100 and report-cpu-10000 show how it grows.
        """

    private static let rounds = 5
    private static let sizes: [(name: RowName, pairs: Int)] = [
        (.reportCPU, 1_000), (.reportCPU100, 100), (.reportCPU10000, 10_000),
    ]
    private static let modules = ["json", "sqlite3", "sys", "time"]

    func run(_ wanted: Set<RowName>) async throws -> [Row] {
        let problem = bench.python.problem(importing: Self.modules, on: bench)
        if let problem { bench.say("no Python to compare a report with: \(problem)") }
        let script = problem == nil ? try bench.write(Self.reference, to: "report.py") : nil
        var rows: [Row] = []
        for (name, pairs) in Self.sizes where wanted.contains(name) {
            let database = bench.file("year-\(pairs).sqlite")
            do {
                try await YearOfChecks(pairs: pairs, now: Timestamp(Date())).write(to: database)
                rows.append(try measure(name, pairs: pairs, database: database, script: script))
            } catch {
                bench.say("\(name.rawValue): \(error)")
            }
            try bench.removeDatabase(database)
        }
        return rows
    }

    private func measure(_ name: RowName, pairs: Int, database: String, script: String?) throws -> Row {
        var json: [Double] = []
        var table: [Double] = []
        var references: [Double] = []
        for _ in 0..<Self.rounds {
            json.append(try report("json", pairs: pairs, database: database))
            table.append(try report("table", pairs: pairs, database: database))
            guard let script else { continue }
            let child = try bench.python.start(
                script, [database], importing: Self.modules, streams: bench.file("reference"))
            _ = try child.usage()
            references.append(try bench.python.processorTime(of: child))
        }
        let dearer = max(json.median ?? 0, table.median ?? 0)
        return Row(
            name: name, value: dearer * 1e3, unit: "ms", reference: references.median.map { $0 * 1e3 },
            goal: name == .reportCPU ? .value(atMost: 250) : nil)
    }

    private func report(_ format: String, pairs: Int, database: String) throws -> Double {
        let child = try bench.start("rankctl", ["report", "--all", "--format", format, "--database", database])
        let usage = try child.usage()
        // A report that shows nothing would be a cheap one.
        let said = String(decoding: FileManager.default.contents(atPath: child.output) ?? Data(), as: UTF8.self)
        // What is beyond noise the table names above its rows as well, there behind a mark.
        let shown = said.split(separator: "\n").count { line in
            ["  habit tracker ", "{\"query\":\"habit tracker "].contains(where: line.hasPrefix)
        }
        guard shown == pairs else { throw BenchmarkFailure("the \(format) report shows \(shown) of \(pairs) pairs") }
        return usage.processorTime
    }

    /// The same question asked of the positions alone, without anything derived from them.
    private static let reference = """
        import json, sqlite3, sys, time

        database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)

        def newest(pair, until):
            return database.execute(
                "SELECT at, position, within FROM position WHERE pair = ? AND at <= ? ORDER BY at DESC LIMIT 1",
                (pair, until)).fetchone()

        def extreme(pair, order):
            return database.execute(
                "SELECT position, at FROM position WHERE pair = ? AND position IS NOT NULL ORDER BY position "
                + order + ", at LIMIT 1", (pair,)).fetchone()

        rows = []
        pairs = database.execute(
            "SELECT pair.id, text, country, platform, bundle_id FROM pair JOIN query ON query.id = pair.query "
            "ORDER BY query.ordinal")
        for pair, text, country, platform, bundle in pairs:
            now = newest(pair, int(time.time()))
            rows.append({
                "query": text, "country": country, "platform": platform, "bundleId": bundle, "now": now,
                "earlier": [newest(pair, now[0] - days * 86400) for days in (1, 7, 30)],
                "best": extreme(pair, "ASC"), "worst": extreme(pair, "DESC")})
        print(json.dumps(rows))

        """
}
