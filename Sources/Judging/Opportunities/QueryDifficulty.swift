package import History
package import RankKit

/// How hard a query is to climb, at a glance: who stands in its first ten places.
///
/// No score is made of the figures: both are plain counts of what the searches show.
package struct QueryDifficulty: Sendable, Hashable {
    /// Places that are looked at.
    static let depth = 10
    /// Apps that must have a figure for one of the query to be told; below, `nil`.
    static let minimumApps = 5

    /// Of the list that was looked at: the newest good one.
    package var at: Timestamp
    /// The median of how many ratings the apps of the first ten places have in this storefront, mine included; of those
    /// whose number is known.
    package var medianRatings: Double?
    /// In how many of their names all of the query's words stand (`QueryWords`), out of `named`.
    package var withWords: Int?
    /// Apps of the first ten places whose name is known.
    package var named: Int

    package init(at: Timestamp, medianRatings: Double?, withWords: Int?, named: Int) {
        self.at = at
        self.medianRatings = medianRatings
        self.withWords = withWords
        self.named = named
    }

    init(_ list: TopList, of query: Query) {
        self.init(list, of: query, known: { QueryWords.Name($0) })
    }

    private init(_ list: TopList, of query: Query, known: (String) -> QueryWords.Name) {
        let apps = list.apps.prefix(Self.depth).compactMap(\.self)
        let ratings = apps.compactMap(\.ratingCount).map(Double.init)
        let names = apps.compactMap(\.name)
        var withWords: Int?
        if names.count >= Self.minimumApps, let words = QueryWords(query.text) {
            withWords = names.count { words.areIn(known($0)) }
        }
        self.init(
            at: list.at, medianRatings: ratings.count >= Self.minimumApps ? Robust.median(ratings) : nil,
            withWords: withWords, named: names.count)
    }

    /// By query, as of `moment`; a query without a good list, or whose cannot be read, is left out.
    package static func of(
        _ queries: Set<Query>, at moment: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [Query: QueryDifficulty] {
        var found: [Query: QueryDifficulty] = [:]
        var names: [String: QueryWords.Name] = [:]
        for (query, list) in try reader.topLists(of: queries, first: depth, at: moment) {
            found[query] = QueryDifficulty(
                list, of: query,
                known: { name in
                    if let known = names[name] { return known }
                    let known = QueryWords.Name(name)
                    names[name] = known
                    return known
                })
        }
        return found
    }
}
