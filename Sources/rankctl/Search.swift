import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import Judging
import RankKit
import Reports
import UnixSignals

struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the App Store now and shows the list. Records nothing.",
        discussion:
            "Marks the apps of the watchlist. If there is a history, it shares rankd's pace. Ctrl-C ends the request."
    )

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"), completion: .words(.query))
    var query: String

    @Option(help: "The country to ask in (default: us).")
    var country: CountryList?

    @Option(help: "iphone, ipad or mac.")
    var platform: Platform = .iphone

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
    }

    func run() async throws {
        let surroundings = Surroundings()
        guard let country = country?.countries.first ?? Country(code: "us") else { return }
        let question = Query(text: query, country: country, platform: platform, language: language)
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .search(at: origin.description), surroundings)
        if Terminal.isTerminal { Terminal.say("asking \(origin) …") }
        let pace = database.sharedPace(of: .search(at: origin.description), surroundings)
        let results = try await ask(origin, inTurnOf: pace, database.days(surroundings)) {
            try await $0.search(question)
        }
        let report = SearchReport(
            query: question, generatedAt: surroundings.now, results: results, marks: marks(surroundings))
        try output.deliver(report, surroundings)
    }

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
