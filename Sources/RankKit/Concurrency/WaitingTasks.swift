import Synchronization

/// The tasks that wait for something to change, in the order in which they came.
///
/// An actor looks at its state and waits where that is not yet as wanted; whoever changes the state wakes those who
/// wait. Nothing that is changed between the look and the wait is missed: a task takes its place here before it leaves
/// the actor, and who is woken before it sleeps does not fall asleep.
package final class WaitingTasks: Sendable {
    private struct Waiter {
        let ticket: Int
        /// `nil` until the task sleeps: it has left its actor by then, and others may have been there.
        var continuation: CheckedContinuation<Bool, Never>?
    }

    private struct State {
        var waiters: [Waiter] = []
        /// What those are told who were woken, or gave up, before they slept: by ticket.
        var answers: [Int: Bool] = [:]
        var lastTicket = 0

        mutating func announce() -> Int {
            lastTicket += 1
            waiters.append(Waiter(ticket: lastTicket))
            return lastTicket
        }

        /// The continuation to resume with `answer`; `nil` where the waiter does not sleep yet, and will be told then.
        mutating func end(_ waiter: Waiter, _ answer: Bool) -> CheckedContinuation<Bool, Never>? {
            if waiter.continuation == nil { answers[waiter.ticket] = answer }
            return waiter.continuation
        }
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
        // Still on the caller's actor. What comes below is not: its closures leave it before they run.
        let ticket = state.withLock { $0.announce() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { sleep(ticket, $0) }
        } onCancel: {
            if !evenIfCancelled { giveUp(ticket) }
        }
    }

    /// How many wait now.
    package var count: Int { state.withLock { $0.waiters.count } }

    /// Wakes everyone who waits now.
    package func wakeAll() {
        let woken = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters.compactMap { state.end($0, true) }
        }
        for continuation in woken { continuation.resume(returning: true) }
    }

    /// Wakes who has waited longest.
    package func wakeFirst() {
        let woken = state.withLock { $0.waiters.isEmpty ? nil : $0.end($0.waiters.removeFirst(), true) }
        woken?.resume(returning: true)
    }

    private func sleep(_ ticket: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let answer = state.withLock { state -> Bool? in
            if let answer = state.answers.removeValue(forKey: ticket) { return answer }
            guard let place = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return false }
            state.waiters[place].continuation = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func giveUp(_ ticket: Int) {
        let woken = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let place = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.end(state.waiters.remove(at: place), false)
        }
        woken?.resume(returning: false)
    }
}
