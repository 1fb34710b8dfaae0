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
    /// Queries of which all days are looked at.
    let waiting: Set<Query>
    let reader: HistoryReader

    /// By query.
    func found() throws(HistoryError) -> [[SettledNewcomer]] {
        try queries.map { query throws(HistoryError) in
            let first = waiting.contains(query) ? days.lowerBound : first
            guard first <= days.upperBound else { return [] }
            return try SettledNewcomer.all(
                on: query, tops: tops, days: first...days.upperBound, until: until, from: reader)
        }
    }
}
