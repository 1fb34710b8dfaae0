import Testing

@testable import Tracking

@Suite struct PassActivityTests {
    @Test func `without a pass nobody waits`() async throws {
        try await PassActivity().ended()
    }

    @Test func `who waits goes on when the pass has ended`() async throws {
        let activity = PassActivity()
        await activity.begin()
        let waiter = Task { try await activity.ended() }
        for _ in 0..<10 { await Task.yield() }
        await activity.end()
        try await waiter.value
    }

    @Test func `who waits takes its step although the next pass begins at once`() async throws {
        let activity = PassActivity()
        await activity.begin()
        let waiter = Task { try await activity.ended() }
        for _ in 0..<10 { await Task.yield() }
        await activity.turnOver()
        try await waiter.value
    }

    @Test(.timeLimit(.minutes(10))) func `one step may go on during a pass`() async throws {
        let activity = PassActivity()
        await activity.begin()
        let waiter = Task { try await activity.ended() }
        for _ in 0..<10 { await Task.yield() }
        await activity.letStep()
        try await waiter.value
        let next = Task { try await activity.ended() }
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
    }

    @Test func `who is cancelled does not wait for the pass`() async throws {
        let activity = PassActivity()
        await activity.begin()
        let waiter = Task { try await activity.ended() }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }
}

extension PassActivity {
    /// Ends a pass and begins the next before anybody else has a turn.
    fileprivate func turnOver() {
        end()
        begin()
    }
}
