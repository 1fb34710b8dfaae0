package import History
package import RankKit

/// Fills in from the kept lists what pairs that are new to the watchlist did before. Each list is read once for all pairs
/// on its query, on a connection of its own; what is written goes in steps so short that a recording never waits more
/// than a moment. Cut off anywhere, it goes on from there.
package struct BackFill: Sendable {
    package var history: HistoryStore
    /// Awaited before each step: throws where the filling is to end.
    package var turn: @Sendable () async throws -> Void

    package init(
        history: HistoryStore, turn: @escaping @Sendable () async throws -> Void = { try Task.checkCancellation() }
    ) {
        self.history = history
        self.turn = turn
    }

    /// What a filling came to.
    package struct Outcome: Sendable, Hashable {
        /// Whose lists were read.
        package var queries: [Query] = []
        /// What of them could not be, and leaves a gap in the positions of the new pairs.
        package var damaged: [DamagedLists] = []
    }

    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done. One query that
    ///   cannot be read does not keep the others from being filled in.
    package func run() async throws -> Outcome {
        var outcome = Outcome(queries: try await history.queriesToFill())
        guard !outcome.queries.isEmpty else { return outcome }
        let reader = try HistoryReader(path: history.path)
        var failure: HistoryError?
        for query in outcome.queries {
            do { try await fill(query, from: reader, &outcome) } catch let error as HistoryError {
                guard case .corrupt = error else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return outcome
    }

    private func fill(_ query: Query, from reader: HistoryReader, _ outcome: inout Outcome) async throws {
        var goesOn = true
        while goesOn, let work = try await history.backFillWork(on: query) {
            try await turn()
            let batch = try BackFillBatch(work, from: reader)
            // A batch may end within lists that the next begins with.
            outcome.damaged += batch.damaged.filter { !outcome.damaged.contains($0) }
            goesOn = try await batch.write(to: history, turn: turn)
        }
    }
}
