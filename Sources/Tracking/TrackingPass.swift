package import AppStore
package import History
package import RankKit

/// One round over the queries that are due: asks them in parallel at the lane's pace, and records each answer as it
/// arrives. The timer, `rankd --once`, the demo and the tests all run this.
package struct TrackingPass<C: Clock>: Sendable where C.Duration == Duration {
    /// Where searches are asked.
    package let lane: SearchLane<C>
    /// What looks apps up; `nil` if none is to be.
    package let lookups: LookupPass<C>?
    package let history: HistoryStore
    /// Takes what is found, and keeps what the history cannot take for now from one pass to the next.
    package let recorder: Recorder<C>
    /// Searches in flight at once, from 1.
    package var parallelism: Int

    package init(
        lane: SearchLane<C>, lookups: LookupLane<C>? = nil, history: HistoryStore, parallelism: Int
    ) {
        self.lane = lane
        self.history = history
        self.parallelism = parallelism
        var paces = [lane.endpoint: lane.pace]
        if let lookups { paces[lookups.endpoint] = lookups.pace }
        let recorder = Recorder(history: history, paces: paces, clock: lane.clock, now: lane.now)
        self.recorder = recorder
        self.lookups = lookups.map { LookupPass(lane: $0, history: history, recorder: recorder) }
    }

    /// The wall clock.
    package var now: @Sendable () -> Timestamp { lane.now }

    /// Changes the pace of all that is asked.
    package func set(requestsPerMinute: Int) async {
        await lane.pace.set(requestsPerMinute: requestsPerMinute)
        await lookups?.lane.pace.set(requestsPerMinute: requestsPerMinute)
    }

    /// Asks `due`, in order, and looks up `batches` beside it. Where nothing else is to be looked up, the first search
    /// for a query has the app that it alone brings looked up beside it.
    ///
    /// When the task is cancelled, no further query is asked, requests in flight are cut off without a trace, and
    /// answers that have arrived are still recorded.
    ///
    /// - Parameters:
    ///   - deadline: when the next search falls due, at which a look-up is cut off.
    ///   - goesOn: asked before each query; `false` ends the pass early, with what is in flight brought to its end. So
    ///     does the first answer of Apple's throttle.
    ///   - progress: called with each event.
    /// - Throws: `HistoryError` if a check could not be recorded and waiting would not mend it.
    package func run(
        _ due: [ScheduledQuery], beside batches: [LookupSchedule.Batch] = [], until deadline: Timestamp? = nil,
        goesOn: @escaping @Sendable () async -> Bool = { true }, progress: (TrackingEvent) async -> Void = { _ in }
    ) async throws -> PassResult {
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
        var result = PassResult(startedAt: startedAt, finishedAt: startedAt, due: due.count)
        let turnsBefore = await lane.pace.turns
        try await recorder.begin(passAt: startedAt, due: due.count)

        func tell(_ events: [TrackingEvent]) async {
            for event in events {
                result.count(event)
                await progress(event)
            }
        }
        var doubtful = DoubtfulAnswers()
        try await ask(due.map(\.query), goesOn) { query, answer in
            if let check = answer.check(of: query) {
                // Nothing is made of one that is not believed before it has been asked again, once all the others have
                // had their turn.
                if doubtful.take(check, try await recorder.judge(check)) {
                    return try await recorder.keepHealth()
                }
                let events = try await recorder.record(check)
                try await recorder.keepHealth()
                await tell(events)
            } else if case .throttled(let status, let at) = answer {
                try await recorder.noteRequest(at: at)
                await tell([.throttled(query, status: status)])
            }
        }
        result.isBadDay = doubtful.areOfBadDay(whole: result.succeeded)
        try await askAgain(doubtful, onBadDay: result.isBadDay, goesOn, tell)
        result.finishedAt = now()
        result.requests = await lane.pace.turns - turnsBefore
        if result.requests > 0 { try await recorder.record(result) } else { try await recorder.endPass() }
        return result
    }

    /// Asks again what is `doubtful`: a whole second answer counts. Where there is none, because asking fails, is turned
    /// away, or the pass ends before, the first is kept: it was whole.
    private func askAgain(
        _ doubtful: DoubtfulAnswers, onBadDay: Bool, _ goesOn: @escaping @Sendable () async -> Bool,
        _ tell: ([TrackingEvent]) async -> Void
    ) async throws {
        var first = Dictionary(doubtful.entries.map { ($0.query, $0) }, uniquingKeysWith: { first, _ in first })
        let usual: PassCircumstances = onBadDay ? .badDay : .usual
        try await ask(doubtful.entries.map(\.query), goesOn) { query, answer in
            guard let moment = answer.askedAt, let before = first.removeValue(forKey: query) else { return }
            var circumstances = usual
            let second = answer.list == nil ? nil : answer.check(of: query)
            if let list = answer.list {
                if !onBadDay, doubtful.isSupported(list, after: before) { circumstances = .supported }
            }
            await tell(try await recorder.record(second ?? before.check, circumstances))
            if second == nil, before.at != moment { try await recorder.noteRequest(at: moment) }
            try await recorder.keepHealth()
        }
        for entry in doubtful.entries where first[entry.query] != nil {
            await tell(try await recorder.record(entry.check, usual))
        }
    }

    /// Asks `queries` in parallel, handing over each answer as it arrives. One that is cut off is as if it had never
    /// begun.
    private func ask(
        _ queries: [Query], _ goesOn: @escaping @Sendable () async -> Bool,
        take: (Query, SearchLane<C>.Answer) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Query, SearchLane<C>.Answer?).self) { group in
            var waiting = queries.makeIterator()
            var isPaused = await lane.pace.pauseLeft != nil
            func askNext() async {
                guard !isPaused, !Task.isCancelled, await goesOn(), let query = waiting.next() else { return }
                group.addTask {
                    do { return (query, try await lane.ask(query)) } catch { return (query, nil) }
                }
            }
            for _ in 0..<max(1, parallelism) { await askNext() }
            while let (query, answer) = try await group.next() {
                // A pause is about all queries: asking on would only prolong it.
                switch answer {
                case .throttled, .paused: isPaused = true
                case .answered, .failed, nil: break
                }
                await askNext()
                if let answer { try await take(query, answer) }
            }
        }
    }
}

extension Lane.Answer where Question == Query {
    /// When the request began; `nil` if none was made.
    fileprivate var askedAt: Timestamp? {
        switch self {
        case .answered(_, let at), .failed(_, let at), .throttled(_, let at): at
        case .paused: nil
        }
    }

    /// `nil` for every other answer.
    fileprivate var list: ResultList? {
        guard case .answered(let list, _) = self else { return nil }
        return list
    }

    /// The check that the answer is; `nil` if it says nothing about the query.
    fileprivate func check(of query: Query) -> Check? {
        switch self {
        case .answered(let list, let at): Check(query: query, at: at, outcome: .answered(list))
        case .failed(let failure, let at): Check(query: query, at: at, outcome: .failed(failure))
        case .throttled, .paused: nil
        }
    }
}
