package import AppStore
import History
package import RankKit

/// Looks up apps that have not been seen in their countries, as far as it is time to, and keeps what the answers say
/// about whether they are sold there. It runs when nothing is to be searched for, and moves no position.
package struct LookupPass<C: Clock>: Sendable where C.Duration == Duration {
    package let lane: LookupLane<C>
    let history: HistoryStore
    let recorder: Recorder<C>

    /// The moment at which the next request may be made: `moment`, or the end of a pause of the endpoint.
    package func earliest(_ moment: Timestamp, now: Timestamp) async -> Timestamp {
        guard let left = await lane.pace.pauseLeft else { return moment }
        return max(moment, now.end(of: left))
    }

    /// The app that the first search for `query` alone brings, where it is one that was never looked up.
    package func newApp(on query: Query) async throws -> LookupSchedule.Batch? {
        let apps = try await history.unseenApps(on: query)
        guard apps.count == 1, let (app, presence) = apps.first, presence.isNew else { return nil }
        return LookupSchedule.batches(
            of: [app.bundleID], in: app.country,
            numbers: presence.numbers.isEmpty ? [:] : [app.bundleID: presence.numbers]
        ).first
    }

    /// Asks `batches`, in order, until one is turned away, and records each answer as it arrives. Apps whose numbers an
    /// answer lacks are asked for by name next: only then are they taken to be missing.
    ///
    /// - Parameter deadline: when a search falls due: what has not been answered by then is cut off without a trace, as
    ///   it is when the task is cancelled. `nil` gives all the time it takes.
    /// - Throws: `HistoryError` if an answer could not be recorded and waiting would not mend it.
    package func run(
        _ batches: [LookupSchedule.Batch], until deadline: Timestamp? = nil
    ) async throws -> [TrackingEvent.Lookup] {
        guard let deadline else { return try await ask(batches) }
        let time = deadline - lane.now()
        guard time > 0 else { return [] }
        return try await withThrowingTaskGroup(of: [TrackingEvent.Lookup]?.self) { group in
            group.addTask { try await ask(batches) }
            group.addTask { [clock = lane.clock] in
                // Cancelled as soon as everything has been asked.
                do { try await clock.sleep(for: .seconds(time)) } catch {}
                return nil
            }
            var events: [TrackingEvent.Lookup] = []
            while let ended = try await group.next() {
                if let ended { events = ended }
                group.cancelAll()
            }
            return events
        }
    }

    private func ask(_ batches: [LookupSchedule.Batch]) async throws -> [TrackingEvent.Lookup] {
        var events: [TrackingEvent.Lookup] = []
        var waiting = Array(batches.reversed())
        while let batch = waiting.popLast() {
            let answer: LookupLane<C>.Answer
            do { answer = try await lane.ask(batch.question) } catch { break }
            // From here to its end an answer that has arrived is recorded, cancelled or not.
            events += try await record(answer, of: batch)
            if case .answered(let list, _) = answer, let byName = batch.toAskByName(after: list) {
                waiting.append(byName)
            }
            try await recorder.keepHealth()
            guard await lane.pace.health.pause == nil, await recorder.backlog == nil, !Task.isCancelled else { break }
        }
        return events
    }

    private func record(
        _ answer: LookupLane<C>.Answer, of batch: LookupSchedule.Batch
    ) async throws -> [TrackingEvent.Lookup] {
        switch answer {
        case .answered(let list, let at):
            switch try await recorder.record(batch.outcomes(in: list), batch.names(in: list), at: at) {
            case .success(let presences): return Self.changes(presences)
            case .failure(let error): return [.unrecorded(error)]
            }
        case .failed(let failure, let at):
            let outcomes = Dictionary(
                batch.apps.map { ($0, AppPresence.Outcome.failed) }, uniquingKeysWith: { first, _ in first })
            switch try await recorder.record(outcomes, at: at) {
            case .success: return [.failed(failure, apps: batch.bundleIDs.count)]
            case .failure(let error): return [.unrecorded(error)]
            }
        case .throttled(let status, let at):
            try await recorder.noteLookup(at: at)
            return [.throttled(status: status)]
        case .paused:
            return []
        }
    }

    private static func changes(
        _ presences: [StorefrontApp: (before: AppPresence, after: AppPresence)]
    ) -> [TrackingEvent.Lookup] {
        presences.sorted { $0.key < $1.key }.compactMap { app, presence in
            switch (presence.before.isUnknown, presence.after) {
            case (false, let after) where after.isUnknown: .unknown(app, wasListed: after.wasListed)
            case (true, let after) where after.foundAt != nil && !after.isUnknown: .foundAgain(app)
            default: nil
            }
        }
    }
}
