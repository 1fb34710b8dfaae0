/// What would make a watchlist fit its pace that does not.
package struct BudgetRemedies: Sendable, Hashable {
    /// A line of the watchlist, and what it asks.
    package struct Line: Sendable, Hashable {
        /// Its JSON path, such as `watch[1]`.
        package var path: String
        package var queries: Int
        package var requestsPerDay: Double
    }

    /// In seconds: with nothing asked more often than this, all fits. `nil` if even four weeks are too short.
    package let every: Int64?
    /// The slowest pace at which all fits as it stands; `nil` if Apple would not bear it.
    package let requestsPerMinute: Int?
    /// The lines that ask most, the greediest first; at most three.
    package let busiest: [Line]

    /// Requests a minute. "Approximately 20 calls per minute": Apple, iTunes Search API, Overview.
    package static let fastestPace = 20
    /// Lengths that a person would write, in seconds: 1 minute to 4 weeks.
    private static let roundLengths: [Int64] =
        [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440, 2_880, 4_320, 10_080, 20_160, 40_320]
        .map { $0 * 60 }

    /// `nil` if everything fits.
    package init?(_ watchlist: Watchlist) {
        let summary = WatchlistSummary(watchlist)
        guard !summary.fitsBudget || !summary.fitsCadence else { return nil }
        let day = Double(Timestamp.secondsPerDay)
        var counts: [[Cadence]: Int] = [:]
        for query in watchlist.queries { counts[query.cadences, default: 0] += 1 }
        let costs = counts.map { (queries: Double($0.value), perDay: SlotCount.perDay($0.key)) }
        every = Self.roundLengths.first { length in
            let wanted = costs.reduce(0) { $0 + $1.queries * min($1.perDay, day / Double(length)) }
            return wanted <= summary.budgetPerDay && summary.passMinutes * 60 <= Double(length)
        }
        // Enough for a day's searches, and for a pass over all queries within the shortest cadence.
        let needed = max(
            summary.requestsPerDay / (24 * 60),
            Double(summary.queries) * 60 / Double(max(1, summary.shortestCadence)))
        requestsPerMinute = needed <= Double(Self.fastestPace) ? max(1, Int(needed.rounded(.up))) : nil
        busiest = Self.busiest(watchlist)
    }

    private static func busiest(_ watchlist: Watchlist) -> [Line] {
        var lines: [String: Line] = [:]
        var order: [String] = []
        for query in watchlist.queries {
            if lines[query.declaredAt] == nil { order.append(query.declaredAt) }
            lines[query.declaredAt, default: Line(path: query.declaredAt, queries: 0, requestsPerDay: 0)].queries += 1
            lines[query.declaredAt]?.requestsPerDay += SlotCount.perDay(query.cadences)
        }
        let all = order.enumerated().compactMap { index, path in lines[path].map { (index, $0) } }
        return all.sorted { ($1.1.requestsPerDay, $0.0) < ($0.1.requestsPerDay, $1.0) }.prefix(3).map(\.1)
    }
}
