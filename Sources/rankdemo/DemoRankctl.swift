internal import ArgumentParser
import RankKit
import ReportCommands
import Reports

/// What the demo's history is looked at with: of rankctl what shows something and needs nobody else. Whoever wants to see
/// the demo does not wait until alerts, agents and what they are sent with are built.
struct DemoRankctl: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankctl", abstract: "Shows what the demo recorded.", discussion: remarkOfHelp,
        version: Release.version,
        subcommands: [Report.self] + ReportCatalogue.commands(topLevel: true) + [Watch.self])

    static let remark: String? = "the demo has no more of rankctl: script/build-release rankd makes the whole"
    private static let remarkOfHelp =
        "The demo has the reports and the watchlist's table. script/build-release rankd makes all of rankctl."

    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report", abstract: "Shows reports about the history.",
            subcommands: ReportCatalogue.commands(topLevel: false),
            defaultSubcommand: CatalogueCommand<StandingsRequest>.self)
    }

    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Shows the watchlist.", subcommands: [WatchList.self])
    }
}
