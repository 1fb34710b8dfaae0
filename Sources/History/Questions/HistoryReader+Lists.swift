import Algorithms
import Foundation
import GRDB
package import RankKit

/// Result lists, wherever they are kept: in pages, or by themselves until the clean-up puts them into one. All are in
/// order of time, and within a second as they were recorded.
///
/// What is asked for and cannot be read is never passed over in silence: who wants the rest all the same says where it
/// is to be told.
extension HistoryReader {
    /// The list of one check; `nil` if there is no such check, or it failed.
    ///
    /// - Throws: also `HistoryError.damagedLists`, as all that follow do.
    package func list(ofCheck id: Int64) throws(HistoryError) -> StoredList? {
        try read { try Self.list(ofCheck: id, $0) }
    }

    /// For writer and reader alike.
    static func list(ofCheck id: Int64, _ database: Database) throws -> StoredList? {
        let check = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT check_log.id, check_log.at, check_log.outcome, result_list.places, check_log.query
                    FROM check_log LEFT JOIN result_list ON result_list.check_id = check_log.id
                    WHERE check_log.id = ? AND check_log.outcome <> 'failed'
                    """), arguments: [id])
        guard let check else { return nil }
        if try check[3] as Data? != nil { return try StoredList(check) }
        let key = try StoredList.Head(check).key
        guard let page = try PageRow.beginning(upTo: key, of: check[4], in: database) else { return nil }
        return try page.newest { $0.checkID == id }
    }

    /// The newest list of `query` at `moment` or before; `nil` if there is none.
    ///
    /// - Parameter goodOnly: whether suspect lists are passed over.
    package func list(
        on query: Query, at moment: Timestamp, goodOnly: Bool = false
    ) throws(HistoryError) -> StoredList? {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return nil }
            return try Self.list(on: query, at: moment, goodOnly: goodOnly, database)
        }
    }

    /// For writer and reader alike.
    ///
    /// - Parameter skippingDamage: whether the newest list before those that cannot be read is wanted in their stead.
    static func list(
        on query: Int64, at moment: Timestamp, goodOnly: Bool, skippingDamage: Bool, _ database: Database
    ) throws -> StoredList? {
        var moment = moment
        while true {
            do { return try list(on: query, at: moment, goodOnly: goodOnly, database) } catch let damage
                as UnreadableLists where skippingDamage && damage.from <= moment.secondsSinceEpoch
            {
                moment = Timestamp(secondsSinceEpoch: damage.from - 1)
            }
        }
    }

    /// The newest good list of a query; `nil` also where that cannot be read.
    static func readableList(on query: Int64, at moment: Timestamp, _ database: Database) throws -> StoredList? {
        do { return try list(on: query, at: moment, goodOnly: true, database) } catch is UnreadableLists { return nil }
    }

    /// Why nothing was found of some of `queries`, as far as it is because of damage; each query counts once.
    ///
    /// - Parameter found: those of which something was.
    package func damagedLists(
        _ queries: [Query], without found: Set<Query>, at moment: Timestamp
    ) throws(HistoryError) -> [DamagedLists] {
        try damagedLists(of: Array(queries.filter { !found.contains($0) }.uniqued()), at: moment)
    }

    /// Which of `queries` have a newest good list at `moment` or before that cannot be read.
    package func damagedLists(of queries: [Query], at moment: Timestamp) throws(HistoryError) -> [DamagedLists] {
        try read { database in
            try queries.compactMap { query in
                guard let id = try QueryRow.id(of: query, in: database) else { return nil }
                do {
                    _ = try Self.list(on: id, at: moment, goodOnly: true, database)
                    return nil
                } catch let damage as UnreadableLists { return damage.of(query) }
            }
        }
    }

    static func list(
        on query: Int64, at moment: Timestamp, goodOnly: Bool, _ database: Database
    ) throws -> StoredList? {
        let unpaged = try Row.fetchOne(
            database.cachedStatement(sql: UnpagedLists.newestUpTo),
            arguments: [
                "query": query, "from": try UnpagedLists.start(of: query, in: database),
                "to": moment.secondsSinceEpoch, "goodOnly": goodOnly,
            ])
        if let unpaged {
            // Mostly so; a page would have to be read from its first list on.
            let key = try StoredList.Head(unpaged).key
            let pagedUpTo = try PageRow.end(upTo: moment, of: query, in: database)
            guard let pagedUpTo, key < pagedUpTo else { return try StoredList(unpaged) }
        }
        let paged = try newestPaged(on: query, at: moment, goodOnly: goodOnly, database)
        guard let unpaged else { return paged }
        if let paged, try StoredList.Head(unpaged).key < paged.head.key { return paged }
        return try StoredList(unpaged)
    }

    private static func newestPaged(
        on query: Int64, at moment: Timestamp, goodOnly: Bool, _ database: Database
    ) throws -> StoredList? {
        var key = StoredList.Key(at: moment.secondsSinceEpoch, check: .max)
        while let page = try PageRow.beginning(upTo: key, of: query, in: database) {
            let found = try page.newest { $0.at <= moment && ($0.outcome == .good || !goodOnly) }
            if let found { return found }
            key = StoredList.Key(at: page.first.at, check: page.first.check - 1)
        }
        return nil
    }

    /// Hands over every list of `query` in `span` in order, until `take` returns `false`. Holds one page in memory at a
    /// time.
    ///
    /// - Parameter damaged: called with lists that cannot be read and are left out; if it is `nil`, they are an error.
    package func lists(
        on query: Query, in span: ClosedRange<Timestamp> = .always, damaged: ((DamagedLists) -> Void)? = nil,
        _ take: (StoredList) -> Bool
    ) throws(HistoryError) {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return }
            try Self.lists(
                on: id, in: span.seconds, database, damaged: damaged.map { tell in { tell($0.of(query)) } }, take)
        }
    }

    /// - Parameter wanted: which of some consecutive lists, all of a page, are handed over; all if it is `nil`, and
    ///   those that are in no page in any case.
    static func lists(
        on query: Int64, in span: ClosedRange<Int64>, _ database: Database,
        where wanted: (([StoredList.Head]) -> [Bool])? = nil, damaged: ((UnreadableLists) -> Void)? = nil,
        _ take: (StoredList) -> Bool
    ) throws {
        var unpaged = try Peeked(UnpagedLists.all(of: query, in: span, database))
        let pages = try PageRow.all(of: query, in: span, database)
        var goesOn = true
        /// Of a list by itself, which is no failure of the page that it is met in.
        var failure: UnreadableLists?
        func hand(_ lone: LoneList) {
            switch lone {
            case .list(let list): goesOn = take(list)
            case .unreadable(_, let damage):
                if let damaged { damaged(damage) } else { (failure, goesOn) = (damage, false) }
            }
        }
        while goesOn, let row = try pages.next() {
            var last: StoredList.Key?
            do {
                try row.forEach(where: wanted) { list in
                    last = list.head.key
                    guard span.lowerBound <= list.at.secondsSinceEpoch else { return true }
                    guard list.at.secondsSinceEpoch <= span.upperBound else { return false }
                    while goesOn, let earlier = try unpaged.next(where: { $0.key < list.head.key }) {
                        hand(earlier)
                    }
                    if goesOn { goesOn = take(list) }
                    return goesOn
                }
            } catch let damage as UnreadableLists {
                try tell(damage.rest(after: last, in: span), damaged)
            }
        }
        while goesOn, let lone = try unpaged.next(where: { _ in true }) { hand(lone) }
        if let failure { throw failure }
    }

    /// Throws `damage` where nobody is to be told of it.
    static func tell(_ damage: UnreadableLists?, _ damaged: ((UnreadableLists) -> Void)?) throws {
        guard let damage else { return }
        guard let damaged else { throw damage }
        damaged(damage)
    }
}

extension ClosedRange<Timestamp> {
    package static var always: Self { Timestamp(secondsSinceEpoch: .min)...Timestamp(secondsSinceEpoch: .max) }

    var seconds: ClosedRange<Int64> { lowerBound.secondsSinceEpoch...upperBound.secondsSinceEpoch }
}

extension StoredList {
    /// Where the app stands that has one of the numbers `app`.
    package func place(of app: Set<DenseID>) -> StoredPlace {
        let index = places.firstIndex { $0.map(app.contains) ?? false }
        return StoredPlace(
            head: head, position: index.flatMap { Position($0 + 1) }, within: places.count, isWhole: isWhole)
    }
}

extension PageRow {
    fileprivate func forEach(
        where wanted: (([StoredList.Head]) -> [Bool])? = nil, _ take: (StoredList) throws -> Bool
    ) throws {
        let page = try page()
        do { try page.forEach(where: wanted?(page.heads), take) } catch is DamagedBytes { throw damage }
    }

    /// The last list whose head is `wanted`.
    fileprivate func newest(where wanted: (StoredList.Head) -> Bool) throws -> StoredList? {
        let page = try page()
        guard let index = page.heads.lastIndex(where: wanted) else { return nil }
        do { return try page.list(at: index) } catch { throw damage }
    }
}

/// A sequence of lists of which the next one can be looked at before it is taken.
private struct Peeked {
    private let lists: MapCursor<RowCursor, LoneList>
    private var peeked: LoneList?

    init(_ lists: MapCursor<RowCursor, LoneList>) throws {
        self.lists = lists
        peeked = try lists.next()
    }

    mutating func next(where isWanted: (LoneList) -> Bool) throws -> LoneList? {
        guard let list = peeked, isWanted(list) else { return nil }
        peeked = try lists.next()
        return list
    }
}
