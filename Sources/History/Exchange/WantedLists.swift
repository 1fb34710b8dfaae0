import GRDB
import RankKit

/// The lists of a query that can tell when this history saw the listings of which a file says something else.
///
/// Only pages are read that reach into the time in which the two differ, or that can tell when a listing was seen last, and
/// of these only those are unpacked that name one of the apps. Newer ones come first: once a listing has been found,
/// older ones have nothing to say of when it was seen last.
struct WantedLists {
    private let query: Int64
    /// Which conflict is about an app, by its number.
    private let indices: [Int64: Int]
    private let work: BlockingWork?

    init(of query: Int64, conflicts indices: [Int64: Int], _ work: BlockingWork?) {
        self.query = query
        self.indices = indices
        self.work = work
    }

    /// - Returns: how many pages were unpacked.
    @discardableResult
    func see(_ conflicts: inout [ListingConflict], in database: Database) throws -> Int {
        let lone = try UnpagedLists.all(of: query, in: first(conflicts)...(.max), database)
        while let list = try lone.next() {
            try work?.checkCancellation()
            guard case .list(let list) = list else { continue }
            for place in list.places {
                if let place, let index = indices[place.number] {
                    conflicts[index].see(at: list.at.secondsSinceEpoch, \.own)
                }
            }
        }
        var first = first(conflicts)
        var unpacked = 0
        for page in try Row.fetchAll(database.cachedStatement(sql: Self.pages), arguments: [query, first]) {
            try work?.checkCancellation()
            guard try first <= page[1], let row = try PageRow.one(page[0], in: database) else { continue }
            do {
                guard try see(row, &conflicts) else { continue }
            } catch is UnreadableLists { continue } catch is DamagedBytes { continue }
            first = self.first(conflicts)
            unpacked += 1
        }
        return unpacked
    }

    private static let pages = """
        SELECT id, last_at FROM result_page WHERE query = ? AND last_at >= ? ORDER BY first_at DESC, first_check DESC
        """

    private func first(_ conflicts: [ListingConflict]) -> Int64 {
        indices.values.map { conflicts[$0].firstWanted }.min() ?? .max
    }

    /// - Returns: whether the page was unpacked.
    private func see(_ row: PageRow, _ conflicts: inout [ListingConflict]) throws -> Bool {
        let page = try row.page()
        let (start, end) = (row.first.at, row.last.at)
        let span = min(start, end)...max(start, end)
        let wanted = page.apps.map { app in indices[app].flatMap { conflicts[$0].wants(span) ? $0 : nil } }
        guard wanted.contains(where: { $0 != nil }) else { return false }
        // Nothing of a page counts that cannot be read as a whole.
        let lists = try IndexedLists(page)
        for (number, head) in lists.heads.enumerated() {
            for app in lists[number] {
                if let index = wanted[Int(app)] { conflicts[index].see(at: head.at.secondsSinceEpoch, \.own) }
            }
        }
        return true
    }
}
