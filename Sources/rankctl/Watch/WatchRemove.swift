internal import ArgumentParser
import Console
import RankKit

struct WatchRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes a pair off the watchlist; its history stays.",
        discussion: """
            Only the lines that name the pair change. Where a line names it together with others, the line is left \
            alone and told.
            """)

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"))
    var query: String

    @Argument(help: ArgumentHelp("A bundle id, or an alias of the watchlist.", valueName: "app"))
    var app: String

    @Option(help: ArgumentHelp("Only in this country.", valueName: "code"))
    var country: Country?

    @Option(help: "Only on this platform: iphone, ipad or mac.")
    var platform: Platform?

    @OptionGroup var watchlist: WatchlistOption

    func run() async throws {
        let path = watchlist.path(Surroundings())
        let bytes = try WatchlistFile.read(path)
        var editor = try WatchlistEditor(bytes)
        let known = try Watchlist.decode(bytes).watchlist.apps.first { $0.alias == app }
        guard let bundleID = known?.bundleID ?? BundleID(app) else {
            throw ValidationError("“\(app)” is no bundle id and no alias of \(path)")
        }
        try editor.remove(query: query, bundleID: bundleID, country: country, platform: platform)
        try EditedWatchlist(path: path).save(editor)
        Terminal.say(
            "removed “\(SafeText.escaped(query))” for \(bundleID) from \(path); its history stays, and rankd stops "
                + "asking on reload (systemctl reload rankd)")
    }
}
