/// A query that an edit leaves in the watchlist and changes for apps that the edit does not name. How often a query is
/// asked, and how it is spelt, follows from all lines that name it.
package struct AlteredQuery: Sendable, Hashable {
    package let before: WatchedQuery
    package let after: WatchedQuery
    /// The apps that are tracked on it before and after the edit; never empty.
    package let apps: [BundleID]

    /// Whether the query is asked at other times: a slower cadence beside a faster one may add none.
    package var changesTimes: Bool {
        Set(before.cadences) != Set(after.cadences)
            && SlotCount.perDay(before.cadences) != SlotCount.perDay(after.cadences)
    }

    /// Those of all queries, in the order of the watchlist as it is after the edit.
    static func list(from before: Watchlist, to after: Watchlist) -> [AlteredQuery] {
        let old = Dictionary(before.queries.map { ($0.query, $0) }) { first, _ in first }
        return after.queries.compactMap { now in
            guard let then = old[now.query] else { return nil }
            let watched = Set(then.pairs.map(\.bundleID))
            let apps = now.pairs.map(\.bundleID).filter(watched.contains)
            let altered = AlteredQuery(before: then, after: now, apps: apps)
            let isSame =
                !altered.changesTimes && then.query.text == now.query.text && then.popularity == now.popularity
            return isSame || apps.isEmpty ? nil : altered
        }
    }
}
