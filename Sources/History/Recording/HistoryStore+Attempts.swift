import GRDB
package import RankKit

extension HistoryStore {
    /// What lies behind each active query at `now`, from the stored checks alone. Checks that claim to be of a later
    /// slot than the one that `now` lies in (the clock was set back) are left out.
    package func attempts(asOf now: Timestamp) async throws -> [Query: Attempts] {
        try await read { database in
            var attempts: [Query: Attempts] = [:]
            var slots = SlotTable(now: now)
            for (id, scheduled) in try QueryAttempts.activeQueries(in: database) {
                attempts[scheduled.query] = try QueryAttempts.attempts(
                    of: id, asOf: now, slotEnd: slots.slot(of: scheduled.cadences).end, in: database)
            }
            return attempts
        }
    }

    /// The queries that are being watched, at their cadences.
    package func scheduledQueries() async throws -> [ScheduledQuery] {
        try await read { try QueryAttempts.activeQueries(in: $0).map(\.scheduled) }
    }

    /// The same for these queries alone, at the cadences given.
    package func attempts(of queries: [ScheduledQuery], asOf now: Timestamp) async throws -> [Query: Attempts] {
        try await read { database in
            var attempts: [Query: Attempts] = [:]
            var slots = SlotTable(now: now)
            for scheduled in queries {
                guard let id = try QueryRow.id(of: scheduled.query, in: database) else { continue }
                attempts[scheduled.query] = try QueryAttempts.attempts(
                    of: id, asOf: now, slotEnd: slots.slot(of: scheduled.cadences).end, in: database)
            }
            return attempts
        }
    }

    /// When the last request began, whatever its query and its outcome; `nil` before the first.
    package func lastRequest() async throws -> Timestamp? {
        try await read { try Setting.lastRequest.integer(in: $0).map(Timestamp.init(secondsSinceEpoch:)) }
    }
}

extension HistoryStore {
    /// Asks the file for something small, which throws where it cannot answer.
    package func answer() async throws {
        _ = try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM setting") }
    }
}

/// What due-ness needs to know, asked of the stored checks by writer and reader alike.
enum QueryAttempts {
    static func activeQueries(in database: Database) throws -> [(id: Int64, scheduled: ScheduledQuery)] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, cadences, \(QueryRow.columns) FROM query WHERE retired_at IS NULL ORDER BY ordinal"
        ).map { row in
            let cadences = try CadenceText.stored(row[1])
            return (row[0], ScheduledQuery(query: try QueryRow.query(from: row, at: 2), cadences: cadences))
        }
    }

    /// - Parameter slotEnd: when the query's slot at `now` ends. A check between the two, from before the clock was set
    ///   back, still is the slot's.
    static func attempts(
        of query: Int64, asOf now: Timestamp, slotEnd: Timestamp, in database: Database
    ) throws -> Attempts {
        let good = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT at FROM check_log WHERE query = ? AND at < ? AND outcome <> 'failed'
                    ORDER BY at DESC LIMIT 1
                    """), arguments: [query, slotEnd.secondsSinceEpoch])
        let failures = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*), max(at) FROM check_log WHERE query = ? AND at > ? AND at <= ?"),
            arguments: [query, good ?? .min, now.secondsSinceEpoch])
        let lastFailed: Int64? = failures?[1]
        return Attempts(
            lastGood: good.map(Timestamp.init(secondsSinceEpoch:)),
            lastFailed: lastFailed.map(Timestamp.init(secondsSinceEpoch:)),
            failuresInARow: failures?[0] ?? 0)
    }
}
