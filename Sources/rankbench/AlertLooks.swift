import Alerts
import Foundation
import History
import Logging
import RankKit
import Synchronization

/// Looks at what is worth a message, as rankd takes them after its passes.
final class AlertLooks: Sendable {
    private let path: String
    private let watchlist: String
    private let settings: AlertSettings
    private let steps = Mutex<[AccessTime]>([])

    /// What one look took, and what came of it.
    struct Look {
        /// Of all threads, in seconds.
        var processorTime: Double
        /// Events that messages tell of since.
        var lines: Int64
    }

    /// Days of which rankd remembers what it told.
    private static let memory: Int64 = 120

    init(of year: YearOfLists, watchlist: String) async throws {
        let bytes = FileManager.default.contents(atPath: watchlist) ?? Data()
        let plan = try Watchlist.decode([UInt8](bytes)).watchlist
        guard let settings = plan.alerts, settings.hasDefaultRules, plan.pairCount == YearOfLists.pairs else {
            throw BenchmarkFailure("the watchlist does not name what is to be looked at")
        }
        path = year.path
        self.watchlist = watchlist
        self.settings = settings
        let store = try HistoryStore(path: path)
        try await store.adopt(plan, now: year.start)
        try await store.close()
    }

    /// How long each step of each look held the writer: the longest first.
    var longest: [AccessTime] { steps.withLock { $0 }.sorted { $0.wall > $1.wall } }

    /// Fills the memory of what was told, a week at a time: a look finds what has happened within a week.
    func remember(until end: Timestamp) async throws {
        var weeks = (0...Self.memory / 7).map { end - $0 * 7 * Timestamp.secondsPerDay }
        while let moment = weeks.popLast() { _ = try await look(at: moment) }
    }

    /// Takes a look as if it were `moment`, and has what it decides sent.
    func look(at moment: Timestamp) async throws -> Look {
        let store = try HistoryStore(path: path)
        let dispatcher = AlertDispatcher(
            history: store, clock: ContinuousClock(), zone: .gmt,
            log: Logger(label: "rankbench", factory: { _ in SwiftLogNoOpLogHandler() }), now: { moment })
        try await dispatcher.adopt(
            settings,
            in: .init(
                secrets: AlertSecrets(environment: [:], watchlist: watchlist), mail: nil, host: "localhost",
                now: { moment }))
        await store.timeAccesses { step in self.steps.withLock { $0.append(step) } }
        let before = Self.processorTime()
        try await dispatcher.judge()
        let used = Self.processorTime() - before
        try await store.close()
        guard try HistoryReader(path: path).alertMark()?.judgedAt == moment else {
            throw BenchmarkFailure("a look at \(CivilTime.date(moment)) wrote no decision")
        }
        let database = try PlainSQLite(path)
        let lines = try database.integer(
            "SELECT count(*) FROM alert_event WHERE message IS NOT NULL AND decided_at = \(moment.secondsSinceEpoch)")
        try database.execute(
            """
            UPDATE alert_delivery
            SET state = 'delivered', tries = 1, tried_at = due_at, delivered_at = due_at WHERE state = 'due'
            """)
        return Look(processorTime: used, lines: lines)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
