import GRDB
package import RankKit

extension HistoryStore {
    /// What an earlier run left of the endpoint's health; a fresh one where that run asked another origin.
    package func health(of endpoint: Endpoint) async throws -> EndpointHealth {
        try await read { try EndpointRow.health(of: endpoint, in: $0) }
    }

    package func keep(_ health: EndpointHealth, of endpoint: Endpoint) async throws {
        try await write { database in
            try database.execute(
                literal: """
                    INSERT OR REPLACE INTO endpoint (name, origin, pause, paused_at, pause_length, pauses_in_a_row,
                        unreachable_in_a_row, slow_turns)
                    VALUES (\(endpoint.name), \(endpoint.origin), \(health.pause?.rawValue),
                        \(health.pausedAt.secondsSinceEpoch), \(health.pauseLength), \(health.pausesInARow),
                        \(health.unreachableInARow), \(health.slowTurns))
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
            database, sql: "SELECT \(columns) FROM endpoint WHERE name = ? AND origin = ?",
            arguments: [endpoint.name, endpoint.origin])
        return row.map(health) ?? EndpointHealth()
    }

    /// Of whatever origin was asked last.
    static func health(named name: String, in database: Database) throws -> EndpointHealth {
        try Row.fetchOne(database, sql: "SELECT \(columns) FROM endpoint WHERE name = ?", arguments: [name]).map(health)
            ?? EndpointHealth()
    }

    private static let columns = "pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, slow_turns"

    private static func health(_ row: Row) -> EndpointHealth {
        let pause: String? = row[0]
        return EndpointHealth(
            pause: pause.flatMap(EndpointHealth.Pause.init(rawValue:)), pausedAt: Timestamp(secondsSinceEpoch: row[1]),
            pauseLength: row[2], pausesInARow: row[3], unreachableInARow: row[4], slowTurns: row[5])
    }
}

extension HistoryReader {
    /// Who was asked to search last; `nil` where nobody was.
    package func searchOrigin() throws(HistoryError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT origin FROM endpoint WHERE name = 'search'") }
    }
}
