import Foundation
import GRDB
import RankKit

/// Rows of `held_answer`: first answers whose lists are not believed by themselves, until the question has been asked
/// again or their pass has ended. One is neither a check nor an absence; of its slot it is an attempt.
///
/// A settled one stays to the end of its pass, without its list: so that what is applied again is known.
struct HeldAnswer {
    let query: Int64
    let pass: PassID
    let at: Int64
    /// How many places it has.
    let length: Int
    /// The check that came of it; `nil` while it is held.
    let check: Int64?

    private static let columns = "query, source, pass, at, length, check_id"

    private init(_ row: Row) throws {
        let source: String = try row[1]
        guard let source = Source(rawValue: source) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "held_answer: a source that no rankd writes")
        }
        query = try row[0]
        pass = try PassID(of: source, number: row[2])
        (at, length, check) = try (row[3], row.count(4), row[5])
    }

    /// That of a question; `nil` if there is none.
    static func of(_ query: Int64, in database: Database) throws -> HeldAnswer? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM held_answer WHERE query = ?"), arguments: [query]
        ).map { try HeldAnswer($0) }
    }

    /// Those of the source's passes that are held still, oldest first.
    ///
    /// - Parameter pass: of this pass alone.
    static func unsettled(of source: Source, pass: Int64? = nil, in database: Database) throws -> [HeldAnswer] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(columns) FROM held_answer
                    WHERE source = ? AND pass = ifnull(?, pass) AND check_id IS NULL ORDER BY at, query
                    """), arguments: [source.rawValue, pass]
        ).map { try HeldAnswer($0) }
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
        guard let packed = try row.flatMap({ try PackedList(bytes: $0.bytes(0)) })?.list, packed.count == length else {
            return nil
        }
        return packed
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

    /// Those that cannot be read, that hold another number of places than they say, or whose pass has ended.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT query.text, query.country, held_answer.length, held_answer.list,
                    held_answer.pass <= ifnull((SELECT ended FROM pass_count WHERE source = held_answer.source), 0)
                FROM held_answer JOIN query ON query.id = held_answer.query WHERE check_id IS NULL
                """
        ).compactMap { row in
            let place = try "“\(row[0] as String)” \(row[1] as String)"
            guard let list = try PackedList(bytes: row.bytes(3))?.list, try list.count == row.count(2) else {
                return Finding(part: .lists, place: place, problem: "the answer that is held cannot be read")
            }
            return try row[4]
                ? Finding(part: .references, place: place, problem: "an answer is held of a pass that has ended") : nil
        }
    }
}

/// Rows of `pass_answers`: what the first answers of a pass were, by country, until it ends.
struct PassTally: Equatable {
    /// Lists that are believed.
    var good = 0
    /// Those of them that are long enough to support short ones.
    var whole = 0
    /// Lists that are not believed by themselves.
    var doubtful = 0
    /// Those of them that are shorter than half of what is usual.
    var collapsed = 0
    /// Lists of new queries, and the empty ones of those.
    var (new, emptyNew) = (0, 0)

    init() {}

    /// What a list adds.
    init(_ verdict: Belief.Verdict, isNew: Bool, length: Int) {
        switch verdict {
        case .accepted, .believed:
            good = 1
            whole = length >= Belief.fewestPlaces ? 1 : 0
        case .collapsed: (doubtful, collapsed) = (1, 1)
        case .unsupported: doubtful = 1
        }
        if isNew { (new, emptyNew) = (1, length == 0 ? 1 : 0) }
    }

    /// That of a pass, of one country where it is named.
    init(of pass: PassID, country: Country? = nil, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT ifnull(sum(good), 0), ifnull(sum(whole), 0), ifnull(sum(doubtful), 0),
                        ifnull(sum(collapsed), 0), ifnull(sum(new), 0), ifnull(sum(empty_new), 0)
                    FROM pass_answers WHERE source = ? AND pass = ? AND country = ifnull(?, country)
                    """), arguments: [pass.source.rawValue, pass.number, country?.code])
        guard let row else { return }
        (good, whole, doubtful) = try (row.count(0), row.count(1), row.count(2))
        (collapsed, new, emptyNew) = try (row.count(3), row.count(4), row.count(5))
    }

    func add(to pass: PassID, _ country: Country, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO pass_answers (source, pass, country, good, whole, doubtful, collapsed, new, empty_new)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (source, pass, country) DO UPDATE SET
                    good = good + excluded.good, whole = whole + excluded.whole,
                    doubtful = doubtful + excluded.doubtful, collapsed = collapsed + excluded.collapsed,
                    new = new + excluded.new, empty_new = empty_new + excluded.empty_new
                """
        ).execute(
            arguments: [
                pass.source.rawValue, pass.number, country.code, good, whole, doubtful, collapsed, new, emptyNew,
            ])
    }

    /// Whether the pass was a bad day of the store, as far as these are all of its first answers.
    var isBadDay: Bool {
        Belief.isBadDay(collapsed: collapsed, answered: good + doubtful, new: new, emptyNew: emptyNew)
    }

    /// Whether a second list is short as the first was while enough other lists of the country, of which this is the
    /// tally, came whole, and less than a third as many collapsed.
    func supports(_ second: Int, after first: Int) -> Bool {
        Belief.areAlikeAndShort(first, second) && whole >= Belief.supportingLists && collapsed * 3 < whole
    }
}

/// Rows of `pass_count`: up to which number the passes of a source have ended.
enum PassCount {
    static func ended(of source: Source, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT ended FROM pass_count WHERE source = ?"),
            arguments: [source.rawValue]) ?? 0
    }

    static func hasEnded(_ pass: PassID, in database: Database) throws -> Bool {
        try pass.number <= ended(of: pass.source, in: database)
    }

    /// Passes of which something is kept, though they have not ended, oldest first.
    static func open(in database: Database) throws -> [PassID] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT source, pass FROM pass_answers UNION SELECT source, pass FROM held_answer ORDER BY source, pass
                """
        ).compactMap { row in
            guard let source = try Source(rawValue: row[0]) else { return nil }
            return try PassID(of: source, number: row[1])
        }
    }

    /// Notes that a pass and all of its source before it have ended.
    static func end(_ pass: PassID, in database: Database) throws {
        for table in ["held_answer", "pass_answers"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE source = ? AND pass <= ?")
                .execute(arguments: [pass.source.rawValue, pass.number])
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO pass_count (source, ended) VALUES (?, ?)
                ON CONFLICT (source) DO UPDATE SET ended = max(ended, excluded.ended)
                """
        ).execute(arguments: [pass.source.rawValue, pass.number])
    }
}
