import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import NIOCore
import RankKit

/// Runs `body` with an App Store that asks a simulator of this process over loopback, with the product's deadline on
/// `clock`.
func asking<Value: Sendable>(
    _ simulator: AppStoreSimulator, clock: (any Clock<Duration>)? = nil, _ body: (AppStore) async throws -> Value
) async throws -> Value {
    try await withRunning(simulator) { origin in
        try await asking(origin, clock: clock, body)
    }
}

/// Runs `body` with an App Store that asks whoever answers at `origin`.
///
/// - Parameter clock: measures the product's deadline. Without one the deadline is only for what would never come: a
///   busy machine may take long over an answer that is not slow.
func asking<Value: Sendable>(
    _ origin: String, clock: (any Clock<Duration>)? = nil, _ body: (AppStore) async throws -> Value
) async throws -> Value {
    let client = HTTPClient.forStore(connect: .minutes(20), read: .minutes(20))
    do {
        let origin = Origin(origin)!
        let store: AppStore =
            if let clock {
                .http(origin, client: client, clock: clock)
            } else {
                .http(origin, client: client, patience: .seconds(1_200))
            }
        let value = try await body(store)
        try await client.shutdown()
        return value
    } catch {
        try await client.shutdown()
        throw error
    }
}

/// A store of invented apps whose searches go wrong in the order of `script`.
func simulator(
    _ script: [Fault?] = [], gzip: Bool = false, isFullSize: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
) -> AppStoreSimulator {
    AppStoreSimulator(
        SyntheticStore(seed: 5, options: .init(appCount: 800, isFullSize: isFullSize)),
        options: SimulatorOptions(gzip: gzip, faults: FaultPlan(script: script)), clock: clock,
        now: { .init(secondsSinceEpoch: 1_790_000_000) })
}
