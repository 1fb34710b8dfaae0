import GRDB

/// Consecutive lists as they are looked through one after the other: what their places hold are indices into the apps
/// of all of them, so that what there is to say of an app is looked up once and not in every list.
final class IndexedLists {
    let heads: [StoredList.Head]
    /// Dense numbers, 0 for an entry that could not be read.
    let apps: [Int64]
    private let places: [Int32]
    /// Where in `places` each list ends.
    private let ends: [Int]

    /// All lists of a page.
    ///
    /// - Throws: `DamagedBytes`.
    init(_ page: ResultPage) throws {
        var places: [Int32] = []
        var ends: [Int] = []
        places.reserveCapacity(page.placeCount)
        ends.reserveCapacity(page.heads.count)
        try page.forEachIndexed { _, list in
            for index in list { places.append(Int32(truncatingIfNeeded: index)) }
            ends.append(places.count)
            return true
        }
        (heads, apps, self.places, self.ends) = (page.heads, page.apps, places, ends)
    }

    /// One list by itself.
    init(_ list: [Int64?], of head: StoredList.Head) {
        heads = [head]
        apps = list.map { $0 ?? 0 }
        places = (0..<Int32(list.count)).map(\.self)
        ends = [list.count]
    }

    /// The list with this index, best place first.
    subscript(index: Int) -> ArraySlice<Int32> { places[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}

/// The lists in the pages of one query, for whoever goes through its checks in order. Holds one page in memory at a time.
struct PagedLists {
    private let pages: MapCursor<RowCursor, PageRow>
    private var page: PageRow?
    private var lists: ArraySlice<StoredList> = []
    private var isDamaged = false

    init(of query: Int64, since moment: Int64, in database: Database) throws {
        pages = try PageRow.all(of: query, in: moment...(.max), database)
        try turn()
    }

    /// The list of the check with `key`, which comes after all that were asked for before.
    mutating func list(of key: StoredList.Key) throws -> KeptCheck.List {
        while let page, page.last < key { try turn() }
        guard let page, page.first <= key else { return .none }
        if isDamaged { return .inDamagedPage }
        lists = lists.drop { $0.head.key < key }
        guard let list = lists.first, list.head.key == key else { return .none }
        return .places(list.places.map { $0?.number })
    }

    private mutating func turn() throws {
        page = try pages.next()
        (lists, isDamaged) = ([], false)
        do { if let page { lists = try page.decoded()[...] } } catch is UnreadableLists { isDamaged = true }
    }
}
