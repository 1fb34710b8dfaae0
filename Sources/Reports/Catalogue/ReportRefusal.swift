package import RankKit

/// Why a report cannot be made as it is asked for.
package enum ReportRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// An option, or two of them together, that no history could answer.
    case option(String)
    /// More than may be shown at once; with what to do.
    case tooMuch(String)
    /// - Parameter known: the columns that the report has.
    case noColumn(String, known: [String])
    /// There is no pair to tell of.
    case noPair(NoSuchPair)
    /// - Parameter near: those that come near, as people write them.
    case noApp(String, near: [String], isMore: Bool)
    /// An app that is known from entries without a number of Apple's alone: by its places, and not as an app.
    case noNumber(BundleID)
    /// An app that is known and tracked nowhere, where its queries are what is asked for.
    case notTracked(BundleID)
    /// - Parameter known: how the query was asked.
    case notAskedThere(String, known: String)
    /// No imported table of the name that was given has it.
    case notInTable(String, source: String, known: String)
    /// - Parameter options: those by which they can be told apart.
    case severalQueries(String, options: [String], known: String)
    /// - Parameter known: the newest versions that are known of the app.
    case noVersion(String, of: String, known: [String], isMore: Bool)
    /// - Parameter apps: as people write them; none for all of the user's own.
    case noRelease(apps: [String])
    /// - Parameters:
    ///   - at: as people write the time, with its zone.
    ///   - since: when the query was first asked, written alike.
    ///   - isSuspect: whether there are lists, none of which can be believed yet.
    case noList(query: String, at: String, since: String?, isSuspect: Bool)
    /// The watchlist as it is written now is wanted and cannot be read: why.
    case noWatchlist(String)
    /// Lists are wanted of a query that has only what a table brought.
    case noListsOfTable(query: String, source: String)

    /// Whether what was written can never be right, so that how to write it helps.
    package var isUsage: Bool {
        switch self {
        case .option, .noColumn, .tooMuch: true
        default: false
        }
    }

    /// For people, without a full stop. Names are escaped.
    package var description: String {
        switch self {
        case .option(let text), .tooMuch(let text): text
        case .noColumn(let title, let known):
            "no column is called \(Self.quoted(title)); the columns are \(known.joined(separator: ", "))"
        case .noPair(let nothing): nothing.description
        case .noApp(let name, let near, let isMore):
            "\(Self.quoted(name)) was never seen in any answer; "
                + (near.isEmpty
                    ? "look for an app with \(Self.apps)"
                    : "did you mean " + near.joined(separator: ", ") + (isMore ? " …" : "") + "?")
        case .noNumber(let app):
            "\(Self.quoted(app.text)) came without a number of Apple's only, so nothing is kept of it but its places in "
                + "lists; the report “results” shows them"
        case .notTracked(let app): "\(Self.quoted(app.text)) is not tracked: name the query with --query"
        case .notAskedThere(let query, let known): "\(Self.quoted(query)) was never asked there; it was asked " + known
        case .notInTable(let query, let source, let known):
            "\(Self.quoted(query)) was never imported from \(Self.quoted(source)); it was asked " + known
        case .severalQueries(let query, let options, let known):
            "\(Self.quoted(query)) is asked in several ways; choose one with "
                + "\(options.inWords): \(known)"
        case .noVersion(let version, let app, let known, let isMore):
            known.isEmpty
                ? "rankd knows no version of \(SafeText.escaped(app)) yet: write one down with “rankctl note add”"
                : "rankd knows no version \(Self.quoted(version)) of \(SafeText.escaped(app)); it knows: "
                    + known.map(SafeText.escaped).joined(separator: ", ") + (isMore ? " …" : "")
        case .noRelease(let apps):
            "no release of \(apps.isEmpty ? "your apps" : SafeText.escaped(apps.joined(separator: ", "))) is known "
                + "yet: write one down with “rankctl note add”, or give a date"
        case .noWatchlist(let why): "the watchlist cannot be read: \(SafeText.escaped(why))"
        case .noListsOfTable(let query, let source):
            "\(Self.quoted(query)) came from an imported table (\(SafeText.escaped(source))), which has places of apps and "
                + "no lists; the report “history” shows them"
        case .noList(let query, let moment, let since, let isSuspect):
            "the history has no good list of \(Self.quoted(query)) from \(moment) or before"
                + (isSuspect ? "; it has suspect lists only, which do not count" : "")
                + (since.map { "; it was first asked at \($0)" } ?? "; it was never asked")
        }
    }

    private static var apps: String {
        ReportAudience.words(
            "“\(AskedOptions.current.command("rankctl apps TEXT"))”", tools: "the tool apps and its text")
    }

    /// The same for those who ask by names and values: what an option is called there, it has no hyphens.
    package var plain: String { description.namingParameters() }

    private static func quoted(_ text: String) -> String { "“\(SafeText.escaped(text))”" }
}

extension String {
    /// The options that it names as those know them who ask by names and values: without hyphens. What stands between
    /// quotation marks stays: it was written by somebody, or is a command.
    ///
    /// - Parameter isKept: whether an option of this name stays as it is, with the character before it.
    package func namingParameters(
        unless isKept: (_ name: String, _ before: Character?) -> Bool = { _, _ in false }
    ) -> String {
        guard contains("--") else { return self }
        var (text, rest, quotations) = ("", startIndex, 0)
        for match in matches(of: /[“”]|--([a-z][a-z-]*)/) {
            guard let name = match.output.1 else {
                quotations = max(0, quotations + (match.output.0 == "“" ? 1 : -1))
                continue
            }
            let before = self[..<match.range.lowerBound].last
            let isOption = before.map { " ('".contains($0) } ?? true
            guard quotations == 0, isOption, !isKept(String(name), before) else { continue }
            text += self[rest..<match.range.lowerBound] + name
            rest = match.range.upperBound
        }
        return text + self[rest...]
    }
}
