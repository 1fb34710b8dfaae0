import Foundation
import GRDB
import RankKit

/// A row of `result_page`.
struct PageRow: Sendable {
    let id: Int64
    let query: Int64
    let first: StoredList.Key
    let last: StoredList.Key
    let lists: Int
    let bytes: [UInt8]

    init(_ row: Row) throws {
        id = try row[0]
        query = try row[1]
        first = try .init(at: row[2], check: row[3])
        last = try .init(at: row[4], check: row[5])
        lists = try row[6]
        bytes = try row.bytes(7)
    }

    private static let columns = "id, query, first_at, first_check, last_at, last_check, lists, bytes"

    /// The page of `query` that begins last, but not after `key`.
    static func beginning(upTo key: StoredList.Key, of query: Int64, in database: Database) throws -> PageRow? {
        let statement = try database.cachedStatement(sql: beginningUpTo)
        return try Row.fetchOne(statement, arguments: [query, key.at, key.check]).map(PageRow.init)
    }

    static let beginningUpTo = """
        SELECT \(columns) FROM result_page
        WHERE query = ? AND (first_at, first_check) <= (?, ?)
        ORDER BY first_at DESC, first_check DESC LIMIT 1
        """

    /// Where the page of `query` ends that begins last, but not after `moment`.
    static func end(upTo moment: Timestamp, of query: Int64, in database: Database) throws -> StoredList.Key? {
        let statement = try database.cachedStatement(sql: endUpTo)
        return try Row.fetchOne(statement, arguments: [query, moment.secondsSinceEpoch]).map {
            try StoredList.Key(at: $0[0], check: $0[1])
        }
    }

    static let endUpTo = """
        SELECT last_at, last_check FROM result_page
        WHERE query = ? AND first_at <= ?
        ORDER BY first_at DESC, first_check DESC LIMIT 1
        """

    /// Where the page of `query` begins that is the first to begin after `key`.
    static func start(after key: StoredList.Key, of query: Int64, in database: Database) throws -> StoredList.Key? {
        let statement = try database.cachedStatement(sql: startAfter)
        return try Row.fetchOne(statement, arguments: [query, key.at, key.check]).map {
            try StoredList.Key(at: $0[0], check: $0[1])
        }
    }

    static let startAfter = """
        SELECT first_at, first_check FROM result_page
        WHERE query = ? AND (first_at, first_check) > (?, ?)
        ORDER BY first_at, first_check LIMIT 1
        """

    static func one(_ id: Int64, in database: Database) throws -> PageRow? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM result_page WHERE id = ?"), arguments: [id]
        ).map(PageRow.init)
    }

    /// The pages of `query` that hold lists of `span`, in order.
    static func all(
        of query: Int64, in span: ClosedRange<Int64>, _ database: Database
    ) throws -> MapCursor<RowCursor, PageRow> {
        try Row.fetchCursor(
            database.makeStatement(sql: inSpan),
            arguments: ["query": query, "from": span.lowerBound, "to": span.upperBound]
        ).map(PageRow.init)
    }

    /// Since pages overlap in nothing, only the last one that begins before the span can reach into it.
    static let inSpan = """
        SELECT \(columns) FROM result_page
        WHERE \(isInSpan)
        ORDER BY first_at, first_check
        """

    static let isInSpan = """
        query = :query AND last_at >= :from AND first_at <= :to
            AND first_at >= ifnull(
                (SELECT max(first_at) FROM result_page WHERE query = :query AND first_at < :from), :from)
        """

    /// - Throws: `UnreadableLists` if the page is damaged.
    func page() throws(UnreadableLists) -> ResultPage {
        do {
            let page = try ResultPage(bytes)
            guard page.heads.count == lists, page.heads.first?.key == first, page.heads.last?.key == last else {
                throw DamagedBytes.malformed
            }
            return page
        } catch {
            throw damage
        }
    }

    /// All of its lists, in order.
    ///
    /// - Throws: `UnreadableLists` if the page is damaged.
    func decoded() throws -> [StoredList] {
        let page = try page()
        do { return try page.lists() } catch is DamagedBytes { throw damage }
    }

    var damage: UnreadableLists {
        // What the row says of its own span can be wrong as well.
        UnreadableLists(
            what: "result page \(id) of query \(query)", from: min(first.at, last.at), through: max(first.at, last.at))
    }
}

extension CompactedPage {
    /// - Parameter id: that of the page whose place it takes; `nil` for one of its own.
    func insert(as id: Int64?, of query: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO result_page (id, query, first_at, first_check, last_at, last_check, lists, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [id, query, first.at, first.check, last.at, last.check, lists, Data(bytes)])
        try database.cachedStatement(sql: "INSERT INTO page_top (page, bytes) VALUES (?, ?)")
            .execute(arguments: [id ?? database.lastInsertedRowID, Data(tops)])
    }
}
