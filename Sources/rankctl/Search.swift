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
        discussion: "Marks the apps of the watchlist. Ctrl-C ends the request.")

    @Argument(help: ArgumentHelp("The search text.", valueName: "query"), completion: .words(.query))
    var query: String

    @Option(help: "The country to ask in (default: us).")
    var country: Country?

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
    }

    func run() async throws {
        let surroundings = Surroundings()
        guard let country = country ?? Country(code: "us") else { return }
        let question = Query(text: query, country: country, platform: platform, language: language)
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .search(at: origin.description), surroundings)
        if Terminal.isTerminal { Terminal.say("asking \(origin) …") }
        let results = try await ask(origin) { try await $0.search(question) }
        let report = SearchReport(
            query: question, generatedAt: surroundings.now, results: results, marks: marks(surroundings))
        try output.deliver(report, surroundings)
    }

    /// Mine and competitors, as far as a history that can be read tells.
    private func marks(_ surroundings: Surroundings) -> [BundleID: AppMark] {
        var apps: [WatchedApp] = []
        do {
            apps = try HistoryReader(path: surroundings.locations.database(flag: database.database)).watchedApps()
        } catch {
            if database.database != nil { Terminal.say("\(error)") }
            // Before the first pass the watchlist itself knows them; without one there is nothing to mark.
            let path = surroundings.locations.watchlist(flag: watchlist.watchlist)
            do { apps = try Watchlist.decode(try WatchlistFile.read(path)).watchlist.apps } catch {
                if watchlist.watchlist != nil { Terminal.say("\(error)") }
            }
        }
        return Dictionary(
            apps.map { ($0.bundleID, $0.isMine ? .mine : .competitor) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Asks an App Store one thing, until it answers or Ctrl-C.
///
/// - Throws: `ExitCode`, after saying why there is no answer.
func ask(
    _ origin: Origin, _ question: @escaping @Sendable (AppStore) async throws -> AppStore.Reply
) async throws -> ResultList {
    let reply: AppStore.Reply
    do {
        reply = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await AppStore.withHTTP(origin) { try await question($0) }
        }
    } catch is CancellationError {
        Terminal.say("the request was cancelled")
        // As shells report an end by SIGINT.
        throw ExitCode(130)
    }
    switch reply {
    case .answered(let list): return list
    case .throttled(let status, _):
        Terminal.say(
            "the App Store refused the request (status \(status)): too many requests from this address; "
                + "wait half an hour and try again")
    case .failed(let failure):
        let detail = failure.detail.isEmpty ? "" : " (\(SafeText.escaped(failure.detail)))"
        let advice = failure.reason == .rejected ? "change the query" : "try again in a while"
        Terminal.say("no answer: \(failure.reason.explanation)\(detail); \(advice)")
    }
    throw ExitStatus.unavailable
}

extension DatabaseOption {
    /// A pause that rankd is keeping holds for everyone at this address.
    ///
    /// - Throws: `ExitStatus.unavailable`, after saying until when, where the App Store has turned rankd away. A history
    ///   that is not there or cannot be read knows of none.
    func respectPause(of endpoint: Endpoint, _ surroundings: Surroundings) throws {
        let path = surroundings.locations.database(flag: database)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let health: EndpointHealth
        do { health = try HistoryReader(path: path).health(of: endpoint) } catch { return }
        guard health.secondsLeft(at: surroundings.now) > 0, let until = health.pausedUntil else { return }
        switch health.pause {
        case .throttled?:
            Terminal.say("not asked: the App Store refused rankd's requests, and rankd pauses until \(until)")
            throw ExitStatus.unavailable
        case .offline?, nil: return
        }
    }
}
