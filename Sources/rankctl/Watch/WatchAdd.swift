import AppStore
internal import ArgumentParser
import Console
import RankKit
import ReportCommands
import Reports

struct WatchAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds queries or an app to the watchlist.",
        usage: """
            rankctl watch add QUERY APP [--country CODE …] [--platform NAME …] [--every 6h] [--tag TAG …]
                              [--language CODE]
            rankctl watch add QUERY … --app APP [--app APP …] [--file FILE] [--dry-run]
                              [the options above]
            rankctl watch add LINK-OR-ID --as ALIAS [--competitor-of ALIAS]
            """,
        discussion: """
            Adds one line, whole or not at all, and says where and how often its queries are asked and what that costs. \
            Without --app, the last of two words is the app. With --app, every word is a query; quote a query of several \
            words. --file adds a query for each line of a file. A query that is watched already is left out.

            APP is a bundle id, an alias of the watchlist, an App Store link such as \
            https://apps.apple.com/us/app/name/id572688855, or an id such as id572688855, as rankctl search shows it. For \
            a link or an id, rankctl asks the App Store, unless rankd is pausing: in the country of the link, or in \
            the first --country (default: us). If you name an app by its alias, rankctl writes the alias, with which its \
            competitors come along, if the file has no lines yet or most of them use aliases. Only the added lines change. \
            Your comments and layout stay.
            """)

    @Argument(
        help: ArgumentHelp("A query and an app, queries for --app, or an App Store link or id.", valueName: "what"),
        completion: .words(.queryOrApp))
    var what: [String] = []

    @Option(
        help: ArgumentHelp("The app that the queries are for.", valueName: "app"),
        completion: .words(.app))
    var app: [String] = []

    @Option(
        help: ArgumentHelp("Add a query for each line of this file; -: of stdin.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(name: .customLong("as"), help: "The alias to give the app.")
    var alias: String?

    @Option(
        help: ArgumentHelp("The alias of the app that it competes with.", valueName: "alias"), completion: .words(.app))
    var competitorOf: String?

    @Option(help: ArgumentHelp("A country to ask in, or several: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(help: ArgumentHelp("How often to ask: 30m, 6h, 1d.", valueName: "time"))
    var every: String?

    @Option(help: "A tag for the pair.", completion: .words(.tag))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("Apple's language code to ask with, such as en_us.", valueName: "code"),
        completion: .words(.language))
    var language: String?

    @Flag(help: "Show the lines that would be added and what they would cost. Changes nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Ask this server about a link or an id instead of Apple.", valueName: "origin"))
    var searchUrl: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    /// Whether an app is added without a query.
    private var isAppAlone: Bool { app.isEmpty && file == nil && what.count == 1 }

    /// The queries that were typed.
    private var typedQueries: [String] { app.isEmpty ? what.count == 2 ? [what[0]] : [] : what }

    /// The apps as they were typed.
    private var typedApps: [String] { app.isEmpty ? what.suffix(1) : app }

    func validate() throws {
        if app.isEmpty {
            try validateWords()
        } else {
            guard !what.isEmpty || file != nil else {
                throw ValidationError(
                    "write the queries for \(SafeText.escaped(app[0])), or name a file of them with --file")
            }
            for query in what where Self.looksLikeApp(query) {
                throw ValidationError(
                    "“\(SafeText.escaped(query))” is an app, not a query: with --app every word is a query; add "
                        + "--app \(SafeText.escaped(query))")
            }
            guard app.count == 1 || alias == nil else {
                throw ValidationError("--as gives one app an alias: name one --app")
            }
        }
        if competitorOf != nil, alias == nil {
            throw ValidationError("--competitor-of needs --as ALIAS, a short name for the competitor")
        }
    }

    /// What is wrong with the words where no --app is given.
    private func validateWords() throws {
        if file != nil {
            throw ValidationError("--file has queries only: name the app with --app APP")
        }
        guard what.count == 1 || what.count == 2 else {
            throw ValidationError(
                what.isEmpty
                    ? "write a query and an app, or one App Store link or id"
                    : "\(what.count) words without --app: quote a query of several words, and for several queries name the "
                        + "app with --app APP")
        }
        if what.count == 2, Self.looksLikeApp(what[0]), BundleID(what[1]) == nil, StoreLink(what[1]) == nil {
            throw ValidationError(
                "“\(SafeText.escaped(what[0]))” is an app, and “\(SafeText.escaped(what[1]))” is none: write the query first"
            )
        }
        guard what.count == 1 else { return }
        if StoreLink(what[0]) == nil, AppID(written: what[0]) == nil {
            throw ValidationError(
                "“\(what[0])” is neither an App Store link nor an id: write a query and an app, or a link with --as")
        }
        guard alias != nil else {
            throw ValidationError("an app without a query needs an alias: add --as ALIAS")
        }
        guard country.isEmpty, platform.isEmpty, every == nil, tag.isEmpty, language == nil else {
            throw ValidationError(
                "--country, --platform, --every, --tag and --language belong to a query: write the query before the app"
            )
        }
    }

    /// Whether nobody would search for this: a link, an id, or a bundle id such as `com.example.app`.
    private static func looksLikeApp(_ text: String) -> Bool {
        if StoreLink(text) != nil || text.lowercased().hasPrefix("id") && AppID(written: text) != nil { return true }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return BundleID(text) != nil && parts.count >= 3 && parts.allSatisfy { !$0.isEmpty }
            && (2...4).contains(parts[0].count)
            && parts[0] != "www"
    }

    func run() async throws {
        let surroundings = Surroundings()
        let file = EditedWatchlist(path: watchlist.path(surroundings))
        // All that is asked or read comes before the file is opened for the change: an answer can take half a minute.
        let before = try file.read()
        var queries = try distinctQueries()
        let apps = try await apps(in: before.watchlist, surroundings)
        let names = KnownNames(database, of: before.watchlist, surroundings)
        let others = apps.compactMap { names.other($0.bundleID, in: before.watchlist) }
        var leftOut: [String] = []
        for other in others {
            leftOut += try leaveOut(
                &queries, watchedAs: other.names, names.words(other.app), mayLeaveOut: apps.count == 1, in: before)
        }
        let owner = competitorOf.map { name in
            let bundleID = BundleID(names.watched(name, in: before.watchlist))
            return before.watchlist.apps.first { $0.alias != nil && $0.bundleID == bundleID }?.alias ?? name
        }
        var edit = Edit()
        let change = { [queries] (editor: inout WatchlistEditor) throws in
            edit = Edit()
            edit.before = editor.watchlist
            if let alias { try editor.addApp(alias: alias, bundleID: apps[0].bundleID, competitorOf: owner) }
            if !queries.isEmpty { try add(queries, for: apps, to: &editor, &edit) }
            edit.after = editor.watchlist
        }
        if dryRun {
            let trial = try file.trying(before, typed: Self.typed, change)
            try Terminal.deliver(AddedLines(from: before.bytes, to: trial.bytes).text)
        } else {
            try file.change(makes: true, read: before, typed: Self.typed, change)
        }
        say(edit, queries, apps, file.path)
        for line in leftOut { Terminal.explain(line) }
        for other in others { Terminal.explain("warning: " + names.warning(other.app)) }
    }

    /// The options that the new line is made of, by the watchlist's key.
    private static let typed = [
        "query": "QUERY", "queries": "QUERY", "bundleId": "APP", "bundleIds": "APP", "app": "APP", "apps": "APP",
        "country": "--country", "countries": "--country", "platform": "--platform", "platforms": "--platform",
        "every": "--every", "tags": "--tag", "language": "--language",
    ]

    // MARK: The queries

    /// Those that were typed and those of the file, each once.
    private func distinctQueries() throws -> [String] {
        var queries = typedQueries
        if let file { queries += try QueryFile.read(file) }
        var known: Set<String> = []
        return queries.filter { known.insert(Query.fold($0)).inserted }
    }

    // MARK: The edit

    /// What an edit came to.
    private struct Edit {
        var before = Watchlist()
        var after = Watchlist()
        var addition: WatchlistEditor.Addition?
        /// Whether competitors come along; nothing where the app has none.
        var competitors = ""
    }

    /// An app as it was typed.
    private struct NamedApp {
        let bundleID: BundleID
        let typed: String
    }

    private func add(
        _ queries: [String], for apps: [NamedApp], to editor: inout WatchlistEditor, _ edit: inout Edit
    ) throws {
        let declared = apps.map { app in
            editor.watchlist.apps.first { $0.bundleID == app.bundleID && $0.alias != nil }
        }
        let isNamed = zip(apps, declared).allSatisfy { app, declared in
            declared != nil && (declared?.alias == app.typed || declared?.alias == alias)
        }
        let byAlias = isNamed && editor.namesAppsByAlias
        let line = WatchlistEditor.NewLine(
            queries: queries, apps: zip(apps, declared).map { .init($0.bundleID, alias: byAlias ? $1?.alias : nil) },
            countries: country.countries, platforms: platform, every: every, tags: tag, language: language)
        do throws(WatchlistEditor.Refusal) { edit.addition = try editor.addMissing(line) } catch {
            guard case .alreadyWatched(_, let bundleID, let path) = error, queries.count > 1, apps.count == 1 else {
                throw error
            }
            Terminal.explain(
                "all \(queries.count) queries for \(bundleID) are in the watchlist already, the first at \(path); nothing "
                    + "was changed")
            throw ExitStatus.data
        }
        for declared in declared.compactMap(\.self) {
            edit.competitors += Self.words(on: declared, written: byAlias ? declared.alias : nil, in: editor.watchlist)
        }
    }

    private func say(_ edit: Edit, _ queries: [String], _ apps: [NamedApp], _ path: String) {
        let verb = dryRun ? "would add" : "added"
        let added = edit.addition?.line.queries ?? []
        let appNames = apps.map(\.bundleID.text).joined(separator: ", ")
        let what =
            isAppAlone ? "\(appNames) as \(alias ?? "")" : "\(Self.named(added)) for \(SafeText.escaped(appNames))"
        let end = dryRun ? "nothing was changed" : Remedy.reload(path)
        Terminal.explain("\(verb) \(what) to \(path)\(edit.competitors); \(end)")
        guard let addition = edit.addition else { return }
        for line in AddedCost.lines(addition.queries, from: edit.before, to: edit.after) { Terminal.explain(line) }
        for (query, path) in addition.known.prefix(Self.mostNamed) {
            Terminal.explain("“\(SafeText.escaped(query))” is in the watchlist already, at \(path), and stays as it is")
        }
        if addition.known.count > Self.mostNamed {
            Terminal.explain("so are \(addition.known.count - Self.mostNamed) more")
        }
        for query in addition.altered {
            for line in query.lines(naming: AppName.list(query.apps, in: edit.before)) { Terminal.explain(line) }
        }
    }

    /// Queries that are named one by one; of more the number is told.
    private static let mostNamed = 5

    private static func named(_ queries: [String]) -> String {
        let names = queries.prefix(mostNamed).map { "“\(SafeText.escaped($0))”" }.joined(separator: ", ")
        return queries.count > mostNamed ? "\(queries.count) queries (\(names) …)" : names
    }

    /// Takes out the queries that are there by another name of their app, as those are left out that are there by this
    /// name.
    ///
    /// - Parameters:
    ///   - words: of both names.
    ///   - mayLeaveOut: whether a query that is there can be left out without another app of the line losing it.
    /// - Returns: for people, what was taken out.
    /// - Throws: `ExitStatus`, after saying why, if nothing is left to add.
    private func leaveOut(
        _ queries: inout [String], watchedAs names: [BundleID], _ words: String, mayLeaveOut: Bool,
        in before: WatchlistEditor
    ) throws -> [String] {
        var said: [String] = []
        var taken = 0
        for name in names where !queries.isEmpty {
            var trial = before
            let line = WatchlistEditor.NewLine(
                queries: queries, apps: [.init(name)], countries: country.countries, platforms: platform, every: every,
                tags: tag, language: language)
            let known: [(query: String, path: String)]
            do throws(WatchlistEditor.Refusal) { known = try trial.addMissing(line).known } catch {
                // What else is wrong with the line is told where it is added.
                guard case .alreadyWatched(let query, _, let path) = error else { continue }
                throw Self.refusal(of: query, among: queries.count, for: name, at: path, words)
            }
            guard let first = known.first else { continue }
            guard mayLeaveOut else { throw Self.refusal(of: first.query, among: 1, for: name, at: first.path, words) }
            let left = Set(known.map(\.query))
            queries.removeAll { left.contains($0) }
            for (query, path) in known.prefix(Self.mostNamed - min(taken, Self.mostNamed)) {
                said.append(
                    "“\(SafeText.escaped(query))” for \(name) is in the watchlist already, at \(path), and stays as it is: "
                        + words)
            }
            taken += known.count
        }
        if taken > Self.mostNamed { said.append("so are \(taken - Self.mostNamed) more") }
        return said
    }

    private static func refusal(
        of query: String, among count: Int, for name: BundleID, at path: String, _ words: String
    ) -> ExitStatus {
        Terminal.explain(
            count > 1
                ? "all \(count) queries for \(name) are in the watchlist already, the first at \(path), and \(words); "
                    + "nothing was changed"
                : "“\(SafeText.escaped(query))” for \(name) is already in the watchlist, at \(path), and \(words); edit "
                    + "that line to change it")
        return .data
    }

    /// Whether the app's competitors come along; nothing where it has none.
    private static func words(on app: WatchedApp, written alias: String?, in watchlist: Watchlist) -> String {
        guard !app.competitors.isEmpty else { return "" }
        let names = AppName.list(app.competitors, in: watchlist)
        guard alias == nil else { return ", with its competitors (\(names))" }
        return
            ", without its competitors (\(names)): a line with \"app\": \(JSONString.quoted(app.alias ?? "")) brings "
            + "them"
    }

    // MARK: The apps

    private func apps(in watchlist: Watchlist, _ surroundings: Surroundings) async throws -> [NamedApp] {
        // Several are asked about at the usual pace, one after the other.
        let pace = Pace(requestsPerMinute: ServiceSettings.defaultRequestsPerMinute, clock: ContinuousClock())
        var apps: [NamedApp] = []
        for name in typedApps {
            let bundleID = try await bundleID(named: name, in: watchlist, inTurnOf: pace, surroundings)
            guard !apps.contains(where: { $0.bundleID == bundleID }) else { continue }
            apps.append(NamedApp(bundleID: bundleID, typed: name))
        }
        return apps
    }

    private func bundleID(
        named name: String, in watchlist: Watchlist, inTurnOf pace: Pace<ContinuousClock>, _ surroundings: Surroundings
    ) async throws -> BundleID {
        if let link = StoreLink(name) {
            return try await bundleID(of: link.id, in: link.country, "check the link's country", pace, surroundings)
        }
        let isAlias = watchlist.apps.contains { $0.alias == name }
        if !isAlias, let id = AppID(written: name), let country = country.countries.first ?? Country(code: "us") {
            return try await bundleID(
                of: id, in: country,
                "name a country that has it with --country, or give a link such as "
                    + "https://apps.apple.com/de/app/id\(id)", pace, surroundings)
        }
        let bundleID = try AppName.bundleID(name, in: watchlist)
        // A slip of the pen would be a bundle id that nobody has, absent for ever.
        let isKnown = watchlist.apps.contains { $0.bundleID == bundleID }
        guard isKnown || alias != nil || name.contains(".") else {
            let meant = AppName.nearest(to: name, in: watchlist).map { "did you mean “\($0)”? If" } ?? "if"
            throw ValidationError(
                "“\(name)” is not an alias of the watchlist; \(meant) it is a bundle id without a dot, give it an alias "
                    + "with --as ALIAS")
        }
        return bundleID
    }

    /// What the App Store says, asked once.
    ///
    /// - Parameter advice: what to do where it does not have the app.
    private func bundleID(
        of id: AppID, in country: Country, _ advice: String, _ pace: Pace<ContinuousClock>, _ surroundings: Surroundings
    ) async throws -> BundleID {
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .lookup(at: origin.description), surroundings)
        let list = try await ask(origin, inTurnOf: pace) { try await $0.lookup(.ids([id], country)) }
        guard let app = list.places.compactMap({ $0 }).first(where: { $0.id == id }) else {
            Terminal.explain("the App Store of \(country) sells no app with the id \(id): \(advice)")
            throw ExitStatus.noInput
        }
        return app.bundleID
    }
}
