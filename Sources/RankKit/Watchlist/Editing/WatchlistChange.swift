/// What differs between two watchlists: what an edit is held against.
struct WatchlistChange {
    struct Pair: Hashable {
        let query: Query
        let bundleID: BundleID
    }

    let added: Set<Pair>
    let removed: Set<Pair>
    /// Queries in both of which anything differs, apart from the place that declares them.
    let altered: Set<Query>
    let keepsNotesAndSettings: Bool
    /// Whether the apps that have an alias are the same in all they say.
    let keepsDeclaredApps: Bool

    init(from before: Watchlist, to after: Watchlist) {
        // An edit leaves nearly all of a long list as it was, and that at its beginning.
        let same = zip(before.queries, after.queries).prefix { $0 == $1 && $0.query.text == $1.query.text }.count
        let (oldRest, newRest) = (before.queries.dropFirst(same), after.queries.dropFirst(same))
        let old = Self.pairs(oldRest)
        let new = Self.pairs(newRest)
        added = new.subtracting(old)
        removed = old.subtracting(new)
        let oldQueries = Dictionary(oldRest.map { ($0.query, $0) }) { first, _ in first }
        altered = Set(
            newRest.filter { query in
                guard var other = oldQueries[query.query] else { return false }
                other.declaredAt = query.declaredAt
                return other != query || other.query.text != query.query.text
            }.map(\.query))
        keepsNotesAndSettings =
            before.notes == after.notes && before.service == after.service && before.timeZone == after.timeZone
        keepsDeclaredApps = before.apps.filter { $0.alias != nil } == after.apps.filter { $0.alias != nil }
    }

    private static func pairs(_ queries: some Sequence<WatchedQuery>) -> Set<Pair> {
        var pairs: Set<Pair> = []
        for query in queries {
            for pair in query.pairs { pairs.insert(Pair(query: query.query, bundleID: pair.bundleID)) }
        }
        return pairs
    }
}
