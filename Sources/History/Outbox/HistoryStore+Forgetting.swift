import GRDB
package import RankKit

/// Steps in which what was decided long ago is forgotten. Each is one short transaction, safe to be cut off anywhere.
extension HistoryStore {
    /// The start of the day from which on all stays that was decided, where what was kept for `kept` seconds is forgotten;
    /// `nil` where all has to stay. A clock that was ahead makes nothing old: what is forgotten could be told again.
    package func firstAlertNeeded(keeping kept: Int64, now: Timestamp) async throws -> Timestamp? {
        try await read { database in
            try Self.firstDayNeeded(keeping: kept, now: now, in: database).map {
                .startOfDay(min((now - kept).day, $0))
            }
        }
    }

    /// Deletes messages that were decided before `oldest`, with their deliveries.
    ///
    /// - Parameter most: messages at most. Each one has all deliveries looked through for what it summed up.
    /// - Returns: how many were deleted.
    package func forgetMessages(before oldest: Timestamp, most: Int) async throws -> Int {
        try await tidy { database in
            try database.execute(
                literal: """
                    DELETE FROM alert_message WHERE number IN (
                        SELECT number FROM alert_message WHERE decided_at < \(oldest.secondsSinceEpoch)
                        ORDER BY decided_at LIMIT \(most))
                    """)
            return database.changesCount
        }
    }

    /// Deletes events that nobody asks for after `oldest`: those that began, and were decided, before it and of which no
    /// message of later tells. A drift counts until the last day on which it went on.
    ///
    /// - Parameters:
    ///   - mark: where the step before ended; `nil` for the first.
    ///   - limit: events that are looked at.
    /// - Returns: where the next step begins, `nil` after the last, and how many were deleted.
    package func forgetEvents(
        before oldest: Timestamp, after mark: OutboxEvent.Identity?, limit: Int
    ) async throws -> (next: OutboxEvent.Identity?, deleted: Int) {
        try await tidy { database in
            let rest: SQL =
                mark.map { "(kind, subject, variant, onset) > (\($0.kind), \($0.subject), \($0.variant), \($0.onset))" }
                ?? "true"
            let rows = try Row.fetchAll(
                database,
                SQLRequest(
                    literal: """
                        SELECT kind, subject, variant, onset,
                            max(onset, iif(kind = 'drift' AND json_valid(facts),
                                coalesce(json_extract(facts, '$.slidOn'), onset), onset)) < \(oldest.day)
                                AND event.decided_at < \(oldest.secondsSinceEpoch)
                                AND coalesce(message.decided_at < \(oldest.secondsSinceEpoch), true)
                        FROM alert_event AS event LEFT JOIN alert_message AS message ON message.number = event.message
                        WHERE \(rest) ORDER BY kind, subject, variant, onset LIMIT \(limit)
                        """))
            let statement = try database.cachedStatement(
                sql: "DELETE FROM alert_event WHERE kind = ? AND subject = ? AND variant = ? AND onset = ?")
            var last: OutboxEvent.Identity?
            var deleted = 0
            for row in rows {
                let event = try OutboxEvent.Identity(kind: row[0], subject: row[1], variant: row[2], onset: row.day(3))
                last = event
                guard try row[4] else { continue }
                try statement.execute(arguments: [event.kind, event.subject, event.variant, event.onset])
                deleted += 1
            }
            return (rows.count == limit ? last : nil, deleted)
        }
    }
}
