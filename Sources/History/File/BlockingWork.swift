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
    /// What the reads of this thread are broken off by.
    @TaskLocal static var current: BlockingWork?

    private init() {}

    /// Runs `body` on a thread of its own.
    ///
    /// - Parameter breakingOffReads: whether a cancellation breaks off what a snapshot of the history is being read for, and
    ///   lets none begin.
    /// - Throws: what `body` throws; `CancellationError` in its place where the task was cancelled.
    package static func run<Value: Sendable>(
        breakingOffReads: Bool = false, _ body: @escaping @Sendable (BlockingWork) throws -> Value
    ) async throws -> Value {
        let work = BlockingWork()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    continuation.resume(
                        with: Result {
                            try work.mapCancellation {
                                guard breakingOffReads else { return try body(work) }
                                return try $current.withValue(work) { try body(work) }
                            }
                        })
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
        let outer = state.withLock { state in
            defer { state.onCancel = { database.interrupt() } }
            return state.onCancel
        }
        defer { state.withLock { $0.onCancel = outer } }
        // One that came just before the line above found nothing to break off.
        try checkCancellation()
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
