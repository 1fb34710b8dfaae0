internal import ArgumentParser
import Console
import RankKit
import ReportCommands
import Reports

struct WatchRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a pair from the watchlist. Its history stays.",
        usage: """
            rankctl watch remove <query> <app> [--country <code> ...] [--platform <platform>]
                                 [--language <code>] [<options>]
            """,
        discussion: """
            Changes only the lines that name this pair. If a line also names other pairs, rankctl divides it into several \
            lines that keep those. Your comments and layout stay.
            """)

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"), completion: .words(.query))
    var query: String

    @Argument(
        help: ArgumentHelp("A bundle id, or an alias of the watchlist.", valueName: "app"), completion: .words(.app))
    var app: String

    @Option(help: ArgumentHelp("Only in this country, or these: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "Only on this platform: iphone, ipad or mac.")
    var platform: Platform?

    @Option(
        help: ArgumentHelp("Only in this language of Apple's, such as en_us; none: without one.", valueName: "code"),
        completion: .words(.language))
    var language: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let path = watchlist.path(surroundings)
        let file = EditedWatchlist(path: path)
        let before = try file.read()
        let typed = try AppName.bundleID(app, in: before.watchlist)
        let bundleID = watched(typed, in: before.watchlist, surroundings)
        var staying: [BundleID] = []
        var altered: [AlteredQuery] = []
        do {
            try file.change(read: before) { editor in
                altered = try editor.remove(
                    query: query, bundleID: bundleID, countries: country.countries, platform: platform,
                    language: language)
                staying = competitors(of: bundleID, in: editor.watchlist)
            }
        } catch let refusal as WatchlistEditor.Refusal {
            guard case .notWatched = refusal, let meant = meant(bundleID, in: before.watchlist) else { throw refusal }
            Terminal.say(
                SafeText.escaped(
                    "the watchlist does not have “\(query)” for \(bundleID); did you mean “\(meant)”?"))
            throw ExitStatus(refusal)
        }
        let more = staying.isEmpty ? "" : "its competitors (\(AppName.list(staying, in: before.watchlist))) stay. "
        Terminal.say(
            "removed “\(SafeText.escaped(query))” for \(bundleID) from \(path); its history stays. "
                + "\(more)To stop the searches, \(Remedy.reload(path))")
        for query in altered {
            for line in query.lines(naming: AppName.list(query.apps, in: before.watchlist)) { Terminal.say(line) }
        }
    }

    /// The name that the watchlist has for the app on the query: another one where it does not have the one that was typed
    /// and the history knows that both are of one app.
    private func watched(_ typed: BundleID, in watchlist: Watchlist, _ surroundings: Surroundings) -> BundleID {
        let folded = Query.fold(query)
        let there = Set(
            watchlist.queries.lazy.filter { $0.query.folded == folded }.flatMap { $0.pairs.map(\.bundleID) })
        let names = KnownNames(database, of: watchlist, surroundings)
        guard !there.contains(typed), let other = names.other(typed, in: watchlist),
            let name = other.names.first(where: there.contains)
        else { return typed }
        Terminal.say(names.words(other.app))
        return name
    }

    /// The app, or else the query, that was likely meant where the watchlist does not have the one that was typed.
    private func meant(_ bundleID: BundleID, in watchlist: Watchlist) -> String? {
        guard watchlist.apps.contains(where: { $0.bundleID == bundleID }) else {
            return AppName.nearest(to: app, in: watchlist)
        }
        let folded = Query.fold(query)
        let known = Set(watchlist.queries.map(\.query.folded))
        return known.contains(folded) ? nil : Spelling.nearest(to: folded, in: known.sorted())
    }

    /// Those of an app's competitors that the query is still watched for.
    private func competitors(of app: BundleID, in watchlist: Watchlist) -> [BundleID] {
        let declared = watchlist.apps.first { $0.bundleID == app }?.competitors ?? []
        let folded = Query.fold(query)
        let watched = Set(
            watchlist.queries.lazy.filter { $0.query.folded == folded }.flatMap { $0.pairs.map(\.bundleID) })
        return declared.filter(watched.contains)
    }
}
