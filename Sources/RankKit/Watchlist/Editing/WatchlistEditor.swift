import JSON5

/// Changes a watchlist file the way a careful person would: only the lines concerned, with comments, indentation,
/// commas and line breaks left as they are.
///
/// Every edit is decoded again and compared with what it was meant to do; one that does anything else is refused,
/// and `bytes` stay as they were.
package struct WatchlistEditor: Sendable {
    /// The document as it is now.
    package private(set) var bytes: [UInt8]
    /// What `bytes` say. Kept, since reading a long list is most of what an edit costs.
    private(set) var current: WatchlistReading

    /// What a file that does not exist yet begins with. Valid only once something has been added.
    package static let emptyDocument = Array("{\n  \"watch\": [\n  ]\n}\n".utf8)

    /// - Throws: the mistakes of the document; one that watches nothing yet is fine.
    package init(_ bytes: [UInt8]) throws(WatchlistError) {
        self.bytes = bytes
        current = try Self.reading(bytes)
    }

    /// Makes an edit that was held against what it was meant to do the document.
    mutating func accept(_ edited: [UInt8], _ reading: WatchlistReading) {
        bytes = edited
        current = reading
    }

    /// What the document says as it is now; one that watches nothing yet is fine.
    package var watchlist: Watchlist { current.watchlist }
    /// Whether most lines name their app by an alias, which brings its competitors. So does the first line of all, where
    /// there is an alias.
    package var namesAppsByAlias: Bool {
        if current.lines.isEmpty { return true }
        let byAlias = current.lines.count { line in
            guard case .object(let members) = line.place.value else { return false }
            return members.contains { $0.value.range == line.appsNode.range && $0.key.hasPrefix("app") }
        }
        return byAlias * 2 > current.lines.count
    }
    /// What should be said about the document as it is now, in its order.
    package var warnings: [Warning] { current.warnings }

    /// Why an edit was not made.
    package enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        case alreadyWatched(query: String, bundleID: BundleID, path: String)
        case notWatched(query: String, bundleID: BundleID)
        case lastPair
        case alreadyDeclared(alias: String, bundleID: BundleID)
        /// `near` is what it may be a slip of.
        case unknownAlias(String, near: String?)
        case bareList
        /// There is nothing to mute.
        case noAlerts
        /// `remedy` says what may have been meant.
        case unknownSubject(String, remedy: String)
        /// `meanings` are the subjects, as they can be told apart.
        case ambiguousSubject(String, meanings: [String])
        case alreadyMuted(subject: String, path: String)
        case notMuted(subject: String)
        /// A mute that would end before it begins.
        case pastDay(String)
        /// What was to be written is itself wrong.
        case invalid(WatchlistError)
        /// The edit came out as something else than was meant.
        case inexact

        package var description: String {
            switch self {
            case .alreadyWatched(let query, let bundleID, let path):
                "“\(query)” for \(bundleID) is already in the watchlist, at \(path); edit that line to change it"
            case .notWatched(let query, let bundleID):
                "the watchlist does not have “\(query)” for \(bundleID); see rankctl watch list"
            case .lastPair:
                "nothing would be left in the watchlist; add another pair first"
            case .alreadyDeclared(let alias, let bundleID):
                "apps already has “\(alias)” for \(bundleID); use that alias, or edit it by hand"
            case .unknownAlias(let alias, let near):
                "no app has the alias “\(alias)”; "
                    + (near.map { "did you mean “\($0)”?" } ?? "declare it under apps first")
            case .bareList:
                "the watchlist is a bare list, so this cannot be added; write { \"watch\": [ … ] } around the list"
            case .noAlerts:
                "the watchlist has no alerts, so there is nothing to mute; add \"alerts\" with a channel first, as "
                    + "docs/alerts.md shows"
            case .unknownSubject(let subject, let remedy):
                "no message is ever about “\(subject)”; \(remedy)"
            case .ambiguousSubject(let subject, let meanings):
                "“\(subject)” has several meanings; write \(AlertWording.list(meanings, "or"))"
            case .alreadyMuted(let subject, let path):
                "“\(subject)” is already muted like this, at \(path); name another day to change it"
            case .notMuted(let subject):
                "there is no mute for exactly “\(subject)”; see rankctl alerts list, or edit the file by hand"
            case .pastDay(let day):
                "a mute until \(day) would be over already; name a day after today"
            case .invalid(let error): error.description
            case .inexact:
                "rankctl could not change only these lines, so it changed nothing; edit the file by hand"
            }
        }
    }

    private static func reading(_ bytes: [UInt8]) throws(WatchlistError) -> WatchlistReading {
        try WatchlistReading(bytes, keepsLines: true, permitsNoPairs: true)
    }

    static func checked(_ bytes: [UInt8]) throws(Refusal) -> WatchlistReading {
        do throws(WatchlistError) { return try reading(bytes) } catch { throw .invalid(error) }
    }

    /// `bytes`, whose root is `root`, with `text` at the end of the section `key`, which is created where it is missing.
    static func appending(
        _ text: String, toSection key: String, brackets: (open: String, close: String), of root: JSON5Node,
        in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let layout = JSON5Layout(bytes: bytes)
        let unit = unit(root, layout)
        if let section = root.member(key) {
            return try appending(text, to: section, of: root, spreads: layout.hasLines, in: bytes)
        }
        guard case .object = root.value else { throw .bareList }
        let section: String
        if layout.hasLines {
            let lines = [brackets.open, unit + unit + text, unit + brackets.close]
            section = lines.joined(separator: layout.lineBreak)
        } else {
            section = brackets.open + text + brackets.close
        }
        return try appending("\(JSONString.quoted(key)): \(section)", to: root, of: root, spreads: false, in: bytes)
    }

    static func appending(
        _ text: String, to node: JSON5Node, of root: JSON5Node, spreads: Bool, in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        guard let container = JSON5Layout.Container(node) else { throw .inexact }
        let layout = JSON5Layout(bytes: bytes)
        let unit = unit(root, layout)
        let splices = layout.appending(text, to: container, unit: unit, spreads: spreads)
        return JSON5Layout.applying(splices, to: bytes)
    }

    /// One step of indentation: that of the root's first item, else two spaces.
    static func unit(_ root: JSON5Node, _ layout: JSON5Layout) -> String {
        guard let first = JSON5Layout.Container(root)?.items.first?.lowerBound, layout.isFirstOnLine(first) else {
            return "  "
        }
        let indent = layout.indent(at: first)
        return indent.isEmpty ? "  " : indent
    }
}

/// What differs between two watchlists: what an edit is held against.
struct WatchlistChange {
    struct Pair: Hashable {
        let query: Query
        let bundleID: BundleID
    }

    let added: Set<Pair>
    let removed: Set<Pair>
    /// Queries in both of which anything differs, apart from the place that declares them.
    let altered: Set<Query>
    let keepsNotesAndSettings: Bool
    /// Whether the apps that have an alias are the same in all they say.
    let keepsDeclaredApps: Bool

    init(from before: Watchlist, to after: Watchlist) {
        // An edit leaves nearly all of a long list as it was, and that at its beginning.
        let same = zip(before.queries, after.queries).prefix { $0 == $1 && $0.query.text == $1.query.text }.count
        let (oldRest, newRest) = (before.queries.dropFirst(same), after.queries.dropFirst(same))
        let old = Self.pairs(oldRest)
        let new = Self.pairs(newRest)
        added = new.subtracting(old)
        removed = old.subtracting(new)
        let oldQueries = Dictionary(oldRest.map { ($0.query, $0) }) { first, _ in first }
        altered = Set(
            newRest.filter { query in
                guard var other = oldQueries[query.query] else { return false }
                other.declaredAt = query.declaredAt
                return other != query || other.query.text != query.query.text
            }.map(\.query))
        keepsNotesAndSettings =
            before.notes == after.notes && before.service == after.service && before.timeZone == after.timeZone
            && before.sensitivity == after.sensitivity && before.alerts == after.alerts
        keepsDeclaredApps = before.apps.filter { $0.alias != nil } == after.apps.filter { $0.alias != nil }
    }

    private static func pairs(_ queries: some Sequence<WatchedQuery>) -> Set<Pair> {
        var pairs: Set<Pair> = []
        for query in queries {
            for pair in query.pairs { pairs.insert(Pair(query: query.query, bundleID: pair.bundleID)) }
        }
        return pairs
    }
}
