import GRDB
package import RankKit

extension HistoryStore {
    /// What becomes of a message of which something is deleted.
    package enum MessageRest: Sendable, Hashable {
        case whole
        /// What it says then.
        case part(String)
        case nothing
    }

    /// Messages and events that are looked at in one transaction.
    private static let alertsPerStep = 200

    /// How many messages would say less, or go.
    ///
    /// - Parameter rest: what is left of a message with that content.
    package func messagesPruned(
        before moment: Timestamp?, rest: @escaping @Sendable (String) -> MessageRest
    ) async throws -> Int {
        var count = 0
        var mark: Int64? = 0
        while let last = mark {
            try Task.checkCancellation()
            let rows = try await read { try Self.messages(after: last, before: moment, in: $0) }
            count += rows.count { rest($0.content) != .whole }
            mark = rows.count == Self.alertsPerStep ? rows.last?.number : nil
        }
        return count
    }

    /// Deletes what is not left of messages, and events of some subjects, in short transactions. Broken off, it can be run
    /// again.
    ///
    /// - Parameters:
    ///   - moment: only what was decided before; `nil` for all.
    ///   - isGone: whether a subject is deleted.
    /// - Throws: `HistoryError`, or `CancellationError` between two steps.
    package func pruneAlerts(
        before moment: Timestamp?, rest: @escaping @Sendable (String) -> MessageRest,
        isGone: @escaping @Sendable (_ subject: String) -> Bool
    ) async throws {
        var mark: Int64? = 0
        while let last = mark {
            try Task.checkCancellation()
            mark = try await write { database in
                let rows = try Self.messages(after: last, before: moment, in: database)
                for row in rows {
                    switch rest(row.content) {
                    case .whole: continue
                    case .part(let content):
                        try database.execute(
                            literal: "UPDATE alert_message SET content = \(content) WHERE number = \(row.number)")
                    case .nothing:
                        try database.execute(literal: "DELETE FROM alert_message WHERE number = \(row.number)")
                    }
                }
                return rows.count == Self.alertsPerStep ? rows.last?.number : nil
            }
        }
        // There are not so many subjects that they could not be looked at together.
        let subjects = try await read { try String.fetchAll($0, sql: "SELECT DISTINCT subject FROM alert_event") }
        for subject in subjects where isGone(subject) {
            try Task.checkCancellation()
            try await write { database in
                try database.execute(
                    literal: """
                        DELETE FROM alert_event WHERE subject = \(subject)
                            AND decided_at < \(moment?.secondsSinceEpoch ?? .max)
                        """)
            }
        }
    }

    private static func messages(
        after number: Int64, before moment: Timestamp?, in database: Database
    ) throws -> [(number: Int64, content: String)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT number, content FROM alert_message WHERE number > ? AND decided_at < ? ORDER BY number LIMIT ?
                """, arguments: [number, moment?.secondsSinceEpoch ?? .max, alertsPerStep]
        ).map { try ($0[0], $0[1]) }
    }
}
