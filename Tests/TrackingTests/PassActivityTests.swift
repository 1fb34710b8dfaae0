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

    @Test func `who is cancelled does not wait for the pass`() async throws {
        let activity = PassActivity()
        await activity.begin()
        let waiter = Task { try await activity.ended() }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }
}
