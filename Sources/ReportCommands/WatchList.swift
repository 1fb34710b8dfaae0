package import ArgumentParser
import Console
import History
import RankKit
package import Reports

/// `rankctl watch list`.
package struct WatchList: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists every pair of the watchlist.")

    @Argument(
        help: ArgumentHelp("The watchlist (default: the one that rankd reads).", valueName: "file"),
        completion: .file())
    package var file: String?

    @OptionGroup package var watchlist: WatchlistOption
    @OptionGroup package var database: DatabaseOption
    @OptionGroup package var filter: FilterOptions

    @OptionGroup package var output: OutputOptions

    package init() {}

    package func run() async throws {
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
