/// A watchlist to begin with, written as a person would write it.
package struct NewWatchlist: Sendable {
    package struct App: Sendable, Hashable {
        package var bundleID: BundleID
        /// What the store calls it, which stands beside it as a comment; `nil` if that is not known.
        package var name: String?

        package init(_ bundleID: BundleID, name: String? = nil) {
            self.bundleID = bundleID
            self.name = name
        }
    }

    package var app: App
    package var competitors: [App]
    /// Not empty, no two of which are the same query.
    package var queries: [String]
    /// Not empty, each once.
    package var countries: [Country]
    package var platform: Platform
    /// As it is written: `6h`.
    package var every: String

    package init(
        app: App, competitors: [App] = [], queries: [String], countries: [Country], platform: Platform = .iphone,
        every: String = "1d"
    ) {
        self.app = app
        self.competitors = competitors
        self.queries = queries
        self.countries = countries
        self.platform = platform
        self.every = every
    }

    /// The document, and what it says.
    ///
    /// - Parameters:
    ///   - day: when it is written: `YYYY-MM-DD`.
    ///   - file: what it is called, as a shell takes it.
    /// - Throws: the mistakes of what was given.
    package func document(
        on day: String, as file: String = "watchlist.json"
    ) throws(WatchlistError) -> (bytes: [UInt8], decoded: DecodedWatchlist) {
        let bytes = Array(text(on: day, as: file).utf8)
        return (bytes, try Watchlist.decode(bytes))
    }

    private func text(on day: String, as file: String) -> String {
        let aliases = Self.aliases(of: [app] + competitors)
        var lines = [
            "// The watchlist of rankd: what to search the App Store for, and which apps to look for in the answers.",
            "// rankctl init wrote it on \(day). Change it as you like, then check it:",
            "//   rankctl watch check \(SafeText.escaped(file))",
            "// This is JSON5: JSON with comments and trailing commas. rankd-watchlist(5) and docs/watchlist.md have the rest.",
            "{",
            "  // Short names for the apps, to be used in \"app\" below and in rankctl --app.",
            "  // An app that nobody lists as a competitor is yours. Summaries count only your apps.",
            "  \"apps\": {",
        ]
        lines += own(aliases)
        let written = zip(competitors, aliases.dropFirst()).map { app, alias in
            (
                text: "    \(JSONString.quoted(alias)): { \"bundleId\": \(JSONString.quoted(app.bundleID.text)) },",
                name: app.name
            )
        }
        let width = written.map(\.text.count).max() ?? 0
        for line in written {
            lines.append(line.text + Self.comment(line.name, at: width - line.text.count))
        }
        lines += [
            "  },", "", "  // What holds for every line of \"watch\" that does not say otherwise.", "  \"defaults\": {",
        ]
        lines += defaults
        lines += [
            "  },", "",
            "  // Each query is searched for once in each country, however many apps are looked for in the answer.",
            "  // So more apps cost nothing; each further query or country costs requests.",
            "  \"watch\": [", "    {",
            "      \"app\": \(JSONString.quoted(aliases[0])),"
                + (competitors.isEmpty ? "" : "   // the app and its competitors"),
            "      \"queries\": [",
        ]
        lines += queries.map { "        \(JSONString.quoted($0))," }
        lines += ["      ],", "    },", "  ],", "}", ""]
        return lines.joined(separator: "\n")
    }

    private func own(_ aliases: [String]) -> [String] {
        let alias = JSONString.quoted(aliases[0])
        let bundleID = JSONString.quoted(app.bundleID.text)
        guard !competitors.isEmpty else {
            return ["    \(alias): { \"bundleId\": \(bundleID) }," + Self.comment(app.name, at: 0)]
        }
        let short = "      \"competitors\": \(JSONString.list(Array(aliases.dropFirst()))),"
        let list =
            short.count <= 110
            ? [short]
            : ["      \"competitors\": ["] + aliases.dropFirst().map { "        \(JSONString.quoted($0))," } + [
                "      ],"
            ]
        return ["    \(alias): {" + Self.comment(app.name, at: 0), "      \"bundleId\": \(bundleID),"] + list + [
            "    },"
        ]
    }

    private var defaults: [String] {
        let codes = countries.map(\.code)
        let list = JSONString.list(codes)
        let asked: [String]
        if codes.count == 1 {
            asked = ["\"country\": \(JSONString.quoted(codes[0])),       // or \"countries\": [\"us\", \"gb\"]"]
        } else if list.count <= 90 {
            asked = ["\"countries\": \(list),"]
        } else {
            // Ten to a line.
            let rows = stride(from: 0, to: codes.count, by: 10).map { start in
                "  "
                    + codes[start..<min(start + 10, codes.count)].map { JSONString.quoted($0) + "," }.joined(
                        separator: " ")
            }
            asked = ["\"countries\": ["] + rows + ["],"]
        }
        // The comments stand below each other.
        let platform = "\"platform\": \(JSONString.quoted(platform.rawValue)),"
        let every = "\"every\": \(JSONString.quoted(every)),"
        let width = max(platform.count, every.count) + 3
        func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
        let rest = [
            padded(platform) + "// or \"platforms\": [\"iphone\", \"ipad\", \"mac\"]",
            padded(every) + "// a number and m, h, d or w, such as \"6h\"",
        ]
        return (asked + rest).map { "    " + $0 }
    }

    /// Behind a line, `blanks` more than three away; nothing if there is nothing to say.
    private static func comment(_ name: String?, at blanks: Int) -> String {
        // A name is a stranger's: a line break in it would end the comment.
        name.map { String(repeating: " ", count: max(0, blanks) + 3) + "// " + SafeText.escaped($0) } ?? ""
    }
}

extension NewWatchlist {
    /// Short names that a person would give, each once: the first words of an app's name, or the last part of its bundle
    /// identifier.
    package static func aliases(of apps: [App]) -> [String] {
        var taken = Set(apps.map(\.bundleID.folded))
        return apps.map { app in
            let words = app.name.flatMap { NameWords.parts(of: $0).first } ?? []
            let name = shortened(words.prefix(3))
            let wanted = name.isEmpty ? lastPart(of: app.bundleID) : name
            var alias = wanted
            var number = 2
            while !taken.insert(alias.lowercased()).inserted {
                alias = "\(wanted)-\(number)"
                number += 1
            }
            return alias
        }
    }

    /// The longest alias, in characters: what is easily typed.
    private static let longestAlias = 20

    /// As many of the words as fit, of letters and digits alone, without accents.
    private static func shortened(_ words: some Sequence<String>) -> String {
        var alias = ""
        for word in words {
            let plain = NameSearch.fold(word).filter { $0.isLetter || $0.isNumber }
            guard !plain.isEmpty else { continue }
            guard !alias.isEmpty else {
                alias = String(plain.prefix(longestAlias))
                continue
            }
            guard alias.count + 1 + plain.count <= longestAlias else { break }
            alias += "-" + plain
        }
        // A number alone would be taken for the App Store's number of an app.
        return AppID(written: alias) == nil ? alias : ""
    }

    private static func lastPart(of bundleID: BundleID) -> String {
        let parts = bundleID.folded.split(separator: ".")
        let generic: Set<Substring> = ["app", "ios", "iphone", "ipad", "mac", "mobile", "free", "pro", "lite"]
        let part = parts.last { !generic.contains($0) } ?? parts.last ?? "app"
        let plain = part.filter { $0.isLetter || $0.isNumber }.prefix(longestAlias)
        return plain.isEmpty || AppID(written: String(plain)) != nil ? "app" : String(plain)
    }
}
