package import History
import Logging
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
        /// Why not all of them were, if the file is damaged. Trying again would not help.
        package var unread: HistoryError?

        fileprivate mutating func note(_ error: HistoryError) throws {
            switch error {
            case .corrupt, .damagedInUse: unread = unread ?? error
            default: throw error
            }
        }
    }

    /// - Throws: `HistoryError`, or `CancellationError` between two steps; what was done stays done. One query that
    ///   cannot be read does not keep the others from being filled in.
    package func run() async throws -> Outcome {
        var outcome = Outcome()
        do {
            outcome.queries = try await history.queriesToFill()
            guard !outcome.queries.isEmpty else { return outcome }
            let reader = try HistoryReader(path: history.path)
            for query in outcome.queries {
                do { try await fill(query, from: reader, &outcome) } catch let error as HistoryError {
                    try outcome.note(error)
                }
            }
        } catch let error as HistoryError {
            try outcome.note(error)
        }
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

extension BackgroundJob {
    static func fillingIn(_ backFill: BackFill, log: Logger) -> BackgroundJob {
        BackgroundJob("filling in history", log: log) { _ in
            let outcome = try await backFill.run()
            if let error = outcome.unread {
                // A file that is beyond use the next recording finds out.
                log.warning(
                    "some history of new pairs could not be filled in: rankd tries again after a restart or reload",
                    metadata: ["error": "\(error)"])
            } else if !outcome.queries.isEmpty {
                log.info("history filled in from the kept lists", metadata: ["queries": "\(outcome.queries.count)"])
            }
            for lists in outcome.damaged {
                log.warning(
                    "damaged lists leave a gap in the history of new pairs: see rankctl verify",
                    metadata: lists.query.logged.merging([
                        "from": "\(lists.from)", "through": "\(lists.through)",
                    ]) { $1 })
            }
        }
    }
}
