/// A query that an edit leaves in the watchlist and changes for apps that the edit does not name. How often a query is
/// asked, how it is spelt and how often people search for it follow from all lines that name it.
package struct AlteredQuery: Sendable, Hashable {
    package let before: WatchedQuery
    package let after: WatchedQuery
    /// The apps that are tracked on it before and after the edit; never empty.
    package let apps: [BundleID]

    /// Whether the query is asked at other times: a slower cadence beside a faster one may add none.
    package var changesTimes: Bool { DeclaredSlots(before.cadences) != DeclaredSlots(after.cadences) }

    /// The apps of `apps` whose tags on the query are other ones, with those of before and of after.
    package var retagged: [(app: BundleID, before: [String], after: [String])] {
        guard before.pairs != after.pairs else { return [] }
        let old = Dictionary(before.pairs.map { ($0.bundleID, $0.tags) }) { first, _ in first }
        return after.pairs.compactMap { pair in
            guard apps.contains(pair.bundleID), let tags = old[pair.bundleID], Set(tags) != Set(pair.tags)
            else { return nil }
            return (pair.bundleID, tags, pair.tags)
        }
    }

    private var isSame: Bool {
        !changesTimes && before.query.text == after.query.text && before.popularity == after.popularity
            && retagged.isEmpty
    }

    /// Those of all queries, in the order of the watchlist as it is after the edit.
    package static func list(from before: Watchlist, to after: Watchlist) -> [AlteredQuery] {
        let old = Dictionary(before.queries.map { ($0.query, $0) }) { first, _ in first }
        return after.queries.compactMap { now in
            guard let then = old[now.query] else { return nil }
            let watched = Set(then.pairs.map(\.bundleID))
            let apps = now.pairs.map(\.bundleID).filter(watched.contains)
            let altered = AlteredQuery(before: then, after: now, apps: apps)
            return altered.isSame || apps.isEmpty ? nil : altered
        }
    }
}

/// When a query is asked, as its lines declare it, without what adds no slot. Two that are equal mean the same moments in
/// every year, whatever clocks do; that is not so of the number of slots on some day.
private struct DeclaredSlots: Equatable {
    /// Seconds, none of which is a multiple of another.
    private let periods: Set<Int64>
    private let times: Set<Time>

    private struct Time: Hashable {
        let time: TimeOfDay
        /// UTC has many names.
        let zone: String
        /// The clocks of the zone differ from those of UTC by multiples of so many seconds; UTC itself has those of a day.
        let grain: Int64
    }

    init(_ cadences: [Cadence]) {
        var (periods, times): (Set<Int64>, Set<Time>) = ([], [])
        for cadence in cadences {
            switch cadence {
            case .every(let seconds): periods.insert(seconds)
            case .at(let list, let zone):
                let days = ZoneDays(zone)
                let grain = days.isUTC ? Timestamp.secondsPerDay : days.grain
                times.formUnion(list.map { Time(time: $0, zone: days.name, grain: grain) })
            }
        }
        let needed = periods.filter { period in
            !periods.contains { $0 != period && period.isMultiple(of: $0) }
        }
        self.periods = needed
        self.times = times.filter { time in !needed.contains { Self.hits(time, every: $0) } }
    }

    /// Whether every slot that begins at `time` begins one of `period` seconds as well.
    private static func hits(_ time: Time, every period: Int64) -> Bool {
        time.grain.isMultiple(of: period) && (Int64(time.time.minuteOfDay) * 60).isMultiple(of: period)
    }
}
