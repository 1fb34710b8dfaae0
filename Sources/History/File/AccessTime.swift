import Foundation

/// What one access to the writing connection took.
package struct AccessTime: Sendable, Hashable {
    /// The function that asked for it.
    package let step: String
    /// By the clock, waits for the disk included.
    package let wall: Duration
    /// What the whole process computed meanwhile: the rest of `wall` was spent waiting.
    package let processor: Duration

    struct Beginning {
        fileprivate let at = ContinuousClock.now
        fileprivate let processor = AccessTime.processorTime()
    }

    init(of step: StaticString, since beginning: Beginning) {
        self.step = "\(step)"
        wall = beginning.at.duration(to: .now)
        processor = Self.processorTime() - beginning.processor
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
