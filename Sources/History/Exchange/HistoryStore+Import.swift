package import Foundation
import GRDB
package import RankKit

/// What an import came to.
package struct ImportResult: Sendable, Hashable {
    package var lines = 0
    /// New checks.
    package var checks = 0
    /// New positions.
    package var positions = 0
    /// Whether the export told a checksum, which its lines fit.
    package var hasChecksum = false
    /// Checks that were there already; for tables of other tools: rows.
    package var duplicates = 0
    /// Rows that say something else than what is there, which stays.
    package var contradictions = 0
    package var firstContradiction: Int?
    /// What was decided about another tool's table, and what of it was left out: sentences for people.
    package var notes: [String] = []
}

extension HistoryStore {
    /// Brings an exported history into this one. What is there already stays and is not doubled.
    ///
    /// - Parameter now: what the clock shows; `nil` where no clock is to be held against the histories' own.
    /// - Throws: `ImportRefusal` with the line that is wrong, `ImportMissing`, `HistoryError` or `CancellationError`;
    ///   nothing of the file is in the history then.
    package func importExport(
        _ file: ExportFile, now: Timestamp? = nil,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> ImportResult {
        try await blocking { work, queue in
            var importer = Importer(queue: queue, file: file, now: now)
            try importer.run(work, progress: progress)
            return importer.result
        }
    }
}

extension HistoryStore {
    /// Whether nothing has ever been recorded, adopted or imported: all that there may be is the header of an export.
    package func isBlank() async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM query) AND NOT EXISTS (SELECT 1 FROM app)
                        AND NOT EXISTS (SELECT 1 FROM storefront) AND NOT EXISTS (SELECT 1 FROM watched_app)
                        AND NOT EXISTS (SELECT 1 FROM note) AND NOT EXISTS (SELECT 1 FROM pass)
                        AND NOT EXISTS (SELECT 1 FROM app_presence)
                    """) ?? false
        }
    }

    /// The time zone of the watchlist that the history has adopted; `nil` before the first, UTC if that names none.
    package func planZone() async throws -> TimeZone? {
        try await read { database in
            guard try Setting.adoptedAt.integer(in: database) != nil else { return nil }
            return ZoneDays(kept: try Setting.timeZone.text(in: database)).zone
        }
    }

    /// Looks through another tool's table that is to be imported into a history that is yet to be made.
    ///
    /// - Throws: as `importTable`.
    package static func checkTable(_ file: String, options: ForeignTableOptions, now: Timestamp) async throws {
        try await BlockingWork.run { work in
            try ForeignImporter.check(file, options, now: now, work)
        }
    }

    /// Brings another tool's table into this history, under a source of its own.
    ///
    /// - Throws: `ImportRefusal` before anything is written; `ImportMissing`, `HistoryError` or `CancellationError`.
    package func importTable(
        _ file: String, options: ForeignTableOptions, now: Timestamp,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> ImportResult {
        try await blocking { work, queue in
            var importer = ForeignImporter(queue: queue, file: file, options: options, now: now)
            try importer.run(work, progress: progress)
            return importer.result
        }
    }
}
