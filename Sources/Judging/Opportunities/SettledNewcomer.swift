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
        // With a list of each day so many are enough; else the days before them are read as well.
        let enough = confirmingDays + before - 1
        let (begin, usual) = (begin(of: days), Timestamp.startOfDay(days.lowerBound - Int64(enough)))
        guard begin <= until else { return [] }
        func read(_ span: ClosedRange<Timestamp>) throws(HistoryError) -> [StoredList] {
            var lists: [StoredList] = []
            try reader.dailyTops(on: query, in: span) { lists.append($0) }
            return lists
        }
        var daily = usual <= until ? try read(usual...until) : []
        if daily.prefix(while: { $0.at.day < days.lowerBound }).count < enough {
            daily = try read(begin...min(usual - 1, until)) + daily
        }
        var lists = RecentLists(query: query, top: top)
        var found: [SettledNewcomer] = []
        for list in daily {
            let confirmed = lists.take(list)
            if days.contains(list.at.day) { found += confirmed }
        }
        return found
    }

    /// Days before the one that confirms of which lists are read: one in three may be without a list.
    package static let reach = Int64((confirmingDays + before) * 3 / 2)

    /// From when on lists are read of who was confirmed on `days`.
    static func begin(of days: ClosedRange<Int64>) -> Timestamp { .startOfDay(days.lowerBound - reach) }

    /// Whether a list is one of the older ones before the `confirmingDays`: on those the app was not even among the first
    /// `Newcomer.far`. Who rises through the places below the first ones over some days is new as well.
    ///
    /// - Parameters:
    ///   - age: how many daily lists are newer, up to the one that confirms.
    ///   - count: of daily lists, `confirmingDays + before` at most.
    static func isOlder(age: Int, of count: Int) -> Bool {
        let before = count - confirmingDays
        return count - 1 - age < max(leastBefore, before - confirmingDays)
    }

    /// How many newer daily lists an older one has at least, if it is one of `confirmingDays + before`.
    static var leastAge: Int { 2 * confirmingDays }
}

/// The first places of a query's newest daily lists.
private struct RecentLists {
    let query: Query
    let top: Int
    /// Each with whether it is known of all of these places who holds them.
    private var days: [(day: Int64, apps: [DenseID?], isWhole: Bool)] = []

    init(query: Query, top: Int) {
        self.query = query
        self.top = top
    }

    /// - Returns: the apps that this list confirms.
    mutating func take(_ list: StoredList) -> [SettledNewcomer] {
        let apps = Array(list.places.prefix(Newcomer.far))
        days.append((list.at.day, apps, !apps.contains(nil)))
        let most = SettledNewcomer.confirmingDays + SettledNewcomer.before
        if days.count > most { days.removeFirst(days.count - most) }
        let first = days.count - SettledNewcomer.confirmingDays
        guard first >= SettledNewcomer.leastBefore else { return [] }
        let before = days[..<first]
        // Who a place that cannot be read held is not known.
        guard before.allSatisfy(\.isWhole) else { return [] }
        // The newest first: nearly everybody was there the day before.
        let places = before.enumerated().reversed().map { index, day in
            day.apps.prefix(
                SettledNewcomer.isOlder(age: days.count - 1 - index, of: days.count) ? Newcomer.far : top)
        }
        var confirmed: Set<DenseID> = []
        return list.places.prefix(top).enumerated().compactMap { index, app in
            guard let app, let position = Position(index + 1), !places.contains(where: { $0.contains(app) }),
                days[first...].allSatisfy({ $0.apps.prefix(top).contains(app) }), confirmed.insert(app).inserted
            else { return nil }
            return SettledNewcomer(
                query: query, number: app, position: position, since: days[first].day, at: list.at)
        }
    }
}
