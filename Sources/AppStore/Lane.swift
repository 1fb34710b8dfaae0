package import RankKit

/// One way of asking: the endpoint, how a question is put to it, and its pace, which also knows the endpoint's health.
/// A pass is given the lane that it asks on, so that a second source is a second lane.
package struct Lane<Question: Sendable, C: Clock>: Sendable where C.Duration == Duration {
    /// What is asked, by which the history keeps its health.
    package let endpoint: Endpoint
    /// The lane's own: how another endpoint fares says nothing about this one.
    package let pace: Pace<C>
    /// What the waits between tries are measured by.
    package let clock: C
    /// The wall clock.
    package let now: @Sendable () -> Timestamp
    private let request: @Sendable (Question) async throws -> AppStore.Reply

    /// - Parameter request: asks once. Throws `CancellationError` alone.
    package init(
        _ endpoint: Endpoint, pace: Pace<C>, clock: C, now: @escaping @Sendable () -> Timestamp,
        request: @escaping @Sendable (Question) async throws -> AppStore.Reply
    ) {
        self.endpoint = endpoint
        self.pace = pace
        self.clock = clock
        self.now = now
        self.request = request
    }

    /// How a question ended.
    package enum Answer: Sendable {
        /// A whole answer to the request that began then.
        case answered(ResultList, at: Timestamp)
        /// No answer, or one that proves nothing.
        case failed(Failure, at: Timestamp)
        /// Apple asked for fewer requests.
        case throttled(status: Int, at: Timestamp)
        /// The endpoint is not to be asked for now.
        case paused
    }

    /// How often a question is put at most: again only where the failure may pass.
    private static var mostTries: Int { 3 }

    /// Waits for its turn and asks; where the failure may pass, up to three times.
    ///
    /// - Throws: `CancellationError` alone.
    package func ask(_ question: Question) async throws -> Answer { try await counted(question).answer }

    /// As `ask`, with how many requests were made for the answer.
    ///
    /// - Throws: `CancellationError` alone.
    package func counted(_ question: Question) async throws -> (answer: Answer, requests: Int) {
        var tries = 0
        var before: Answer?
        while true {
            // What was seen before the pause began is what came of the question.
            guard case .granted = try await pace.turn() else { return (before ?? .paused, tries) }
            tries += 1
            let at = now()
            switch try await askOnce(question) {
            case .answered(let list): return (.answered(list, at: at), tries)
            case .throttled(let status, _): return (.throttled(status: status, at: at), tries)
            case .failed(let failure):
                guard failure.isTransient, tries < Self.mostTries else { return (.failed(failure, at: at), tries) }
                before = .failed(failure, at: at)
                try await clock.sleep(for: Self.backOff(afterTries: tries))
            }
        }
    }

    /// Asks, and tells the pace how it ended.
    private func askOnce(_ question: Question) async throws -> AppStore.Reply {
        let reply: AppStore.Reply
        do {
            reply = try await request(question)
        } catch {
            await pace.giveUp()
            throw error
        }
        await pace.note(reply.endpointOutcome, at: now())
        return reply
    }

    /// Exponential with full jitter: up to 2 s, then up to 4 s, so that those who failed together do not come back
    /// together (Brooker, "Exponential Backoff and Jitter").
    private static func backOff(afterTries tries: Int) -> Duration {
        .milliseconds(Int64.random(in: 0...(1_000 << Int64(tries))))
    }
}

/// Searches: each question is a query.
package typealias SearchLane<C: Clock> = Lane<Query, C> where C.Duration == Duration

/// Look-ups: each question is a few apps by what identifies them.
package typealias LookupLane<C: Clock> = Lane<Lookup, C> where C.Duration == Duration

extension AppStore {
    /// The lane of this store's searches.
    package func searches<C>(
        as endpoint: Endpoint, pace: Pace<C>, clock: C, now: @escaping @Sendable () -> Timestamp
    ) -> SearchLane<C> {
        Lane(endpoint, pace: pace, clock: clock, now: now, request: search)
    }

    /// The lane of this store's look-ups.
    package func lookups<C>(
        as endpoint: Endpoint, pace: Pace<C>, clock: C, now: @escaping @Sendable () -> Timestamp
    ) -> LookupLane<C> {
        Lane(endpoint, pace: pace, clock: clock, now: now, request: lookup)
    }
}
