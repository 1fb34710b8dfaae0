import History
import RankKit

/// Why there is no pair to tell of, in words that are the same whatever the report.
package enum NoSuchPair: Sendable, Hashable, CustomStringConvertible {
    /// The watchlist in force has no pair at all.
    case nothingTracked
    /// - Parameter known: the apps of the watchlist, as people call them.
    case app(String, known: [String])
    /// A query that nobody asked, with the one that it may be a slip of.
    case query(String, near: String?)
    /// A query that a watchlist does not have, with the one that it may be a slip of.
    case unwatched(String, near: String?)
    /// A query of which there is a history, and no longer a pair.
    case retired(String)
    /// - Parameter known: the tags in use.
    case tag([String], known: [String])
    /// What is named is there, but not together.
    ///
    /// - Parameter options: those that narrowed it, with their values.
    case together(options: [String])

    /// For people, without a full stop. Names are escaped.
    package var description: String {
        switch self {
        case .nothingTracked: Self.nothing
        case .app(let name, let known):
            "no app \(Self.quoted(name)) is tracked"
                + (Spelling.nearest(to: name, in: known).map { "; did you mean \(Self.quoted($0))?" }
                    ?? Self.list(known, or: "; \(Self.nothing)"))
        case .query(let text, let near):
            "\(Self.quoted(text)) was never asked"
                + (near.map { "; did you mean \(Self.quoted($0))?" } ?? "; \(Self.watchlist) shows the queries")
        case .unwatched(let text, let near):
            "the watchlist does not have \(Self.quoted(text))"
                + (near.map { "; did you mean \(Self.quoted($0))?" } ?? "; \(Self.watchlist) shows the queries")
        case .retired(let text):
            "\(Self.quoted(text)) is no longer asked; \(Self.history(of: text)) shows its history"
        case .tag(let names, let known):
            "no pair has the tag \(names.map(SafeText.escaped).joined(separator: " or "))"
                + Self.list(known, or: "; no pair has any tag")
        case .together(let options):
            "no tracked pair fits \(options.inWords): loosen \(options.count == 1 ? "it" : "one of them")"
        }
    }

    private static var watchlist: String {
        ReportAudience.quotedReport("watchlist", command: "rankctl watch list")
    }
    private static func history(of query: String) -> String {
        let command = AskedOptions.current.command(
            "rankctl report history --app APP", with: [RequestParameter("query", query)])
        return ReportAudience.words("“\(SafeText.escaped(command))”", tools: "the tool history with query")
    }
    private static var nothing: String {
        "no pair is tracked yet: "
            + ReportAudience.words("add one with “rankctl watch add” and run “\(pass)”", tools: start)
    }
    private static var pass: String { SafeText.escaped(ReportAudience.command("rankd --once")) }
    private static let start = "the user can add one with “rankctl watch add”, and rankd asks it then"

    /// What stands in the place of a report on no pair at all, whether there is none or the filter leaves none.
    static var report: String {
        "No tracked pair to report. "
            + ReportAudience.words(
                "Add one with “rankctl watch add” and run “\(pass)”, or loosen --app, --query, --country, --platform, "
                    + "--tag and --language if you gave them.",
                tools: "Loosen app, query, country, platform, tag and language if you gave them. If there is none at "
                    + "all, \(start).")
    }
    /// What stands instead of counts of mine where the pairs are all competitors'.
    static func competitors(_ pairs: Int) -> String {
        "competitors: \(Figures.counted(pairs, "pair")); none of these is of an app of yours"
    }
    /// The same where nothing is shown, because the report is about mine.
    static func onlyCompetitors(_ pairs: Int) -> String {
        "nothing to show: this is about your apps, and "
            + (pairs == 1 ? "the 1 pair is a competitor's" : "all \(Figures.grouped(pairs)) pairs are of competitors")
    }

    private static let mostNamed = 12

    private static func quoted(_ text: String) -> String { "“\(SafeText.escaped(text))”" }

    private static func list(_ known: [String], or nothing: String) -> String {
        guard !known.isEmpty else { return nothing }
        return "; these are: " + known.prefix(mostNamed).map(SafeText.escaped).joined(separator: ", ")
            + (known.count > mostNamed ? " …" : "")
    }
}

extension NoSuchPair {
    /// Why `filter` admits no active pair; `nil` if it admits one.
    ///
    /// A name that is not there is found out even beside others that are: whoever mistypes one of two apps would read
    /// half of an answer.
    init?(_ filter: PairFilter, in reader: HistoryReader) throws(HistoryError) {
        if let unknown = try Self.unknown(filter, reader) {
            self = unknown
        } else if try reader.tracksAny(filter) {
            return nil
        } else {
            self = try reader.tracksAny() ? .together(filter) : .nothingTracked
        }
    }

    private static func unknown(_ filter: PairFilter, _ reader: HistoryReader) throws(HistoryError) -> NoSuchPair? {
        if !filter.apps.isEmpty {
            let apps = try reader.watchedApps()
            for name in filter.apps
            where !apps.contains(where: { $0.alias?.lowercased() == name || $0.bundleID.folded == name }) {
                return .app(name, known: apps.map { $0.alias ?? $0.bundleID.text })
            }
        }
        for text in filter.queries where !(try reader.tracksAny(PairFilter(queries: [text]))) {
            let asked = try reader.askedQueries()
            if asked.contains(where: { $0.query.folded == text }) { return .retired(text) }
            return .query(text, near: Spelling.nearest(to: text, in: Set(asked.map(\.query.folded)).sorted()))
        }
        guard !filter.tags.isEmpty else { return nil }
        let known = try reader.tags()
        let missing = filter.tags.filter { !known.contains($0) }
        return missing.isEmpty ? nil : .tag(missing, known: known)
    }
}

extension NoSuchPair {
    /// Why `filter` admits no pair of a watchlist; `nil` if it admits one.
    init?(_ filter: PairFilter, in watchlist: Watchlist) {
        let aliases = Dictionary(watchlist.apps.map { ($0.bundleID, $0.alias) }) { first, _ in first }
        func admits(_ filter: PairFilter) -> Bool {
            watchlist.queries.contains { watched in
                watched.pairs.contains { pair in
                    let alias = aliases[pair.bundleID] ?? nil
                    return filter.admits(query: watched.query, bundleID: pair.bundleID, alias: alias, tags: pair.tags)
                }
            }
        }
        if let app = filter.apps.first(where: { !admits(PairFilter(apps: [$0])) }) {
            self = .app(app, known: watchlist.apps.map { $0.alias ?? $0.bundleID.text })
        } else if let text = filter.queries.first(where: { !admits(PairFilter(queries: [$0])) }) {
            let known = Set(watchlist.queries.map(\.query.folded)).sorted()
            self = .unwatched(text, near: Spelling.nearest(to: text, in: known))
        } else if let tag = filter.tags.first(where: { !admits(PairFilter(tags: [$0])) }) {
            let known = Set(watchlist.queries.flatMap { $0.pairs.flatMap(\.tags) }).sorted()
            self = .tag([tag], known: known)
        } else if admits(filter) || watchlist.queries.isEmpty {
            return nil
        } else {
            self = .together(filter)
        }
    }
}

extension NoSuchPair {
    /// That what `filter` names is there, but not together.
    ///
    /// - Parameter more: options beside those of the filter, with their values.
    static func together(_ filter: PairFilter, and more: [String] = []) -> NoSuchPair {
        .together(options: filter.options + more)
    }
}

extension PairFilter {
    /// The options that it is made of with their values, as people write them.
    fileprivate var options: [String] {
        [
            ("--app", apps), ("--query", queries), ("--country", countries.map(\.code)),
            ("--platform", platforms.map(\.rawValue)), ("--tag", tags), ("--language", languages),
        ].compactMap { name, values in
            values.isEmpty ? nil : "\(name) \(values.map(SafeText.escaped).joined(separator: " or "))"
        }
    }
}
