internal import ArgumentParser
import Console
import RankKit
import Reports

struct WatchRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes a pair off the watchlist; its history stays.",
        discussion: """
            Only the lines that name the pair change. Where a line names it together with others, the line is left \
            alone and told.
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
            "removed “\(SafeText.escaped(query))” for \(bundleID) from \(path); its history stays, and rankd stops "
                + "asking on reload (systemctl reload rankd)")
    }
}
