package import History
package import RankKit

/// An app that nobody tracks and that has come among the first places of a query to stay.
package struct SettledNewcomer: Sendable, Hashable {
    package let query: Query
    /// Among so many first places.
    package let top: Int
    /// Under whatever number Apple had it last.
    package let number: DenseID
    package let position: Position
    /// When the list was asked for of the first day of those in a row on which it was there.
    package let since: Timestamp
    /// When the list was asked for that confirmed it.
    package let at: Timestamp

    /// Days with a list in a row on which an app is among the first places before it is taken to stay.
    package static let confirmingDays = 3
    /// Days with a list before those, on which it was not there, and on the older of them not even among the first
    /// `Newcomer.far`; and how many are needed.
    static let before = 7
    static let leastBefore = 3

    /// Days before the one that confirms, with a list of each, of which the lists say all there is to know.
    package static let daysBefore = Int64(confirmingDays + before - 1)

    /// Those that were confirmed on `days`, of the reader's, in order of time, of `tops` and of places.
    ///
    /// An app that Apple numbered anew is none, though by its number alone it looks like one.
    ///
    /// - Parameters:
    ///   - tops: how many places are the first, each up to `Newcomer.far`.
    ///   - until: the last moment that is read.
    package static func all(
        on query: Query, tops: [Int], days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [SettledNewcomer] {
        // With a list of each day so many are enough; else the days before them are read as well.
        let zone = reader.days
        let usual = zone.start(of: days.lowerBound - daysBefore)
        let (begin, end) = (zone.start(of: days.lowerBound - reach), min(until, zone.end(of: days.upperBound)))
        guard begin <= end else { return [] }
        var unread: [Timestamp] = []
        var daily = usual <= end ? try reader.dailyTops(on: query, in: usual...end) { unread.append($0) } : []
        if daily.prefix(while: { zone.day(of: $0.at) < days.lowerBound }).count < daysBefore {
            daily = try reader.dailyTops(on: query, in: begin...min(usual - 1, end)) { unread.append($0) } + daily
        }
        var lists = RecentLists(query: query, tops: tops)
        var found: [SettledNewcomer] = []
        var named: [NamedList] = []
        for list in daily {
            // An entry without a number is the app's that got one under its name later.
            named.append(try reader.named(list))
            let confirmed = lists.take(named[named.count - 1])
            guard !confirmed.isEmpty, days.contains(zone.day(of: list.at)) else { continue }
            if !mayHaveBeenThere(before: list, daily, unread, zone) { found += confirmed }
        }
        let others = try reader.otherNumbers(of: Set(found.map(\.number)))
        return found.filter { newcomer in
            others[newcomer.number].map { !newcomer.wasThere(as: $0, named) } ?? true
        }
    }

    /// Whether some of the lists cannot be read on which a newcomer of `list` must not have been.
    ///
    /// - Parameters:
    ///   - daily: in order.
    ///   - unread: when the last list was asked for of each page that cannot be read.
    private static func mayHaveBeenThere(
        before list: StoredList, _ daily: [StoredList], _ unread: [Timestamp], _ zone: ZoneDays
    ) -> Bool {
        unread.contains { last in
            last < list.at && zone.day(of: list.at) - zone.day(of: last) < reach
                && daily.count { last < $0.at && $0.at <= list.at } < confirmingDays + before
        }
    }

    /// Days before the one that confirms of which lists are read: one in three may be without a list.
    package static let reach = Int64((confirmingDays + before) * 3 / 2)

    /// Whether a list is one of the older ones before the `confirmingDays`: on those the app was not even among the first
    /// `Newcomer.far`. Who rises through the places below the first ones over some days is new as well.
    ///
    /// - Parameters:
    ///   - age: how many daily lists are newer, up to the one that confirms.
    ///   - count: of daily lists, `confirmingDays + before` at most.
    fileprivate static func isOlder(age: Int, of count: Int) -> Bool {
        let before = count - confirmingDays
        return count - 1 - age < max(leastBefore, before - confirmingDays)
    }

    /// Whether an app with one of these numbers was on one of the older lists, of which a newcomer is on none.
    ///
    /// - Parameter daily: in order.
    private func wasThere(as numbers: Set<DenseID>, _ daily: [NamedList]) -> Bool {
        let known = daily.prefix { $0.at <= at }.suffix(Self.confirmingDays + Self.before)
        return known.enumerated().contains { index, list in
            Self.isOlder(age: known.count - 1 - index, of: known.count)
                && list.list.places.contains { $0.map(numbers.contains) ?? false }
        }
    }
}

/// The first places of a query's newest daily lists.
private struct RecentLists {
    let query: Query
    let tops: [Int]
    /// Each with whether it is known of all of these places who holds them.
    private var days: [(list: StoredList, isWhole: Bool)] = []

    private static let most = SettledNewcomer.confirmingDays + SettledNewcomer.before

    init(query: Query, tops: [Int]) {
        self.query = query
        self.tops = tops
        days.reserveCapacity(Self.most + 1)
    }

    /// - Parameter named: its first `Newcomer.far` places.
    /// - Returns: the apps that this list confirms.
    mutating func take(_ named: NamedList) -> [SettledNewcomer] {
        let list = named.list
        days.append((list, named.isWhole))
        if days.count > Self.most { days.removeFirst() }
        let first = days.count - SettledNewcomer.confirmingDays
        guard first >= SettledNewcomer.leastBefore else { return [] }
        var found: [SettledNewcomer] = []
        let before = days[first - 1].list.places
        for top in tops {
            for (index, app) in list.places.prefix(top).enumerated() {
                // Most are where they were.
                guard let app, index >= before.count || before[index]?.number != app.number,
                    let position = Position(index + 1), isNew(app, top: top, since: first),
                    list.places.firstIndex(of: app) == index
                else { continue }
                found.append(
                    SettledNewcomer(
                        query: query, top: top, number: app, position: position, since: days[first].list.at,
                        at: list.at))
            }
        }
        return found
    }

    /// - Parameter first: the index of the first of the days in a row.
    private func isNew(_ app: DenseID, top: Int, since first: Int) -> Bool {
        // The newest first: nearly everybody was there the day before.
        for index in (0..<first).reversed() {
            let isOlder = SettledNewcomer.isOlder(age: days.count - 1 - index, of: days.count)
            // Who a place that cannot be read held is not known.
            if !days[index].isWhole || has(app, among: isOlder ? Newcomer.far : top, on: index) { return false }
        }
        return days.indices[first...].allSatisfy { has(app, among: top, on: $0) }
    }

    private func has(_ app: DenseID, among top: Int, on index: Int) -> Bool {
        days[index].list.places.prefix(top).contains { $0?.number == app.number }
    }
}
