import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// A history that tables of a tool are imported into.
struct TableStage {
    let folder: TemporaryFolder
    let store: HistoryStore
    let now = time("2026-11-21T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    func bring(_ text: String, _ options: ForeignTableOptions) async throws -> ImportResult {
        try await store.importTable(try folder.write(text, to: "ranks.csv"), options: options, now: now)
    }

    /// Why a table is refused, without the file's name. Nothing of it is in the history.
    func refusal(_ text: String, _ options: ForeignTableOptions) async throws -> String {
        let refusal = await #expect(throws: ImportRefusal.self) { try await bring(text, options) }
        #expect(try await rows("position").isEmpty)
        return "\(refusal.map { "\($0)" } ?? "")".replacing(folder.file("ranks.csv"), with: "table")
    }

    /// - Parameter columns: of `position_history`, in SQL.
    func rows(_ columns: String, source: String = "tool") async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(columns) FROM position_history WHERE source = ? ORDER BY at, query, bundle_id
                    """, arguments: ["import:" + source]
            ).map { $0.text.replacing("'", with: "") }
        }
    }
}
