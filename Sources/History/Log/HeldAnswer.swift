import Foundation
import GRDB
import RankKit

/// Rows of `held_answer`: first answers whose lists are not believed by themselves, until the question has been asked
/// again or their pass has ended. One is neither a check nor an absence; of its slot it is an attempt.
///
/// A settled one stays to the end of its pass, without its list: so that what is applied again is known. One that
/// cannot be read is as if it had never come, and keeps nobody from recording.
struct HeldAnswer {
    let query: Int64
    let pass: PassID
    let at: Timestamp
    /// How many places it has.
    let length: Int
    /// The check that came of it; `nil` while it is held.
    let check: Int64?

    private static let columns = "query, source, pass, at, length, check_id"

    /// `nil` if no rankd writes such a row.
    private init?(_ row: Row) {
        guard let pass = PassID(row, at: 1) else { return nil }
        self.pass = pass
        do {
            (query, at, length, check) = try (row[0], row[3], row.depth(4), row[5])
        } catch {
            return nil
        }
    }

    /// That of a question; `nil` if there is none.
    static func of(_ query: Int64, in database: Database) throws -> HeldAnswer? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM held_answer WHERE query = ?"), arguments: [query]
        ).flatMap { HeldAnswer($0) }
    }

    /// Those that are held still of the source's passes, oldest first.
    ///
    /// - Parameter last: of passes up to this one.
    static func unsettled(of source: Source, through last: Int64, in database: Database) throws -> [HeldAnswer] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(columns) FROM held_answer
                    WHERE source = ? AND pass <= ? AND check_id IS NULL ORDER BY at, query
                    """), arguments: [source.rawValue, last]
        ).compactMap { HeldAnswer($0) }
    }

    static func hold(
        _ list: ResultList, of query: Int64, at moment: Timestamp, by pass: PassID, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO held_answer (query, source, pass, at, length, list) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                query, pass.source.rawValue, pass.number, moment.secondsSinceEpoch, list.count,
                Data(PackedList(list).bytes),
            ])
    }

    /// Its list, without the names and prices of its apps: they are read again when the apps are seen next. `nil` if it
    /// cannot be read.
    func list(in database: Database) throws -> ResultList? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT list FROM held_answer WHERE query = ?"), arguments: [query])
        return row.flatMap { Self.list($0, at: 0, length: length) }
    }

    private static func list(_ row: Row, at index: Int, length: Int) -> ResultList? {
        do {
            guard let list = try PackedList(bytes: row.bytes(index))?.list, list.count == length else { return nil }
            return list
        } catch {
            return nil
        }
    }

    /// Deletes it: the question is due again.
    func forget(in database: Database) throws {
        try Self.forget(of: query, before: .max, in: database)
    }

    func settle(as check: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE held_answer SET check_id = ?, list = NULL WHERE query = ?")
            .execute(arguments: [check, query])
    }

    /// Deletes those of a query from before a moment.
    static func forget(of query: Int64, before moment: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM held_answer WHERE query = ? AND at < ?", arguments: [query, moment])
    }

    /// Deletes those that no rankd writes.
    static func forgetUnreadable(in database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT \(columns) FROM held_answer") where HeldAnswer(row) == nil {
            try database.execute(sql: "DELETE FROM held_answer WHERE query = ?", arguments: [row.wide(0)])
        }
    }

    /// Lets a pass go on with what passes of its source before it hold.
    static func handOver(to pass: PassID, in database: Database) throws {
        let arguments: StatementArguments = [pass.source.rawValue, pass.number]
        try database.execute(
            sql: "DELETE FROM held_answer WHERE source = ? AND pass < ? AND check_id IS NOT NULL", arguments: arguments)
        try database.execute(
            sql: "UPDATE held_answer SET pass = ?2 WHERE source = ?1 AND pass < ?2", arguments: arguments)
    }

    /// Those that cannot be read, that hold another number of places than they say, or whose pass has ended.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(columns), list, (SELECT text || '” ' || country FROM query AS asked WHERE asked.id = query)
                FROM held_answer
                """
        ).compactMap { row in
            let place = try "“\(row[7] as String? ?? "”")"
            guard let held = HeldAnswer(row),
                try held.check == nil ? list(row, at: 6, length: held.length) != nil : row.bytesIfAny(6) == nil
            else {
                return Finding(part: .lists, place: place, problem: "the answer that is held cannot be read")
            }
            guard try PassCount.hasEnded(held.pass, in: database) else { return nil }
            return Finding(part: .references, place: place, problem: "an answer is held of a pass that has ended")
        }
    }
}
