import AppStore
import RankKit
import TestSupport
import Testing

@Suite struct PaceTests {
    private let start = time("2026-11-01T00:00:00Z")

    @Test func `turns are one interval apart, in the order of asking`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 15, clock: clock)
        #expect(try await pace.turn() == .granted)
        #expect(clock.now.offset == .zero)
        async let second = pace.turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(1))
        #expect(try await second == .granted)
    }

    @Test func `an idle hour saves up no burst`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        #expect(try await pace.turn() == .granted)
        clock.advance(by: .seconds(3_600))
        #expect(try await pace.turn() == .granted)
        async let third = pace.turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await third == .granted)
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
        async let turn = pace.turn()
        if wait > .zero {
            await clock.sleepers(1)
            clock.advance(by: wait - .milliseconds(1))
            #expect(clock.sleeping == 1)
            clock.advance(by: .milliseconds(1))
        }
        #expect(try await turn == .granted)
        #expect(clock.now.offset == wait)
    }

    @Test func `a suspend over many turns ends in no burst`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        #expect(try await pace.turn() == .granted)
        let turns = (0..<4).map { _ in Task { try await pace.turn() } }
        await clock.sleepers(4)
        clock.advance(by: .seconds(3_600))
        await clock.sleepers(3)
        for left in [2, 1, 0] {
            clock.advance(by: .seconds(1))
            await clock.sleepers(left)
        }
        for turn in turns { #expect(try await turn.value == .granted) }
        #expect(clock.now.offset == .seconds(3_603))
    }

    @Test func `who is cancelled while waiting gets no turn`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 1, clock: clock)
        #expect(try await pace.turn() == .granted)
        let waiting = Task { try await pace.turn() }
        await clock.sleepers(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(.timeLimit(.minutes(30))) func `who is cancelled leaves its turn to the next who comes`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 1, clock: clock)
        #expect(try await pace.turn() == .granted)
        for _ in 0..<5 {
            let waiting = Task { try await pace.turn() }
            await clock.sleepers(1)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        let next = Task { try await pace.turn() }
        await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        #expect(try await next.value == .granted)
    }

    @Test func `the throttle stops everyone until the pause is over`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        #expect(try await pace.turn() == .granted)
        let waiting = Task { try await pace.turn() }
        await clock.sleepers(1)
        await pace.note(.throttled(retryAfter: nil), at: start)
        clock.advance(by: .seconds(1))
        #expect(try await waiting.value == .paused(.seconds(59)))
        #expect(try await pace.turn() == .paused(.seconds(59)))
        clock.advance(by: .seconds(59))
        #expect(try await pace.turn() == .granted)
    }

    @Test func `after a pause one probe goes, and the others wait for it`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        await pace.note(.throttled(retryAfter: nil), at: start)
        clock.advance(by: .seconds(60))
        #expect(try await pace.turn() == .granted)
        let second = Task { try await pace.turn() }
        let third = Task { try await pace.turn() }
        await pace.note(.throttled(retryAfter: nil), at: start)
        #expect(try await second.value == .paused(.seconds(120)))
        #expect(try await third.value == .paused(.seconds(120)))
    }

    @Test func `a probe that succeeds is followed by a slower start, then the full pace`() async throws {
        let clock = InstantClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        await pace.note(.throttled(retryAfter: nil), at: start)
        try await clock.sleep(until: clock.now.advanced(by: .seconds(60)), tolerance: nil)
        var gaps: [Duration] = []
        for _ in 0..<14 {
            let before = clock.now
            #expect(try await pace.turn() == .granted)
            gaps.append(before.duration(to: clock.now))
            await pace.note(.reached, at: start)
        }
        #expect(gaps[2...10].allSatisfy { $0 == .seconds(2) })
        #expect(gaps[12...].allSatisfy { $0 == .seconds(1) })
    }

    @Test func `requests turned away together are one pause`() async {
        let pace = Pace(requestsPerMinute: 60, clock: ManualClock())
        for _ in 0..<4 { await pace.note(.throttled(retryAfter: nil), at: start) }
        #expect(await pace.health.pausesInARow == 1)
        #expect(await pace.pauseLeft == .seconds(60))
    }

    @Test func `a stored pause goes on after a restart, for what is left of it`() async throws {
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: 600), at: start)
        let pace = Pace(requestsPerMinute: 60, health: health, now: start + 100, clock: ManualClock())
        #expect(try await pace.turn() == .paused(.seconds(500)))
        let later = Pace(requestsPerMinute: 60, health: health, now: start + 700, clock: ManualClock())
        #expect(try await later.turn() == .granted)
    }

    @Test func `a probe that is cut off leaves its place to the next`() async throws {
        let clock = ManualClock()
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        await pace.note(.throttled(retryAfter: nil), at: start)
        clock.advance(by: .seconds(60))
        #expect(try await pace.turn() == .granted)
        let second = Task { try await pace.turn() }
        await pace.giveUp()
        clock.advance(by: .seconds(1))
        #expect(try await second.value == .granted)
    }
}
