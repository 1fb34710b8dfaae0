internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows, checks and changes the watchlist.",
        subcommands: [WatchList.self, WatchCheck.self, WatchAdd.self, WatchRemove.self, WatchPopularity.self])
}

struct WatchList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists every pair of the watchlist.")

    @Argument(
        help: ArgumentHelp("The watchlist (default: the one that rankd reads).", valueName: "file"),
        completion: .file())
    var file: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption
    @OptionGroup var filter: FilterOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let decoded = try WatchlistFile.decode(file ?? watchlist.path(surroundings))
        var filter = filter.filter
        if !filter.apps.isEmpty {
            let known = KnownNames(database, of: decoded.watchlist, surroundings)
            filter.apps = filter.apps.flatMap { known.allWatched($0, in: decoded.watchlist).map { $0.lowercased() } }
        }
        let report = try WatchlistReport(decoded.watchlist, filter: filter, generatedAt: surroundings.now)
        try output.deliver(report, surroundings)
    }
}
