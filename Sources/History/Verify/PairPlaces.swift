import GRDB
import RankKit

/// What one list after the other says about the pairs of a query.
struct PairPlaces {
    /// How many places the list has.
    private(set) var count = 0
    /// For each pair its app's first place, `nil` if it is not in the list.
    private(set) var first: [Int?]
    /// Whether it is known of every place who holds it.
    private(set) var isWhole = true
    /// The number of an app in the list that is not there.
    private(set) var stranger: Int64?

    /// The pairs that a number of an app may belong to.
    private var pairs: [Int64: [Int]] = [:]
    /// The numbers of each pair's app.
    private var numbers: [AppNumbers] = []
    private var lists: IndexedLists?
    /// What there is to say of each app of `lists`.
    private var marks: [Mark] = []
    private var places: ArraySlice<Int32> = []

    private enum Mark: Equatable {
        case nothing, stranger, unread
        case pairs([Int])
    }

    /// - Parameter keys: the apps of the pairs.
    init(of keys: [String], in database: Database) throws {
        first = Array(repeating: nil, count: keys.count)
        for (pair, key) in keys.enumerated() {
            let app = try AppNumbers(of: key, in: database)
            numbers.append(app)
            for number in app.all { pairs[number.number, default: []].append(pair) }
        }
    }

    /// - Parameter known: whether there is an app with a number.
    mutating func read(_ lists: IndexedLists, _ index: Int, known: (Int64) throws -> Bool) throws {
        if self.lists !== lists {
            self.lists = lists
            marks = try lists.apps.map { number in
                if let pairs = pairs[number] { return .pairs(pairs) }
                if number == 0 { return .unread }
                return try known(number) ? .nothing : .stranger
            }
        }
        for pair in first.indices { first[pair] = nil }
        (stranger, isWhole) = (nil, true)
        places = lists[index]
        count = places.count
        for (place, app) in places.enumerated() where marks[Int(app)] != .nothing {
            switch marks[Int(app)] {
            case .pairs(let pairs):
                let (number, at) = (DenseID(lists.apps[Int(app)]), lists.heads[index].at.secondsSinceEpoch)
                for pair in pairs where first[pair] == nil && numbers[pair].contains(number, at: at) {
                    first[pair] = place + 1
                }
            case .stranger: stranger = stranger ?? lists.apps[Int(app)]
            case .unread: isWhole = false
            case .nothing: break
            }
        }
    }

    /// Whether an entry without a number of Apple's may have named the app at `position`: its place says nothing against
    /// it.
    func isUntold(_ position: Int?, before listed: Int?) -> Bool {
        guard let position, 1 <= position, position <= places.count, position < listed ?? .max else {
            return false
        }
        return isUnread(at: Int64(position))
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
