internal import ArgumentParser
import Console
import RankKit
import Reports

struct WatchRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a pair from the watchlist. Its history stays.",
        discussion: """
            Changes only the lines that name this pair. If a line names other pairs too, rankctl leaves it and says so.
            """)

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"), completion: .words(.query))
    var query: String

    @Argument(
        help: ArgumentHelp("A bundle id, or an alias of the watchlist.", valueName: "app"), completion: .words(.app))
    var app: String

    @Option(help: ArgumentHelp("Only in this country.", valueName: "code"))
    var country: Country?

    @Option(help: "Only on this platform: iphone, ipad or mac.")
    var platform: Platform?

    @OptionGroup var watchlist: WatchlistOption

    func run() async throws {
        let path = watchlist.path(Surroundings())
        let file = EditedWatchlist(path: path)
        let before = try file.read()
        let bundleID = try AppName.bundleID(app, in: before.watchlist)
        try file.change(read: before) { editor in
            try editor.remove(query: query, bundleID: bundleID, country: country, platform: platform)
        }
        Terminal.say(
            "removed “\(SafeText.escaped(query))” for \(bundleID) from \(path); its history stays. "
                + "Reload rankd to stop tracking it (sudo systemctl reload rankd)")
    }
}
