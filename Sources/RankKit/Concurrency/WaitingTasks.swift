import Synchronization

/// The tasks that wait for something to change, in the order in which they came.
///
/// An actor looks at its state and waits where that is not yet as wanted; whoever changes the state wakes those who
/// wait. Nothing that is changed between the look and the wait is missed: the wait is noted before the actor is left.
package final class WaitingTasks: Sendable {
    private struct State {
        var tasks: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var lastTicket = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until it is woken.
    ///
    /// - Parameter evenIfCancelled: whether a cancelled task goes on waiting.
    /// - Returns: `false` where the task was cancelled instead.
    @discardableResult package func wait(
        evenIfCancelled: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.tasks.append((ticket, continuation)) }
                // Cancelled before it was noted, nobody else would give it up.
                if Task.isCancelled, !evenIfCancelled { giveUp(ticket) }
            }
        } onCancel: {
            if !evenIfCancelled { giveUp(ticket) }
        }
    }

    /// Wakes everyone who waits now.
    package func wakeAll() {
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.continuation.resume(returning: true) }
    }

    /// Wakes who has waited longest.
    package func wakeFirst() {
        let first = state.withLock { $0.tasks.isEmpty ? nil : $0.tasks.removeFirst() }
        first?.continuation.resume(returning: true)
    }

    private func giveUp(_ ticket: Int) {
        let task = state.withLock { state in
            state.tasks.firstIndex { $0.ticket == ticket }.map { state.tasks.remove(at: $0) }
        }
        task?.continuation.resume(returning: false)
    }
}
