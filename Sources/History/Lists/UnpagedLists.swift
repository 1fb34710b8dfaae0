import Foundation
import GRDB
import RankKit

/// Lists of `result_list` that are in no page yet.
enum UnpagedLists {
    /// The lists of a query from one key to a time, in order.
    static let inSpan = """
        SELECT check_log.id, check_log.at, check_log.outcome, result_list.places
        FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
        WHERE check_log.query = :query AND check_log.at BETWEEN :from AND :to
        ORDER BY check_log.at, check_log.id
        """

    /// Keeps the list of a check of `query` that began at `moment`. The clean-up puts it into the page of its time.
    static func keep(
        _ places: [Int64?], of check: Int64, at moment: Int64, query: Int64, in database: Database
    ) throws {
        try database.cachedStatement(sql: "INSERT INTO result_list (check_id, places) VALUES (?, ?)")
            .execute(arguments: [check, Data(ResultListCodec.encode(places))])
        try database.cachedStatement(sql: "UPDATE query SET unpaged_from = min(unpaged_from, ?) WHERE id = ?")
            .execute(arguments: [moment, query])
    }

    /// Before this no list of `query` is still unpaged.
    static func start(of query: Int64, in database: Database) throws -> Int64 {
        try knownStart(of: query, in: database) ?? .min
    }

    /// The same; `nil` if that is not known. It is the greatest number of all where every list is in a page.
    static func knownStart(of query: Int64, in database: Database) throws -> Int64? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT unpaged_from FROM query WHERE id = ?"), arguments: [query]
        ).flatMap { try $0.wideIfAny(0) }
    }

    static func all(
        of query: Int64, in span: ClosedRange<Int64>, _ database: Database
    ) throws -> MapCursor<RowCursor, LoneList> {
        let from = max(span.lowerBound, try start(of: query, in: database))
        return try Row.fetchCursor(
            database.makeStatement(sql: inSpan), arguments: ["query": query, "from": from, "to": span.upperBound]
        ).map(LoneList.init)
    }

    /// The newest list up to a time.
    static let newestUpTo = """
        SELECT check_log.id, check_log.at, check_log.outcome, result_list.places
        FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
        WHERE check_log.query = :query AND check_log.at BETWEEN :from AND :to
            AND (check_log.outcome = 'good' OR NOT :goodOnly)
        ORDER BY check_log.at DESC, check_log.id DESC LIMIT 1
        """
}

extension StoredList.Head {
    /// Reads a check's id, time and outcome, the first columns of `row`.
    init(_ row: Row) throws {
        let outcome: StoredList.Outcome
        switch try CheckWord(row, at: 2, ofCheck: row[0]) {
        case .good: outcome = .good
        case .suspect: outcome = .suspect
        case .failed:
            throw try DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "check_log \(row[0] as Int64): a failed check has a list")
        }
        try self.init(checkID: row[0], at: row[1], outcome: outcome)
    }
}

extension StoredList {
    /// Reads a check's id, time and outcome, and its list.
    ///
    /// - Throws: `UnreadableLists` if that is damaged.
    init(_ row: Row) throws {
        let head = try Head(row)
        do {
            let places = try ResultListCodec.decode(row.bytes(3))
            self.init(head: head, places: places.map { $0.map(DenseID.init) })
        } catch {
            let at = head.at.secondsSinceEpoch
            throw UnreadableLists(what: "the list of check \(head.checkID)", from: at, through: at)
        }
    }
}

/// A list that is in no page, as far as it can be read.
enum LoneList {
    case list(StoredList)
    case unreadable(StoredList.Key, UnreadableLists)

    init(_ row: Row) throws {
        do { self = .list(try StoredList(row)) } catch let damage as UnreadableLists {
            self = .unreadable(try StoredList.Head(row).key, damage)
        }
    }

    var key: StoredList.Key {
        switch self {
        case .list(let list): list.head.key
        case .unreadable(let key, _): key
        }
    }
}
