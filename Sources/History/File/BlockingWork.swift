import Dispatch
import GRDB
import Synchronization

/// Work that holds its thread for seconds or minutes, and looks now and then whether it is still wanted.
///
/// It gets a thread of its own: on one of the few that tasks share it would keep even the signal waiting that is to
/// end it.
package final class BlockingWork: Sendable {
    private struct State {
        var isCancelled = false
        var onCancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    private init() {}

    /// Runs `body` on a thread of its own.
    ///
    /// - Throws: what `body` throws; `CancellationError` in its place where the task was cancelled.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork) throws -> Value
    ) async throws -> Value {
        let work = BlockingWork()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    continuation.resume(with: Result { try work.mapCancellation { try body(work) } })
                }
            }
        } onCancel: {
            work.cancel()
        }
    }

    package func checkCancellation() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// Runs `body`, a statement of which that takes long is broken off by a cancellation.
    func interrupting<Value>(_ database: any DatabaseReader, _ body: () throws -> Value) throws -> Value {
        try checkCancellation()
        state.withLock { $0.onCancel = { database.interrupt() } }
        defer { state.withLock { $0.onCancel = nil } }
        return try body()
    }

    private func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.onCancel
        }
        action?()
    }

    private func mapCancellation<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            try checkCancellation()
            throw error
        }
    }
}
