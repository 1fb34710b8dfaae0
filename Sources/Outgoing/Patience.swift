/// What something that may hang has to be done within.
package struct Patience: Sendable {
    /// It was not done in time.
    package struct Over: Error {
        package init() {}
    }

    private let sleep: @Sendable () async throws -> Void

    package init(_ length: Duration, clock: some Clock<Duration>) {
        sleep = { try await clock.sleep(for: length) }
    }

    /// Runs `body`, and cancels it when time is up.
    ///
    /// - Throws: `Over`, or what `body` throws.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask { [sleep] in
                try await sleep()
                throw Over()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension Clock<Duration> {
    /// Says how much time has gone by since it was made.
    package func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
