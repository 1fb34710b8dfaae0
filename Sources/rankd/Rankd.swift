internal import ArgumentParser
import Console
import Foundation
import History
import Logging
import Monitoring
import RankKit

struct Rankd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankd",
        abstract: "Records where apps stand in the App Store's search results.",
        discussion: """
            Reads a watchlist, searches the App Store for each query on a timer, and keeps the answers in an SQLite file \
            that rankctl reads. Without --once or --check it runs until SIGTERM or SIGINT. SIGHUP reloads the watchlist.
            """,
        version: Release.version)

    @Option(help: ArgumentHelp("The watchlist.", valueName: "file"), completion: .file())
    var watchlist: String?

    @Option(
        help: ArgumentHelp("The history. rankd creates it if it does not exist.", valueName: "file"),
        completion: .file())
    var database: String?

    @Flag(help: "Ask every query that is due, then exit.")
    var once = false

    @Flag(help: "Check the watchlist, print a summary, then exit.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "Ask this server instead of Apple, such as http://127.0.0.1:8080.", valueName: "origin"))
    var searchUrl: String?

    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus at /metrics on this address, such as 127.0.0.1:9483; port 0 takes a free one. "
                + "Everybody who reaches the port can read them.",
            valueName: "host:port"),
        transform: {
            guard let place = HostPort($0) else {
                throw ValidationError("“\(SafeText.escaped($0))” is not an address to listen on: write HOST:PORT")
            }
            return place
        })
    var metrics: HostPort?

    @Option(
        help: "trace, debug, info, notice, warning, error or critical (default: info, or warning with --once).",
        completion: Logger.Level.completion, transform: Logger.Level.argument)
    var logLevel: Logger.Level?

    @Option(help: "text or json.")
    var logFormat: LineLogHandler.Format = .text

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        StandardStreams.fill()
        Allocator.shareOneArena()
        RepeatedOption.refuse(in: Self.self)
        await main(nil)
    }

    mutating func validate() throws {
        if once, check { throw ValidationError("give --once or --check, not both") }
        if once || check, metrics != nil {
            throw ValidationError("--metrics is for the service: leave it out with --once and --check")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        if !check { try Descriptors.require(16) }
        // A reload that is asked for before the service is ready must not end it.
        if !once, !check { signal(SIGHUP, SIG_IGN) }
        let environment = ProcessInfo.processInfo.environment
        let locations = FileLocations(environment: environment) { FileManager.default.fileExists(atPath: $0) }
        let file = WatchlistSource(path: locations.watchlist(flag: watchlist))
        let database = locations.database(flag: database)
        let plan: DecodedWatchlist
        do { plan = try file.load() } catch {
            let ending = Complaint.exit(for: error)
            if !check { await RefusedWatchlist.note(error, inHistoryAt: database) }
            throw ending
        }
        if check {
            Terminal.show(WatchlistSummary(plan.watchlist).text)
            Complaint.warn(plan.warnings)
            return
        }
        let log = Logger(
            lines: "rankd", level: logLevel ?? (once ? .warning : .info), format: logFormat, environment: environment)
        let tracker = Tracker(
            file: file, database: database,
            origin: try StoreOrigin.resolve(flag: searchUrl, environment: environment), log: log,
            notifier: SystemdNotifier(environment: environment), metrics: metrics)
        try await Complaint.exiting {
            do {
                if once { try await tracker.runOnce(plan) } else { try await tracker.runUntilStopped(plan) }
            } catch let failure as ListeningFailure { throw failure.ending }
        }
    }
}
