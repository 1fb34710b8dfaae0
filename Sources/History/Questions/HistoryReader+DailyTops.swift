import Foundation
import GRDB
package import RankKit

extension HistoryReader {
    /// The first `TopList.depth` places of the last good list of each day (UTC) of `span` that has one, in order of time.
    /// Lists that cannot be read are left out.
    package func dailyTops(
        on query: Query, in span: ClosedRange<Timestamp>, _ take: (StoredList) -> Void
    ) throws(HistoryError) {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return }
            var lone = try LoneTops(of: id, in: span.seconds, database)
            let pages = try Row.fetchCursor(
                database.cachedStatement(sql: Self.topsInSpan),
                arguments: [
                    "query": id, "from": span.lowerBound.secondsSinceEpoch, "to": span.upperBound.secondsSinceEpoch,
                ])
            var held: StoredList?
            func hand(_ list: StoredList) {
                if let held, held.at.day != list.at.day { take(held) }
                held = list
            }
            while let row = try pages.next() {
                for list in try Self.tops(row, until: span.upperBound.secondsSinceEpoch, in: database)
                where span.contains(list.at) {
                    while let earlier = try lone.next(before: list.head.key) { hand(earlier) }
                    hand(list)
                }
            }
            while let list = try lone.next(before: nil) { hand(list) }
            if let held { take(held) }
        }
    }

    static let topsInSpan = """
        SELECT id, last_at, (SELECT bytes FROM page_top WHERE page = result_page.id) FROM result_page
        WHERE \(PageRow.isInSpan)
        ORDER BY first_at, first_check
        """

    /// - Parameter row: a page's id, when its last list was asked for, and its tops.
    /// - Returns: nothing if the page has to be read and cannot.
    private static func tops(_ row: Row, until: Int64, in database: Database) throws -> [StoredList] {
        let last: Int64 = row[1]
        // A later list may be the last of its day.
        if last <= until, let kept = row[2] as Data? {
            do { return try PageTops.lists([UInt8](kept)) } catch is DamagedBytes {}
        }
        do { return try PageRow.one(row[0], in: database)?.tops(until: until) ?? [] } catch is UnreadableLists {
            return []
        }
    }
}

/// The tops of good lists of one query that are in no page, in order.
private struct LoneTops {
    private let lists: MapCursor<RowCursor, LoneList>
    private var peeked: StoredList?

    init(of query: Int64, in span: ClosedRange<Int64>, _ database: Database) throws {
        lists = try UnpagedLists.all(of: query, in: span, database)
        try peek()
    }

    /// - Parameter key: `nil` for any.
    mutating func next(before key: StoredList.Key?) throws -> StoredList? {
        guard let list = peeked, key.map({ list.head.key < $0 }) ?? true else { return nil }
        try peek()
        return list
    }

    private mutating func peek() throws {
        peeked = nil
        while peeked == nil, let lone = try lists.next() {
            if case .list(let list) = lone, list.outcome == .good { peeked = PageTops.top(of: list) }
        }
    }
}
