/// A clock on which nobody waits, and on which somebody acts in every sleep.
package struct HeldClock: Clock {
    package typealias Instant = InstantClock.Instant

    private let clock = InstantClock()
    private let act: @Sendable (_ sinceStart: Duration) throws -> Void

    package init(_ act: @escaping @Sendable (Duration) throws -> Void) { self.act = act }

    package var now: Instant { clock.now }
    package var minimumResolution: Duration { clock.minimumResolution }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
        try act(clock.now.offset)
    }
}
