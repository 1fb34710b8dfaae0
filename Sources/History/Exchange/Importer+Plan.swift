import Foundation
import GRDB
import RankKit

/// The file itself and what its watchlist said.
extension Importer {
    mutating func begin(_ header: ExchangeLine.Header, _ database: Database) throws {
        try TableDays.merge(header.tableZones ?? [], in: database)
        blocks = try RecordedOrder.blocks(in: database)
        newestBefore = try CountedChecks.newestBeforeImport(in: database)
        let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM check_log") ?? 0
        if newest == 0 { try noteDroppedLists(database) }
        let mine = blocks.last { $0.file == brought }
        if let mine, mine.last >= newest {
            // The same file once more, and nothing has been recorded since: it goes on where it ended.
            (block.first, block.last, block.offset) = (mine.first, mine.last, mine.offset)
            blocks.removeAll { $0 == mine }
        } else {
            block.offset = newest == 0 ? 0 : newest + 1 - (header.firstCheck ?? 1)
        }
    }

    mutating func take(_ plan: ExchangeLine.Plan, _ database: Database) throws {
        storeDays.planZone = plan.timeZone
        let own = try Setting.adoptedAt.integer(in: database)
        keepsPlan = own != nil && own != plan.adoptedAt
        guard own == nil else { return }
        for (ordinal, app) in plan.apps.enumerated() {
            let key = app.bundleId.lowercased()
            try database.execute(
                literal: """
                    INSERT INTO watched_app (bundle_key, bundle_id, alias, mine, ordinal)
                    VALUES (\(key), \(app.bundleId), \(app.alias), \(app.mine), \(ordinal))
                    """)
            for rival in app.competitors {
                try database.execute(
                    literal: "INSERT INTO competitor (bundle_key, competitor_key) VALUES (\(key), \(rival))")
            }
        }
        for (ordinal, note) in plan.notes.enumerated() {
            try database.execute(
                literal: """
                    INSERT INTO note (ordinal, on_date, bundle_key, version, text, added, removed)
                    VALUES (\(ordinal), \(note.on), \(note.bundleId), \(note.version), \(note.text),
                        \(note.added.joined(separator: "\n")), \(note.removed.joined(separator: "\n")))
                    """)
        }
        try Setting.timeZone.set(plan.timeZone, in: database)
        try Setting.sensitivity.set(plan.sensitivity, in: database)
        try Setting.requestsPerMinute.set(plan.requestsPerMinute, in: database)
        try Setting.parallelism.set(plan.parallelism, in: database)
        try Setting.adoptedAt.set(plan.adoptedAt, in: database)
    }

    /// Where the history has a plan of its own, what the file brings ends with the file.
    func retirement(_ moment: Int64?) -> Int64? { keepsPlan ? moment ?? header?.exportedAt : moment }
}
