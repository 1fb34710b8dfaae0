internal import ArgumentParser

/// The watchlist's pairs, for whoever calls reports as tools: at the terminal, `rankctl watch list` names the file as
/// well.
package struct WatchlistRequest: ReportRequest {
    package static let about = ReportAbout(
        "watchlist", "Lists every pair of the watchlist as it is written now.",
        discussion: "A pair is an app on a query, with the country, the platform, how often it is asked, and its tags.",
        isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [WatchlistReport.self]

    @OptionGroup var options: FilterOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        try WatchlistReport(try context.watchlist(), filter: options.filter, generatedAt: context.now)
    }
}
