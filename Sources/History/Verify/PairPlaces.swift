import GRDB
import RankKit

/// What one list after the other says about the pairs of a query.
struct PairPlaces {
    /// How many places the list has.
    private(set) var count = 0
    /// For each pair what the list tells of its app.
    private(set) var readings: [UnreadEntries.Reading]
    /// Whether the list has an app in every place.
    private(set) var isWhole = true
    /// The number of an app in the list that is not there.
    private(set) var stranger: Int64?

    /// The pairs that a number of an app may belong to.
    private var pairs: [Int64: [Int]] = [:]
    /// Each pair's app.
    private var named: [NamedApp] = []
    private var lists: IndexedLists?
    /// What there is to say of each app of `lists`.
    private var marks: [Mark] = []
    private var places: ArraySlice<Int32> = []
    /// `nil` where the list has an app in every place.
    private var unread: UnreadEntries?

    private enum Mark: Equatable {
        case nothing, stranger, unread
        case pairs([Int])
    }

    /// - Parameter keys: the apps of the pairs.
    init(of keys: [String], in database: Database) throws {
        readings = Array(repeating: UnreadEntries.Reading(), count: keys.count)
        for (pair, key) in keys.enumerated() {
            let app = try NamedApp(key, in: database)
            named.append(app)
            for number in app.numbers.all { pairs[number.number, default: []].append(pair) }
        }
    }

    /// - Parameters:
    ///   - names: what entries called their apps, by place.
    ///   - known: whether there is an app with a number.
    mutating func read(
        _ lists: IndexedLists, _ index: Int, named names: [Int: BundleID], in database: Database,
        known: (Int64) throws -> Bool
    ) throws {
        if self.lists !== lists {
            self.lists = lists
            marks = try lists.apps.map { number in
                if let pairs = pairs[number] { return .pairs(pairs) }
                if number == 0 { return .unread }
                return try known(number) ? .nothing : .stranger
            }
        }
        for pair in readings.indices { readings[pair] = UnreadEntries.Reading() }
        (stranger, isWhole, unread) = (nil, true, nil)
        var unreadPlaces: [Int] = []
        let at = lists.heads[index].at.secondsSinceEpoch
        places = lists[index]
        count = places.count
        for (place, app) in places.enumerated() where marks[Int(app)] != .nothing {
            switch marks[Int(app)] {
            case .pairs(let pairs):
                let number = DenseID(lists.apps[Int(app)])
                for pair in pairs
                where readings[pair].position == nil && named[pair].numbers.contains(number, at: at) {
                    readings[pair].position = place + 1
                }
            case .stranger: stranger = stranger ?? lists.apps[Int(app)]
            case .unread: unreadPlaces.append(place + 1)
            case .nothing: break
            }
        }
        guard !unreadPlaces.isEmpty else { return }
        isWhole = false
        let unread = try UnreadEntries(at: unreadPlaces, named: names, seenAt: at, in: database)
        for pair in readings.indices {
            readings[pair] = unread.reading(of: named[pair], listed: readings[pair].position)
        }
        self.unread = unread
    }

    /// Whether an entry without a number of Apple's may have told a pair its `position`: the list says nothing against it.
    func allows(_ position: Int?, for pair: Int, in database: Database) throws -> Bool {
        guard let position, position < readings[pair].position ?? .max else { return false }
        return try unread?.allows(position, for: named[pair], in: database) ?? false
    }

    /// Whether the list has a place `position` and no app in it.
    func isUnread(at position: Int64) -> Bool {
        guard let lists, 1 <= position, position <= places.count else { return false }
        return lists.apps[Int(places[places.startIndex + Int(position) - 1])] == 0
    }
}

/// The positions of one pair in order, read beside the checks of its query.
struct PositionRows {
    private let rows: RowCursor
    private var row: Row?

    init(of pair: Int64, in database: Database) throws {
        rows = try Row.fetchCursor(
            database.makeStatement(
                sql: "SELECT at, check_id, position, within FROM position WHERE pair = ? ORDER BY at, check_id"),
            arguments: [pair])
        row = try rows.next()
    }

    /// What the check with `key` said, which comes after all that were asked for before.
    ///
    /// - Parameter stray: told of each position that is passed over.
    mutating func take(
        _ key: StoredList.Key, stray: (StoredList.Key) -> Void
    ) throws -> (position: Int?, within: Int)? {
        while let row {
            let next = try StoredList.Key(at: row[0], check: row[1])
            guard next <= key else { return nil }
            let reading: (position: Int?, within: Int)? = try next == key ? (row[2], row[3]) : nil
            self.row = try rows.next()
            if let reading { return reading }
            stray(next)
        }
        return nil
    }

    /// Passes over the rest.
    mutating func finish(stray: (StoredList.Key) -> Void) throws {
        while let row {
            try stray(StoredList.Key(at: row[0], check: row[1]))
            self.row = try rows.next()
        }
    }
}
