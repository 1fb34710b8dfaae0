import RankKit
import Synchronization

/// A clock in which a month goes by in seconds: a sleep moves the time to its end. It is the pace's clock and the
/// wall clock at once.
final class SimulatedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let start: Timestamp
    private let state = Mutex(Instant(offset: .zero))

    init(startingAt start: Timestamp) { self.start = start }

    var now: Instant { state.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// What a wall clock would show.
    var time: Timestamp { start + now.offset.components.seconds }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { $0 = max($0, deadline) }
    }

    /// Moves on to `moment`; the time never goes back.
    func advance(to moment: Timestamp) {
        let target = Instant(offset: .seconds(moment - start))
        state.withLock { $0 = max($0, target) }
    }
}
