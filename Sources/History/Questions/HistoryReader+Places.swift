import GRDB
package import RankKit

/// Where an app stood, whether or not it was ever tracked.
extension HistoryReader {
    /// Where an app stood in every list of `query` in `span`, in order, whether or not it was ever tracked.
    ///
    /// - Parameters:
    ///   - app: all the numbers that count as the app (`numbers(of:)`).
    ///   - damaged: as for `lists`.
    package func places(
        of app: Set<DenseID>, on query: Query, in span: ClosedRange<Timestamp> = .always,
        damaged: ((DamagedLists) -> Void)? = nil
    ) throws(HistoryError) -> [StoredPlace] {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return [] }
            let span = span.seconds
            let damaged = damaged.map { tell in { (damage: UnreadableLists) in tell(damage.of(query)) } }
            var places: [StoredPlace] = []
            let pages = try PageRow.all(of: id, in: span, database)
            while let row = try pages.next() {
                var last: StoredList.Key?
                do {
                    try row.forEachPlace(of: app) { place in
                        last = place.head.key
                        if span.contains(place.head.at.secondsSinceEpoch) { places.append(place) }
                    }
                } catch let damage as UnreadableLists { try Self.tell(damage.rest(after: last, in: span), damaged) }
            }
            let pagedCount = places.count
            let unpaged = try UnpagedLists.all(of: id, in: span, database)
            while let lone = try unpaged.next() {
                switch lone {
                case .list(let list): places.append(list.place(of: app))
                case .unreadable(_, let damage): try Self.tell(damage, damaged)
                }
            }
            if 0 < pagedCount, pagedCount < places.count, places[pagedCount].head.key < places[pagedCount - 1].head.key
            {
                places.sort { $0.head.key < $1.head.key }
            }
            return places
        }
    }

    /// The queries in whose lists of `span` an app may occur: surely those in which it does, and perhaps some in which
    /// it does shortly before or after, or whose lists cannot all be read.
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
        while let row = try pages.next() {
            do { if try row.page().mentions(app) { return true } } catch { return true }
        }
        let unpaged = try UnpagedLists.all(of: query, in: span, database)
        while let lone = try unpaged.next() {
            guard case .list(let list) = lone, list.place(of: app).position == nil else { return true }
        }
        return false
    }
}

extension PageRow {
    fileprivate func forEachPlace(of app: Set<DenseID>, _ take: (StoredPlace) throws -> Void) throws {
        let page = try page()
        do { try page.forEachPlace(of: app, take) } catch is DamagedBytes { throw damage }
    }
}
