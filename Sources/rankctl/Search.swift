import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import Judging
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct Search: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the App Store now and shows the list. Records nothing.",
        usage: """
            rankctl search <query> [--country <code>] [--platform <platform>] [--source <source>]
                           [--language <code>] [<options>]
            """,
        discussion:
            "Marks the apps of the watchlist. If there is a history, it shares rankd's pace. Ctrl-C ends the request. "
            + "--source web reads the results that the App Store shows on the web, at https://apps.apple.com. Positions "
            + "there differ from the API's, and rankd's history has only the API's. The page is made for people: Apple's "
            + "terms for its website apply to you who ask it. rankctl then looks up the names that the page leaves out."
    )

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"), completion: .words(.query))
    var query: String

    @Option(help: "The country to ask in (default: us).")
    var country: CountryList?

    @Option(help: "iphone, ipad or mac.")
    var platform: Platform = .iphone

    /// What a search can ask.
    enum AskedSource: String, ExpressibleByArgument, CaseIterable {
        case itunes, web
    }

    @Option(help: "itunes: Apple's search API; web: the page of results that the App Store shows on the web.")
    var source: AskedSource = .itunes

    @Option(
        help: ArgumentHelp("Apple's language code, such as en_us.", valueName: "code"), completion: .words(.language))
    var language: String?

    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Ask this server instead of Apple, such as http://127.0.0.1:8080.", valueName: "origin"))
    var searchUrl: String?

    @OptionGroup var database: DatabaseOption
    @OptionGroup var watchlist: WatchlistOption

    func validate() throws {
        guard !Query.fold(query).isEmpty else { throw ValidationError("the search text is empty: write some words") }
        guard (country?.countries.count ?? 1) == 1 else {
            throw ValidationError("a search asks in one country: name only one")
        }
        guard source == .itunes || language == nil else {
            throw ValidationError("--language goes with --source itunes: leave it out, the web store has none")
        }
    }

    func run() async throws {
        let surroundings = Surroundings()
        guard let country = country?.countries.first ?? Country(code: "us") else { return }
        let question = Query(
            text: query, country: country, platform: platform, source: source == .web ? .web : .itunes,
            language: language
        )
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        let asked = origin.serving(question.source)
        let endpoint = Endpoint.search(question.source, at: asked.description)
        try database.respectPause(of: endpoint, surroundings)
        if Terminal.isTerminal { Terminal.say("asking \(asked) …") }
        let pace = database.sharedPace(
            of: endpoint, perMinute: source == .web ? WebStorePage.requestsPerMinute : nil, surroundings)
        var results = try await ask(origin, inTurnOf: pace, database.days(surroundings)) {
            try await $0.search(question)
        }
        if source == .web { results = try await named(results, country, origin, surroundings) }
        let report = SearchReport(
            query: question, generatedAt: surroundings.now, results: results, marks: marks(surroundings))
        try output.deliver(report, surroundings)
    }

    /// The list with the apps of which the page tells only the number, as look-ups know them: 50 a request. If a look-up
    /// has no answer, the rest keep their numbers.
    private func named(
        _ list: ResultList, _ country: Country, _ origin: Origin, _ surroundings: Surroundings
    ) async throws -> ResultList {
        var list = list
        let numbers = list.unnamed.sorted { $0.key < $1.key }.map(\.value)
        guard !numbers.isEmpty else { return list }
        let endpoint = Endpoint.lookup(at: origin.description)
        let pace =
            database.sharedPace(of: endpoint, surroundings)
            ?? Pace(requestsPerMinute: ServiceSettings.defaultRequestsPerMinute, clock: ContinuousClock())
        for start in stride(from: 0, to: numbers.count, by: Self.lookupSize) {
            let batch = Array(numbers[start..<min(start + Self.lookupSize, numbers.count)])
            do {
                try database.respectPause(of: endpoint, surroundings)
                let found = try await ask(origin, inTurnOf: pace, database.days(surroundings)) {
                    try await $0.lookup(.ids(batch, country))
                }
                list = list.naming(found)
            } catch ExitStatus.unavailable {
                Terminal.say("names of \(Figures.counted(numbers.count - start, "app")) could not be looked up")
                break
            }
        }
        return list
    }

    /// Numbers in one look-up.
    private static let lookupSize = 50

    /// Mine and competitors, as far as a history that can be read tells.
    private func marks(_ surroundings: Surroundings) -> AppMarks {
        func marks(_ apps: [WatchedApp]) -> [BundleID: AppMark] {
            Dictionary(
                apps.map { ($0.bundleID, $0.isMine ? .mine : .competitor) }, uniquingKeysWith: { first, _ in first })
        }
        do {
            let reader = try HistoryReader(path: surroundings.locations.database(flag: database.database))
            return try AppMarks(marks(try reader.watchedApps()), knownTo: reader)
        } catch {
            if database.database != nil { Terminal.say("\(error)") }
            // Before the first pass the watchlist itself knows them; without one there is nothing to mark.
            let path = surroundings.locations.watchlist(flag: watchlist.watchlist)
            do { return AppMarks(marks(try WatchlistFile.decode(path).watchlist.apps)) } catch {
                if watchlist.watchlist != nil { Terminal.say("\(error)") }
            }
        }
        return [:]
    }
}
