package import AppStore
package import History
package import RankKit

/// One round over the queries that are due: asks them in parallel at the shared pace, and records each answer as it
/// arrives. The timer, `rankd --once`, the demo and the tests all run this.
package struct TrackingPass<C: Clock>: Sendable where C.Duration == Duration {
    package var store: AppStore
    package var pace: Pace<C>
    package let history: HistoryStore
    /// Takes what is found, and keeps what the history cannot take for now from one pass to the next.
    package let recorder: Recorder<C>
    /// What is asked, by which the history keeps its health.
    package var endpoint: Endpoint
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// Searches in flight at once, from 1.
    package var parallelism: Int
    /// What the waits between tries are measured by.
    package var clock: C
    /// What looks apps up; `nil` where none is to be.
    package var lookups: LookupPass<C>?

    package init(
        store: AppStore, pace: Pace<C>, history: HistoryStore, endpoint: Endpoint, parallelism: Int, clock: C,
        lookups: LookupPass<C>? = nil, now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.pace = pace
        self.history = history
        recorder = Recorder(history: history, clock: clock)
        self.endpoint = endpoint
        self.parallelism = parallelism
        self.clock = clock
        self.lookups = lookups
        self.now = now
    }

    /// What happened, in the order in which it became true: a check is reported after its commit.
    package enum Event: Sendable {
        case recorded(RecordedCheck)
        /// Apple asked for fewer requests: no check, the query stays due.
        case throttled(Query, status: Int)
        /// Of a look-up beside the searches.
        case lookedUp(LookupPass<C>.Event)
        /// The history cannot take the check for now: it waits in memory.
        case waits(Check, because: HistoryError)
        /// A check that waited is recorded.
        case landed(RecordedCheck)
        /// All that waited is recorded: so many checks, besides those that were too many to keep.
        case settled(Int, dropped: Int)
        /// The device failed, and opening the history anew has helped.
        case mended(HistoryError)
    }

    /// How a query's turn ended, before anything is recorded.
    private enum Answer: Sendable {
        case checked(Check)
        case throttled(Query, status: Int, at: Timestamp)
        /// The endpoint is not to be asked for now.
        case paused
        /// Not asked, or cut off: as if it had never begun.
        case cancelled
    }

    /// Asks `due`, in order.
    ///
    /// When the task is cancelled, no further query is asked, requests in flight are cut off without a trace, and
    /// answers that have arrived are still recorded.
    ///
    /// - Parameters:
    ///   - goesOn: asked before each query; `false` ends the pass early, with what is in flight brought to its end. So
    ///     does the first answer of Apple's throttle.
    ///   - progress: told of each event.
    /// - Throws: `HistoryError` where a check could not be recorded and waiting would not mend it.
    package func run(
        _ due: [ScheduledQuery], goesOn: @escaping @Sendable () async -> Bool = { true },
        progress: (Event) async -> Void = { _ in }
    ) async throws -> PassResult {
        try await run(due, beside: [], goesOn: goesOn, progress: progress)
    }

    /// Searches for `due`, in order.
    func search(
        _ due: [ScheduledQuery], _ goesOn: @escaping @Sendable () async -> Bool, _ progress: (Event) async -> Void
    ) async throws -> PassResult {
        let startedAt = now()
        var result = PassResult(startedAt: startedAt, finishedAt: startedAt, due: due.count)
        var collapsed: [Check] = []
        var health = await pace.health
        let turnsBefore = await pace.turns

        func tell(_ event: Event) async {
            result.count(event)
            await progress(event)
        }
        try await round(due.map(\.query), goesOn) { answer in
            if case .checked(let check) = answer, try await recorder.hasCollapsed(check) {
                // Nothing is made of it before it has been asked again, once all the others have had their turn.
                collapsed.append(check)
                try await keepHealth(since: &health)
            } else {
                let events = try await take(answer)
                try await keepHealth(since: &health)
                for event in events { await tell(event) }
            }
        }
        result.isBadDay = Belief.isBadDay(collapsed: collapsed.count, answered: collapsed.count + result.succeeded)
        let isBadDay = result.isBadDay
        var unsettled = Dictionary(collapsed.map { ($0.query, $0) }, uniquingKeysWith: { first, _ in first })
        try await round(collapsed.map(\.query), goesOn) { answer in
            switch answer {
            case .checked(let check):
                guard let first = unsettled.removeValue(forKey: check.query) else { return }
                // A whole answer is worth more than a failure to repeat it.
                let isAnswered = check.outcome.isGood
                let events = try await recorder.record(isAnswered ? check : first, onBadDay: isBadDay)
                if !isAnswered { try await recorder.noteRequest(at: check.at) }
                for event in events { await tell(event) }
            // What counts is the first answer, below.
            case .throttled(_, _, let at): try await recorder.noteRequest(at: at)
            case .paused, .cancelled: break
            }
            try await keepHealth(since: &health)
        }
        // Where the pass has ended before they were asked again, what they were answered is kept.
        for check in collapsed where unsettled[check.query] != nil {
            for event in try await recorder.record(check, onBadDay: isBadDay) { await tell(event) }
        }
        result.finishedAt = now()
        result.requests = await pace.turns - turnsBefore
        if result.requests > 0 { try await recorder.record(result) }
        return result
    }

    /// Asks `queries` in parallel, handing over each answer as it arrives.
    private func round(
        _ queries: [Query], _ goesOn: @escaping @Sendable () async -> Bool, take: (Answer) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var waiting = queries.makeIterator()
            var isPaused = await pace.pauseLeft != nil
            for _ in 0..<max(1, parallelism) {
                guard !isPaused, !Task.isCancelled, await goesOn(), let next = waiting.next() else { break }
                group.addTask { await ask(next) }
            }
            while let answer = try await group.next() {
                // A pause is about all queries: asking on would only prolong it.
                switch answer {
                case .throttled, .paused: isPaused = true
                case .checked, .cancelled: break
                }
                if !isPaused, !Task.isCancelled, await goesOn(), let next = waiting.next() {
                    group.addTask { await ask(next) }
                }
                try await take(answer)
            }
        }
    }

    private func keepHealth(since kept: inout EndpointHealth) async throws {
        let health = await pace.health
        guard health != kept else { return }
        try await recorder.keep(health, of: endpoint)
        kept = health
    }

    private func ask(_ query: Query) async -> Answer {
        do {
            var tries = 0
            while true {
                guard case .granted = try await pace.turn() else { return .paused }
                tries += 1
                let at = now()
                switch try await search(query) {
                case .answered(let list):
                    return .checked(Check(query: query, at: at, outcome: .answered(list)))
                case .throttled(let status, _):
                    return .throttled(query, status: status, at: at)
                case .failed(let failure):
                    guard failure.isTransient, tries < BackOff.mostTries else {
                        return .checked(Check(query: query, at: at, outcome: .failed(failure)))
                    }
                    try await clock.sleep(for: BackOff.wait(afterTries: tries))
                }
            }
        } catch {
            return .cancelled
        }
    }

    /// Searches, and tells the pace how it ended.
    private func search(_ query: Query) async throws -> AppStore.Reply {
        let reply: AppStore.Reply
        do {
            reply = try await store.search(query)
        } catch {
            await pace.giveUp()
            throw error
        }
        await pace.note(reply.paceOutcome, at: now())
        return reply
    }

    /// Records what there is to record of an answer.
    private func take(_ answer: Answer) async throws -> [Event] {
        switch answer {
        case .checked(let check):
            return try await recorder.record(check)
        case .throttled(let query, let status, let at):
            try await recorder.noteRequest(at: at)
            return [.throttled(query, status: status)]
        case .paused, .cancelled:
            return []
        }
    }
}

extension PassResult {
    mutating func count<C>(_ event: TrackingPass<C>.Event) {
        switch event {
        case .recorded(let check) where check.suspicion != nil: suspect += 1
        case .recorded(let check) where check.failure == nil: succeeded += 1
        case .recorded: failed += 1
        case .waits(let check, _): if check.outcome.isGood { succeeded += 1 } else { failed += 1 }
        case .throttled: throttled += 1
        case .lookedUp: break
        // Counted when they were asked, perhaps in an earlier pass.
        case .landed, .settled, .mended: break
        }
    }
}
