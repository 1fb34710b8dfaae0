import Foundation
package import History
package import RankKit

extension PlanChange {
    /// Compares as `HistoryStore.adopt` does: a query is the same where text, country, platform, source and language
    /// are, a pair where query and app are.
    ///
    /// - Parameter stored: `nil` if there is no history yet.
    package init(adopting watchlist: Watchlist, over stored: StoredPlan?, now: Timestamp) {
        let known = Dictionary(
            (stored?.queries ?? []).map { ($0.query, $0) }, uniquingKeysWith: { first, _ in first })
        let wanted = Set(watchlist.queries.map(\.query))
        let named = Set(watchlist.apps.map(\.bundleID) + watchlist.queries.flatMap { $0.pairs.map(\.bundleID) })
        let left = (stored?.queries ?? []).filter { $0.isActive && !wanted.contains($0.query) }
        let fresh = watchlist.queries.map(\.query).filter { known[$0] == nil }
        let reasons = Self.reasons(fresh, left: left.map(\.query))

        var found = Found(oneApps: stored?.oneApps ?? [])
        for watched in watchlist.queries {
            found.compare(watched, with: known[watched.query], because: reasons[watched.query])
        }
        for search in left {
            found.pairsRetired += search.pairs.filter(\.isActive)
                .map { Pair(query: search.query, bundleID: $0.bundleID, goesWithSearch: true) }
        }
        let isFirst = stored?.adoptedAt == nil
        self.init(
            generatedAt: now, adoptedAt: stored?.adoptedAt,
            added: found.added.sorted { $0.query.precedes($1.query) },
            retired: left.map { .init(query: $0.query, lastCheckedAt: $0.lastCheckedAt) }
                .sorted { $0.query.precedes($1.query) },
            keptCount: found.keptCount, recadenced: found.recadenced.sorted { $0.query.precedes($1.query) },
            pairsAdded: found.pairsAdded.sorted { $0.pair.precedes($1.pair) },
            pairsRetired: found.pairsRetired.sorted { $0.precedes($1) },
            pairsRenamed: found.pairsRenamed.sorted { $0.pair.precedes($1.pair) }, pairsKept: found.pairsKept,
            namedTwice: found.oneApps.compactMap { $0.among(named) },
            before: isFirst ? nil : stored.map { WatchlistSummary($0.watchlist) },
            after: WatchlistSummary(watchlist), remedies: BudgetRemedies(watchlist))
        days = watchlist.days
    }

    /// What the comparison has found so far.
    private struct Found {
        let oneApps: [OneApp]
        var added: [AddedSearch] = []
        var recadenced: [CadenceChange] = []
        var pairsAdded: [AddedPair] = []
        var pairsRetired: [Pair] = []
        var pairsRenamed: [RenamedPair] = []
        var (keptCount, pairsKept) = (0, 0)

        init(oneApps: [OneApp]) { self.oneApps = oneApps }

        /// - Parameters:
        ///   - before: the query as it is stored; `nil` if it is new.
        ///   - reason: which property makes it another one than a query that is left.
        mutating func compare(
            _ watched: WatchedQuery, with before: StoredPlan.StoredQuery?, because reason: (Property, Query)?
        ) {
            let isKept = before?.isActive ?? false
            if let before, isKept {
                keptCount += 1
                if Set(before.cadences) != Set(watched.cadences) {
                    recadenced.append(
                        .init(query: watched.query, before: before.cadences, after: watched.cadences))
                }
            } else {
                let history: Continuation =
                    if let before {
                        .continues(lastCheckedAt: before.lastCheckedAt)
                    } else if let (property, old) = reason {
                        .startsAnewBecause(property, insteadOf: old)
                    } else { .startsAnew }
                added.append(
                    .init(
                        query: watched.query, cadences: watched.cadences, apps: watched.pairs.count, history: history))
            }
            comparePairs(of: watched, with: before, isKept: isKept)
        }

        private mutating func comparePairs(
            of watched: WatchedQuery, with before: StoredPlan.StoredQuery?, isKept: Bool
        ) {
            let pairs = Dictionary(
                (before?.pairs ?? []).map { ($0.bundleID, $0.isActive) }, uniquingKeysWith: { $0 || $1 })
            let apps = Set(watched.pairs.map(\.bundleID))
            var left = isKept ? (before?.pairs ?? []).filter { $0.isActive && !apps.contains($0.bundleID) } : []
            for pair in watched.pairs {
                let app = oneApps.first { $0.names.contains(pair.bundleID) }
                if pairs[pair.bundleID] == true {
                    pairsKept += 1
                } else if let app, let index = left.firstIndex(where: { app.names.contains($0.bundleID) }) {
                    let from = left.remove(at: index).bundleID
                    pairsKept += 1
                    pairsRenamed.append(
                        .init(
                            pair: .init(query: watched.query, bundleID: pair.bundleID, goesWithSearch: false),
                            from: from, app: app))
                } else {
                    pairsAdded.append(
                        .init(
                            pair: .init(
                                query: watched.query, bundleID: pair.bundleID, goesWithSearch: !isKept),
                            comesBack: pairs[pair.bundleID] != nil, pastSince: before?.listsSince))
                }
            }
            pairsRetired += left.map {
                Pair(query: watched.query, bundleID: $0.bundleID, goesWithSearch: false)
            }
        }
    }

    /// Which single property keeps a new query from going on the history of one that is left: each that is left
    /// explains at most one that is new. A text explains only where nothing else could have been meant: one text left
    /// and one new for the same country, platform, source and language.
    private static func reasons(_ fresh: [Query], left: [Query]) -> [Query: (Property, Query)] {
        var reasons: [Query: (Property, Query)] = [:]
        var used: Set<Query> = []
        for property in Property.allCases {
            let open = Dictionary(grouping: left.filter { !used.contains($0) }) { Rest(of: $0, without: property) }
            let asking = Dictionary(grouping: fresh.filter { reasons[$0] == nil }) { Rest(of: $0, without: property) }
            for (rest, queries) in asking {
                guard let candidates = open[rest] else { continue }
                if property == .text, queries.count > 1 || candidates.count > 1 { continue }
                let ordered = queries.sorted { $0.precedes($1) }
                for (query, old) in zip(ordered, candidates.sorted { $0.precedes($1) }) {
                    reasons[query] = (property, old)
                    used.insert(old)
                }
            }
        }
        return reasons
    }

    /// A query but for one of its properties.
    private struct Rest: Hashable {
        var text: String?
        var country: Country?
        var platform: Platform?
        var source: Source?
        var language: String?

        init(of query: Query, without property: Property) {
            text = property == .text ? nil : query.folded
            country = property == .country ? nil : query.country
            platform = property == .platform ? nil : query.platform
            source = property == .source ? nil : query.source
            language = property == .language ? nil : query.language
        }
    }
}

extension StoredPlan {
    /// The part of it that is active, as the watchlist that it came from.
    fileprivate var watchlist: Watchlist {
        Watchlist(
            queries: queries.filter(\.isActive).map { query in
                WatchedQuery(
                    query: query.query, cadences: query.cadences,
                    pairs: query.pairs.filter(\.isActive).map { WatchedPair(bundleID: $0.bundleID) })
            }, service: ServiceSettings(requestsPerMinute: requestsPerMinute), sensitivity: sensitivity)
    }
}

extension Query {
    /// By text first, so that what differs in one property only stands together.
    func precedes(_ other: Query) -> Bool { key.lexicographicallyPrecedes(other.key) }

    private var key: [String] { [folded, country.code, platform.rawValue, source.rawValue, language ?? ""] }
}

extension PlanChange.Pair {
    fileprivate func precedes(_ other: Self) -> Bool {
        query == other.query ? bundleID.folded < other.bundleID.folded : query.precedes(other.query)
    }
}
