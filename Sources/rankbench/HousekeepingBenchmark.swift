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
        14 days of, 20,000 old failures to thin, and what all that frees to give back. Beside the slowest of as many \
        plain writes of 40 KB with a sync each, which is what the disk alone takes.
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
        await store.timeAccesses { steps.add($0) }
        let clock = ContinuousClock()
        let began = clock.now
        let outcome = try await Housekeeping(history: store).run(now: now)
        let seconds = began.duration(to: clock.now) / .seconds(1)
        try await store.close()
        let disk = try slowestSync(as: steps.all.count)
        try bench.removeDatabase(path)
        guard outcome.listsCompacted == Self.queries * 24 * Int(Self.days), outcome.failuresThinned == Self.failures,
            outcome.listsDropped > 0, outcome.countryDays >= Self.days
        else { throw BenchmarkFailure("the clean-up did not do what there was: \(outcome)") }
        let all = steps.all.sorted { $0.wall < $1.wall }
        let longest = Self.milliseconds(all.last?.wall)
        bench.say(
            """
            a clean-up of \(all.count) steps in \(Int(seconds)) s: 99 of 100 within \
            \(Self.rounded(all[all.count * 99 / 100].wall)) ms; the most processor time in one \
            \(Self.rounded(all.map(\.processor).max())) ms; the longest of each kind: \(Self.listed(all))
            """)
        return [
            Row(name: .longestStep, value: longest, unit: "ms", reference: disk, goal: .value(atMost: 50))
        ]
    }

    private static func milliseconds(_ time: Duration?) -> Double { (time ?? .zero) / .milliseconds(1) }
    private static func rounded(_ time: Duration?) -> Int { Int(milliseconds(time).rounded(.up)) }

    /// The longest of each kind, with what of it was computing.
    private static func listed(_ times: [AccessTime]) -> String {
        Dictionary(grouping: times, by: \.step).values.compactMap { $0.last }.sorted { $0.wall > $1.wall }
            .map { "\($0.step) \(rounded($0.wall)) ms (\(rounded($0.processor)) computing)" }
            .joined(separator: ", ")
    }

    /// The slowest of so many small writes to a file that are synced, in milliseconds: what the disk alone takes.
    private func slowestSync(as count: Int) throws -> Double {
        let path = bench.file("synced")
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchmarkFailure("cannot make \(path)") }
        defer { close(file) }
        let pages = [UInt8](repeating: 1, count: 10 * 4_096)
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for _ in 0..<min(count, Self.mostSyncs) {
            let began = clock.now
            guard write(file, pages, pages.count) == pages.count, fsync(file) == 0 else {
                throw BenchmarkFailure("cannot write \(path)")
            }
            slowest = max(slowest, began.duration(to: clock.now))
        }
        return Self.milliseconds(slowest)
    }

    private static let mostSyncs = 2_000

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
                VALUES ('keep_lists_seconds', \(14 * Timestamp.secondsPerDay)),
                    ('keep_failures_seconds', \(30 * Timestamp.secondsPerDay));
            UPDATE query SET unpaged_from = NULL;
            COMMIT;
            """)
    }

    /// What each step took.
    private final class Steps: Sendable {
        private let times = Mutex<[AccessTime]>([])

        var all: [AccessTime] { times.withLock { $0 } }

        func add(_ time: AccessTime) { times.withLock { $0.append(time) } }
    }
}
