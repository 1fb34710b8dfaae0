import AppStore
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct InitCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a first watchlist for your app.",
        usage: """
            rankctl init [<options>]
            rankctl init --app <app> (--query <text> ... | --yes) [--country <code> ...] [<options>]
            """,
        discussion: """
            Asks for your app, countries, queries and competitors, and proposes queries from the words of its name and of the \
            names around it, and competitors from who stands with it most often. What you give as an option, it does not \
            ask. Shows what the watchlist would cost a day before it writes it. Never replaces a file, and writes a whole file \
            or none: Ctrl-C at any time leaves nothing. Without a terminal it needs --app, and either --query or --yes, which \
            takes all that is proposed. It asks the App Store at the usual pace and records nothing.
            """)

    @Option(
        help: ArgumentHelp(
            "Your app: a name to search for, an App Store link, its number or its bundle id.", valueName: "app"))
    var app: String?

    @Option(help: ArgumentHelp("A country to ask in, or several: us,de (default: us).", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: ArgumentHelp("A query to begin with.", valueName: "text"))
    var query: [String] = []

    @Option(
        help: ArgumentHelp(
            "A competitor: an App Store link, a number or a bundle id.", valueName: "app"))
    var competitor: [String] = []

    @Option(help: "iphone, ipad or mac.")
    var platform: Platform = .iphone

    @Option(help: ArgumentHelp("How often to ask: 30m, 6h, 1d.", valueName: "time"))
    var every = "1d"

    @Flag(help: "Ask nothing, and take all that is proposed.")
    var yes = false

    @Option(help: ArgumentHelp("Ask this server instead of Apple, such as http://127.0.0.1:8080.", valueName: "origin"))
    var searchUrl: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let isAsking = !yes && isatty(STDIN_FILENO) == 1 && Terminal.isErrorTerminal
        let wishes = try wishes(isAsking: isAsking)
        let place = InitPlace(flag: watchlist.watchlist, database: database.database, store: searchUrl, surroundings)
        try place.check()
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .search(at: origin.description), surroundings)
        try database.respectPause(of: .lookup(at: origin.description), surroundings)
        try Descriptors.require(16)
        let shared = database.sharedPace(of: .search(at: origin.description), surroundings)
        let day = CivilTime.date(surroundings.now)
        let questions = isAsking ? try InitQuestions() : nil
        do {
            try await Interruption.cancelling(on: .sigint, .sigterm) {
                try await AppStore.withHTTP(origin) { store in
                    let session = InitSession(
                        wishes: wishes, place: place, store: InitStore(store, at: origin, searches: shared),
                        questions: questions, day: day)
                    try await session.run()
                }
            }
        } catch is CancellationError {
            Terminal.say("\nended: nothing was written")
            // As shells report an end by SIGINT.
            throw ExitCode(130)
        }
    }

    /// What was given, as far as it can be right without a request.
    private func wishes(isAsking: Bool) throws -> InitWishes {
        if !isAsking {
            guard app != nil else { throw ValidationError("nobody can be asked here: name your app with --app") }
            guard !query.isEmpty || yes else {
                throw ValidationError(
                    "nobody can be asked here: name queries with --query, or take the proposed ones with --yes")
            }
        }
        var known: Set<String> = []
        let wishes = InitWishes(
            app: try app.map { try InitApp(written: $0, option: "--app") }, countries: country.countries,
            queries: query.filter { known.insert(Query.fold($0)).inserted },
            competitors: try competitor.map { text in
                let app = try InitApp(written: text, option: "--competitor")
                if case .name = app {
                    throw ValidationError(
                        "--competitor “\(SafeText.escaped(text))” is a name: give its App Store link, its number or its "
                            + "bundle id, which rankctl search shows")
                }
                return app
            }, platform: platform, every: every, takesAll: yes)
        if let problem = wishes.problem { throw ValidationError(problem) }
        return wishes
    }
}

/// What somebody wants a first watchlist to be, as far as they have said it.
struct InitWishes: Sendable {
    var app: InitApp?
    var countries: [Country]
    /// No two of which are the same.
    var queries: [String]
    var competitors: [InitApp]
    var platform: Platform
    var every: String
    /// Whether what is proposed is taken without asking.
    var takesAll: Bool

    /// What is wrong with the queries and the cadence, for people; `nil` if nothing is.
    var problem: String? {
        guard let app = BundleID("com.example.app"), let country = Country(code: "us") else { return nil }
        let trial = NewWatchlist(
            app: .init(app), queries: queries.isEmpty ? ["habit tracker"] : queries, countries: [country],
            every: every)
        do throws(WatchlistError) {
            _ = try trial.document(on: "2026-01-01")
            return nil
        } catch {
            return error.mistakes.first.map { mistake in
                "\(mistake.path.hasSuffix("every") ? "--every" : "--query"): \(mistake.problem); \(mistake.remedy)"
            }
        }
    }
}

/// An app as a person names it.
enum InitApp: Sendable {
    case link(StoreLink)
    case id(AppID)
    case bundleID(BundleID)
    case name(String)

    /// - Parameter option: where it was typed; `nil` at a prompt.
    /// - Throws: a usage error for what cannot be an app.
    init(written text: String, option: String? = nil) throws(ValidationError) {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = (option.map { $0 + " " } ?? "") + "“\(SafeText.escaped(text))”"
        if let link = StoreLink(text) {
            self = .link(link)
        } else if text.contains("://") || text.lowercased().hasPrefix("apps.apple.com/") {
            throw ValidationError("\(shown) is no link to an app in the App Store: it ends in /id and a number")
        } else if let id = AppID(written: text) {
            self = .id(id)
        } else if let bundleID = BundleID(text), text.contains("."), !text.hasSuffix("."), !text.hasPrefix(".") {
            self = .bundleID(bundleID)
        } else if Query.fold(text).isEmpty {
            throw ValidationError((option.map { "\($0) is empty" } ?? "nothing was typed") + ": name an app")
        } else if text.utf8.count > 255 {
            throw ValidationError("\(shown) is too long for the name of an app")
        } else {
            self = .name(text)
        }
    }
}
