internal import ArgumentParser
package import History
package import RankKit

/// What the watchlist would change and cost, for whoever calls reports as tools: at the terminal, `rankctl plan` names
/// the file as well.
package struct PlanRequest: ReportRequest {
    package static let about = ReportAbout(
        "plan", "Shows what the watchlist would change before rankd adopts it, and what it costs.",
        discussion: "Tells queries, requests a day, how long a round takes, and whether the pace allows it.",
        isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [PlanReport.self]

    @Option(
        help: ArgumentHelp("What asking in this country as well would cost, or in these: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    /// Each once.
    package var countries: [Country] { country.countries }

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let change = try Self.change(
            adopting: context.watchlist(), in: country.countries, from: context.reader, now: context.now)
        for app in change.namedTwice { context.remark("warning: " + app.warning(change.days)) }
        return PlanReport(change, showsAll: true)
    }

    /// - Parameters:
    ///   - countries: those in which queries are to be asked as well; where there are none, what adopting the watchlist
    ///     would change.
    ///   - filter: which pairs are asked there.
    ///   - reader: `nil` if there is no history yet.
    /// - Throws: `HistoryError`, or `ReportRefusal` if `filter` leaves no pair.
    package static func change(
        adopting watchlist: Watchlist, in countries: [Country] = [], _ filter: PairFilter = PairFilter(),
        from reader: HistoryReader?, now: Timestamp
    ) throws -> PlanChange {
        let stored = try reader?.plan(comparedWith: watchlist.namedApps)
        guard !countries.isEmpty else { return PlanChange(adopting: watchlist, over: stored, now: now) }
        return try PlanChange(asking: watchlist, in: countries, filter: filter, over: stored, now: now)
    }
}

extension Watchlist {
    /// Every app that it names, in its order.
    package var namedApps: [BundleID] {
        var known: Set<BundleID> = []
        return (apps.map(\.bundleID) + queries.flatMap { $0.pairs.map(\.bundleID) }).filter {
            known.insert($0).inserted
        }
    }
}
