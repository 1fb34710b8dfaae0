internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct RivalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "competitors", abstract: "Who stands above an app on its queries, and who overtook it.")

    @OptionGroup var one: OneAppOptions

    @Option(help: ArgumentHelp("What overtaking is counted from (default: 7d).", valueName: "time"), completion: .time)
    var since: String?

    @Option(help: ArgumentHelp("As of when; now without it.", valueName: "time"), completion: .time)
    var until: String?

    @Option(help: ArgumentHelp("How many apps that are not listed.", valueName: "number"))
    var limit = 10

    @OptionGroup var database: DatabaseOption

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let times = try TimeReading(reader, surroundings, apps: [one.app])
        let moment = try times.moment(until)
        let since = try times.beginning(since, before: moment) ?? moment - 7 * Timestamp.secondsPerDay
        let bundleID = try knownApp(one.app, reader)
        let rivals = try Rivals(
            of: bundleID, on: try one.queries(of: bundleID, reader), since: since, candidates: limit, from: reader,
            now: moment)
        let report = RivalsReport(rivals)
        try output.deliver(surroundings) { report.render(as: $0, style: $1) }
    }
}

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "An app and its competitors side by side on its queries.")

    @OptionGroup var one: OneAppOptions

    @Option(help: ArgumentHelp("Show what changed since then.", valueName: "time"), completion: .time)
    var since: String?

    @Option(help: ArgumentHelp("As of when; now without it.", valueName: "time"), completion: .time)
    var until: String?

    @OptionGroup var database: DatabaseOption

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let bundleID = try knownApp(one.app, reader)
        let times = try TimeReading(reader, surroundings, apps: [one.app])
        let moment = try times.moment(until)
        let comparison = try Comparison(
            bundleID, on: try one.queries(of: bundleID, reader), since: try times.beginning(since, before: moment),
            from: reader, now: moment)
        let report = ComparisonReport(comparison)
        try output.deliver(surroundings) { report.render(as: $0, style: $1) }
    }
}

/// One app, and which of its queries a report is about.
struct OneAppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app.", valueName: "alias or bundle id"), completion: .everyApp)
    var app: String

    @Option(help: ArgumentHelp("Only this search text.", valueName: "text"), completion: .query)
    var query: [String] = []

    @Option(help: ArgumentHelp("Only this country.", valueName: "code"))
    var country: [Country] = []

    @Option(help: "Only this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(help: ArgumentHelp("Only queries that the app has with this tag.", valueName: "tag"), completion: .tag)
    var tag: [String] = []

    /// Those on which the app is tracked or, where it is not tracked, those that ever found it.
    ///
    /// - Throws: `ExitStatus.usage`, after saying so, where there are none.
    func queries(of bundleID: BundleID, _ reader: HistoryReader) throws -> [Query] {
        let filter = PairFilter(queries: query, countries: country, platforms: platform, tags: tag)
        let pairs = try reader.standings(PairFilter(apps: [bundleID.text]))
        let tracked = try reader.queries(tracking: bundleID)
        guard !tracked.isEmpty else {
            let shown = try reader.queries(showing: bundleID)
            return try fitting(shown.filter { filter.admits(query: $0, bundleID: bundleID, alias: nil, tags: []) })
        }
        let tags = Dictionary(pairs.map { ($0.query, $0.tags) }, uniquingKeysWith: { first, _ in first })
        return try fitting(
            tracked.filter { filter.admits(query: $0, bundleID: bundleID, alias: nil, tags: tags[$0] ?? []) })
    }

    private func fitting(_ queries: [Query]) throws -> [Query] {
        guard queries.isEmpty else { return queries }
        throw refusal(
            "no query of “\(SafeText.escaped(app))” fits: loosen --query, --country, --platform and --tag where they are "
                + "given")
    }
}
