import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import History
import NIOCore
import RankKit
import TestSupport

@testable import Web

/// A history, a simulated App Store and a search that asks it.
struct SearchStage<C: Clock> where C.Duration == Duration {
    let simulator: AppStoreSimulator
    let origin: Origin
    let database: String
    let turns: TurnsFile
    let search: LiveSearch<C>
    let now: Timestamp

    var asked: Int { simulator.counts.search }

    /// - Parameters:
    ///   - sinceStart: the time of `clock`.
    ///   - prepare: changes the history before anything is asked.
    static func run<Value: Sendable>(
        script: [Fault?] = [], perMinute: Int = 100_000, clock: C, sinceStart: @escaping @Sendable () -> Duration,
        prepare: (HistoryStore, Origin) async throws -> Void = { _, _ in },
        _ body: (SearchStage<C>) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let now = time("2026-11-01T10:00:30Z")
        let simulator = AppStoreSimulator(
            SyntheticStore(seed: 5, options: .init(appCount: 800)),
            options: SimulatorOptions(faults: FaultPlan(script: script)), clock: ManualClock(), now: { now })
        // However busy the machine is: what hangs is to go on hanging.
        let client = HTTPClient.forStore(connect: .minutes(10), read: .minutes(10))
        do {
            let value = try await withRunning(simulator) { origin in
                let origin = Origin(origin)!
                let store = try HistoryStore(path: folder.file("history.sqlite"))
                var plan = watchlist([(query("habit tracker"), ["com.example.mine"])])
                plan.service.requestsPerMinute = perMinute
                _ = try await store.adopt(plan, now: now)
                try await prepare(store, origin)
                try await store.close()
                let database = folder.file("history.sqlite")
                let turns = TurnsFile(beside: database) {
                    3_600_000_000_000 + Int64(sinceStart() / .nanoseconds(1))
                }
                let search = LiveSearch(
                    history: database, origin: origin,
                    store: .http(origin, client: client, patience: .seconds(600)), turns: turns, clock: clock,
                    now: { now })
                return try await body(
                    SearchStage(
                        simulator: simulator, origin: origin, database: database, turns: turns, search: search,
                        now: now))
            }
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}

extension SearchStage where C == InstantClock {
    static func run<Value: Sendable>(
        script: [Fault?] = [], prepare: (HistoryStore, Origin) async throws -> Void = { _, _ in },
        _ body: (SearchStage<C>, InstantClock) async throws -> Value
    ) async throws -> Value {
        let clock = InstantClock()
        return try await run(script: script, clock: clock, sinceStart: { clock.now.offset }, prepare: prepare) {
            try await body($0, clock)
        }
    }
}
