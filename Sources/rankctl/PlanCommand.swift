internal import ArgumentParser
import Console
import History
import RankKit
import ReportCommands
import Reports

struct PlanCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Shows what a watchlist would change before rankd adopts it.",
        usage: """
            rankctl plan [<file>] [--database <file>] [<options>]
            rankctl plan --country <code> ... [--app <app>] [--query <text>] [--tag <tag>] [<options>]
            """,
        discussion: """
            Changes nothing. If the watchlist is invalid, prints every mistake on stderr and exits with 78. With --country it \
            answers what more countries would cost, without an edit: a copy of each query that you watch in each of these \
            countries, or of those that --app, --query and --tag choose. It is compared with the watchlist as it is.
            """)

    @Argument(
        help: ArgumentHelp("The watchlist (default: the one that rankd reads).", valueName: "file"),
        completion: .file())
    var file: String?

    @OptionGroup var request: PlanRequest

    @Option(
        help: ArgumentHelp("With --country: only queries of this app.", valueName: "alias or bundle id"),
        completion: .words(.app))
    var app: [String] = []

    @Option(
        help: ArgumentHelp("With --country: only this search text.", valueName: "text"), completion: .words(.query))
    var query: [String] = []

    @Option(
        help: ArgumentHelp("With --country: only pairs with this tag.", valueName: "tag"), completion: .words(.tag))
    var tag: [String] = []

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    @Flag(help: "Show long lists in full on a terminal. A file or a pipe always gets them in full.")
    var all = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard request.countries.isEmpty, !(app.isEmpty && query.isEmpty && tag.isEmpty) else { return }
        throw ValidationError("--app, --query and --tag choose what --country is about: add --country")
    }

    func run() async throws {
        let surroundings = Surroundings()
        let decoded = try WatchlistFile.decode(file ?? watchlist.path(surroundings))
        let change = try change(to: decoded.watchlist, surroundings)
        try ReportZone.$days.withValue(change.days) {
            try output.deliver(PlanReport(change, showsAll: all || output.showsAllRows), surroundings)
        }
        Complaint.warn(decoded.warnings)
        for app in change.namedTwice { Terminal.say("warning: " + app.warning(change.days)) }
    }

    private func change(to watchlist: Watchlist, _ surroundings: Surroundings) throws -> PlanChange {
        let known = KnownNames(database, of: watchlist, surroundings)
        let filter = PairFilter(
            apps: app.flatMap { known.allWatched($0, in: watchlist) }, queries: query, tags: tag)
        return try PlanRequest.change(
            adopting: watchlist, in: request.countries, filter, from: try reader(surroundings),
            now: surroundings.now)
    }

    /// `nil` before rankd has made its history.
    private func reader(_ surroundings: Surroundings) throws -> HistoryReader? {
        do {
            return try database.reader(surroundings)
        } catch HistoryError.missing(let path) {
            // What more countries cost needs none.
            if request.countries.isEmpty {
                Terminal.say("there is no history at \(SafeText.escaped(path)) yet, so everything is new")
            }
            return nil
        }
    }
}
