import Foundation
package import History
package import RankKit

extension PlanChange {
    /// What a watchlist would cost more if its queries were asked in other countries as well: compared with the watchlist as
    /// it is, whether rankd has adopted it or not.
    ///
    /// - Parameters:
    ///   - filter: which of its pairs are asked there.
    ///   - stored: what tells whether something was asked before; `nil` if there is no history yet.
    /// - Throws: `ReportRefusal` if `filter` names what the watchlist does not have, or leaves no pair.
    package init(
        asking watchlist: Watchlist, in countries: [Country], filter: PairFilter = PairFilter(),
        over stored: StoredPlan?, now: Timestamp
    ) throws(ReportRefusal) {
        if let nothing = NoSuchPair(filter, in: watchlist) { throw .noPair(nothing) }
        self.init(
            adopting: watchlist.asked(in: countries, filter), over: StoredPlan(of: watchlist, beside: stored, now: now),
            now: now)
        adoptedAt = stored?.adoptedAt
        self.countries = countries
        let recorded = Set((stored?.queries ?? []).map(\.query))
        unrecorded = watchlist.queries.count { !recorded.contains($0.query) }
    }
}

extension Watchlist {
    /// The same with a copy of each query in each of the countries, for those of its apps that the filter admits. A query
    /// that is asked there already stays as it is and gets the apps that it lacks.
    fileprivate func asked(in countries: [Country], _ filter: PairFilter) -> Watchlist {
        let aliases = Dictionary(apps.map { ($0.bundleID, $0.alias) }) { first, _ in first }
        var places = Dictionary(queries.enumerated().map { ($1.query, $0) }) { first, _ in first }
        var widened = self
        for watched in queries {
            let pairs = watched.pairs.filter {
                filter.admits(
                    query: watched.query, bundleID: $0.bundleID, alias: aliases[$0.bundleID] ?? nil, tags: $0.tags)
            }
            guard !pairs.isEmpty else { continue }
            let own = watched.query
            for country in countries {
                let query = Query(
                    text: own.text, country: country, platform: own.platform, source: own.source,
                    language: own.language)
                guard let place = places[query] else {
                    places[query] = widened.queries.count
                    widened.queries.append(
                        WatchedQuery(
                            query: query, cadences: watched.cadences, pairs: pairs, declaredAt: watched.declaredAt))
                    continue
                }
                let known = Set(widened.queries[place].pairs.map(\.bundleID))
                widened.queries[place].pairs += pairs.filter { !known.contains($0.bundleID) }
                // Asked in several of the old countries at different times, a copy is asked at all of them.
                guard place >= queries.count else { continue }
                let cadences = widened.queries[place].cadences
                widened.queries[place].cadences += watched.cadences.filter { !cadences.contains($0) }
            }
        }
        return widened
    }
}

extension StoredPlan {
    /// A watchlist as if it were in force, with what the stored plan knows of the past.
    fileprivate init(of watchlist: Watchlist, beside stored: StoredPlan?, now: Timestamp) {
        let known = Dictionary((stored?.queries ?? []).map { ($0.query, $0) }) { first, _ in first }
        let wanted = Set(watchlist.queries.map(\.query))
        let active = watchlist.queries.map { watched in
            StoredQuery(
                query: watched.query, cadences: watched.cadences, lastCheckedAt: known[watched.query]?.lastCheckedAt,
                listsSince: known[watched.query]?.listsSince,
                pairs: watched.pairs.map { StoredPair(bundleID: $0.bundleID) })
        }
        let retired = (stored?.queries ?? []).filter { !wanted.contains($0.query) }.map { query in
            var query = query
            query.isActive = false
            query.pairs = query.pairs.map { StoredPair(bundleID: $0.bundleID, isActive: false) }
            return query
        }
        self.init(
            adoptedAt: now, requestsPerMinute: watchlist.service.requestsPerMinute, sensitivity: watchlist.sensitivity,
            queries: active + retired, oneApps: stored?.oneApps ?? [])
    }
}
