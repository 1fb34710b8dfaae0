internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What every check of a query said about one app, tracked or not.",
        discussion: "Without --query: all queries that the app is tracked on.")

    @Option(
        help: ArgumentHelp("The app: any that was ever seen.", valueName: "alias or bundle id"), completion: .everyApp)
    var app: String

    @OptionGroup var queries: QueriesOption

    @Option(
        help: ArgumentHelp("From when: 2026-11-01, 30d before --until, yesterday.", valueName: "time"),
        completion: .time)
    var since: String?

    @Option(help: ArgumentHelp("Until when.", valueName: "time"), completion: .time)
    var until: String?

    @OptionGroup var delivery: DeliveryOptions

    func run() async throws {
        try await delivery.deliver { reader, surroundings in
            let times = try TimeReading(reader, surroundings, apps: [app])
            let span = try times.span(since: since, until: until)
            let bundleID = try knownApp(app, reader)
            let history = try AppHistory(
                of: bundleID, on: try queries.choose(of: bundleID, reader), in: span, from: reader, zone: times.zone,
                now: surroundings.now)
            return .history(PairHistoryReport(history))
        }
    }
}

/// The queries that a history is about; every option but the last two may be given several times.
struct QueriesOption: ParsableArguments {
    @Option(help: ArgumentHelp("The search text.", valueName: "text"), completion: .query)
    var query: [String] = []

    @Option(help: ArgumentHelp("The country it is asked in.", valueName: "code"))
    var country: [Country] = []

    @Option(help: "The platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(
        help: ArgumentHelp("Only queries that an app is tracked on with this tag.", valueName: "tag"), completion: .tag)
    var tag: [String] = []

    @Option(help: ArgumentHelp("Apple's language code, such as en_us.", valueName: "code"), completion: .language)
    var language: String?

    @Option(
        help: ArgumentHelp("Whose positions: itunes, or the name of an imported table.", valueName: "name"),
        completion: .source)
    var source: String?

    /// - Throws: `ExitStatus.usage`, after saying why there is none, or why not the one that is meant.
    func choose(of app: BundleID, _ reader: HistoryReader) throws -> [Query] {
        let choices = query.map {
            QueryChoice(
                query: $0, countries: country, platforms: platform, tags: tag, language: language, source: source)
        }
        if let first = choices.first {
            // One text is one query; who means more says so.
            if choices.count == 1, country.count < 2, platform.count < 2 { return [try first.one(reader)] }
            var seen: Set<Query> = []
            return try choices.flatMap { try $0.all(reader) }.filter { seen.insert($0).inserted }
        }
        let any = QueryChoice(query: "", language: language, source: source)
        let filter = PairFilter(
            apps: [app.text], queries: query, countries: country, platforms: platform, tags: tag)
        let tracked = try reader.standings(filter).map(\.query).filter(any.admits)
        guard tracked.isEmpty else { return tracked }
        if try reader.queries(tracking: app).isEmpty {
            throw refusal("“\(SafeText.escaped(app.text))” is not tracked: name a query with --query")
        }
        let more = [source.map { "--source \($0)" }, language.map { "--language \($0)" }].compactMap(\.self)
        throw refusal(try NoSuchPair(filter, in: reader) ?? .together(filter, and: more.map(SafeText.escaped)))
    }
}
