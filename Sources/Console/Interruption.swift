package import UnixSignals

/// Work that a person or the system may end early.
package enum Interruption {
    /// Runs `work`, cancelling it when one of `signals` arrives. The signals' own effect is off from then on.
    package static func cancelling<Value: Sendable>(
        on signals: UnixSignal..., work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let arriving = await UnixSignalsSequence(trapping: signals)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask(operation: work)
            group.addTask {
                for await _ in arriving { return nil }
                return nil
            }
            // Either the work has ended, or a signal has come and the work is told to end.
            let first = try await group.next()
            group.cancelAll()
            if let value = first.flatMap({ $0 }) { return value }
            while let next = try await group.next() {
                if let value = next { return value }
            }
            throw CancellationError()
        }
    }
}
