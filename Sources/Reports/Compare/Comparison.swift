import History
import Judging
import RankKit

/// My app and its competitors side by side on its queries: the value behind `rankctl report compare`.
struct Comparison: Sendable {
    var generatedAt: Timestamp
    /// The moment that the lists are of: `generatedAt`, or an earlier one.
    var until: Timestamp
    /// The app first, then its competitors in the watchlist's order.
    var apps: [ReportedApp]
    /// In the watchlist's order; also queries that have no good list yet.
    var rows: [Row]
    /// What changes are counted from; `nil` if none are.
    var since: Timestamp?
    /// The app beside each of its competitors, in their order.
    var meetings: [HeadToHead] = []
    /// Lists that would have been shown or compared with, and cannot be read.
    var damaged: [DamagedLists] = []

    struct Row: Sendable, Hashable {
        var query: Query
        /// When the good check began whose list is shown; `nil` if there is none.
        var checkedAt: Timestamp?
        var within: Int?
        /// Whether a later check failed, is suspect, or could not tell of each app whether it held a place.
        var isOutdated = false
        /// One an app; `nil` for not in the list.
        var positions: [Position?]
        /// By app: what became of its place since the earlier list; empty if there is none to compare with.
        var changes: [Standings.Change?] = []

        /// Which of the apps stands best; `nil` if none is in the list.
        var leader: Int? {
            positions.indices.filter { positions[$0] != nil }
                .min { (positions[$0]?.number ?? 0) < (positions[$1]?.number ?? 0) }
        }
    }
}

extension Comparison {
    /// Reads the newest good lists of `queries`.
    ///
    /// - Parameter until: the moment that the report is about; `now` if it is `nil` or later.
    init(
        _ bundleID: BundleID, on queries: [Query], since: Timestamp? = nil, until: Timestamp? = nil,
        from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let until = min(until ?? now, now)
        let watched = try WatchedApps(reader)
        let bundles = [bundleID] + (watched[bundleID]?.competitors ?? [])
        var sought: [SoughtApp] = []
        var apps: [ReportedApp] = []
        for bundle in bundles {
            sought.append(try SoughtApp(bundle, reader))
            guard let country = queries.first?.country else {
                apps.append(ReportedApp(bundleID: bundle, alias: watched[bundle]?.alias))
                continue
            }
            apps.append(try watched.reported(bundle, namedIn: country, reader))
        }
        var rows: [Row] = []
        var lists = ReadableLists(reader)
        for query in queries {
            let list = try lists.good(on: query, at: until, tellingOf: sought)
            let newest = try reader.newestCheck(of: query, at: until)
            var row = Row(
                query: query, checkedAt: list?.at, within: list?.count,
                isOutdated: list.map { $0.at != newest?.at || newest?.outcome.isGood != true } ?? false,
                positions: sought.map { list?.place(of: $0).position })
            if let since, let list,
                let earlier = try lists.good(
                    on: query, since: since, until: until, beside: list, tellingOf: sought),
                earlier.at < list.at
            {
                row.changes = sought.map {
                    Standings.Change(from: Reading(earlier.place(of: $0)), to: Reading(list.place(of: $0)))
                }
            }
            rows.append(row)
        }
        self.init(generatedAt: now, until: until, apps: apps, rows: rows)
        self.since = since
        damaged = lists.damaged
        guard bundles.count > 1 else { return }
        let mine = try AppOnQueries(
            bundleID, on: queries, in: HeadToHead.beginning(since, until: until)...until, reader)
        for competitor in bundles.dropFirst() {
            meetings.append(try HeadToHead(mine, competitor, from: reader, now: now))
        }
    }
}
