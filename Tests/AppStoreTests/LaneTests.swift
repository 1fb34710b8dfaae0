import AppStore
import RankKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct LaneTests {
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")

    /// A lane whose requests are answered in this order; the last answer is repeated.
    private func lane(_ replies: AppStore.Reply...) -> Lane<String, InstantClock> {
        let left = Mutex(replies)
        return Lane(
            .search(at: "fake"), pace: Pace(requestsPerMinute: 60, clock: clock), clock: clock,
            now: { [start] in start }
        ) { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    private func words(_ answer: Lane<String, InstantClock>.Answer) -> String {
        switch answer {
        case .answered(let list, let at): "\(list.count) places at \(at - start)"
        case .failed(let failure, let at): "\(failure.reason.rawValue) at \(at - start)"
        case .throttled(let status, let at): "\(status) at \(at - start)"
        case .paused: "paused"
        }
    }

    private let passing = Failure(.timedOut)

    @Test func `what may pass is asked three times, each in its turn`() async throws {
        let lane = lane(.failed(passing), .failed(passing), .answered(list(["com.a"])))
        #expect(words(try await lane.ask("timer")) == "1 places at 0")
        #expect(await lane.pace.turns == 3)
        let other = self.lane(.failed(passing))
        #expect(words(try await other.ask("timer")) == "timed-out at 0")
        #expect(await other.pace.turns == 3)
    }

    @Test func `what does not pass is asked once`() async throws {
        let lane = lane(.failed(Failure(.rejected)))
        #expect(words(try await lane.ask("timer")) == "rejected at 0")
        #expect(await lane.pace.turns == 1)
    }

    @Test func `the throttle stops the lane, and no other`() async throws {
        let (searches, lookups) = (lane(.throttled(status: 403)), lane(.answered(list([]))))
        #expect(words(try await searches.ask("timer")) == "403 at 0")
        #expect(words(try await searches.ask("timer")) == "paused")
        #expect(await searches.pace.turns == 1)
        #expect(words(try await lookups.ask("timer")) == "0 places at 0")
    }

    @Test func `a throttle between two tries ends them`() async throws {
        let lane = lane(.failed(passing), .throttled(status: 429, retryAfter: 600))
        #expect(words(try await lane.ask("timer")) == "429 at 0")
        #expect(await lane.pace.health.pauseLength == 600)
    }

    @Test func `a pause between two tries leaves what was seen before it`() async throws {
        let trouble = Failure(.status, "status 503", isTransient: true)
        let lane = lane(.failed(trouble))
        let queries = (EndpointHealth.errorLimit + 1) / 3 + 1
        _ = try await lane.pace.turn()
        await lane.pace.note(.troubled, at: start)
        for _ in 1..<queries { #expect(words(try await lane.ask("timer")) == "status at 0") }
        #expect(await lane.pace.turns == EndpointHealth.errorLimit)
        #expect(words(try await lane.ask("timer")) == "paused")
    }

    @Test func `a request that is cut off leaves the lane as it was`() async throws {
        let pace = Pace(requestsPerMinute: 60, clock: clock)
        let lane = Lane<String, InstantClock>(
            .search(at: "fake"), pace: pace, clock: clock, now: { [start] in start }
        ) { question in
            if question == "cut off" { throw CancellationError() }
            return .answered(list([]))
        }
        await pace.note(.throttled(retryAfter: nil), at: start)
        clock.advance(by: .seconds(61))
        // The probe after a pause: the next one that asks is it again.
        await #expect(throws: CancellationError.self) { _ = try await lane.ask("cut off") }
        #expect(await pace.health.pause == .throttled)
        #expect(words(try await lane.ask("timer")) == "0 places at 0")
        #expect(await pace.health.pause == nil)
    }

    @Test func `no whole answer is no better for an endpoint than an error of its own`() {
        let troubled: Set<Failure.Reason> = [.timedOut, .connectionLost, .insecure]
        for reason in Failure.Reason.allCases where reason != .nameNotFound && reason != .cannotConnect {
            let outcome = AppStore.Reply.failed(Failure(reason)).endpointOutcome
            #expect(outcome == (troubled.contains(reason) ? .troubled : .reached), "\(reason)")
        }
        #expect(AppStore.Reply.failed(Failure(.status, "503", isTransient: true)).endpointOutcome == .troubled)
        // 503s with a time-out now and then never come to an end of the errors.
        var health = EndpointHealth()
        for number in 0..<EndpointHealth.errorLimit {
            let failure =
                number % 4 == 3 ? Failure(.timedOut) : Failure(.status, "503", isTransient: true)
            health.note(AppStore.Reply.failed(failure).endpointOutcome, at: Timestamp(secondsSinceEpoch: 0))
        }
        #expect(health.pause == .failing)
    }
}
