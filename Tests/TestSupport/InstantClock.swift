import Synchronization

/// A clock on which nobody waits: a sleep moves the time to its end and returns.
package final class InstantClock: Clock, Sendable {
    package typealias Instant = ManualClock.Instant

    private let state = Mutex(Instant(offset: .zero))

    package init() {}

    package var now: Instant { state.withLock { $0 } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Lets time go by in which nobody slept.
    package func advance(by duration: Duration) {
        state.withLock { $0 = $0.advanced(by: duration) }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}
