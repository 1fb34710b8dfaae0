import Foundation
import History
import RankKit
import Synchronization
import Tracking

/// How long a clean-up keeps others from writing at most.
struct HousekeepingBenchmark {
    let bench: Workbench

    static let explanation = """
        housekeeping-longest-step: the longest that one step of a clean-up holds the writer. It has 45 days of hourly \
        lists of 200 places on 150 queries to put into pages, to roll up for 750 pairs and by country, to drop all but \
        14 days of, 20,000 old failures to thin, and what all that frees to give back.
        """

    private static let queries = 150
    private static let days: Int64 = 45
    private static let failures = 20_000

    func run() async throws -> [Row] {
        let path = bench.file("housekeeping.sqlite")
        let now = Timestamp(Date())
        try await prepare(path, today: now.day)
        let store = try HistoryStore(path: path)
        let steps = Steps()
        await store.timeAccesses { steps.add($0 / .milliseconds(1)) }
        let clock = ContinuousClock()
        let began = clock.now
        let outcome = try await Housekeeping(history: store).run(now: now)
        let seconds = began.duration(to: clock.now) / .seconds(1)
        try await store.close()
        try bench.removeDatabase(path)
        guard outcome.listsCompacted == Self.queries * 24 * Int(Self.days), outcome.failuresThinned == Self.failures,
            outcome.listsDropped > 0, outcome.countryDays >= Self.days
        else { throw BenchmarkFailure("the clean-up did not do what there was: \(outcome)") }
        let times = steps.all.sorted()
        let longest = times.last ?? 0
        bench.say(
            """
            a clean-up of \(times.count) steps in \(Int(seconds)) s: 99 of 100 within \
            \(Int((times[times.count * 99 / 100]).rounded(.up))) ms, the longest \(Int(longest.rounded(.up))) ms; over \
            50 ms, by their number: \(Self.listed(steps.all))
            """)
        return [
            Row(name: .longestStep, value: longest, unit: "ms", reference: nil, goal: .value(atMost: 50))
        ]
    }

    /// Which steps took too long: the order of a clean-up tells what they were.
    private static func listed(_ times: [Double]) -> String {
        let long = times.enumerated().filter { $0.element > 50 }.map { "\($0.offset) (\(Int($0.element)) ms)" }
        return long.isEmpty ? "none" : long.joined(separator: ", ")
    }

    private func prepare(_ path: String, today: Int64) async throws {
        try await RecordBenchmark(bench: bench).prepare(path, at: .startOfDay(today), queries: Self.queries)
        try CompactionBenchmark.fill(path, days: today - Self.days..<today, queries: Self.queries)
        let old = Timestamp.startOfDay(today - 100).secondsSinceEpoch
        try PlainSQLite(path).execute(
            """
            BEGIN;
            INSERT INTO position (pair, at, check_id, position, within)
                SELECT pair.id, check_log.at, check_log.id, 1 + check_log.id * 7 % 200, 200
                FROM pair CROSS JOIN check_log ON check_log.query = pair.query
                WHERE check_log.at < \(Timestamp.startOfDay(today).secondsSinceEpoch);
            INSERT INTO check_log (query, at, outcome, reason)
                WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < \(Self.failures - 1))
                SELECT n % \(Self.queries) + 1, \(old) + n, 'failed', 'timed-out' FROM counted;
            INSERT OR REPLACE INTO setting (name, value)
                VALUES ('keep_lists_seconds', \(14 * Timestamp.secondsPerDay));
            UPDATE query SET unpaged_from = NULL;
            COMMIT;
            """)
    }

    /// How long each step took, in milliseconds.
    private final class Steps: Sendable {
        private let times = Mutex<[Double]>([])

        var all: [Double] { times.withLock { $0 } }

        func add(_ time: Double) { times.withLock { $0.append(time) } }
    }
}
