import GRDB
import RankKit

/// A check as it is kept, with its list, wherever that lies: what verifying, exporting and importing are made of.
struct KeptCheck {
    var id: Int64
    var at: Int64
    var outcome: CheckOutcome
    var detail: String?
    var list: List

    enum List {
        /// There is none.
        case none
        /// Dense numbers of apps, `nil` for an unreadable place.
        case places([Int64?])
        /// There is something that cannot be read.
        case damaged
        /// It should lie in a page that cannot be read.
        case inDamagedPage
    }

    /// Hands over the checks of `query` since `moment`, by time and then as they were recorded.
    static func each(
        of query: Int64, since moment: Int64 = .min, in database: Database, _ body: (KeptCheck) throws -> Void
    ) throws {
        var paged = try PagedLists(of: query, since: moment, in: database)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT check_log.id, at, outcome, within, reason, detail, places
                    FROM check_log LEFT JOIN result_list ON result_list.check_id = check_log.id
                    WHERE query = ? AND at >= ? ORDER BY at, check_log.id
                    """), arguments: [query, moment])
        while let row = try rows.next() {
            let places = try row.bytesIfAny(6)
            let list =
                try places.map { Self.list(from: $0) } ?? paged.list(of: StoredList.Key(at: row[1], check: row[0]))
            try body(
                KeptCheck(
                    id: row[0], at: row[1], outcome: try CheckOutcome(row, at: 2, ofCheck: row[0]), detail: row[5],
                    list: list))
        }
    }

    private static func list(from bytes: [UInt8]) -> List {
        do { return .places(try ResultListCodec.decode(bytes)) } catch { return .damaged }
    }

    /// Deletes the oldest checks of `query` that began before `moment`, with their lists: about `limit` of them, and all
    /// that share a page with those, so that no page is made anew more than once.
    ///
    /// - Returns: how many there were.
    /// - Throws: `UnreadableLists` if a page that holds lists from before and after `moment` is damaged.
    static func forget(of query: Int64, before moment: Int64, limit: Int, in database: Database) throws -> Int {
        let oldest = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT at, id FROM check_log WHERE query = ? AND at < ? ORDER BY at, id LIMIT ?"),
            arguments: [query, moment, limit])
        guard let row = oldest.last else { return 0 }
        var end = try StoredList.Key(at: row[0], check: row[1])
        if let page = try PageRow.beginning(upTo: end, of: query, in: database), end < page.last {
            end = page.last.at < moment ? page.last : max(end, try shorten(page, before: moment, in: database))
        }
        try database.cachedStatement(
            sql: "DELETE FROM result_page WHERE query = ? AND (last_at, last_check) <= (?, ?)"
        ).execute(arguments: [query, end.at, end.check])
        try QueryTopRow.forget(of: query, before: moment, in: database)
        // Lists that are in no page go with their checks.
        try database.cachedStatement(
            sql: "DELETE FROM check_log WHERE query = ? AND at < ? AND (at, id) <= (?, ?)"
        ).execute(arguments: [query, moment, end.at, end.check])
        return database.changesCount
    }

    /// Makes `page` anew without the lists from before `moment`, of which it has some.
    ///
    /// - Returns: the last that it held of those.
    private static func shorten(
        _ page: PageRow, before moment: Int64, in database: Database
    ) throws -> StoredList.Key {
        let lists = try page.decoded()
        let rest = lists.drop { $0.head.key.at < moment }
        let pages: [CompactedPage]
        do { pages = try CompactedPage.all(of: Array(rest)) } catch is DamagedBytes { throw page.damage }
        try database.execute(literal: "DELETE FROM result_page WHERE id = \(page.id)")
        for (index, new) in pages.enumerated() {
            try new.insert(as: index == 0 ? page.id : nil, of: page.query, in: database)
        }
        return lists[..<rest.startIndex].last?.head.key ?? page.first
    }
}
