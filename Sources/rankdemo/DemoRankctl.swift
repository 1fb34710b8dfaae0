internal import ArgumentParser
import RankKit
import ReportCommands
import Reports

/// What the demo's history is looked at with: of rankctl what shows something and needs nobody else. Whoever wants to see
/// the demo does not wait until alerts, agents and what they are sent with are built.
struct DemoRankctl: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankctl", abstract: "Shows what the demo recorded.", discussion: place + ".",
        version: Release.version,
        subcommands: [ReportCommand<CatalogueCommand<DigestRequest>>.self] + ReportCatalogue.commands(topLevel: true)
            + [Watch.self])

    static let elsewhere: (names: Set<String>, place: String)? = (
        [
            "search", "init", "plan", "note", "alerts", "backup", "verify", "export", "import", "prune", "mcp",
        ], place
    )
    private static let place =
        "the demo's rankctl has the reports and the table of the watchlist; script/build-release rankd builds the rest too"

    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Shows the watchlist.", subcommands: [WatchList.self])
    }
}
