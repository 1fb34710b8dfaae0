import Foundation
import GRDB
import RankKit

/// The first places of the last good list of each day (UTC) in a page, kept apart from it: of hourly lists that is a
/// small part. They are written as the page itself is, with the same version and checksum.
enum PageTops {
    /// How many places are kept.
    static let depth = FirstPlaces.count

    /// - Parameter lists: those of the page.
    /// - Throws: `DamagedBytes` where the bytes would not say what they were made of.
    static func bytes(of lists: [StoredList]) throws(DamagedBytes) -> [UInt8] {
        let wanted = StoredList.Head.areLastGood(lists.map(\.head))
        return try bytes(ofTops: zip(lists, wanted).compactMap { list, isLast in isLast ? top(of: list) : nil })
    }

    /// - Parameter tops: as `PageRow.tops` has them.
    static func bytes(ofTops tops: [StoredList]) throws(DamagedBytes) -> [UInt8] {
        guard !tops.isEmpty else { return [] }
        guard let bytes = ResultPage.encode(tops), try Self.lists(bytes) == tops else { throw .malformed }
        return bytes
    }

    /// What `bytes` holds, in order.
    ///
    /// - Throws: `DamagedBytes` where they are not as they were written.
    static func lists(_ bytes: [UInt8]) throws(DamagedBytes) -> [StoredList] {
        guard !bytes.isEmpty else { return [] }
        do { return try ResultPage(bytes).lists() } catch { throw error as? DamagedBytes ?? .malformed }
    }

    static func top(of list: StoredList) -> StoredList {
        StoredList(head: list.head, places: Array(list.places.prefix(depth)))
    }
}

extension PageTops {
    /// Of the page with this id; `nil` if they are not kept.
    static func stored(ofPage id: Int64, in database: Database) throws -> [UInt8]? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM page_top WHERE page = ?"), arguments: [id]
        ).map { [UInt8]($0) }
    }

    /// What is wrong with what is kept of a page; `nil` if nothing is, or nothing is kept.
    static func problem(ofPage id: Int64, holding lists: IndexedLists, in database: Database) throws -> String? {
        guard let bytes = try stored(ofPage: id, in: database) else { return nil }
        let kept: [StoredList]
        do { kept = try Self.lists(bytes) } catch { return "the stored places cannot be read" }
        let wanted = StoredList.Head.areLastGood(lists.heads)
        let tops = lists.heads.indices.filter { wanted[$0] }.map { index in
            StoredList(
                head: lists.heads[index],
                places: lists[index].prefix(depth).map {
                    let app = lists.apps[Int($0)]
                    return app == 0 ? nil : DenseID(app)
                })
        }
        return kept == tops ? nil : "the stored places differ from the lists of the page"
    }

    /// Pages of which none are kept, in order: those that an earlier version of the program wrote.
    static let missing = """
        SELECT id FROM result_page WHERE id > ? AND NOT EXISTS (SELECT 1 FROM page_top WHERE page = result_page.id)
        ORDER BY id LIMIT ?
        """

    /// For a page that is still the one that was read.
    static let insert = """
        INSERT OR IGNORE INTO page_top (page, bytes)
            SELECT id, :bytes FROM result_page
            WHERE id = :page AND lists = :lists AND (first_at, first_check) = (:firstAt, :firstCheck)
                AND (last_at, last_check) = (:lastAt, :lastCheck)
        """

    static func keep(_ bytes: [UInt8], of page: PageRow, in database: Database) throws {
        try database.cachedStatement(sql: insert).execute(
            arguments: [
                "bytes": Data(bytes), "page": page.id, "lists": page.lists, "firstAt": page.first.at,
                "firstCheck": page.first.check, "lastAt": page.last.at, "lastCheck": page.last.check,
            ])
    }
}

extension PageRow {
    /// The tops of a page's last good lists of each day, as far as they are not later than `until`, made of the page itself.
    ///
    /// - Parameter dayOf: the day that a moment lies in; UTC's unless given.
    /// - Throws: `UnreadableLists` if the page is damaged.
    func tops(until: Int64 = .max, dayOf: (Timestamp) -> Int64 = \.day) throws -> [StoredList] {
        let page = try page()
        var tops: [StoredList] = []
        do {
            try page.forEach(where: StoredList.Head.areLastGood(page.heads, until: until, dayOf: dayOf)) { list in
                tops.append(PageTops.top(of: list))
                return true
            }
        } catch is DamagedBytes { throw damage }
        return tops
    }
}
