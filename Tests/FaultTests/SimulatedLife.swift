import AppStore
import Foundation
import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Tracking

/// A tracker that lives through simulated time: the real service, pass, pace and history. The App Store and the clocks
/// are the test's, and nobody waits: a sleep moves the time to its end.
final class SimulatedLife: Sendable {
    /// What happens to the clocks.
    enum Happening: Sendable, Hashable {
        /// The wall clock is set, by so many seconds.
        case step(Int64)
        /// The machine sleeps for so many seconds, which both clocks count.
        case suspend(Int64)
        /// The wall clock stands still from now on.
        case freeze
    }

    private struct State {
        /// What the wall clock showed when the other clock was at `since`.
        var base: Timestamp
        var since: Duration = .zero
        var isFrozen = false
        var happenings: [(at: Duration, what: Happening)] = []
        var turns = 0
    }

    let path: String
    let clock = InstantClock()
    private let state: Mutex<State>

    /// - Parameter path: the history's.
    init(path: String, from start: Timestamp) {
        self.path = path
        state = Mutex(State(base: start))
    }

    /// What the wall clock shows.
    var now: Timestamp {
        let offset = clock.now.offset
        return state.withLock { $0.isFrozen ? $0.base : $0.base + (offset - $0.since).components.seconds }
    }

    /// Time that has really passed.
    var elapsed: Duration { clock.now.offset }

    /// How often the service has said what it is doing.
    var turns: Int { state.withLock { $0.turns } }

    /// Announces something, for the first idle moment after so much time.
    func after(_ wait: Duration, _ happening: Happening) {
        let at = elapsed + wait
        state.withLock { $0.happenings.append((at, happening)) }
    }

    private func happen(_ happening: Happening) {
        if case .suspend(let seconds) = happening { return clock.advance(by: .seconds(seconds)) }
        let now = now
        let offset = clock.now.offset
        state.withLock { state in
            state.base = now
            state.since = offset
            switch happening {
            case .step(let seconds): state.base = now + seconds
            case .freeze: state.isFrozen = true
            case .suspend: break
            }
        }
    }

    private func dueHappenings() -> [Happening] {
        let offset = elapsed
        return state.withLock { state in
            let due = state.happenings.filter { $0.at <= offset }
            state.happenings.removeAll { $0.at <= offset }
            return due.map(\.what)
        }
    }

    /// Starts the service, and stops it when so much time has passed.
    ///
    /// - Parameters:
    ///   - witness: told of what the service says, and of each happening just before it comes about.
    func live(
        for duration: Duration, watching watchlist: Watchlist, asking store: AppStore,
        witness: @escaping @Sendable (Witnessed) -> Void = { _ in }
    ) async throws {
        let end = elapsed + duration
        let history = try HistoryStore(path: path)
        try await history.adopt(watchlist, now: now)
        let endpoint = Endpoint.search(at: "simulated")
        let since = try await history.lastRequest().map { Duration.seconds(now - $0) }
        let pace = Pace(
            requestsPerMinute: watchlist.service.requestsPerMinute, sinceLastRequest: since,
            health: try await history.health(of: endpoint), now: now, clock: clock)
        let pass = TrackingPass(
            lane: store.searches(as: endpoint, pace: pace, clock: clock, now: { self.now }), history: history,
            parallelism: watchlist.service.parallelism)
        let running = Mutex<Task<Void, any Error>?>(nil)
        let service = TrackingService(
            plan: CurrentPlan(watchlist), pass: pass,
            log: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() }
        ) { state in
            self.state.withLock { $0.turns += 1 }
            witness(.said(state))
            if case .asking = state {
            } else {
                for happening in self.dueHappenings() {
                    witness(.happening(happening))
                    self.happen(happening)
                }
            }
            if self.elapsed >= end { running.withLock { $0?.cancel() } }
        }
        let task = Task { try await service.run() }
        running.withLock { $0 = task }
        try await task.value
        try await history.close()
    }

    enum Witnessed: Sendable {
        case said(TrackingService<InstantClock>.State)
        case happening(Happening)
    }
}
