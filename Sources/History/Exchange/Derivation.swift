import Foundation
import GRDB
import RankKit

/// Writes anew what is derived from a query's checks.
///
/// Which queries it is due for is noted in the transaction that changes them: a process that is killed before it gets
/// to them leaves that to the next one that opens the history for writing.
enum Derivation {
    /// Notes that what is derived from the checks of `queries` is out of date.
    static func note(_ queries: Set<Int64>, in database: Database) throws {
        guard !queries.isEmpty else { return }
        let all = try pending(in: database).union(queries)
        try keep(all, in: database)
    }

    /// Derives what was noted, one query in a transaction.
    static func finish(_ queue: DatabaseQueue) throws {
        while let query = try queue.read({ try pending(in: $0).min() }) {
            try queue.write { database in
                try derive(query: query, in: database)
                try keep(try pending(in: database).subtracting([query]), in: database)
            }
        }
    }

    private static func pending(in database: Database) throws -> Set<Int64> {
        guard let text = try Setting.underived.text(in: database) else { return [] }
        return Set(try JSONDecoder().decode([Int64].self, from: Data(text.utf8)))
    }

    private static func keep(_ queries: Set<Int64>, in database: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(queries.sorted()), as: UTF8.self)
        try Setting.underived.set(queries.isEmpty ? nil : text, in: database)
    }

    /// Brings the query's newest check and the standings of all its pairs up to date.
    static func derive(query: Int64, in database: Database) throws {
        let source = try String.fetchOne(database, sql: "SELECT source FROM query WHERE id = ?", arguments: [query])
        guard let source else { return }
        let order = try RecordedOrder(of: source, in: database)
        var newest = Newest<Void>(order)
        let checks = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT id, at FROM check_log WHERE query = ?"), arguments: [query])
        while let row = try checks.next() { newest.offer((), check: row[0], at: row[1]) }
        try database.cachedStatement(sql: "UPDATE query SET newest_check = ? WHERE id = ?")
            .execute(arguments: [newest.entry?.check, query])
        let pairs = try Int64.fetchAll(database, sql: "SELECT id FROM pair WHERE query = ?", arguments: [query])
        for pair in pairs { try derive(pair: pair, query: query, order, in: database) }
    }

    private static func derive(
        pair: Int64, query: Int64, _ order: RecordedOrder, in database: Database
    ) throws {
        var standing = DerivedStanding(order)
        let positions = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT position, within, check_id, at FROM position WHERE pair = ?"),
            arguments: [pair])
        while let row = try positions.next() { standing.read(row[0], within: row[1], check: row[2], at: row[3]) }
        let periods = try PairPeriods(of: pair, in: database)
        let others = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT id, at, outcome, reason FROM check_log WHERE query = ? AND outcome <> 'good'"),
            arguments: [query])
        while let row = try others.next() {
            let check = KeptCheck(id: row[0], at: row[1], outcome: row[2], reason: row[3], list: .none)
            standing.unread(check, met: periods.meeting(at: check.at))
        }
        if let row = standing.row {
            try row.store(for: pair, in: database)
        } else {
            try database.cachedStatement(sql: "DELETE FROM standing WHERE pair = ?").execute(arguments: [pair])
        }
    }
}
