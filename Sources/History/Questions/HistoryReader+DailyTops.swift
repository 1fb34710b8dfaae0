import Foundation
import GRDB
package import RankKit

extension HistoryReader {
    /// The first `TopList.depth` places of the last good list of each day, of the reader's, of `span` that has one, in order of time.
    /// Lists that cannot be read are left out.
    ///
    /// - Parameter unread: told of each page that says nothing, because it cannot be read, when its last list was asked for.
    package func dailyTops(
        on query: Query, in span: ClosedRange<Timestamp>, unread: (Timestamp) -> Void = { _ in }
    ) throws(HistoryError) -> [StoredList] {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return [] }
            let paged = try pagedTops(of: id, in: span, database, unread)
            let lone = try loneTops(of: id, in: span, database)
            guard !lone.isEmpty else { return paged }
            return lastOfDays((paged + lone).sorted { $0.head.key < $1.head.key })
        }
    }

    /// - Parameter lists: in order.
    private func lastOfDays(_ lists: [StoredList]) -> [StoredList] {
        var last: [StoredList] = []
        last.reserveCapacity(lists.count)
        for list in lists {
            if let before = last.last, areOfOneDay(before, list) { last.removeLast() }
            last.append(list)
        }
        return last
    }

    private func areOfOneDay(_ one: StoredList, _ other: StoredList) -> Bool {
        days.day(of: one.at) == days.day(of: other.at)
    }

    // MARK: Lists in pages

    static let topsInSpan = """
        SELECT id, last_at, (SELECT bytes FROM page_top WHERE page = result_page.id) FROM result_page
        WHERE \(PageRow.isInSpan)
        ORDER BY first_at, first_check
        """

    private func pagedTops(
        of query: Int64, in span: ClosedRange<Timestamp>, _ database: Database, _ unread: (Timestamp) -> Void
    ) throws -> [StoredList] {
        let seconds = span.seconds
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: Self.topsInSpan),
            arguments: ["query": query, "from": seconds.lowerBound, "to": seconds.upperBound])
        var lists: [StoredList] = []
        while let row = try rows.next() {
            guard let tops = try tops(row, until: span.upperBound, in: database) else {
                unread(try row[1])
                continue
            }
            for list in tops where span.contains(list.at) {
                // The next page may begin on the day on which this one ends.
                if let before = lists.last, areOfOneDay(before, list) { lists.removeLast() }
                lists.append(list)
            }
        }
        return lists
    }

    /// - Parameter row: a page's id, when its last list was asked for, and its tops.
    /// - Returns: `nil` if the page has to be read and cannot, and it has no tops that say anything of these days.
    private func tops(_ row: Row, until: Timestamp, in database: Database) throws -> [StoredList]? {
        // Kept are the last lists of UTC's days. If `until` cuts a day, an earlier list is that day's last, and is not among
        // them.
        let isCut = try until.secondsSinceEpoch < row[1] && (until + 1).day == until.day
        if days.isUTC, !isCut, let kept = try row[2] as Data? {
            do { return try PageTops.lists([UInt8](kept)) } catch {
                // They are made of the page.
            }
        }
        do {
            return try PageRow.one(row[0], in: database)?.tops(until: until.secondsSinceEpoch, dayOf: days.day) ?? []
        } catch is UnreadableLists {
            // UTC's last lists are some of those of another zone's days, and of those before a day that is cut.
            guard let kept = try row[2] as Data? else { return nil }
            do { return try PageTops.lists([UInt8](kept)) } catch { return nil }
        }
    }

    // MARK: Lists by themselves

    private func loneTops(
        of query: Int64, in span: ClosedRange<Timestamp>, _ database: Database
    ) throws -> [StoredList] {
        let seconds = span.seconds
        let start = max(seconds.lowerBound, try UnpagedLists.start(of: query, in: database))
        guard start <= seconds.upperBound else { return [] }
        var lists: [StoredList] = []
        var until = seconds.upperBound
        // From the newest day back, so that no other list is read.
        while start <= until, let list = try Self.newestLone(of: query, from: start, to: until, in: database) {
            lists.append(PageTops.top(of: list))
            until = days.start(of: days.day(of: list.at)).secondsSinceEpoch - 1
        }
        return lists.reversed()
    }

    /// The newest good list of `query` that can be read.
    private static func newestLone(
        of query: Int64, from: Int64, to last: Int64, in database: Database
    ) throws -> StoredList? {
        var until = last
        while from <= until {
            let row = try Row.fetchOne(
                database.cachedStatement(sql: UnpagedLists.newestUpTo),
                arguments: ["query": query, "from": from, "to": until, "goodOnly": true])
            guard let row else { return nil }
            do { return try StoredList(row) } catch let damage as UnreadableLists { until = damage.from - 1 }
        }
        return nil
    }
}
