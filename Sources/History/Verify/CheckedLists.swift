import GRDB
import RankKit

/// The lists of one query, read beside its checks: those in pages, each of which is decoded once, and those by
/// themselves. Tells of pages that cannot be read, and of those that hold lists of other checks than their query's, or
/// of checks whose list is kept elsewhere.
struct CheckedLists {
    /// What is kept of one check.
    enum Kept {
        /// There is no list.
        case none
        case list(IndexedLists, index: Int)
        /// There is something that cannot be read.
        case damaged
        /// It should lie in a page that cannot be read.
        case inDamagedPage
    }

    private let query: Int64
    /// The query in words.
    private let name: String
    private let database: Database
    private let pages: MapCursor<RowCursor, PageRow>
    private var hasBegun = false
    private var page: PageRow?
    /// What the page holds; `nil` if it cannot be read.
    private var lists: IndexedLists?
    /// The first list of the page that has not been met.
    private var next = 0
    /// Whether something has been told of the lists in the page: one tells enough.
    private var isTold = false
    /// Where the pages before this one end.
    private var end: StoredList.Key?
    private(set) var lone: LoneLists

    init(of query: Int64, name: String, in database: Database) throws {
        (self.query, self.name, self.database) = (query, name, database)
        pages = try PageRow.all(of: query, in: .min...(.max), database)
        lone = try LoneLists(of: query, in: database)
    }

    /// The list of `check`, which comes after all that were asked for before.
    mutating func list(of check: CheckRow, _ found: (Finding) -> Void) throws -> Kept {
        let bytes = try lone.bytes(of: check.key)
        let paged = try paged(check, isLone: bytes != nil, found)
        guard let bytes else { return paged }
        do {
            let head = StoredList.Head(
                checkID: check.id, at: Timestamp(secondsSinceEpoch: check.at),
                outcome: check.outcome == .suspect ? .suspect : .good)
            return .list(IndexedLists(try ResultListCodec.decode(bytes), of: head), index: 0)
        } catch { return .damaged }
    }

    private mutating func paged(_ check: CheckRow, isLone: Bool, _ found: (Finding) -> Void) throws -> Kept {
        if !hasBegun { try turn(found) }
        while let page, page.last < check.key { try turn(found) }
        guard let page, page.first <= check.key else { return .none }
        guard let lists else { return .inDamagedPage }
        while next < lists.heads.count, lists.heads[next].key < check.key { try pass(found) }
        guard next < lists.heads.count, lists.heads[next].key == check.key else { return .none }
        let head = lists.heads[next]
        if CheckWord(head.outcome) != check.outcome || isLone {
            try pass(found)
        } else {
            next += 1
        }
        return .list(lists, index: next - 1)
    }

    /// Looks at all that comes after the last check.
    mutating func finish(_ found: (Finding) -> Void) throws {
        if !hasBegun { try turn(found) }
        while page != nil { try turn(found) }
        try lone.finish()
    }

    /// Goes past a list that is not that of the check that was expected, or not as it should be.
    private mutating func pass(_ found: (Finding) -> Void) throws {
        guard let lists, let page else { return }
        defer { next += 1 }
        guard !isTold, let problem = try problem(with: lists.heads[next]) else { return }
        tell(problem, of: page, found)
        isTold = true
    }

    private mutating func turn(_ found: (Finding) -> Void) throws {
        while next < lists?.heads.count ?? 0 { try pass(found) }
        page = try pages.next()
        (hasBegun, lists, next, isTold) = (true, nil, 0, false)
        guard let page else { return }
        if let end, page.first <= end { tell("the page begins before the one before it has ended", of: page, found) }
        end = max(end ?? page.last, page.last)
        do { lists = try page.indexed() } catch is UnreadableLists {
            tell("the page cannot be read", of: page, found)
            return
        }
        if let lists, let problem = try PageTops.problem(ofPage: page.id, holding: lists, in: database) {
            found(
                Finding(part: .apps, place: "\(name), page \(page.id), first places of its days", problem: problem))
        }
        if let heads = lists?.heads, zip(heads, heads.dropFirst()).contains(where: { $1.key <= $0.key }) {
            tell("the lists of the page are not in order of time", of: page, found)
        }
    }

    private func tell(_ problem: String, of page: PageRow, _ found: (Finding) -> Void) {
        found(Finding(part: .lists, place: "\(name), page \(page.id)", problem: problem))
    }

    private func problem(with head: StoredList.Head) throws -> String? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT query = ? AND at = ? AND outcome = ?,
                        EXISTS (SELECT 1 FROM result_list WHERE check_id = check_log.id)
                    FROM check_log WHERE id = ?
                    """), arguments: [query, head.at.secondsSinceEpoch, CheckWord(head.outcome).rawValue, head.checkID])
        guard let row else { return "the page holds a list of check \(head.checkID), which the history does not have" }
        guard try row[0] else {
            return "the page holds a list of check \(head.checkID), which has another query, time or outcome"
        }
        return try row[1]
            ? "the page holds the list of check \(head.checkID), which is stored outside of it as well" : nil
    }
}

extension PageRow {
    /// - Throws: `UnreadableLists` if the page is damaged.
    fileprivate func indexed() throws -> IndexedLists {
        let page = try page()
        do { return try IndexedLists(page) } catch is DamagedBytes { throw damage }
    }
}
