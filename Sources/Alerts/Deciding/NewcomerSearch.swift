import History
import Judging
import RankKit

/// Looks in lists for who came among the first places to stay.
struct NewcomerSearch: Sendable {
    let queries: [Query]
    /// The first places of each rule.
    let tops: [Int]
    /// Those that are over.
    let days: ClosedRange<Int64>
    /// The first day (UTC) that is looked at.
    let first: Int64
    let until: Timestamp
    /// Whether the days are the newest, and few: most of that is known without reading lists.
    let areFew: Bool
    /// Queries of which all days are looked at.
    let waiting: Set<Query>
    let shelf: NewcomerShelf
    let reader: HistoryReader

    /// Who came on one query.
    struct Found: Sendable {
        let top: Int
        let apps: [SettledNewcomer]
    }

    func found() throws(HistoryError) -> [Found] {
        guard first <= days.upperBound else { return [] }
        var all: [Found] = []
        var rest: [Query] = []
        for query in queries {
            let kept = waiting.contains(query) ? nil : shelf.found(on: query, tops: tops, days: first...days.upperBound)
            if let kept { all += kept } else { rest.append(query) }
        }
        return all + (try search(rest))
    }

    /// Looks at the queries whose hour it is, on the newest day, for the turn to come.
    func prepare(now: Timestamp) throws(HistoryError) {
        let due = shelf.due(queries, tops: tops, day: days.upperBound, now: now)
        guard !due.isEmpty else { return }
        let found = try Dictionary(grouping: search(due).filter { !$0.apps.isEmpty }) { $0.apps[0].query }
        for query in due { shelf.put(found[query] ?? [], on: query) }
    }

    private func search(_ queries: [Query]) throws(HistoryError) -> [Found] {
        guard !queries.isEmpty, first <= days.upperBound else { return [] }
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
