import GRDB
package import RankKit

extension HistoryStore {
    /// What an earlier run left of the endpoint's health; a fresh one where that run asked another origin.
    package func health(of endpoint: Endpoint) async throws -> EndpointHealth {
        try await read { try LaneRow.health(of: endpoint, in: $0) }
    }

    package func keep(_ health: EndpointHealth, of endpoint: Endpoint) async throws {
        try await write { database in
            try LaneRow.keep(health, of: endpoint, in: database)
            if endpoint.isOfLookups, health.pause != nil {
                try AppPresenceRow.note(failureAt: health.pausedAt, in: database)
            }
        }
    }

    /// When the last request for an answer of `source` began, whatever its query and its outcome; `nil` before the first.
    package func lastRequest(of source: Source = .usual) async throws -> Timestamp? {
        try await read { try LaneRow.lastRequest(of: Endpoint.name(of: source), in: $0) }
    }

    /// When the last look-up began; `nil` before the first.
    package func lastLookup() async throws -> Timestamp? {
        try await read { try LaneRow.lastRequest(of: Endpoint.lookupName, in: $0) }
    }
}

extension HistoryReader {
    package func health(of endpoint: Endpoint) throws(HistoryError) -> EndpointHealth {
        try read { try LaneRow.health(of: endpoint, in: $0) }
    }

    /// Who was asked for answers of `source` last; `nil` where nobody was.
    package func searchOrigin(of source: Source = .usual) throws(HistoryError) -> String? {
        try read { database in
            try String.fetchOne(
                database, sql: "SELECT origin FROM lane WHERE name = ?", arguments: [Endpoint.name(of: source)])
        }
    }
}

/// Rows of `lane`.
enum LaneRow {
    static func health(of endpoint: Endpoint, in database: Database) throws -> EndpointHealth {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(columns) FROM lane WHERE name = ? AND origin = ?",
            arguments: [endpoint.name, endpoint.origin])
        return try row.map { try health($0) } ?? EndpointHealth()
    }

    /// Of whatever origin was asked last.
    static func health(named name: String, in database: Database) throws -> EndpointHealth {
        let row = try Row.fetchOne(database, sql: "SELECT \(columns) FROM lane WHERE name = ?", arguments: [name])
        return try row.map { try health($0) } ?? EndpointHealth()
    }

    static func keep(_ health: EndpointHealth, of endpoint: Endpoint, in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO lane (name, origin, pause, paused_at, pause_length, pauses_in_a_row,
                    unreachable_in_a_row, errors_in_a_row, slow_turns)
                VALUES (\(endpoint.name), \(endpoint.origin), \(health.pause?.rawValue),
                    \(health.pausedAt.secondsSinceEpoch), \(health.pauseLength), \(health.pausesInARow),
                    \(health.unreachableInARow), \(health.errorsInARow), \(health.slowTurns))
                ON CONFLICT DO UPDATE SET origin = excluded.origin, pause = excluded.pause,
                    paused_at = excluded.paused_at, pause_length = excluded.pause_length,
                    pauses_in_a_row = excluded.pauses_in_a_row,
                    unreachable_in_a_row = excluded.unreachable_in_a_row,
                    errors_in_a_row = excluded.errors_in_a_row, slow_turns = excluded.slow_turns
                """)
    }

    /// When the last request of the lane of that name began; `nil` before the first.
    static func lastRequest(of name: String, in database: Database) throws -> Timestamp? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT last_request_at FROM lane WHERE name = ?"), arguments: [name])
        return try row?[0]
    }

    /// The newest request of all lanes; `nil` before the first.
    static func lastRequest(in database: Database) throws -> Timestamp? {
        let row = try Row.fetchOne(database, sql: "SELECT max(last_request_at) FROM lane")
        return try row?[0]
    }

    static func note(requestAt moment: Timestamp, of name: String, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO lane (name, last_request_at) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET last_request_at = excluded.last_request_at
                """
        ).execute(arguments: [name, moment.secondsSinceEpoch])
    }

    private static let columns = """
        pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, errors_in_a_row, slow_turns
        """

    private static func health(_ row: Row) throws -> EndpointHealth {
        let word: String? = try row[0]
        return try EndpointHealth(
            pause: word.flatMap(EndpointHealth.Pause.init(rawValue:)), pausedAt: row[1], pauseLength: row[2],
            pausesInARow: row[3], unreachableInARow: row[4], errorsInARow: row[5], slowTurns: row[6])
    }
}
