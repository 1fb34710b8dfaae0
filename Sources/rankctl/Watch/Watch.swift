internal import ArgumentParser
import ReportCommands

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows, checks and changes the watchlist.",
        subcommands: [WatchList.self, WatchCheck.self, WatchAdd.self, WatchRemove.self, WatchPopularity.self])
}
