import AppStore
package import History
package import RankKit

extension TrackingPass {
    /// Like `run`, with look-ups beside the searches. Where nothing else is to be looked up, the first search for a
    /// query has the app that it alone brings looked up beside it.
    ///
    /// - Parameter deadline: when the next search falls due, at which a look-up is cut off.
    package func run(
        _ due: [ScheduledQuery], beside batches: [LookupSchedule.Batch], until deadline: Timestamp? = nil,
        goesOn: @escaping @Sendable () async -> Bool = { true }, progress: (Event) async -> Void = { _ in }
    ) async throws -> PassResult {
        // A machine that is offline for searches is offline for look-ups.
        guard let lookups, await pace.health.pause != .offline, await recorder.backlog == nil else {
            return try await search(due, goesOn, progress)
        }
        var batches = batches
        if batches.isEmpty, due.count == 1, let query = due.first?.query {
            batches = try await lookups.newApp(on: query).map { [$0] } ?? []
        }
        guard !batches.isEmpty else { return try await search(due, goesOn, progress) }

        async let lookedUp = lookUp(batches, until: deadline)
        let result = try await search(due, goesOn, progress)
        for event in try await lookedUp { await progress(.lookedUp(event)) }
        return result
    }

    /// Looks up `batches`. A history that cannot take the answers for now holds up further ones, as it makes checks wait.
    package func lookUp(
        _ batches: [LookupSchedule.Batch], until deadline: Timestamp? = nil
    ) async throws -> [LookupPass<C>.Event] {
        guard let lookups, await recorder.backlog == nil else { return [] }
        let events = try await lookups.run(batches, until: deadline)
        if case .unrecorded = events.last { try await recorder.noteLookup(at: now()) }
        return events
    }
}
