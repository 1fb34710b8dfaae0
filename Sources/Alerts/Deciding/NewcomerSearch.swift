import History
import Judging
import RankKit

/// Looks in lists for who came among the first places to stay.
struct NewcomerSearch: Sendable {
    let queries: [Query]
    /// The first places of each rule.
    let tops: [Int]
    let days: ClosedRange<Int64>
    /// The first day (UTC) that is looked at.
    let first: Int64
    let until: Timestamp
    /// Whether the days are the newest, and few: most of that is known without reading lists.
    let areFew: Bool
    /// Queries of which all days are looked at.
    let waiting: Set<Query>
    let reader: HistoryReader

    /// Who came on one query.
    struct Found: Sendable {
        let top: Int
        let apps: [SettledNewcomer]
    }

    func found() throws(HistoryError) -> [Found] {
        guard first <= days.upperBound else { return [] }
        var all: [Found] = []
        for top in tops {
            var known: [Query: [SettledNewcomer]]?
            if areFew {
                known = try SettledNewcomer.recent(
                    on: queries, top: top, days: first...days.upperBound, until: until, from: reader)
            }
            for query in queries {
                if let known, !waiting.contains(query) {
                    all.append(Found(top: top, apps: known[query] ?? []))
                } else {
                    let asked = areFew ? days : first...days.upperBound
                    all.append(
                        Found(
                            top: top,
                            apps: try SettledNewcomer.all(on: query, top: top, days: asked, until: until, from: reader))
                    )
                }
            }
        }
        return all
    }
}
