import RankKit
import TestSupport
import Testing

@Suite struct EndpointHealthTests {
    private let now = time("2026-11-01T00:00:00Z")

    @Test func `pauses double from a minute to half an hour`() {
        var health = EndpointHealth()
        var lengths: [Int64] = []
        for _ in 0..<7 {
            health.note(.throttled(retryAfter: nil), at: now)
            lengths.append(health.pauseLength)
        }
        #expect(lengths == [60, 120, 240, 480, 960, 1_800, 1_800])
    }

    @Test(arguments: [(Int64(5), Int64(60)), (90, 90), (3_600, 3_600), (1_000_000_000, 3_600), (.max, 3_600), (-7, 60)])
    func `Apple's wish counts where it is longer, up to an hour`(wish: Int64, length: Int64) {
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: wish), at: now)
        #expect(health.pauseLength == length)
        #expect(health.pausedUntil == now + length)
    }

    @Test func `one success does not yet forget the pauses, ten more do`() {
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: nil), at: now)
        health.note(.reached, at: now)
        #expect(health.pause == nil)
        var again = health
        again.note(.throttled(retryAfter: nil), at: now)
        #expect(again.pauseLength == 120)
        for _ in 0..<EndpointHealth.slowStart { health.note(.reached, at: now) }
        health.note(.throttled(retryAfter: nil), at: now)
        #expect(health.pauseLength == 60)
    }

    @Test func `five failures to connect in a row are a machine that is offline`() {
        var health = EndpointHealth()
        for _ in 0..<4 { health.note(.unreachable, at: now) }
        #expect(health.pause == nil)
        health.note(.reached, at: now)
        for _ in 0..<4 { health.note(.unreachable, at: now) }
        #expect(health.pause == nil)
        health.note(.unreachable, at: now)
        #expect(health.pause == .offline)
        health.note(.unreachable, at: now + 60)
        #expect(health.pauseLength == 120)
    }

    @Test func `a clock that is set back does not prolong a pause`() {
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: nil), at: now)
        #expect(health.secondsLeft(at: now + 10) == 50)
        #expect(health.secondsLeft(at: now - 86_400 * 3_650) == 60)
        #expect(health.secondsLeft(at: now + 86_400) == 0)
    }

    @Test func `an endpoint that answers nothing but errors is asked less and less`() {
        var health = EndpointHealth()
        var (moment, asked, pauses) = (now, 0, [Int64]())
        while moment < now + Timestamp.secondsPerDay {
            health.note(.troubled, at: moment)
            asked += 1
            if health.pause == .failing { pauses.append(health.pauseLength) }
            moment = health.pausedUntil ?? moment + 4
        }
        #expect(pauses.prefix(7) == [60, 120, 240, 480, 960, 1_800, 1_800])
        // Of 21,600 that the pace allows.
        #expect(asked < EndpointHealth.errorLimit + 60)
        health.note(.reached, at: moment)
        #expect(health.pause == nil && health.errorsInARow == 0 && health.slowTurns == EndpointHealth.slowStart)
    }

    @Test func `an error among answers, and a machine that is offline, are no such endpoint`() {
        var health = EndpointHealth()
        for _ in 0..<100 {
            for _ in 1..<EndpointHealth.errorLimit { health.note(.troubled, at: now) }
            health.note(.reached, at: now)
        }
        #expect(health.pause == nil)
        for _ in 1..<EndpointHealth.errorLimit { health.note(.troubled, at: now) }
        for _ in 0..<5 { health.note(.unreachable, at: now) }
        #expect(health.pause == .offline)
        // Whoever answers is reached, if only with an error.
        health.note(.troubled, at: now + 60)
        #expect(health.pause == nil)
    }
}
