package import AppStore
package import History
package import RankKit

/// Looks up apps that have not been seen in their countries, as far as it is time to, and keeps what the answers say
/// about whether they are sold there. It runs when nothing is to be searched for, and moves no position.
package struct LookupPass<C: Clock>: Sendable where C.Duration == Duration {
    package var lookup: PacedLookup<C>
    package var history: HistoryStore
    /// What is asked, by which the history keeps its health.
    package var endpoint: Endpoint

    package init(_ lookup: PacedLookup<C>, history: HistoryStore, endpoint: Endpoint) {
        self.lookup = lookup
        self.history = history
        self.endpoint = endpoint
    }

    /// What a look-up changed, or why it told nothing.
    package enum Event: Sendable, Hashable {
        /// Two empty answers, at least a day apart: the storefront sells no such app.
        case unknown(StorefrontApp)
        /// The storefront sells the app after all.
        case foundAgain(StorefrontApp)
        case failed(Failure, apps: Int)
        case throttled(status: Int)
        /// The history could not take what an answer said: it is to be asked again.
        case unrecorded(HistoryError)
    }

    /// The moment at which the next request may be made: `moment`, or the end of a pause of the endpoint.
    package func earliest(_ moment: Timestamp, now: Timestamp) async -> Timestamp {
        guard let left = await lookup.pace.pauseLeft else { return moment }
        return max(moment, now.end(of: left))
    }

    /// The app that the first search for `query` alone brings, where it is one that was never looked up.
    package func newApp(on query: Query) async throws -> LookupSchedule.Batch? {
        let apps = try await history.unseenApps(on: query)
        guard apps.count == 1, let (app, presence) = apps.first, presence.isNew else { return nil }
        return LookupSchedule.Batch(country: app.country, bundleIDs: [app.bundleID])
    }

    /// Asks `batches`, in order, until one is turned away, and records each answer as it arrives.
    ///
    /// - Parameter deadline: when a search falls due: what has not been answered by then is cut off without a trace, as
    ///   it is when the task is cancelled. `nil` gives all the time it takes.
    /// - Throws: `HistoryError` where an answer could not be recorded and waiting would not mend it.
    package func run(
        _ batches: [LookupSchedule.Batch], until deadline: Timestamp? = nil
    ) async throws -> [Event] {
        guard let deadline else { return try await ask(batches) }
        let time = deadline - lookup.now()
        guard time > 0 else { return [] }
        return try await withThrowingTaskGroup(of: [Event]?.self) { group in
            group.addTask { try await ask(batches) }
            group.addTask { [clock = lookup.clock] in
                // Cancelled as soon as everything has been asked.
                do { try await clock.sleep(for: .seconds(time)) } catch {}
                return nil
            }
            var events: [Event] = []
            while let ended = try await group.next() {
                if let ended { events = ended }
                group.cancelAll()
            }
            return events
        }
    }

    private func ask(_ batches: [LookupSchedule.Batch]) async throws -> [Event] {
        var events: [Event] = []
        var health = await lookup.pace.health
        for batch in batches {
            let answer: PacedLookup<C>.Answer
            do { answer = try await lookup.answer(to: batch) } catch { break }
            // From here to its end an answer that has arrived is recorded, cancelled or not.
            let after = await lookup.pace.health
            do {
                events += try await record(answer, of: batch)
                if after != health { try await history.keep(after, of: endpoint) }
            } catch let error as HistoryError where error.mayPass {
                return events + [.unrecorded(error)]
            }
            health = after
            guard after.pause == nil, !Task.isCancelled else { break }
        }
        return events
    }

    private func record(_ answer: PacedLookup<C>.Answer, of batch: LookupSchedule.Batch) async throws -> [Event] {
        switch answer {
        case .answered(let outcomes, let at):
            let presences = try await history.record(outcomes, at: at)
            return presences.sorted { $0.key < $1.key }.compactMap { app, presence in
                switch (presence.before.isUnknown, presence.after) {
                case (false, let after) where after.isUnknown: .unknown(app)
                case (true, let after) where after.foundAt != nil: .foundAgain(app)
                default: nil
                }
            }
        case .failed(let failure, let at):
            _ = try await history.record(
                Dictionary(batch.apps.map { ($0, .failed) }, uniquingKeysWith: { first, _ in first }), at: at)
            return [.failed(failure, apps: batch.bundleIDs.count)]
        case .throttled(let status, let at):
            try await history.noteLookup(at: at)
            return [.throttled(status: status)]
        case .paused:
            return []
        }
    }
}
