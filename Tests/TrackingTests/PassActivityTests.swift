import Synchronization
import Testing

@testable import Tracking

@Suite(.timeLimit(.minutes(30))) struct PassActivityTests {
    private let activity = PassActivity()

    /// A task that is waiting for the pass to end, and whether it has gone on.
    private func waiter() async -> (task: Task<Void, any Error>, hasGoneOn: Flag) {
        let hasGoneOn = Flag()
        let task = Task {
            try await activity.ended()
            hasGoneOn.set()
        }
        while await activity.waiters == 0 { await Task.yield() }
        return (task, hasGoneOn)
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        func set() { value.withLock { $0 = true } }

        var isSet: Bool { value.withLock(\.self) }
    }

    @Test func `without a pass nobody waits`() async throws {
        try await activity.ended()
        #expect(await activity.waiters == 0)
    }

    @Test func `who waits goes on when the last of two passes has ended`() async throws {
        await activity.begin()
        await activity.begin()
        let (task, hasGoneOn) = await waiter()
        await activity.end()
        #expect(await activity.waiters == 1)
        #expect(!hasGoneOn.isSet)
        await activity.end()
        try await task.value
    }

    @Test func `who waits goes on when the pass has ended, and not before`() async throws {
        await activity.begin()
        let (task, hasGoneOn) = await waiter()
        #expect(!hasGoneOn.isSet)
        await activity.end()
        try await task.value
        #expect(hasGoneOn.isSet)
    }

    @Test func `who waits takes its step although the next pass begins at once`() async throws {
        await activity.begin()
        let (task, hasGoneOn) = await waiter()
        await activity.turnOver()
        try await task.value
        #expect(hasGoneOn.isSet)
        // Who comes now waits for the next pass.
        let (next, nextHasGoneOn) = await waiter()
        #expect(!nextHasGoneOn.isSet)
        await activity.end()
        try await next.value
    }

    @Test func `one step may go on during a pass`() async throws {
        await activity.begin()
        let (task, hasGoneOn) = await waiter()
        await activity.letStep()
        try await task.value
        #expect(hasGoneOn.isSet)
        let (next, nextHasGoneOn) = await waiter()
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        #expect(!nextHasGoneOn.isSet)
    }

    @Test func `who is cancelled does not wait for the pass`() async throws {
        await activity.begin()
        let (task, hasGoneOn) = await waiter()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!hasGoneOn.isSet)
    }
}

extension PassActivity {
    /// Ends a pass and begins the next before anybody else has a turn.
    fileprivate func turnOver() {
        end()
        begin()
    }
}
