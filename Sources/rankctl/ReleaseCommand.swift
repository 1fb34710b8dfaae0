internal import ArgumentParser
import Console
import History
import Judging
import RankKit
import Reports

struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "What an update did to an app's positions, as far as that can be told.",
        discussion: """
            Sets the queries that the update touched, as its note in the watchlist names them, against what it cannot \
            have touched: the app's other queries, and other apps on the same ones. Without a note all of the app's \
            queries count, from the first day on which the store showed the version.
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "alias or bundle id"), completion: .everyApp)
    var name: String

    @Argument(
        help: ArgumentHelp(
            "The version, or the day of a note without one; without it the known ones are listed.",
            valueName: "version"))
    var version: String?

    @Option(help: ArgumentHelp("How many days before and after are compared.", valueName: "number"))
    var days: Int64 = ReleaseEffect.defaultDays

    @Flag(help: "Show the pairs that are compared with one by one.")
    var all = false

    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...ReleaseEffect.mostDays).contains(days) else {
            throw ValidationError("--days is \(days): write a number from 1 to \(ReleaseEffect.mostDays)")
        }
        guard options.filter.app.isEmpty else {
            throw ValidationError("write the app without --app: rankctl report release APP VERSION")
        }
    }

    func run() async throws {
        try await options.deliver { context in
            let app = try knownApp(name, context.reader)
            var releases = try Releases(of: app, from: context.reader, zone: context.zone, now: context.now)
            guard let version else {
                releases.keep(from: context.since, through: context.until)
                return .releases(ReleasesReport(releases))
            }
            guard let release = releases.find(version) else { throw unknown(version, releases) }
            // What is older than --since is not compared either.
            let longest = context.since.map { release.day(in: context.zone) - $0.day } ?? days
            guard longest > 0 else {
                throw ValidationError("--since is not before the release: leave it out, or choose an earlier day")
            }
            let effect = try ReleaseEffect(
                of: release, filter: context.filter, days: min(days, longest), from: context.reader,
                zone: context.zone, until: context.until, now: context.now)
            return .release(ReleaseReport(effect, options: .init(all: all)))
        }
    }

    private func unknown(_ version: String, _ releases: Releases) -> ExitStatus {
        let known = releases.rows.map { $0.release.version ?? CivilTime.date(.startOfDay($0.day)) }
        let shown = known.prefix(12).map(SafeText.escaped).joined(separator: ", ")
        let title = SafeText.escaped(releases.app.title)
        return refusal(
            "no version “\(SafeText.escaped(version))” of \(title) is known; "
                + (known.isEmpty
                    ? "nor any other: note it with “rankctl note add”"
                    : "these are: \(shown)" + (known.count > 12 ? " …" : "")))
    }
}
