/// Runs `work` for at most `duration`, then cancels it.
///
/// - Throws: `DeadlinePassed`, or what `work` throws.
func withDeadline<Value: Sendable>(
    _ duration: Duration, clock: some Clock<Duration>, work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await clock.sleep(for: duration)
            throw DeadlinePassed(after: duration)
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

/// Something took longer than it may.
struct DeadlinePassed: Error {
    let after: Duration
}
