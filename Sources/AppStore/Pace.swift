/// The pace at which one endpoint may be asked: a token bucket with a burst of one, shared by all who ask.
///
/// Turns are granted in the order of asking, one interval apart, and never sooner than one interval after the last
/// request of an earlier run.
package actor Pace<C: Clock> where C.Duration == Duration {
    private let clock: C
    private var interval: Duration
    /// When the next turn may begin.
    private var next: C.Instant
    /// When the newest turn was granted.
    private var granted: C.Instant?

    /// - Parameters:
    ///   - requestsPerMinute: 1–100,000.
    ///   - sinceLastRequest: how long ago the last request of an earlier run began, where one is known. Negative
    ///     where the wall clock has gone back, which waits one interval and no more.
    package init(requestsPerMinute: Int, sinceLastRequest: Duration? = nil, clock: C) {
        self.clock = clock
        let interval = Self.interval(requestsPerMinute)
        let wait = sinceLastRequest.map { min(interval, max(.zero, interval - $0)) } ?? .zero
        self.interval = interval
        next = clock.now.advanced(by: wait)
    }

    /// Waits for the caller's turn.
    ///
    /// - Throws: `CancellationError`. The turn is then lost, so that nobody else is early.
    package func turn() async throws {
        try Task.checkCancellation()
        var mine = max(next, clock.now)
        next = mine.advanced(by: interval)
        while true {
            if clock.now < mine { try await clock.sleep(until: mine, tolerance: nil) }
            // After a suspend everyone wakes at once: whoever is not the first waits its interval anew.
            guard let earliest = granted?.advanced(by: interval), clock.now < earliest else { break }
            mine = earliest
        }
        granted = clock.now
        next = max(next, clock.now.advanced(by: interval))
    }
}

extension Pace {
    /// Changes the pace from the next turn on.
    package func set(requestsPerMinute: Int) {
        interval = Self.interval(requestsPerMinute)
    }

    private static func interval(_ requestsPerMinute: Int) -> Duration {
        Duration.seconds(60) / max(1, requestsPerMinute)
    }
}
