package import AppStore
package import History
package import RankKit

/// One round over the queries that are due: asks them in parallel at the shared pace, and records each answer as it
/// arrives. The timer, `rankd --once`, the demo and the tests all run this.
package struct TrackingPass<C: Clock>: Sendable where C.Duration == Duration {
    package var store: AppStore
    package var pace: Pace<C>
    package var history: HistoryStore
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// Searches in flight at once, from 1.
    package var parallelism: Int

    package init(
        store: AppStore, pace: Pace<C>, history: HistoryStore, parallelism: Int,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.pace = pace
        self.history = history
        self.parallelism = parallelism
        self.now = now
    }

    /// What happened, in the order in which it became true: a check is reported after its commit.
    package enum Event: Sendable {
        case recorded(RecordedCheck)
        /// Apple asked for fewer requests: no check, the query stays due.
        case throttled(Query, status: Int)
    }

    /// How a query's turn ended, before anything is recorded.
    private enum Answer: Sendable {
        case checked(Check)
        case throttled(Query, status: Int, at: Timestamp)
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
    /// - Throws: `HistoryError` where a check could not be recorded.
    package func run(
        _ due: [ScheduledQuery], goesOn: @escaping @Sendable () async -> Bool = { true },
        progress: (Event) async -> Void = { _ in }
    ) async throws -> PassResult {
        let startedAt = now()
        var result = PassResult(startedAt: startedAt, finishedAt: startedAt, due: due.count)
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var waiting = due.makeIterator()
            for _ in 0..<max(1, parallelism) {
                guard await goesOn(), let next = waiting.next() else { break }
                group.addTask { await ask(next.query) }
            }
            while let answer = try await group.next() {
                // Apple's throttle is about all queries: asking on would only prolong it.
                let isThrottled = if case .throttled = answer { true } else { result.throttled > 0 }
                if !isThrottled, !Task.isCancelled, await goesOn(), let next = waiting.next() {
                    group.addTask { await ask(next.query) }
                }
                guard let event = try await event(for: answer) else { continue }
                result.count(event)
                await progress(event)
            }
        }
        result.finishedAt = now()
        if result.asked > 0 { try await history.record(result) }
        return result
    }

    private func ask(_ query: Query) async -> Answer {
        do {
            try await pace.turn()
            let at = now()
            switch try await store.search(query) {
            case .answered(let list): return .checked(Check(query: query, at: at, outcome: .answered(list)))
            case .failed(let failure): return .checked(Check(query: query, at: at, outcome: .failed(failure)))
            case .throttled(let status): return .throttled(query, status: status, at: at)
            }
        } catch {
            return .cancelled
        }
    }

    private func event(for answer: Answer) async throws -> Event? {
        switch answer {
        case .checked(let check):
            return .recorded(try await history.record(check))
        case .throttled(let query, let status, let at):
            try await history.noteRequest(at: at)
            return .throttled(query, status: status)
        case .cancelled:
            return nil
        }
    }
}

extension PassResult {
    mutating func count<C>(_ event: TrackingPass<C>.Event) {
        switch event {
        case .recorded(let check) where check.failure == nil: succeeded += 1
        case .recorded: failed += 1
        case .throttled: throttled += 1
        }
    }
}
