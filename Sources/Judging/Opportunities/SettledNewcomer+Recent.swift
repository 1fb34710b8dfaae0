package import History
package import RankKit

extension SettledNewcomer {
    /// What `all` finds on each of `queries`, for a few days up to now: without a list of most queries, and without the
    /// older lists of most others.
    ///
    /// An app that Apple numbered anew is none: by its number alone it would look like one.
    ///
    /// - Returns: the queries that have any.
    package static func recent(
        on queries: [Query], top: Int, days: ClosedRange<Int64>, until: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [Query: [SettledNewcomer]] {
        // What is kept apart goes back eight days, so that more need not be asked for.
        let tops = try reader.pastTops(of: queries, since: days.lowerBound - Int64(leastAge) - 2, until: until)
        var found: [Query: [SettledNewcomer]] = [:]
        for query in queries {
            guard let past = tops[query], past.since <= days.lowerBound else {
                found[query] = try all(on: query, top: top, days: days, until: until, from: reader)
                continue
            }
            guard var search = RecentSearch(past, top: top, days: days) else { continue }
            let isRead = try reader.dailyPlaces(
                of: search.apps, on: query, in: begin(of: days)...search.until
            ) { search.take($0) }
            if isRead, !search.isUncertain {
                found[query] = search.newcomers(on: query)
            } else {
                found[query] = try all(on: query, top: top, days: days, until: until, from: reader)
            }
        }
        let others = try reader.otherNumbers(of: Set(found.values.joined().map(\.number)))
        for (query, newcomers) in found {
            let known = newcomers.filter { newcomer in
                guard let others = others[newcomer.number], let past = tops[query] else { return true }
                return !past.wasThere(others, before: newcomer)
            }
            found[query] = known.isEmpty ? nil : known
        }
        return found
    }
}

extension PastTop {
    /// Whether an app with one of these numbers was among the first places on one of the days before, of which a
    /// newcomer was on none.
    fileprivate func wasThere(_ numbers: Set<DenseID>, before newcomer: SettledNewcomer) -> Bool {
        guard let index = days.firstIndex(where: { $0.day == newcomer.at.day }) else { return false }
        return days.dropFirst(index + SettledNewcomer.leastAge).contains { !$0.held.isDisjoint(with: numbers) }
    }
}

/// Who may have been confirmed on some days, followed from the newest list of a query back.
private struct RecentSearch {
    private struct Candidate {
        var app: DenseID
        /// Of the daily lists, the newest first, the one that confirms it.
        var list: Int
    }

    private let top: Int
    private var candidates: [Candidate] = []
    /// The daily lists so far, the newest first.
    private var lists: [DailyPlaces]
    /// The newest days that are known to have one.
    private let known: [Int64]
    /// Whether an entry could not be read that matters, or a list is not there: then all lists are to be read.
    private(set) var isUncertain = false
    /// The end of the day before the newest list.
    let until: Timestamp

    private static let most = SettledNewcomer.confirmingDays + SettledNewcomer.before

    /// - Returns: `nil` if nobody can have been confirmed. Who is confirmed on a day was among the first places at its end
    ///   and on the days with a list before, and not on the older ones.
    init?(_ past: PastTop, top: Int, days: ClosedRange<Int64>) {
        self.top = top
        known = past.days.map(\.day)
        until = .startOfDay(past.at.day) - 1
        var positions: [DenseID: Position] = [:]
        for (index, app) in past.apps.enumerated() {
            guard let app, positions[app] == nil else { continue }
            positions[app] = Position(index + 1)
        }
        lists = [DailyPlaces(at: past.at, positions: positions, isWhole: !past.apps.contains(nil))]
        for (index, day) in past.days.enumerated() where days.contains(day.day) {
            var apps = index == 0 ? Set(past.apps.prefix(top).compactMap(\.self)) : day.held
            let before = past.days.dropFirst(index + 1)
            for other in before.prefix(SettledNewcomer.confirmingDays - 1) { apps.formIntersection(other.held) }
            for other in past.days.dropFirst(index + SettledNewcomer.leastAge).prefix(
                Self.most - SettledNewcomer.leastAge)
            where !apps.isEmpty {
                apps.subtract(other.held)
            }
            candidates += apps.map { Candidate(app: $0, list: index) }
        }
        if candidates.isEmpty { return nil }
    }

    /// Those who may still be confirmed.
    var apps: Set<DenseID> { Set(candidates.map(\.app)) }

    /// Takes up the list of the day before.
    ///
    /// - Returns: who may still be confirmed, by days before.
    mutating func take(_ list: DailyPlaces) -> Set<DenseID> {
        lists.append(list)
        let newest = lists.count - 1
        if newest < known.count, known[newest] != list.at.day { isUncertain = true }
        candidates = candidates.filter { candidate in
            let age = newest - candidate.list
            guard 0 <= age, age < Self.most else { return true }
            let place = list.positions[candidate.app]?.number ?? .max
            if age < SettledNewcomer.confirmingDays { return place <= top }
            if !list.isWhole { isUncertain = true }
            return place > (age < SettledNewcomer.leastAge ? top : Newcomer.far)
        }
        if isUncertain { return [] }
        return Set(candidates.lazy.filter { newest - $0.list < Self.most - 1 }.map(\.app))
    }

    /// Those who were confirmed, in order of time and of places.
    func newcomers(on query: Query) -> [SettledNewcomer] {
        let confirmed = candidates.filter { candidate in
            let count = min(lists.count - candidate.list, Self.most)
            guard SettledNewcomer.confirmingDays + SettledNewcomer.leastBefore <= count else { return false }
            return (SettledNewcomer.confirmingDays..<count).allSatisfy { age in
                let place = lists[candidate.list + age].positions[candidate.app]?.number ?? .max
                return place > (SettledNewcomer.isOlder(age: age, of: count) ? Newcomer.far : top)
            }
        }
        return confirmed.compactMap { candidate in
            let list = lists[candidate.list]
            guard let position = list.positions[candidate.app] else { return nil }
            return SettledNewcomer(
                query: query, number: candidate.app, position: position,
                since: lists[candidate.list + SettledNewcomer.confirmingDays - 1].at.day, at: list.at)
        }.sorted { ($0.at, $0.position) < ($1.at, $1.position) }
    }
}
