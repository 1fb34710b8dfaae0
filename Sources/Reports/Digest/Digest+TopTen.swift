import History
import Judging
import RankKit

extension Digest {
    /// The watchlist's apps that have come among the first ten of a list of `queries`: mine first, then those on most of
    /// them.
    ///
    /// - Parameters:
    ///   - filter: where the queries are; whose pairs they are does not count.
    ///   - found: who is in the first ten of a list and was not before: all that is known of an app on a query on which it
    ///     is not tracked.
    static func entered(
        on queries: [Query], _ filter: PairFilter, _ found: [Query: TopEntries], since: Timestamp, until: Timestamp,
        now: Timestamp, _ watched: WatchedApps, _ reader: HistoryReader
    ) throws(HistoryError) -> [Newcomer] {
        var places = filter
        (places.apps, places.tags) = ([], [])
        func window(_ cadence: Int64, _ newest: Timestamp) -> ClosedRange<Timestamp> {
            Reading.window(since: since, until: until, newest: newest, cadence: cadence)
        }
        let wanted = Set(queries)
        let pairs = try reader.standings(places, comparedIn: window, asOf: until < now ? until : nil)
            .filter { wanted.contains($0.query) }
        var entries: [BundleID: [Newcomer.Entry]] = [:]
        var apps: [BundleID: ReportedApp] = [:]
        for pair in pairs {
            guard let entry = pair.enteredTop(by: until) else { continue }
            entries[pair.bundleID, default: []].append(entry)
            apps[pair.bundleID] = ReportedApp(
                bundleID: pair.bundleID, appID: pair.appID, name: pair.appName, alias: pair.alias,
                mark: pair.isMine ? .mine : .competitor)
        }
        let tracked = Dictionary(grouping: pairs, by: \.query).mapValues { Set($0.map(\.bundleID)) }
        for query in queries {
            for entry in found[query]?.entries ?? [] {
                guard let app = watched[entry.app.bundleID],
                    tracked[query]?.contains(app.bundleID) != true
                else { continue }
                entries[app.bundleID, default: []].append(Newcomer.Entry(query: query, entry))
                if apps[app.bundleID] == nil {
                    apps[app.bundleID] = ReportedApp(
                        bundleID: app.bundleID, name: entry.app.name, alias: app.alias,
                        mark: app.isMine ? .mine : .competitor)
                }
            }
        }
        return entries.compactMap { bundleID, entries in apps[bundleID].map { Newcomer(app: $0, entries: entries) } }
            .sorted { left, right in
                let (a, b) = (left.app.mark != .mine, right.app.mark != .mine)
                return a == b ? left.turn < right.turn : !a
            }
    }
}

extension PairStanding {
    /// Its place at `moment`, if that is among the first ten and the one compared with was not; `nil` also where one of
    /// them is not known.
    fileprivate func enteredTop(by moment: Timestamp) -> Newcomer.Entry? {
        let fresh = Reading.window(before: moment, days: 0, cadence: cadence)
        guard let lastGood, lastGood.checkedAt >= fresh.lowerBound, let place = lastGood.position,
            place.number <= Newcomer.top, let compared
        else { return nil }
        func was(among first: Int) -> Bool { compared.position.map { $0.number <= first } ?? false }
        guard !was(among: Newcomer.top) else { return nil }
        return Newcomer.Entry(query: query, position: place, isFromAfar: !was(among: Newcomer.far))
    }
}
