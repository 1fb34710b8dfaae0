import GRDB
package import RankKit

extension HistoryReader {
    /// Since when each active pair is under watch without a break, by its number in the file. What is known of the time
    /// before was recorded for others, derived from kept lists, or imported.
    package func watchedSince() throws(HistoryError) -> [Int64: Timestamp] {
        try read { database in
            var moments: [Int64: Timestamp] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.watchedSince)
            while let row = try rows.next() { moments[row[0]] = Timestamp(secondsSinceEpoch: row[1]) }
            return moments
        }
    }

    static let watchedSince = """
        SELECT pair.id, max(pair_period.from_at)
        FROM pair CROSS JOIN pair_period ON pair_period.pair = pair.id
        WHERE pair.retired_at IS NULL AND pair_period.until_at IS NULL
        GROUP BY pair.id
        """

    /// The last good list of each day (UTC) of `span` that has one, in order of time; lists that cannot be read are left
    ///
    /// - Parameter take: gets the list's time and all of its places.
    package func dailyLists(
        on query: Query, in span: ClosedRange<Timestamp>, _ take: (StoredList) -> Void
    ) throws(HistoryError) {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return }
            var held: StoredList?
            // Of consecutive lists of a page the last good one of each day is wanted.
            func wanted(_ heads: [StoredList.Head]) -> [Bool] {
                var wanted = Array(repeating: false, count: heads.count)
                var day: Int64?
                for index in heads.indices.reversed() where heads[index].outcome == .good {
                    if heads[index].at.day != day { wanted[index] = true }
                    day = heads[index].at.day
                }
                return wanted
            }
            try Self.lists(on: id, in: span.seconds, database, where: wanted, damaged: { _ in }) { list in
                guard list.outcome == .good else { return true }
                if let held, held.at.day != list.at.day { take(held) }
                held = list
                return true
            }
            if let held { take(held) }
        }
    }
}
