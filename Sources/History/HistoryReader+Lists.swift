import Foundation
import GRDB
package import RankKit

/// Result lists, wherever they are kept: in pages, or by themselves until the clean-up puts them into one. All are in
/// order of time, and within a second as they were recorded.
extension HistoryReader {
    /// The list of one check; `nil` where there is no such check, or it failed.
    package func list(ofCheck id: Int64) throws(HistoryError) -> StoredList? {
        try read { database in
            let check = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT check_log.id, check_log.at, check_log.outcome, result_list.places, check_log.query
                        FROM check_log LEFT JOIN result_list ON result_list.check_id = check_log.id
                        WHERE check_log.id = ? AND check_log.outcome <> 'failed'
                        """), arguments: [id])
            guard let check else { return nil }
            if check[3] as Data? != nil { return try StoredList(check) }
            let key = try StoredList.Head(check).key
            guard let page = try PageRow.beginning(upTo: key, of: check[4], in: database) else { return nil }
            return try page.newest { $0.checkID == id }
        }
    }

    /// The newest list of `query` at `moment` or before; `nil` where there is none.
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
    package func lists(
        on query: Query, in span: ClosedRange<Timestamp> = .always, _ take: (StoredList) -> Bool
    ) throws(HistoryError) {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return }
            try Self.lists(on: query, in: span.seconds, database, take)
        }
    }

    /// - Parameter wanted: which of some consecutive lists, all of a page, are handed over; all where it is `nil`, and
    ///   those that are in no page in any case.
    static func lists(
        on query: Int64, in span: ClosedRange<Int64>, _ database: Database,
        where wanted: (([StoredList.Head]) -> [Bool])? = nil, _ take: (StoredList) -> Bool
    ) throws {
        var unpaged = try Peeked(UnpagedLists.all(of: query, in: span, database))
        let pages = try PageRow.all(of: query, in: span, database)
        var goesOn = true
        while goesOn, let row = try pages.next() {
            try row.forEach(where: wanted) { list in
                guard span.lowerBound <= list.at.secondsSinceEpoch else { return true }
                guard list.at.secondsSinceEpoch <= span.upperBound else { return false }
                while goesOn, let earlier = try unpaged.next(where: { $0.head.key < list.head.key }) {
                    goesOn = take(earlier)
                }
                if goesOn { goesOn = take(list) }
                return goesOn
            }
        }
        while goesOn, let list = try unpaged.next(where: { _ in true }) { goesOn = take(list) }
    }

    /// Where an app stood in every list of `query` in `span`, in order, whether or not it was ever tracked.
    ///
    /// - Parameter app: all the numbers that count as the app (`numbers(of:)`).
    package func places(
        of app: Set<DenseID>, on query: Query, in span: ClosedRange<Timestamp> = .always
    ) throws(HistoryError) -> [StoredPlace] {
        try read { database in
            guard let query = try QueryRow.id(of: query, in: database) else { return [] }
            let span = span.seconds
            var places: [StoredPlace] = []
            let pages = try PageRow.all(of: query, in: span, database)
            while let row = try pages.next() {
                try row.forEachPlace(of: app) { if span.contains($0.head.at.secondsSinceEpoch) { places.append($0) } }
            }
            let pagedCount = places.count
            let unpaged = try UnpagedLists.all(of: query, in: span, database)
            while let list = try unpaged.next() { places.append(list.place(of: app)) }
            if 0 < pagedCount, pagedCount < places.count, places[pagedCount].head.key < places[pagedCount - 1].head.key
            {
                places.sort { $0.head.key < $1.head.key }
            }
            return places
        }
    }

    /// The queries in whose lists of `span` an app may occur: surely those in which it does, and perhaps some in which
    /// it does shortly before or after.
    package func queries(
        mentioning app: Set<DenseID>, in span: ClosedRange<Timestamp> = .always
    ) throws(HistoryError) -> [Query] {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT query.id, \(QueryRow.columns) FROM query ORDER BY ordinal, id")
            let span = span.seconds
            return try rows.filter { try Self.mentions(app, on: $0[0], in: span, database) }
                .map { try QueryRow.query(from: $0, at: 1) }
        }
    }

    private static func mentions(
        _ app: Set<DenseID>, on query: Int64, in span: ClosedRange<Int64>, _ database: Database
    ) throws -> Bool {
        let pages = try PageRow.all(of: query, in: span, database)
        while let row = try pages.next() { if try row.page().mentions(app) { return true } }
        let unpaged = try UnpagedLists.all(of: query, in: span, database)
        while let list = try unpaged.next() { if list.place(of: app).position != nil { return true } }
        return false
    }
}

extension ClosedRange<Timestamp> {
    package static var always: Self { Timestamp(secondsSinceEpoch: .min)...Timestamp(secondsSinceEpoch: .max) }

    fileprivate var seconds: ClosedRange<Int64> { lowerBound.secondsSinceEpoch...upperBound.secondsSinceEpoch }
}

extension StoredList {
    /// Where the app stands that has one of the numbers `app`.
    package func place(of app: Set<DenseID>) -> StoredPlace {
        let index = places.firstIndex { $0.map(app.contains) ?? false }
        return StoredPlace(head: head, position: index.flatMap { Position($0 + 1) }, within: places.count)
    }
}

extension PageRow {
    fileprivate func forEach(
        where wanted: (([StoredList.Head]) -> [Bool])? = nil, _ take: (StoredList) throws -> Bool
    ) throws {
        let page = try page()
        do { try page.forEach(where: wanted?(page.heads), take) } catch is ResultPage.Damaged { throw damage }
    }

    fileprivate func forEachPlace(of app: Set<DenseID>, _ take: (StoredPlace) throws -> Void) throws {
        let page = try page()
        do { try page.forEachPlace(of: app, take) } catch is ResultPage.Damaged { throw damage }
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
    private let lists: MapCursor<RowCursor, StoredList>
    private var peeked: StoredList?

    init(_ lists: MapCursor<RowCursor, StoredList>) throws {
        self.lists = lists
        peeked = try lists.next()
    }

    mutating func next(where isWanted: (StoredList) -> Bool) throws -> StoredList? {
        guard let list = peeked, isWanted(list) else { return nil }
        peeked = try lists.next()
        return list
    }
}
