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

    /// - Returns: the queries whose lists were read.
    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done. One query's damaged
    ///   lists do not keep the others from being filled in.
    @discardableResult
    package func run() async throws -> [Query] {
        let queries = try await history.queriesToFill()
        guard !queries.isEmpty else { return [] }
        let reader = try HistoryReader(path: history.path)
        var failure: HistoryError?
        for query in queries {
            do { try await fill(query, from: reader) } catch let error as HistoryError {
                guard case .corrupt = error else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return queries
    }

    private func fill(_ query: Query, from reader: HistoryReader) async throws {
        var goesOn = true
        while goesOn, let work = try await history.backFillWork(on: query) {
            try await turn()
            goesOn = try await BackFillBatch(work, from: reader).write(to: history, turn: turn)
        }
    }
}
