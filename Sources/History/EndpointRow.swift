import GRDB
package import RankKit

/// Apple's endpoints, each with a pace of its own.
package enum Endpoint: String, Sendable, CaseIterable {
    case search
}

extension HistoryStore {
    /// What an earlier run left of the endpoint's health.
    package func health(of endpoint: Endpoint) async throws -> EndpointHealth {
        try await read { try EndpointRow.health(of: endpoint, in: $0) }
    }

    package func keep(_ health: EndpointHealth, of endpoint: Endpoint) async throws {
        try await write { database in
            try database.execute(
                literal: """
                    INSERT OR REPLACE INTO endpoint (name, pause, paused_at, pause_length, pauses_in_a_row,
                        unreachable_in_a_row, slow_turns)
                    VALUES (\(endpoint.rawValue), \(health.pause?.rawValue), \(health.pausedAt.secondsSinceEpoch),
                        \(health.pauseLength), \(health.pausesInARow), \(health.unreachableInARow), \(health.slowTurns))
                    """)
        }
    }
}

extension HistoryReader {
    package func health(of endpoint: Endpoint) throws(HistoryError) -> EndpointHealth {
        try read { try EndpointRow.health(of: endpoint, in: $0) }
    }
}

/// Rows of `endpoint`.
enum EndpointRow {
    static func health(of endpoint: Endpoint, in database: Database) throws -> EndpointHealth {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, slow_turns
                FROM endpoint WHERE name = ?
                """,
            arguments: [endpoint.rawValue])
        guard let row else { return EndpointHealth() }
        let pause: String? = row[0]
        return EndpointHealth(
            pause: pause.flatMap(EndpointHealth.Pause.init(rawValue:)), pausedAt: Timestamp(secondsSinceEpoch: row[1]),
            pauseLength: row[2], pausesInARow: row[3], unreachableInARow: row[4], slowTurns: row[5])
    }
}
