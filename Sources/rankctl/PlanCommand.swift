internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Shows what a watchlist would change before rankd adopts it.",
        discussion: """
            Changes nothing. If the watchlist is invalid, prints every mistake on stderr and exits with 78.
            """)

    @Argument(
        help: ArgumentHelp("The watchlist (default: the one that rankd reads).", valueName: "file"),
        completion: .file())
    var file: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    @Flag(help: "Show long lists in full on a terminal. A file or a pipe always gets them in full.")
    var all = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let decoded = try WatchlistFile.decode(file ?? watchlist.path(surroundings))
        let change = PlanChange(
            adopting: decoded.watchlist, over: try stored(decoded.watchlist, surroundings), now: surroundings.now)
        try ReportZone.$days.withValue(change.days) {
            try output.deliver(PlanReport(change, showsAll: all || output.showsAllRows), surroundings)
        }
        Complaint.warn(decoded.warnings)
        for app in change.namedTwice { Terminal.say("warning: " + app.warning(change.days)) }
    }

    /// `nil` before rankd has made its history.
    private func stored(_ watchlist: Watchlist, _ surroundings: Surroundings) throws -> StoredPlan? {
        do {
            return try database.reader(surroundings).plan(comparedWith: watchlist.namedApps)
        } catch HistoryError.missing(let path) {
            Terminal.say("there is no history at \(SafeText.escaped(path)) yet, so everything is new")
            return nil
        }
    }
}
