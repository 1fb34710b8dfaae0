import Foundation
import GRDB
package import RankKit

/// Moves the lists of closed days from `result_list` into pages, a few at a time. Each step is one short transaction,
/// safe to be cut off anywhere and repeated: a list is at every moment in exactly one of the two places.
extension HistoryStore {
    /// The queries that may have lists from before `moment` that are in no page yet.
    package func queriesToCompact(before moment: Timestamp) async throws -> [Int64] {
        try await read { database in
            try Int64.fetchAll(
                database, sql: "SELECT id FROM query WHERE unpaged_from IS NULL OR unpaged_from < ? ORDER BY id",
                arguments: [moment.secondsSinceEpoch])
        }
    }

    /// How far the compaction of a query has come.
    package struct CompactionStep: Sendable {
        /// Lists put into a page.
        package var lists = 0
        /// Lists that stay where they are because they, or the page that they belong into, cannot be read.
        package var damaged = 0
        /// Where to go on; `nil` when the query is done.
        package var next: CompactionMark?
    }

    /// A place in the sequence of a query's lists.
    package struct CompactionMark: Sendable, Hashable {
        var key: StoredList.Key
    }

    /// Puts the next lists of `query` that began before `moment` into pages, at most `limit`.
    ///
    /// What is read and written is in two short transactions; the work in between keeps nobody from recording.
    ///
    /// - Parameter mark: where the step before ended.
    package nonisolated func compact(
        query: Int64, after mark: CompactionMark? = nil, before moment: Timestamp, limit: Int
    ) async throws -> CompactionStep {
        let material = try await read {
            try CompactionMaterial(of: query, after: mark?.key, before: moment.secondsSinceEpoch, limit: limit, in: $0)
        }
        var step = CompactionStep(
            damaged: material.damaged, next: material.isLast ? nil : material.lastKey.map(CompactionMark.init))
        let replacement: CompactionMaterial.Replacement?
        do {
            replacement = try material.pages()
        } catch is DamagedBytes {
            // Written wrongly or read wrongly: the lists are safe where they are.
            replacement = nil
        }
        guard let replacement else {
            step.damaged += material.lists.count
            if material.isLast { try await tidy { try CompactionMaterial.noteRest(of: query, in: $0) } }
            return step
        }
        guard !material.lists.isEmpty || material.isLast else { return step }
        try await tidy { database, isAgain in
            if try !(isAgain && material.isWritten(in: database)) {
                try material.write(replacement, in: database)
            }
            if material.isLast { try CompactionMaterial.noteRest(of: query, in: database) }
        }
        step.lists = material.lists.count
        return step
    }
}
