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

    @OptionGroup var delivery: DeliveryOptions

    func run() async throws {
        try await delivery.deliver { reader, surroundings in
            let times = try TimeReading(reader, surroundings, apps: [one.app])
            let moment = try times.moment(until)
            let since = try times.beginning(since, before: moment) ?? moment - 7 * Timestamp.secondsPerDay
            let bundleID = try knownApp(one.app, reader)
            return .competitors(
                RivalsReport(
                    try Rivals(
                        of: bundleID, on: try one.queries(of: bundleID, reader), since: since, candidates: limit,
                        from: reader, now: moment)))
        }
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

    @OptionGroup var delivery: DeliveryOptions

    func run() async throws {
        try await delivery.deliver { reader, surroundings in
            let bundleID = try knownApp(one.app, reader)
            let times = try TimeReading(reader, surroundings, apps: [one.app])
            let moment = try times.moment(until)
            return .compare(
                ComparisonReport(
                    try Comparison(
                        bundleID, on: try one.queries(of: bundleID, reader),
                        since: try times.beginning(since, before: moment), from: reader, now: moment)))
        }
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
        var named = filter
        named.apps = [app.lowercased()]
        let tracked = try reader.trackedPairs().filter { $0.bundleID == bundleID }
        let fitting: [Query]
        if tracked.isEmpty {
            fitting = try reader.queries(showing: bundleID).filter {
                filter.admits(query: $0, bundleID: bundleID, alias: nil, tags: [])
            }
        } else {
            fitting = tracked.filter(filter.admits).map(\.query)
        }
        guard fitting.isEmpty else { return fitting }
        throw refusal(try NoSuchPair(tracked.isEmpty ? filter : named, in: reader) ?? .together(named))
    }
}
