import GRDB
import RankKit

/// The app of a row, as the table names it.
enum TableApp: Hashable {
    case bundle(BundleID)
    /// By Apple's number, which is the app.
    case number(Int64, name: String?)
    case name(String)
    /// Named by no cell: the one that the caller names.
    case given

    /// Apple's number, if the table has one: it may stand in a column for names.
    var number: Int64? {
        switch self {
        case .number(let number, _): number
        case .name(let name): Self.number(in: name)
        case .bundle, .given: nil
        }
    }

    /// `1234567890`, `id1234567890`.
    static func number(in text: String) -> Int64? {
        let text = text.lowercased()
        let digits = text.hasPrefix("id") ? text.dropFirst(2) : text[...]
        // An app can be called 2048.
        guard (7...16).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(digits)
    }

    /// For people.
    var words: String {
        switch self {
        case .bundle(let bundleID): bundleID.text
        case .number(let number, _): "\(number)"
        case .name(let name): "“\(name)”"
        case .given: "--app"
        }
    }
}

/// The apps of a table, as the history knows them.
struct TableApps {
    private(set) var bundles: [TableApp: BundleID] = [:]
    private(set) var notes: [String] = []
    /// How many unknown apps are named.
    private static let named = 10

    /// - Parameters:
    ///   - options: what the caller says is the app, which is the one that the table names and nobody knows; and aliases.
    ///   - database: `nil` where there is no history yet.
    /// - Throws: `ImportRefusal` if there are others that nobody knows, or that could be several.
    init(_ wanted: Set<TableApp>, _ options: ForeignTableOptions, in database: Database?, file: String) throws {
        let given = try options.app.map { try Self.resolved($0, options, database, file) }
        var unknown: [TableApp] = []
        var numbered: [BundleID: Int64] = [:]
        for app in wanted.sorted(by: { $0.words < $1.words }) {
            if app == .given {
                bundles[app] = given
                continue
            }
            if case .bundle(let bundleID) = app {
                bundles[app] = try Self.resolved(bundleID, options, database, file, byStoreName: false)
                continue
            }
            if case .name(let name) = app, let bundleID = options.aliases[name.lowercased()] {
                bundles[app] = bundleID
                continue
            }
            var known = try database.map { try Self.known(app, in: $0) } ?? []
            if known.isEmpty, case .number(_, .some(let name)) = app, let bundleID = options.aliases[name.lowercased()],
                try database.flatMap({ try Self.number(of: bundleID, in: $0) }) == nil
            {
                known = [bundleID]
            }
            if let only = known.first(where: { $0 == given }) ?? (known.count == 1 ? known.first : nil) {
                bundles[app] = only
                // One number beside two spellings of the name is one app.
                if let number = app.number, try database.map({ try !Self.isKnown(number, in: $0) }) ?? true,
                    let other = numbered.updateValue(number, forKey: only), other != number
                {
                    let isAlias = options.aliases.values.contains(only)
                    throw ImportRefusal(
                        file: file, line: nil,
                        problem:
                            "\(other) and \(number) are two apps, and the \(isAlias ? "watchlist" : "history") has one "
                            + "by that name",
                        remedy: "import the rows of that one alone, or add a column bundle_id")
                }
            } else if known.count > 1 {
                throw ImportRefusal(
                    file: file, line: nil,
                    problem: "\(app.words) is the name of \(known.map(\.text).joined(separator: " and of "))",
                    remedy: "add --app with the one that is meant, or a column bundle_id")
            } else {
                unknown.append(app)
            }
        }
        try take(unknown, isOnly: Set(wanted.subtracting([.given]).map(\.words)).count == 1, given, database, file)
    }

    /// The app that is meant by what stands for a bundle identifier: one without a point is an alias or a number, or an app
    /// that is known.
    ///
    /// - Parameter byStoreName: whether it may be the name of an app in a store. A column of bundle identifiers has none.
    private static func resolved(
        _ bundleID: BundleID, _ options: ForeignTableOptions, _ database: Database?, _ file: String,
        byStoreName: Bool = true
    ) throws -> BundleID {
        if let named = options.aliases[bundleID.folded] { return named }
        guard !bundleID.text.contains(".") else { return bundleID }
        let text = bundleID.folded
        let digits = text.hasPrefix("id") ? String(text.dropFirst(2)) : text
        var found = try database.map { try named(bundleID.text, in: $0, byStoreName: byStoreName) } ?? []
        if found.isEmpty, let number = Int64(digits), number > 0, let database {
            found = try known(.number(number, name: nil), in: database)
        }
        if found.count == 1 { return found[0] }
        throw ImportRefusal(
            file: file, line: nil,
            problem: found.isEmpty
                ? "neither the watchlist nor the history knows an app “\(bundleID)”"
                : "“\(bundleID)” is the name of \(found.map(\.text).joined(separator: " and of "))",
            remedy: "write its alias, or its bundle id such as com.example.app")
    }

    /// - Parameter isOnly: whether the table is about one app.
    private mutating func take(
        _ unknown: [TableApp], isOnly: Bool, _ given: BundleID?, _ database: Database?, _ file: String
    ) throws {
        guard let first = unknown.first else { return }
        // One number beside two names is one app.
        let apps = Set(unknown.map(\.words)).sorted()
        if let given, apps.count == 1, !isOnly {
            throw ImportRefusal(
                file: file, line: nil,
                problem:
                    "neither the watchlist nor the history knows the app \(first.words), and the table has other apps "
                    + "too, so it need not be \(given)",
                remedy: "import the rows of that one alone, add a column bundle_id, or track it first")
        }
        if let given, apps.count == 1 {
            if let number = first.number,
                let other = try database.flatMap({ try Self.number(of: given, in: $0) })
            {
                throw ImportRefusal(
                    file: file, line: nil, problem: "the table is about app \(number), and \(given) is app \(other)",
                    remedy: "correct --app")
            }
            for app in unknown { bundles[app] = given }
            notes.append("the app \(first.words) of the table is taken for \(given)")
            return
        }
        let more = apps.count > Self.named ? " and \(apps.count - Self.named) more" : ""
        let list = apps.prefix(Self.named).joined(separator: ", ") + more
        let isOfNumbers = unknown.allSatisfy { $0.number != nil }
        throw ImportRefusal(
            file: file, line: nil,
            problem: isOfNumbers
                ? "no search has shown the apps \(list), so their bundle ids are not known"
                : "neither the watchlist nor the history knows the apps \(list)",
            remedy: apps.count == 1
                ? "add --app with its bundle id, add a column bundle_id, or track it first"
                : "add a column bundle_id, or track them first")
    }

    /// All that it can be.
    private static func known(_ app: TableApp, in database: Database) throws -> [BundleID] {
        switch app {
        case .given: return []
        case .bundle(let bundleID): return [bundleID]
        case .number(let number, let name):
            let found = try bundles("SELECT \(AppNames.shown) FROM app WHERE app.app_id = :text", "\(number)", database)
            if !found.isEmpty { return found }
            // A name may be known of an app whose number nobody has seen.
            return try name.map { try named($0, in: database) }?.filter { try self.number(of: $0, in: database) == nil }
                ?? []
        case .name(let name):
            let found = try named(name, in: database)
            guard found.isEmpty, let number = TableApp.number(in: name) else { return found }
            return try known(.number(number, name: nil), in: database)
        }
    }

    private static func named(
        _ name: String, in database: Database, byStoreName: Bool = true
    ) throws -> [BundleID] {
        let names = names(of: try PresentListing(in: database))
        for select in byStoreName ? names : names.dropLast() {
            let found = try bundles(select, name, database)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// By alias, by bundle identifier, by a name in a store.
    private static func names(of present: PresentListing) -> [String] {
        [
            "SELECT bundle_id FROM watched_app WHERE alias = :text COLLATE NOCASE",
            "SELECT bundle_id FROM watched_app WHERE bundle_key = lower(:text)",
            "SELECT \(AppNames.shown) FROM app WHERE app.id IN \(AppNames.ids("lower(:text)"))",
            """
            SELECT DISTINCT \(AppNames.shown) FROM listing JOIN app ON app.id = listing.app
            WHERE (\(present.column("name"))) = :text COLLATE NOCASE ORDER BY 1
            """,
        ]
    }

    private static func bundles(_ select: String, _ text: String, _ database: Database) throws -> [BundleID] {
        let texts = try String.fetchAll(database.cachedStatement(sql: select), arguments: ["text": text])
        return texts.compactMap { BundleID($0) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether a search has shown the number: the history knows which app it is, and may have several by one name.
    private static func isKnown(_ number: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM app WHERE app_id = ?)"), arguments: [number])
            ?? false
    }

    private static func number(of bundleID: BundleID, in database: Database) throws -> Int64? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT min(app_id) FROM app WHERE id IN \(AppNames.ids(":key"))"),
            arguments: ["key": bundleID.folded]
        )?.wideIfAny(0)
    }

    /// The keys of every name that the app of `bundleID` has had, its own first; of that alone if several apps had it.
    static func keys(of bundleID: BundleID, in database: Database) throws -> [String] {
        let others = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT other.bundle_key FROM bundle_name AS other
                    WHERE other.bundle_key <> :key
                        AND other.app IN (SELECT app FROM bundle_name WHERE bundle_key = :key)
                        AND (SELECT count(*) FROM app WHERE id IN \(AppNames.ids(":key"))) = 1
                        AND (SELECT count(*) FROM app WHERE id IN \(AppNames.ids("other.bundle_key"))) = 1
                    """), arguments: ["key": bundleID.folded])
        return [bundleID.folded] + others
    }
}
