import GRDB

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
