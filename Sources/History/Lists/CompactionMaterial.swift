import Foundation
import GRDB

/// Lists of one query that are about to go into pages, and the page that they go into where there is one.
struct CompactionMaterial: Sendable {
    let query: Int64
    /// What is not in a page yet.
    private(set) var lists: [StoredList] = []
    /// The page that is to be made anew with the lists in it.
    private var page: PageRow?
    private(set) var damaged = 0
    /// The last list that was looked at.
    private(set) var lastKey: StoredList.Key?
    /// Whether there are no further lists.
    private(set) var isLast = true

    /// Nothing yet.
    init(of query: Int64) { self.query = query }

    init(of query: Int64, after key: StoredList.Key?, before moment: Int64, limit: Int, in database: Database) throws {
        self.query = query
        let start = try UnpagedLists.start(of: query, in: database)
        let from = key ?? StoredList.Key(at: start, check: .min)
        guard from.at < moment else { return }
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: Self.unpaged),
            arguments: ["query": query, "at": from.at, "check": from.check, "before": moment, "limit": limit])
        var end: StoredList.Key?
        while let row = try rows.next() {
            let head = try StoredList.Head(row)
            if lastKey == nil {
                page = try PageRow.beginning(upTo: head.key, of: query, in: database)
                end = try PageRow.start(after: head.key, of: query, in: database)
                // What comes after a full page begins one of its own.
                if let full = page, CompactedPage.isFull(lists: full.lists, bytes: full.bytes.count),
                    full.last < head.key
                {
                    page = nil
                }
            }
            if let end, end < head.key {
                isLast = false
                return
            }
            lastKey = head.key
            do {
                let list = try StoredList(row)
                if list.places.count <= Self.mostPlaces { lists.append(list) } else { damaged += 1 }
            } catch is UnreadableLists {
                damaged += 1
            }
            isLast = lists.count + damaged < limit
        }
    }

    /// Many times what Apple ever answers with.
    private static let mostPlaces = 10_000

    static let unpaged = """
        SELECT check_log.id, check_log.at, check_log.outcome, result_list.places
        FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
        WHERE check_log.query = :query AND check_log.at >= :at AND check_log.at < :before
            AND (check_log.at, check_log.id) > (:at, :check)
        ORDER BY check_log.at, check_log.id LIMIT :limit
        """

    /// The pages that the lists go into. An old page that cannot be read stays as it is: lists that come after it begin
    /// a new one.
    ///
    /// - Throws: `DamagedBytes` where the old page is to hold them and cannot be read, or a new one not be made.
    func pages() throws -> Replacement {
        guard let first = lists.first else { return Replacement() }
        guard let page else { return Replacement(pages: try CompactedPage.all(of: lists)) }
        do {
            let old = try ResultPage(page.bytes).lists()
            guard old.count == page.lists else { throw DamagedBytes.malformed }
            return Replacement(
                pages: try CompactedPage.all(of: (old + lists).sorted { $0.head.key < $1.head.key }), page: page)
        } catch is DamagedBytes where page.last < first.head.key {
            return Replacement(pages: try CompactedPage.all(of: lists))
        }
    }

    /// Pages that are to take the place of lists, and of `page`.
    struct Replacement: Sendable {
        var pages: [CompactedPage] = []
        var page: PageRow?
    }

    /// Writes the pages in the stead of the lists and the old page, unless these have changed since they were read: a list
    /// may have been judged by a later one.
    func write(_ replacement: Replacement, in database: Database) throws {
        guard !replacement.pages.isEmpty else { return }
        if let page = replacement.page {
            try database.cachedStatement(sql: "DELETE FROM result_page WHERE id = ? AND bytes = ?")
                .execute(arguments: [page.id, Data(page.bytes)])
            try require(1, in: database)
        }
        for (index, new) in replacement.pages.enumerated() {
            try new.insert(as: index == 0 ? replacement.page?.id : nil, of: query, in: database)
        }
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM result_list WHERE check_id = ?1
                    AND (SELECT outcome = 'good' FROM check_log WHERE check_log.id = ?1) = ?2
                """)
        for list in lists {
            try delete.execute(arguments: [list.checkID, list.outcome == .good])
            try require(1, in: database)
        }
    }

    /// Whether the lists are in pages already.
    func isWritten(in database: Database) throws -> Bool {
        guard let first = lists.first else { return false }
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT check_id FROM result_list WHERE check_id = ?"),
            arguments: [first.checkID]) == nil
    }

    /// Undoes the transaction where something else has changed what this one was made of.
    private func require(_ changes: Int, in database: Database) throws {
        guard database.changesCount == changes else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "lists of query \(query) changed while compacted")
        }
    }

    /// Notes from when on lists of `query` are not in pages.
    static func noteRest(of query: Int64, in database: Database) throws {
        let oldest = try Int64.fetchOne(
            database.cachedStatement(sql: oldestUnpaged),
            arguments: ["query": query, "from": try UnpagedLists.start(of: query, in: database)])
        try database.cachedStatement(sql: "UPDATE query SET unpaged_from = ? WHERE id = ?")
            .execute(arguments: [oldest ?? .max, query])
    }

    static let oldestUnpaged = """
        SELECT check_log.at FROM check_log CROSS JOIN result_list ON result_list.check_id = check_log.id
        WHERE check_log.query = :query AND check_log.at >= :from
        ORDER BY check_log.at LIMIT 1
        """
}

/// A page as it is about to be written.
package struct CompactedPage: Sendable {
    package var first: StoredList.Key
    package var last: StoredList.Key
    package var lists: Int
    package var bytes: [UInt8]
    /// The first places at the end of each of its days (`PageTops`).
    package var tops: [UInt8]

    /// How large pages become, in bytes. SQLite keeps 489 bytes of such a row among the others and the rest in pages of
    /// its own with 4,092 bytes each (sqlite.org/fileformat2.html, "Cell Payload Overflow Pages"): from here on four of
    /// those are full, and little of a fifth is wasted on what is beyond.
    static let fullSize = 489 + 4 * 4_092 - 30
    static let largestSize = fullSize + 600
    /// So that a list in the middle of a page is found quickly.
    static let mostLists = 2_048

    static func isFull(lists: Int, bytes: Int) -> Bool { bytes >= fullSize || lists >= mostLists }

    /// `lists`, divided into pages, each read again before it is believed.
    ///
    /// - Throws: `DamagedBytes` where a page does not say what it was made of.
    package static func all(of lists: [StoredList]) throws -> [CompactedPage] {
        var pages: [CompactedPage] = []
        var rest = lists[...]
        while let first = rest.first {
            var part = rest.prefix(mostLists)
            var bytes = ResultPage.encode(Array(part))
            while part.count > 1, (bytes?.count ?? .max) > largestSize {
                let fitting = bytes.map { part.count * (fullSize + 300) / $0.count } ?? part.count / 2
                part = part.prefix(max(1, min(part.count - 1, fitting)))
                bytes = ResultPage.encode(Array(part))
            }
            guard let bytes, let last = part.last, try ResultPage(bytes).lists() == Array(part) else {
                throw DamagedBytes.malformed
            }
            pages.append(
                CompactedPage(
                    first: first.head.key, last: last.head.key, lists: part.count, bytes: bytes,
                    tops: try PageTops.bytes(of: Array(part))))
            rest = rest.dropFirst(part.count)
        }
        return pages
    }
}
