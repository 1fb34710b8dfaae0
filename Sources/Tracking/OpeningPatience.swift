package import History

/// Opens a history that cannot be used for now (no room, somebody's lock, read-only) as soon as it can: a service that
/// ended instead would be started again and again.
package struct OpeningPatience<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let tell: @Sendable (HistoryError, Duration) -> Void

    private static var firstWait: Duration { .seconds(10) }
    package static var longestWait: Duration { .seconds(60) }

    /// - Parameter tell: called before each wait, with what stands in the way and how long the wait is.
    package init(clock: C, tell: @escaping @Sendable (HistoryError, Duration) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// Does `work` until it succeeds.
    ///
    /// - Throws: what `work` throws where waiting would mend nothing; `CancellationError`.
    package func callAsFunction<Value>(_ work: () async throws -> Value) async throws -> Value {
        var wait = Self.firstWait
        while true {
            do {
                return try await work()
            } catch let error as HistoryError where error.mayPass {
                tell(error, wait)
            }
            try await clock.sleep(for: wait)
            wait = min(wait * 2, Self.longestWait)
        }
    }
}
