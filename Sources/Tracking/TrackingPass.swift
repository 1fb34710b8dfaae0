package import AppStore
package import History
package import RankKit

/// One round over the queries that are due: asks them in parallel at the lane's pace, and records each answer as it
/// arrives. The timer, `rankd --once`, the demo and the tests all run this.
package struct TrackingPass<C: Clock>: Sendable where C.Duration == Duration {
    /// The source that this pass asks.
    package private(set) var source = Source.usual
    /// Where searches are asked.
    package private(set) var lane: SearchLane<C>
    /// Where each source is asked, this one's among them.
    private let lanes: [Source: SearchLane<C>]
    /// What looks apps up; `nil` if none is to be.
    package let lookups: LookupPass<C>?
    /// What looks up who holds the places of lists that tell little more than numbers.
    private let numbers: NumberLookups<C>?
    package let history: HistoryStore
    /// Takes what is found, and keeps what the history cannot take for now from one pass to the next.
    package let recorder: Recorder<C>
    /// Searches in flight at once, from 1.
    package var parallelism: Int

    /// - Parameters:
    ///   - lane: where the usual source is asked.
    ///   - others: where each further source is asked.
    package init(
        lane: SearchLane<C>, others: [Source: SearchLane<C>] = [:], lookups: LookupLane<C>? = nil,
        history: HistoryStore, parallelism: Int
    ) {
        self.lane = lane
        lanes = others.merging([.usual: lane]) { _, usual in usual }
        self.history = history
        self.parallelism = parallelism
        var paces = Dictionary(lanes.values.map { ($0.endpoint, $0.pace) }, uniquingKeysWith: { first, _ in first })
        if let lookups { paces[lookups.endpoint] = lookups.pace }
        let recorder = Recorder(history: history, paces: paces, clock: lane.clock)
        self.recorder = recorder
        self.lookups = lookups.map { LookupPass(lane: $0, history: history, recorder: recorder) }
        numbers = lookups.map { NumberLookups(lane: $0, history: history, recorder: recorder) }
    }

    /// Those that are asked beside the usual source, in a fixed order.
    package var otherSources: [Source] {
        lanes.keys.filter { $0 != .usual }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The same over the queries of a source; `nil` if that is not asked.
    package func of(_ source: Source) -> TrackingPass? {
        lanes[source].map { lane in
            var pass = self
            (pass.source, pass.lane) = (source, lane)
            return pass
        }
    }

    /// The wall clock.
    package var now: @Sendable () -> Timestamp { lane.now }

    /// Changes the pace of the usual source and of look-ups.
    package func set(requestsPerMinute: Int) async {
        await lanes[.usual]?.pace.set(requestsPerMinute: requestsPerMinute)
        await lookups?.lane.pace.set(requestsPerMinute: requestsPerMinute)
    }

    /// Asks `due`, in order, and looks up `batches` beside it. Where nothing else is to be looked up, the first search
    /// for a query has the app that it alone brings looked up beside it.
    ///
    /// When the task is cancelled, no further query is asked, requests in flight are cut off without a trace, and
    /// answers that have arrived are still recorded.
    ///
    /// - Parameters:
    ///   - due: of one source, which is the lane's.
    ///   - deadline: when the next search falls due, at which a look-up is cut off.
    ///   - goesOn: asked before each query; `false` ends the pass early, with what is in flight brought to its end. So
    ///     does the first answer of Apple's throttle.
    ///   - progress: called with each event.
    /// - Throws: `HistoryError` if a check could not be recorded and waiting would not mend it.
    package func run(
        _ due: [ScheduledQuery], beside batches: [LookupSchedule.Batch] = [], until deadline: Timestamp? = nil,
        goesOn: @escaping @Sendable () async -> Bool = { true }, progress: (TrackingEvent) async -> Void = { _ in }
    ) async throws -> PassResult {
        precondition(due.allSatisfy { $0.query.source == source }, "a query of another lane")
        let batches = try await batches.isEmpty ? newApp(on: due) : batches
        guard !batches.isEmpty, await mayLookUp else { return try await search(due, goesOn, progress) }
        async let lookedUp = lookUp(batches, until: deadline)
        let result = try await search(due, goesOn, progress)
        for event in try await lookedUp { await progress(.lookedUp(event)) }
        return result
    }

    // MARK: Look-ups

    /// Looks up `batches`. A history that cannot take the answers for now holds up further ones, as it makes checks wait.
    ///
    /// - Parameter deadline: when the next search falls due, at which what is being asked is cut off.
    package func lookUp(
        _ batches: [LookupSchedule.Batch], until deadline: Timestamp? = nil
    ) async throws -> [TrackingEvent.Lookup] {
        guard let lookups, await recorder.backlog == nil else { return [] }
        return try await lookups.run(batches, until: deadline)
    }

    /// A machine that is offline for searches is offline for look-ups, until a search gets through; and what a look-up
    /// tells could not be kept while checks wait.
    var mayLookUp: Bool {
        get async {
            guard lookups != nil, await lane.pace.health.pause != .offline else { return false }
            return await recorder.backlog == nil
        }
    }

    private func newApp(on due: [ScheduledQuery]) async throws -> [LookupSchedule.Batch] {
        guard due.count == 1, let query = due.first?.query, let lookups, await mayLookUp else { return [] }
        return try await lookups.newApp(on: query).map { [$0] } ?? []
    }

    // MARK: Searches

    private func search(
        _ due: [ScheduledQuery], _ goesOn: @escaping @Sendable () async -> Bool,
        _ progress: (TrackingEvent) async -> Void
    ) async throws -> PassResult {
        let startedAt = now()
        let turnsBefore = await lane.pace.turns
        let begun = try await recorder.begin(
            passOf: source, at: startedAt, due: due.map(\.query))
        let pass = begun.pass
        for event in begun.events { await progress(event) }

        var count = PassCounter(startedAt: startedAt, due: due.count)
        var again = UniqueQueries(begun.askAgain)
        func take(_ recorded: Recorded) async {
            again.add(recorded.askAgain)
            for event in recorded.events {
                count.take(event)
                await progress(event)
            }
        }
        try await ask(due.map(\.query).filter { !again.contains($0) }, goesOn) { query, answer, requests in
            guard let entry = entry(answer, to: query, .first(pass), requests) else { return }
            let recorded = try await recorder.record(entry)
            try await recorder.keepHealth()
            await take(recorded)
            if case .throttled(let status, _) = answer {
                await take(Recorded(events: [.throttled(query, status: status)]))
            }
        }
        var asked: Set<Query> = []
        count.isAskingAgain = true
        try await ask(again.queries, goesOn) { query, answer, requests in
            guard let entry = entry(answer, to: query, .second(pass), requests) else { return }
            asked.insert(query)
            await take(try await recorder.record(entry))
            try await recorder.keepHealth()
        }
        for query in again.queries where !asked.contains(query) {
            await take(
                try await recorder.record(
                    .answer(SearchAnswer(to: query, at: now(), clock: now(), asking: .second(pass), reply: .unasked))))
        }
        let (finishedAt, requests) = (now(), await lane.pace.turns - turnsBefore)
        let recorded = count.result(finishedAt: finishedAt, requests: requests, withWaiting: false)
        let ended = try await recorder.record(.pass(.ended(pass, at: finishedAt, requests > 0 ? recorded : nil)))
        await take(ended)
        // Of a search that was cut off before it had an answer, what it met is known all the same.
        try await recorder.keepHealth()
        return ended.pass ?? count.result(finishedAt: finishedAt, requests: requests, withWaiting: true)
    }

    /// What an answer is for the history; `nil` where nothing was asked.
    private func entry(
        _ answer: SearchLane<C>.Answer, to query: Query, _ asking: SearchAnswer.Asking, _ requests: Int
    ) -> Entry? {
        let (moment, reply): (Timestamp, SearchAnswer.Reply)
        switch answer {
        case .answered(let list, let at): (moment, reply) = (at, .list(list))
        case .failed(let failure, let at): (moment, reply) = (at, .failed(failure))
        case .throttled(_, let at): (moment, reply) = (at, .turnedAway)
        case .paused: return nil
        }
        return .answer(
            SearchAnswer(
                to: query, at: moment, clock: now(), by: lane.endpoint.origin, asking: asking, requests: requests,
                reply: reply))
    }

    /// Asks `queries` in parallel, handing over each answer as it arrives. One that is cut off is as if it had never
    /// begun.
    private func ask(
        _ queries: [Query], _ goesOn: @escaping @Sendable () async -> Bool,
        take: (Query, SearchLane<C>.Answer, _ requests: Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Query, (answer: SearchLane<C>.Answer, requests: Int)?).self) { group in
            var waiting = queries.makeIterator()
            var isPaused = await lane.pace.pauseLeft != nil
            func askNext() async {
                guard !isPaused, !Task.isCancelled, await goesOn(), let query = waiting.next() else { return }
                group.addTask {
                    let counted: (answer: SearchLane<C>.Answer, requests: Int)
                    do { counted = try await lane.counted(query) } catch { return (query, nil) }
                    return (query, (try await described(counted.answer, to: query), counted.requests))
                }
            }
            for _ in 0..<max(1, parallelism) { await askNext() }
            while let (query, counted) = try await group.next() {
                // A pause is about all queries: asking on would only prolong it.
                switch counted?.answer {
                case .throttled, .paused: isPaused = true
                case .answered, .failed, nil: break
                }
                await askNext()
                if let counted { try await take(query, counted.answer, counted.requests) }
            }
        }
    }

    /// The answer with its apps as look-ups know them, where its source does not tell it.
    private func described(_ answer: SearchLane<C>.Answer, to query: Query) async throws -> SearchLane<C>.Answer {
        guard case .answered(let list, let at) = answer, !query.source.tellsListings else { return answer }
        return .answered(try await numbers?.described(list, in: query.country) ?? list.identities, at: at)
    }
}
