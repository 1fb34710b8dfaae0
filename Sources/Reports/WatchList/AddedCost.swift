package import RankKit

/// What an edit of a watchlist costs, for people.
package enum AddedCost {
    /// Where and how often the added queries are asked, and what that costs, before and after.
    ///
    /// - Parameters:
    ///   - added: the queries that the edit added or added to, as they are after it.
    ///   - before: the whole watchlist before the edit.
    ///   - after: the same after it.
    package static func lines(_ added: [WatchedQuery], from before: Watchlist, to after: Watchlist) -> [String] {
        guard !added.isEmpty else { return [] }
        let countries = Set(added.map(\.query.country)).sorted().map(\.code)
        let shown =
            countries.count <= 12
            ? countries.joined(separator: ", ") : Figures.counted(countries.count, "country", "countries")
        let platforms = Platform.allCases.filter { platform in added.contains { $0.query.platform == platform } }
        let languages = Set(added.compactMap(\.query.language)).sorted()
        let cadences = Set(added.map { words($0.cadences) }).sorted()
        let asked =
            ["in \(shown)", "on \(platforms.map(\.displayName).joined(separator: ", "))"]
            + (languages.isEmpty ? [] : ["language \(languages.joined(separator: ", "))"])
            + [cadences.joined(separator: "; ")]
        return ["asked \(asked.joined(separator: ", "))", cost(from: before, to: after)]
    }

    /// `every 6h`, `at 03:00, 15:00 Europe/Berlin`; several joined by `+`.
    private static func words(_ cadences: [Cadence]) -> String {
        cadences.map { cadence in
            if case .every(let seconds) = cadence { return "every \(Cadence.written(seconds: seconds))" }
            return "at \(WatchlistReport.words([cadence]))"
        }.joined(separator: " + ")
    }

    /// How many searches more, and how much of what the pace allows that is.
    package static func cost(from before: Watchlist, to after: Watchlist) -> String {
        let (old, new) = (WatchlistSummary(before), WatchlistSummary(after))
        guard old.requestsPerDay != new.requestsPerDay else {
            return "costs no search more: one search serves all apps on a query"
        }
        let more = number(new.requestsPerDay - old.requestsPerDay)
        let words =
            "costs \(more) \(more == "1" ? "search" : "searches") a day more: \(number(old.requestsPerDay)) → "
            + "\(number(new.requestsPerDay)) of the \(number(new.budgetPerDay)) that the pace allows "
            + "(\(share(of: old)) → \(share(of: new)))"
        guard !new.fitsBudget else { return words }
        return words + "; that is too much: ask less often, or remove queries (rankctl watch check says which)"
    }

    /// How much of what the pace allows is used: `0.4 %`.
    static func share(of summary: WatchlistSummary) -> String {
        let percent = summary.requestsPerDay / max(1, summary.budgetPerDay) * 100
        if percent == 0 { return "0 %" }
        if percent < 0.1 { return "<0.1 %" }
        return Figures.decimal(percent, places: percent < 10 ? 1 : 0) + " %"
    }

    private static func number(_ value: Double) -> String {
        Figures.decimal(value, places: 1).hasSuffix(".0")
            ? Figures.grouped(Int64(value.rounded())) : Figures.decimal(value, places: 1)
    }
}
