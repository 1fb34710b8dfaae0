import RankKit
import Synchronization
import TestSupport

/// A wall clock that goes on with a manual clock, and can be set and stopped.
final class WallClock: Sendable {
    private let clock: ManualClock
    private let state: Mutex<(base: Timestamp, offset: Duration, isStopped: Bool)>

    init(_ start: Timestamp, _ clock: ManualClock) {
        self.clock = clock
        state = Mutex((start, .zero, false))
    }

    var now: Timestamp {
        let offset = clock.now.offset
        return state.withLock { $0.isStopped ? $0.base : $0.base + (offset - $0.offset).components.seconds }
    }

    func set(_ moment: Timestamp) {
        let offset = clock.now.offset
        state.withLock { $0 = (moment, offset, $0.isStopped) }
    }

    func set(by seconds: Int64) { set(now + seconds) }

    /// Lets `seconds` go by, 60 or more, of which a sleeping loop sees a minute: as a suspended machine does. Days then
    /// cost a turn of the loop a leap, where a turn a simulated minute waits for the threads of all tests each time.
    func leap(_ seconds: Int64) {
        set(by: seconds - 60)
        clock.advance(by: .seconds(60))
    }

    /// The time stands still from now on.
    func stop() {
        let moment = now
        state.withLock { $0 = (moment, $0.offset, true) }
    }
}
