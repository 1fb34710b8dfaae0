import GRDB
package import RankKit

/// Who was among the first `TopList.depth` places of a query at the end of each of its newest days, as far as that is
/// kept apart from the lists.
package struct PastTop: Sendable, Hashable {
    /// When the newest good list was asked for.
    package var at: Timestamp
    /// In the first places of that list, best first; `nil` if the entry could not be read.
    package var apps: [DenseID?]
    /// The days (UTC) with a good list, the newest first. None is left out down to `since`.
    package var days: [Day]
    /// The oldest day of which it is known whether it has a list, and who was among the first places at its end.
    package var since: Int64

    package struct Day: Sendable, Hashable {
        package var day: Int64
        /// In the first places of the day's last good list, in no order, and without entries that could not be read.
        package var held: Set<DenseID>
    }
}

extension HistoryReader {
    /// What is kept of the first places of each query at the end of its days from `day` (UTC) to `until`. A query of
    /// which nothing is known at `until` without reading its lists is left out.
    package func pastTops(
        of queries: [Query], since day: Int64, until: Timestamp
    ) throws(HistoryError) -> [Query: PastTop] {
        try read { database in
            var tops: [Query: PastTop] = [:]
            let statement = try database.cachedStatement(sql: Self.topsSQL)
            for query in queries {
                guard let row = try Row.fetchOne(statement, arguments: QueryRow.key(query)),
                    let places = QueryTopRow.places(row, at: 1), places.key.at <= until.secondsSinceEpoch
                else { continue }
                tops[query] = try PastTop(places, of: row[0], since: day, until: until, in: database)
            }
            return tops
        }
    }

    /// The other numbers that each of these apps has had: Apple may number one anew. Apps with one number are left out.
    package func otherNumbers(of apps: Set<DenseID>) throws(HistoryError) -> [DenseID: Set<DenseID>] {
        guard !apps.isEmpty else { return [:] }
        return try read { database in
            let others = try OtherNumbers(of: apps.map(\.number), in: database)
            return Dictionary(uniqueKeysWithValues: apps.map { ($0, Set(others[$0.number].map(DenseID.init))) })
                .filter { !$0.value.isEmpty }
        }
    }
}

extension PastTop {
    fileprivate init(
        _ places: FirstPlaces, of query: Int64, since: Int64, until: Timestamp, in database: Database
    ) throws {
        at = Timestamp(secondsSinceEpoch: places.key.at)
        apps = places.apps.map { $0.map(DenseID.init) }
        days = []
        var held = Set(apps.compactMap(\.self))
        var changes = places.changes[...]
        let newest = at.day
        var day = newest
        while since <= day {
            let end = min(Timestamp.startOfDay(day + 1) - 1, until).secondsSinceEpoch
            guard places.since <= end else { break }
            while let last = changes.last, end < last.at {
                held.subtract(last.entered.lazy.map(DenseID.init))
                held.formUnion(last.left.lazy.map(DenseID.init))
                changes.removeLast()
            }
            // A change is a list's.
            let isSeen = day == newest || changes.last.map { Timestamp(secondsSinceEpoch: $0.at).day == day } ?? false
            if try isSeen || Self.hasList(query, on: day, in: database) { days.append(Day(day: day, held: held)) }
            day -= 1
        }
        self.since = day + 1
    }

    private static func hasList(_ query: Int64, on day: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM check_log WHERE query = ? AND at >= ? AND at < ? AND outcome = 'good')
                """)
        return try Bool.fetchOne(
            statement,
            arguments: [
                query, Timestamp.startOfDay(day).secondsSinceEpoch, Timestamp.startOfDay(day + 1).secondsSinceEpoch,
            ]) ?? false
    }
}
