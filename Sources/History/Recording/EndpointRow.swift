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
                    VALUES (\(endpoint.name), \(endpoint.origin), \(EndpointRow.word(of: health.pause)),
                        \(health.pausedAt.secondsSinceEpoch), \(health.pauseLength), \(health.pausesInARow),
                        \(health.unreachableInARow), \(health.slowTurns))
                    """)
            try EndpointRow.errors(ofEndpoint: endpoint.name).set(
                health.errorsInARow > 0 ? Int64(health.errorsInARow) : nil, in: database)
            if !endpoint.isSearch, health.pause != nil {
                try AppPresenceRow.note(failureAt: health.pausedAt, in: database)
            }
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
        return try row.map { try health($0, named: endpoint.name, in: database) } ?? EndpointHealth()
    }

    /// Of whatever origin was asked last.
    static func health(named name: String, in database: Database) throws -> EndpointHealth {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(columns) FROM endpoint WHERE name = ?", arguments: [name])
        return try row.map { try health($0, named: name, in: database) } ?? EndpointHealth()
    }

    private static let columns = "pause, paused_at, pause_length, pauses_in_a_row, unreachable_in_a_row, slow_turns"

    private static func health(_ row: Row, named name: String, in database: Database) throws -> EndpointHealth {
        let word: String? = try row[0]
        let errors = try errors(ofEndpoint: name).integer(in: database).map { Int(clamping: $0) } ?? 0
        var pause = word.flatMap(EndpointHealth.Pause.init(rawValue:))
        if pause == .offline, errors > 0 { pause = .failing }
        return try EndpointHealth(
            pause: pause, pausedAt: row[1],
            pauseLength: row[2], pausesInARow: row[3], unreachableInARow: row[4], errorsInARow: errors,
            slowTurns: row[5])
    }

    /// The column knows two words. An endpoint that answers with errors stands in it as one that cannot be reached, beside
    /// the number of its errors; one that cannot be reached has none.
    fileprivate static func word(of pause: EndpointHealth.Pause?) -> String? {
        pause == .failing ? EndpointHealth.Pause.offline.rawValue : pause?.rawValue
    }

    fileprivate static func errors(ofEndpoint name: String) -> Setting {
        name == "lookup" ? .lookupErrors : .searchErrors
    }
}

extension HistoryReader {
    /// Who was asked to search last; `nil` where nobody was.
    package func searchOrigin() throws(HistoryError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT origin FROM endpoint WHERE name = 'search'") }
    }
}
