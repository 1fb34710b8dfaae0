import ArgumentParser
import History
import Judging
import RankKit

struct ReleaseRequest: ReportRequest {
    static let about = ReportAbout(
        "release", "Whether an update helped an app, as far as its positions can tell.",
        discussion: """
            Compares the queries that the update's note in the watchlist names with what the update cannot have touched: \
            the app's other queries, and other apps on the same queries. Without a note, all of the app's queries count, \
            from the first day on which the store showed the version.
            """,
        usage: """
            rankctl report release <app> [<version>] [<options>]
            rankctl report release --app <app> [<version>] [<options>]
            """, arguments: ["app", "version"], required: ["app"], most: ["days": Int(ReleaseEffect.mostDays)])

    static let answers: [any ReportValue.Type] = [ReleaseReport.self, ReleasesReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("release", [names.app, names.version]), ReportExample("releases", [names.app])]
    }

    @Argument(
        help: ArgumentHelp("The app: any app that rankd has ever seen.", valueName: "alias or bundle id"),
        completion: .words(.everyApp))
    var name: String?

    @Argument(
        help: ArgumentHelp(
            "The version, or the day of a note that names no version. Without it, lists the known versions.",
            valueName: "version"))
    var version: String?

    @Option(
        help: ArgumentHelp(
            "How many days to compare, before and after: at most \(ReleaseEffect.mostDays).", valueName: "number"))
    var days: Int64 = ReleaseEffect.defaultDays

    @Flag(help: "List the pairs of the comparison one by one.")
    var all = false

    @OptionGroup var options: ScopeOptions

    var asked: [RequestParameter] { scopeOptions.asked }

    func validate() throws {
        guard (1...ReleaseEffect.mostDays).contains(days) else {
            throw ValidationError("--days is \(days): write a number from 1 to \(ReleaseEffect.mostDays)")
        }
        guard options.filter.app.count <= 1 else {
            throw ValidationError("--app is given \(options.filter.app.count) times: a release is of one app")
        }
        guard options.filter.app.isEmpty || version == nil else {
            throw ValidationError("the app is named twice: write it as the first word, or with --app")
        }
        guard named != nil else {
            throw ValidationError("name the app, an alias or a bundle id: rankctl report release APP VERSION")
        }
    }

    /// The app and the version: behind `--app` the only word is the version.
    private var named: (app: String, version: String?)? {
        options.filter.app.first.map { ($0, name) } ?? name.map { ($0, version) }
    }

    /// What narrows both sides of the comparison: other apps are one of them.
    private var scopeOptions: ScopeOptions {
        var options = options
        options.filter.app = []
        return options
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        guard let (name, version) = named else { throw ReportRefusal.option("app is missing") }
        let context = try context.asOf(options.end, apps: [name])
        let scope = try scopeOptions.scope(in: context)
        let app = try context.knownApp(name)
        var releases = try Releases(of: app, from: context.reader, zone: context.zone, now: context.now)
        guard let version else {
            releases.keep(from: scope.since, through: scope.until)
            return ReleasesReport(releases)
        }
        guard let release = releases.find(version) else { throw Self.unknown(version, releases) }
        // What is older than --since is not compared either.
        let longest = scope.since.map { release.day(in: context.reader.days) - $0.reportDay } ?? days
        guard longest > 0 else {
            throw ReportRefusal.option("--since is not before the release: leave it out, or choose an earlier day")
        }
        let effect = try ReleaseEffect(
            of: release, filter: scope.filter, days: min(days, longest), from: context.reader, zone: context.zone,
            until: scope.until, now: context.now)
        var report = ReleaseReport(effect, options: .init(all: all))
        report.listingChanges = try Self.listingChanges(of: effect, until: scope.until ?? context.now, context.reader)
        if scope.until == nil {
            // A query that was first asked after the release, or just before it, can never be compared with what was before.
            let queries = try Set(effect.pairs.map(\.query)).filter { query in
                let before = try context.reader.firstCheck(of: query).map { effect.day - $0.reportDay } ?? 0
                return before >= Int64(DifferenceInDifferences.minimumReadings)
            }
            report.firstVerdict = try FirstVerdict(of: queries, in: context)
        }
        return report
    }

    /// What stores changed of what they say about the app, where the release is compared.
    private static func listingChanges(
        of effect: ReleaseEffect, until: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) -> [Timeline.Event] {
        let countries = Set(effect.pairs.filter { $0.role != .rival }.map(\.query.country))
        let first = effect.window.before?.lowerBound ?? effect.day
        let last = effect.window.after?.upperBound ?? effect.day
        let start = Timestamp.startOfReportDay(first)
        let pasts = try reader.listingPasts(of: effect.app.bundleID).filter { countries.contains($0.country) }
        return Timeline.changes(
            of: effect.app, in: pasts, start...max(start, min(until, .startOfReportDay(last + 1) - 1))
        )
        .sorted { $1.at < $0.at }
    }

    private static let mostNamed = 12

    private static func unknown(_ version: String, _ releases: Releases) -> ReportRefusal {
        let known = releases.rows.map { $0.release.version ?? CivilTime.date(.startOfDay($0.day)) }
        return .noVersion(
            version, of: releases.app.title, known: Array(known.prefix(mostNamed)), isMore: known.count > mostNamed)
    }
}
