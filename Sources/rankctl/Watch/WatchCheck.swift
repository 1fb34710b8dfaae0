import Alerts
import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct WatchCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks a watchlist and prints a summary.",
        usage: """
            rankctl watch check [<file>] [--online] [--search-url <origin>] [--watchlist <file>]
                                [--database <file>]
            """,
        discussion: """
            If the watchlist is invalid, prints every mistake on stderr and exits with 78. If the pace does not allow as \
            many requests as it wants, exits with 1. If it has alerts and the history has a month, also says how many \
            messages they would have sent. With --online it also asks the App Store, records nothing, and exits with 1 if \
            it did not find an app, or with 69 if there was no answer at all.
            """)

    @Argument(
        help: ArgumentHelp("The watchlist (default: the one that rankd reads).", valueName: "file"),
        completion: .file())
    var file: String?

    @Flag(help: "Also ask the App Store whether it sells the apps.")
    var online = false

    @Option(help: ArgumentHelp("Ask this server with --online instead of Apple.", valueName: "origin"))
    var searchUrl: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let path = file ?? watchlist.path(surroundings)
        let decoded = try WatchlistFile.decode(path)
        let cost = messageCost(of: decoded.watchlist, surroundings)
        let summary = WatchlistSummary(decoded.watchlist)
        let text = summary.text(alerts: cost)
        try Terminal.deliver(Terminal.isTerminal ? Terminal.broken(text) : text)
        Complaint.warn(decoded.warnings)
        for warning in KnownNames(database, of: decoded.watchlist, surroundings).warnings(on: decoded.watchlist) {
            Terminal.say("warning: " + warning)
        }
        let secrets = surroundings.secrets(besides: path)
        for channel in decoded.watchlist.alerts?.channels ?? [] {
            for problem in secrets.problems(of: channel) {
                Terminal.explain("nothing can be sent to channel “\(SafeText.escaped(channel.name))”: \(problem)")
            }
        }
        guard online else {
            if !summary.fitsBudget { throw ExitCode(1) }
            return
        }
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .lookup(at: origin.description), surroundings)
        let answers = try await lookUp(decoded.watchlist, at: origin)
        try Terminal.deliver(answers.text)
        if let problem = answers.problem { Terminal.say(problem) }
        guard answers.isAnyAnswered || answers.isEmpty else { throw ExitStatus.unavailable }
        // As the status ends where something needs a look.
        if answers.isAnyMissing || !summary.fitsBudget { throw ExitCode(1) }
    }

    /// What the alerts would have brought of late, in words; `nil` if nobody wants alerts, or there is no history that
    /// could tell. A watchlist is right or wrong whatever the history is like, so that no failure is one of the check.
    private func messageCost(of watchlist: Watchlist, _ surroundings: Surroundings) -> String? {
        guard let settings = watchlist.alerts else { return nil }
        do {
            let path = surroundings.locations.database(flag: database.database)
            let reader = try HistoryReader(path: path).snapshot()
            let context = try ReportContext(
                reader, now: surroundings.now, zone: .gmt, namedZone: watchlist.timeZone)
            let cost = try AlertCost(
                settings, apps: watchlist.apps, now: surroundings.now, zone: context.zone, from: reader)
            return cost?.words
        } catch {
            return nil
        }
    }

    /// Asks about every app in every country that it is tracked in.
    ///
    /// - Throws: `ExitCode` if a signal ends it.
    private func lookUp(_ watchlist: Watchlist, at origin: Origin) async throws -> OnlineCheck {
        try Descriptors.require(16)
        let batches = OnlineCheck.batches(of: watchlist)
        let perMinute = watchlist.service.requestsPerMinute
        do {
            return try await Interruption.cancelling(on: .sigint, .sigterm) {
                try await AppStore.withHTTP(origin) { store in
                    let clock = ContinuousClock()
                    let lane = store.lookups(
                        as: .lookup(at: origin.description), pace: Pace(requestsPerMinute: perMinute, clock: clock),
                        clock: clock, now: { Timestamp(Date()) })
                    var check = OnlineCheck()
                    for (number, batch) in batches.enumerated() {
                        Self.show("asking \(origin), request \(number + 1) of \(batches.count) …")
                        check.add(try await lane.ask(batch.question), to: batch)
                    }
                    Self.show("")
                    return check
                }
            }
        } catch is CancellationError {
            Self.show("")
            Terminal.say("the requests were cancelled")
            // As shells report an end by SIGINT.
            throw ExitCode(130)
        }
    }

    /// One line on a terminal, in the place of the one before.
    private static func show(_ text: String) {
        guard Terminal.isTerminal else { return }
        let columns = max(20, (Terminal.columns ?? 80) - 1)
        Terminal.show("\r\u{1B}[K" + text.prefix(columns))
    }
}
