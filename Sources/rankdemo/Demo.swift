import AppStore
import AppStoreSimulator
import Console
import Foundation
import History
import RankKit
import Reports
import Tracking

/// A month of tracking in seconds: the real pass, the real store, a real HTTP server on loopback, and a clock that
/// hurries.
struct Demo {
    let folder: URL
    let seed: UInt64
    /// The present: when the last pass ends.
    let end: Timestamp

    /// Four passes a day.
    private static let step: Int64 = 6 * 3_600

    private var database: String { folder.appendingPathComponent("history.sqlite").path }
    private var watchlistFile: String { folder.appendingPathComponent("watchlist.json").path }

    func run() async throws {
        let lastSlot = Cadence.every(seconds: Self.step).slot(containing: end).start
        let plan = DemoPlan(start: lastSlot - DemoPlan.days * Timestamp.secondsPerDay)
        try makeRoom()
        try WatchlistFile.write(Array(plan.watchlist.utf8), to: watchlistFile)
        let watchlist = try WatchlistFile.decode(watchlistFile).watchlist

        let clock = SimulatedClock(startingAt: plan.start - Self.step)
        let store = SyntheticStore(
            seed: seed, planted: plan.plantedApps,
            options: .init(badPeriods: [BadPeriod(during: plan.badDay, failing: 0.6)]))
        let simulator = AppStoreSimulator(store) { clock.time }
        // One pass before the month, so that its last day can be compared with its first.
        let first = plan.start.secondsSinceEpoch - Self.step
        let slots = stride(from: first, through: lastSlot.secondsSinceEpoch, by: Int(Self.step))
            .map(Timestamp.init(secondsSinceEpoch:))
        try await withRunning(simulator) { address in
            guard let origin = Origin(address) else { return }
            try await AppStore.withHTTP(origin) { store in
                try await track(watchlist, slots: slots, store: store, clock: clock)
            }
        }
    }

    private func track(
        _ watchlist: Watchlist, slots: [Timestamp], store: AppStore, clock: SimulatedClock
    ) async throws {
        let history = try HistoryStore(path: database)
        try await history.adopt(watchlist, now: clock.time)
        func pace() -> Pace<SimulatedClock> {
            Pace(requestsPerMinute: watchlist.service.requestsPerMinute, clock: clock)
        }
        let pass = TrackingPass(
            lane: store.searches(as: .search(at: "demo"), pace: pace(), clock: clock, now: { clock.time }),
            lookups: store.lookups(as: .lookup(at: "demo"), pace: pace(), clock: clock, now: { clock.time }),
            history: history,
            // One at a time: who comes first would move the clock for the others, and no two months would be the same.
            parallelism: 1)
        let housekeeping = Housekeeping(history: history)
        let progress = DemoProgress(total: slots.count * watchlist.queries.count)
        for slot in slots {
            clock.advance(to: slot)
            try await pass.recorder.takeUp(asOf: clock.time)
            let due = try await pass.recorder.due(watchlist.scheduledQueries, now: clock.time)
            progress.add(try await pass.run(due))
            _ = try await pass.lookUp(LookupSchedule.batches(try await history.unseenApps(), now: clock.time))
            if try await housekeeping.isDue(at: clock.time) { _ = try await housekeeping.run(now: clock.time) }
        }
        try await history.checkpoint()
        try await history.close()
        progress.end()
    }

    /// Makes the folder, and removes what an earlier demo left in it and nothing else.
    private func makeRoom() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in [
            database, database + "-wal", database + "-shm", database + ".lock", database + ".turns", watchlistFile,
        ]
        where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }
}

/// How far the month has got, on stderr.
private final class DemoProgress {
    private var bar: ProgressBar
    private let isTerminal = Terminal.isTerminal

    init(total: Int) { bar = ProgressBar(done: 0, failed: 0, total: total) }

    func add(_ result: PassResult) {
        bar.done += result.asked
        bar.failed += result.failed
        if isTerminal { Terminal.show("\r\u{1B}[K" + bar.line(width: max(20, (Terminal.columns ?? 80) - 1))) }
    }

    func end() {
        if isTerminal { Terminal.show("\r\u{1B}[K") }
        Terminal.say("\(bar.done) searches of a simulated App Store, \(bar.failed) of them failed")
    }
}
