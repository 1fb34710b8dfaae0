import AppStore
import TestSupport
import Testing

@Suite struct PaceTests {
    @Test func `turns are one interval apart, in the order of asking`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 15, clock: clock)
        try await pace.turn()
        #expect(clock.now.offset == .zero)
        async let second: Void = pace.turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(1))
        try await second
    }

    @Test func `an idle hour saves up no burst`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        try await pace.turn()
        clock.advance(by: .seconds(3_600))
        try await pace.turn()
        async let third: Void = pace.turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await third
    }

    @Test(arguments: [
        (Duration.seconds(1), Duration.seconds(3)), (.seconds(4), .zero), (.seconds(900), .zero),
        (.seconds(-86_400), .seconds(4)),
    ])
    func `the first turn waits out the last request of an earlier run, and never longer`(
        since: Duration, wait: Duration
    ) async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 15, sinceLastRequest: since, clock: clock)
        async let turn: Void = pace.turn()
        if wait > .zero {
            await clock.sleepers(1)
            clock.advance(by: wait - .milliseconds(1))
            #expect(clock.sleeping == 1)
            clock.advance(by: .milliseconds(1))
        }
        try await turn
        #expect(clock.now.offset == wait)
    }

    @Test func `a suspend over many turns ends in no burst`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        try await pace.turn()
        let turns = (0..<4).map { _ in Task { try await pace.turn() } }
        await clock.sleepers(4)
        clock.advance(by: .seconds(3_600))
        await clock.sleepers(3)
        for left in [2, 1, 0] {
            clock.advance(by: .seconds(1))
            await clock.sleepers(left)
        }
        for turn in turns { try await turn.value }
        #expect(clock.now.offset == .seconds(3_603))
    }

    @Test func `who is cancelled while waiting gets no turn`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 1, clock: clock)
        try await pace.turn()
        let waiting = Task { try await pace.turn() }
        await clock.sleepers(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
