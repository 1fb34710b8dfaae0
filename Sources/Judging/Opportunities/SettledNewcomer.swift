package import History
package import RankKit

/// An app that nobody tracks and that has come among the first places of a query to stay.
package struct SettledNewcomer: Sendable, Hashable {
    package let query: Query
    /// Under whatever number Apple had it last.
    package let number: DenseID
    package let position: Position
    /// The first day (UTC) of those in a row on which it was there.
    package let since: Int64
    /// When the list was asked for that confirmed it.
    package let at: Timestamp

    /// Days with a list in a row on which an app is among the first places before it is taken to stay.
    package static let confirmingDays = 3
    /// Days with a list before those, on which it was not there, and on the older of them not even among the first
    /// `Newcomer.far`; and how many are needed.
    static let before = 7
    static let leastBefore = 3

    /// Those that were confirmed on `days`, in order of time and of places.
    ///
    /// - Parameters:
    ///   - top: how many places are the first, up to `Newcomer.far`.
    ///   - until: the last moment that is read.
    package static func all(
        on query: Query, top: Int, days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [SettledNewcomer] {
        guard try mayHave(on: query, top: top, days: days, until: until, from: reader) else { return [] }
        // One day in three may be without a list.
        let reach = Int64((confirmingDays + before) * 3 / 2)
        let begin = Timestamp.startOfDay(days.lowerBound - reach)
        guard begin <= until else { return [] }
        var lists = RecentLists(query: query, top: top)
        var found: [SettledNewcomer] = []
        try reader.dailyLists(on: query, in: begin...until) { list in
            let confirmed = lists.take(list)
            if days.contains(list.at.day) { found += confirmed }
        }
        return found
    }

    /// Whether an app stays among the first places of lists of `days` and was not among those just before: what is known
    /// without reading far back. Of many days it is not asked: they are read once.
    private static func mayHave(
        on query: Query, top: Int, days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> Bool {
        guard days.upperBound - days.lowerBound < confirmingDays else { return true }
        let begin = Timestamp.startOfDay(days.lowerBound - 2 * Int64(confirmingDays))
        guard begin <= until else { return false }
        var lists: [(day: Int64, apps: Set<DenseID>)] = []
        try reader.dailyLists(on: query, in: begin...until) { list in
            lists.append((list.at.day, Set(list.places.prefix(top).compactMap(\.self))))
        }
        return lists.indices.contains { index in
            guard days.contains(lists[index].day) else { return false }
            let first = index + 1 - confirmingDays
            guard first > 0 else { return true }
            let staying = lists[first...index].dropFirst().reduce(lists[first].apps) { $0.intersection($1.apps) }
            return !staying.isSubset(of: lists[..<first].reduce(Set()) { $0.union($1.apps) })
        }
    }

    /// Which of `queries` may have any between `since` and `until`: those whose first places hold an app that was not
    /// even among the first `Newcomer.far` then, or of which that is not known.
    package static func candidates(
        on queries: Set<Query>, top: Int, since: Timestamp, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> Set<Query> {
        let (found, unread) = try reader.topEntries(of: queries, first: top, since: since, at: until)
        return Set(found.filter { $0.value.entries.contains(where: \.isFromAfar) }.keys).union(unread)
    }
}

/// The first places of a query's newest daily lists.
private struct RecentLists {
    let query: Query
    let top: Int
    private var days: [(day: Int64, apps: [DenseID?])] = []

    init(query: Query, top: Int) {
        self.query = query
        self.top = top
    }

    /// - Returns: the apps that this list confirms.
    mutating func take(_ list: StoredList) -> [SettledNewcomer] {
        days.append((list.at.day, Array(list.places.prefix(Newcomer.far))))
        let most = SettledNewcomer.confirmingDays + SettledNewcomer.before
        if days.count > most { days.removeFirst(days.count - most) }
        let first = days.count - SettledNewcomer.confirmingDays
        guard first >= SettledNewcomer.leastBefore else { return [] }
        let before = days[..<first]
        // Who a place that cannot be read held is not known.
        guard before.allSatisfy({ !$0.apps.contains(nil) }) else { return [] }
        // Who rises through the places below the first ones over some days is new as well.
        let older = before.prefix(max(SettledNewcomer.leastBefore, before.count - SettledNewcomer.confirmingDays))
        let known = Set(older.flatMap { $0.apps.compactMap(\.self) })
            .union(before.flatMap { $0.apps.prefix(top).compactMap(\.self) })
        let staying = days[first...].dropFirst().reduce(Set(days[first].apps.prefix(top))) {
            $0.intersection($1.apps.prefix(top))
        }
        return list.places.prefix(top).enumerated().compactMap { index, app in
            guard let app, staying.contains(app), !known.contains(app), let position = Position(index + 1) else {
                return nil
            }
            return SettledNewcomer(
                query: query, number: app, position: position, since: days[first].day, at: list.at)
        }
    }
}
