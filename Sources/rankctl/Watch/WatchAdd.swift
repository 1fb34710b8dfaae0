import AppStore
internal import ArgumentParser
import Console
import RankKit
import Reports

struct WatchAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a pair or an app to the watchlist.",
        usage: """
            rankctl watch add QUERY APP [--country CODE …] [--platform NAME …] [--every 6h] [--tag TAG …] [--language CODE]
            rankctl watch add LINK-OR-ID --as ALIAS [--competitor-of ALIAS]
            """,
        discussion: """
            APP is a bundle id, an alias of the watchlist, an App Store link such as \
            https://apps.apple.com/us/app/name/id572688855, or an id such as id572688855, as rankctl search shows it. For \
            a link or an id, rankctl asks the App Store once, unless rankd is pausing: in the country of the link, or in \
            the first --country (default: us). If you name an app by its alias, rankctl writes the alias, with which its \
            competitors come along, if the file has no lines yet or most of them use aliases. Only the added lines change. \
            Your comments and layout stay.
            """)

    @Argument(
        help: ArgumentHelp("A query and an app, or an App Store link or id.", valueName: "what"),
        completion: .words(.queryOrApp))
    var what: [String]

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

    @Option(help: ArgumentHelp("Ask this server about a link or an id instead of Apple.", valueName: "origin"))
    var searchUrl: String?

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func validate() throws {
        guard what.count == 1 || what.count == 2 else {
            throw ValidationError("write a query and an app, or one App Store link or id")
        }
        if what.count == 1, StoreLink(what[0]) == nil, AppID(written: what[0]) == nil {
            throw ValidationError(
                "“\(what[0])” is neither an App Store link nor an id: write a query and an app, or a link with --as")
        }
        if what.count == 1, alias == nil {
            throw ValidationError("an app without a query needs an alias: add --as ALIAS")
        }
        if what.count == 1, !(country.isEmpty && platform.isEmpty && every == nil && tag.isEmpty && language == nil) {
            throw ValidationError(
                "--country, --platform, --every, --tag and --language belong to a query: write the query before the app"
            )
        }
        if competitorOf != nil, alias == nil {
            throw ValidationError("--competitor-of needs --as ALIAS, a short name for the competitor")
        }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let file = EditedWatchlist(path: watchlist.path(surroundings))
        // Asked before the file is opened for the change: an answer can take half a minute.
        let before = try file.read()
        let app = try await bundleID(named: what[what.count - 1], in: before.watchlist, surroundings)
        var competitors = ""
        var altered: [AlteredQuery] = []
        let names = KnownNames(database, of: before.watchlist, surroundings)
        let other = names.other(app, in: before.watchlist)
        if let other { try refuse(watchedAs: other.names, names.words(other.app), in: before) }
        let owner = competitorOf.map { name in
            let bundleID = BundleID(names.watched(name, in: before.watchlist))
            return before.watchlist.apps.first { $0.alias != nil && $0.bundleID == bundleID }?.alias ?? name
        }
        let typed = [
            "query": "QUERY", "bundleId": "APP", "app": "APP", "country": "--country", "countries": "--country",
            "platform": "--platform", "platforms": "--platform", "every": "--every", "tags": "--tag",
            "language": "--language",
        ]
        try file.change(makes: true, read: before, typed: typed) { editor in
            if let alias { try editor.addApp(alias: alias, bundleID: app, competitorOf: owner) }
            guard what.count == 2 else { return }
            let declared = editor.watchlist.apps.first { $0.bundleID == app && $0.alias != nil }
            let isNamed = declared?.alias == what[1] || declared?.alias == alias
            let written = isNamed && editor.namesAppsByAlias ? declared?.alias : nil
            altered = try editor.add(
                .init(
                    query: what[0], bundleID: app, alias: written, countries: country.countries, platforms: platform,
                    every: every, tags: tag, language: language))
            competitors = declared.map { Self.words(on: $0, written: written, in: editor.watchlist) } ?? ""
        }
        let added = what.count == 2 ? "“\(SafeText.escaped(what[0]))” for \(app)" : "\(app) as \(alias ?? "")"
        Terminal.say(
            "added \(added) to \(file.path)\(competitors); \(Remedy.reload(file.path))")
        for query in altered {
            for line in query.lines(naming: AppName.list(query.apps, in: before.watchlist)) { Terminal.say(line) }
        }
        if let other { Terminal.say("warning: " + names.warning(other.app)) }
    }

    /// Refuses a pair that is there by another name of its app, as one that is there by this name.
    ///
    /// - Parameter words: of both names.
    private func refuse(
        watchedAs names: [BundleID], _ words: String, in before: WatchlistEditor
    ) throws {
        guard what.count == 2 else { return }
        for name in names {
            var trial = before
            do throws(WatchlistEditor.Refusal) {
                try trial.add(
                    .init(
                        query: what[0], bundleID: name, countries: country.countries, platforms: platform, every: every,
                        tags: tag, language: language))
            } catch .alreadyWatched(let query, _, let path) {
                Terminal.say(
                    "“\(SafeText.escaped(query))” for \(name) is already in the watchlist, at \(path), and \(words); "
                        + "edit that line to change it")
                throw ExitStatus.data
            } catch {
                // What else is wrong with the line is told where it is added.
                continue
            }
        }
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

    private func bundleID(
        named name: String, in watchlist: Watchlist, _ surroundings: Surroundings
    ) async throws -> BundleID {
        if let link = StoreLink(name) {
            return try await bundleID(of: link.id, in: link.country, "check the link's country", surroundings)
        }
        let isAlias = watchlist.apps.contains { $0.alias == name }
        if !isAlias, let id = AppID(written: name), let country = country.countries.first ?? Country(code: "us") {
            return try await bundleID(
                of: id, in: country,
                "name a country that has it with --country, or give a link such as "
                    + "https://apps.apple.com/de/app/id\(id)",
                surroundings)
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
        of id: AppID, in country: Country, _ advice: String, _ surroundings: Surroundings
    ) async throws -> BundleID {
        let origin = try StoreOrigin.resolve(flag: searchUrl, environment: surroundings.environment)
        try database.respectPause(of: .lookup(at: origin.description), surroundings)
        let list = try await ask(origin) { try await $0.lookup(.ids([id], country)) }
        guard let app = list.places.compactMap({ $0 }).first(where: { $0.id == id }) else {
            Terminal.say("the App Store of \(country) sells no app with the id \(id): \(advice)")
            throw ExitStatus.noInput
        }
        return app.bundleID
    }
}
