import GRDB
package import RankKit

extension HistoryStore {
    /// What the recorded checks say about how long the query's lists usually are.
    package func belief(about query: Query) async throws -> Belief {
        try await read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return Belief() }
            let good = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT check_log.id, within FROM check_log JOIN query ON query.id = check_log.query
                        WHERE query = ? AND outcome = 'good' AND check_log.id >= baseline_from
                        ORDER BY at DESC LIMIT ?
                        """), arguments: [id, Belief.baselineLists])
            let newest: Int64? = good.map { $0[0] }.max()
            let suspects = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT at, within, reason FROM check_log
                        WHERE query = ? AND outcome = 'suspect' AND id > ?
                        ORDER BY at DESC LIMIT ?
                        """), arguments: [id, newest ?? 0, Self.mostSuspects])
            return Belief(
                goodLengths: good.map { $0[1] },
                suspects: suspects.reversed().map { row in
                    Belief.Suspect(
                        at: Timestamp(secondsSinceEpoch: row[0]), length: row[1],
                        onBadDay: row[2] == Suspicion.badDay.rawValue)
                })
        }
    }

    /// Enough for 48 hours of checks a minute apart; a belief that needs more comes a little later.
    private static let mostSuspects = 3_000
}
