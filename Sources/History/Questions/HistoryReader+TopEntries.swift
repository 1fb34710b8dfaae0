import GRDB
package import RankKit

/// Apps that have come among the first places of a query between two of its good lists.
package struct TopEntries: Sendable, Hashable {
    /// When the two lists were asked for.
    package var before: Timestamp
    package var at: Timestamp
    /// Best first, each app once.
    package var entries: [Entry]

    package struct Entry: Sendable, Hashable {
        package var position: Position
        package var app: TopApp
        /// Whether it was not even among the first `TopList.depth` before.
        package var isFromAfar: Bool
    }
}

extension HistoryReader {
    /// The apps in the first places of each query's newest good list at `moment` or before that were not in those of its
    /// good list of `since` (`Reading.window`), however old that is. A query with only one of these lists, or to which
    /// nobody has come, is left out.
    ///
    /// - Parameter count: how many places are the first, at most `TopList.depth`.
    /// - Returns: also the queries with a list that is missing or cannot be read (`damagedLists`). If who came from afar
    ///   is known all the same, such a query has entries of those alone.
    package func topEntries(
        of queries: Set<Query>, first count: Int, since: Timestamp, at moment: Timestamp
    ) throws(HistoryError) -> (found: [Query: TopEntries], unread: [Query]) {
        try read { database in
            var drafts: [TopEntriesDraft] = []
            var unread: [Query] = []
            let statement = try database.cachedStatement(sql: Self.topsSQL)
            for query in queries {
                guard let row = try Row.fetchOne(statement, arguments: QueryRow.key(query)) else { continue }
                let draft = try TopEntriesDraft(row, query, first: count, since: since, at: moment, database)
                if draft?.top == nil { unread.append(query) }
                if let draft, !draft.entered.isEmpty { drafts.append(draft) }
            }
            let others = try OtherNumbers(
                of: drafts.flatMap { $0.entered.map(\.app) }, by: self.moment?.secondsSinceEpoch, in: database)
            var found: [Query: TopEntries] = [:]
            for (storefront, drafts) in Dictionary(grouping: drafts, by: { Storefront(of: $0.query) }) {
                let apps = try storefront.apps(
                    Set(drafts.flatMap { $0.entered.map { DenseID($0.app) } }), at: self.moment, in: database)
                for draft in drafts {
                    found[draft.query] = try draft.entries(apps, others, in: database) {
                        try self.named($0, in: database)
                    }
                }
            }
            return (found, unread)
        }
    }
}

/// What is known of one query before its apps have names.
private struct TopEntriesDraft {
    let id: Int64
    let query: Query
    let at: Timestamp
    /// The earlier list is the newest good one of then or before.
    private let then: Timestamp
    /// `nil` if it has not been looked up.
    var before: Timestamp?
    /// Who was among the first `TopList.depth` then, by their numbers.
    let held: Set<Int64>
    /// Who was in the first places then; `nil` if that cannot be read.
    let top: Set<Int64>?
    let entered: [(position: Position, app: Int64)]
    /// How many places are the first.
    private let count: Int

    /// - Returns: `nil` if nothing can be said: one of the lists is missing, or cannot be read.
    init?(
        _ row: Row, _ query: Query, first count: Int, since: Timestamp, at moment: Timestamp, _ database: Database
    ) throws {
        id = try row[0]
        self.query = query
        self.count = count
        let kept = try QueryTopRow.places(row, at: 1)
        let apps: [Int64?]
        if let kept, kept.key.at <= moment.secondsSinceEpoch, count <= FirstPlaces.count {
            at = Timestamp(secondsSinceEpoch: kept.key.at)
            apps = kept.apps
        } else {
            guard let list = try HistoryReader.readableList(on: id, at: moment, database) else { return nil }
            at = list.at
            apps = list.places.map { $0?.number }
        }
        then = try Reading.window(since: since, until: moment, newest: at, cadence: row.cadence(6)).upperBound
        let known = kept?.held(at: then.secondsSinceEpoch)
        if let known, at <= then {
            // The same list.
            (held, top, entered) = (known, known, [])
            return
        }
        // What is kept apart is in no order.
        let list = try HistoryReader.readableList(on: id, at: then, database)
        func first(_ count: Int) -> Set<Int64>? {
            list.map { Set($0.places.prefix(count).compactMap { $0?.number }) }
        }
        guard let held = known ?? first(FirstPlaces.count) else { return nil }
        before = list?.at
        self.held = held
        let top = first(count)
        self.top = top
        entered = apps.prefix(count).enumerated().compactMap { index, app in
            guard let app, !(top ?? held).contains(app), let position = Position(index + 1) else { return nil }
            return (position, app)
        }
    }

    /// - Parameter name: adds what entries called apps without a number of Apple's.
    func entries(
        _ apps: [DenseID: TopApp], _ others: OtherNumbers, in database: Database,
        naming name: (StoredList) throws -> NamedList
    ) throws -> TopEntries? {
        guard let newest = try newestGood(at: before ?? then, in: database) else { return nil }
        var (held, top) = (held, top)
        if !newest.isWhole {
            // Nobody can be said to be new unless it is known of all its places who held them, if by a name alone.
            guard let list = try HistoryReader.readableList(on: id, at: before ?? then, database) else { return nil }
            let named = try name(list)
            guard named.isWhole else { return nil }
            func first(_ count: Int) -> Set<Int64> { Set(named.list.places.prefix(count).compactMap { $0?.number }) }
            held.formUnion(first(FirstPlaces.count))
            top?.formUnion(first(count))
        }
        var seen: Set<BundleID> = []
        let entries = entered.compactMap { position, number -> TopEntries.Entry? in
            let numbers = others[number].union([number])
            guard let app = apps[DenseID(number)], (top ?? held).isDisjoint(with: numbers),
                seen.insert(app.bundleID).inserted
            else { return nil }
            return TopEntries.Entry(position: position, app: app, isFromAfar: held.isDisjoint(with: numbers))
        }
        return entries.isEmpty ? nil : TopEntries(before: before ?? newest.at, at: at, entries: entries)
    }

    /// - Returns: also whether the list has an app in all its places.
    private func newestGood(at moment: Timestamp, in database: Database) throws -> (at: Timestamp, isWhole: Bool)? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT at, reason IS NULL FROM check_log WHERE query = ? AND at <= ? AND outcome = 'good'
                ORDER BY at DESC, id DESC LIMIT 1
                """)
        return try Row.fetchOne(statement, arguments: [id, moment.secondsSinceEpoch])
            .map { try ($0[0], $0[1]) }
    }
}

/// The numbers that apps have had besides their own: Apple may number one anew,
/// and has one for each edition of an app. Two numbers are one app if a name of both stands for both now (`AppNumbers`), and
/// so are those that have a third one in common.
struct OtherNumbers {
    private var numbers: [Int64: Set<Int64>] = [:]

    /// - Parameter moment: as far as that was known then, in seconds; `nil` for now.
    init(of apps: [Int64], by moment: Int64? = nil, in database: Database) throws {
        var known = Set(apps)
        var new = known
        var same: [Int64: Set<Int64>] = [:]
        while !new.isEmpty {
            let asked = "[" + new.map { "\($0)" }.joined(separator: ",") + "]"
            let pairs = try Row.fetchAll(database.cachedStatement(sql: Self.others), arguments: [asked])
                .map { try ($0[0], $0[1]) as (Int64, Int64) }
            new = []
            // Nearly always there is none.
            for (app, other) in pairs where try AppNumbers.areOne(app, other, by: moment, in: database) {
                same[app, default: []].insert(other)
                same[other, default: []].insert(app)
                if known.insert(other).inserted { new.insert(other) }
            }
        }
        for app in Set(apps) where same[app] != nil {
            var all: Set<Int64> = [app]
            var rest = [app]
            while let next = rest.popLast() {
                for other in same[next] ?? [] where all.insert(other).inserted { rest.append(other) }
            }
            numbers[app] = all.subtracting([app])
        }
    }

    static let others = """
        SELECT app.id, other.id FROM json_each(?) AS asked
        CROSS JOIN main.app AS app ON app.id = asked.value
        CROSS JOIN main.app AS other ON other.id <> app.id AND other.id IN (
            SELECT named.id FROM main.app AS named WHERE named.bundle_key = app.bundle_key
            UNION SELECT named.app FROM main.bundle_name AS named
                WHERE named.bundle_key = app.bundle_key AND named.stayed_at IS NOT NULL
            UNION SELECT same.id FROM main.bundle_name AS named
                JOIN main.app AS same ON same.bundle_key = named.bundle_key
                WHERE named.app = app.id AND named.stayed_at IS NOT NULL
            UNION SELECT same.app FROM main.bundle_name AS named
                JOIN main.bundle_name AS same ON same.bundle_key = named.bundle_key AND same.stayed_at IS NOT NULL
                WHERE named.app = app.id AND named.stayed_at IS NOT NULL)
        """

    subscript(app: Int64) -> Set<Int64> { numbers[app] ?? [] }
}
