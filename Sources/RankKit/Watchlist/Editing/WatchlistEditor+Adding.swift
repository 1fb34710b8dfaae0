import JSON5

extension WatchlistEditor {
    /// A line to be added to `watch`: every query of it is looked at for every app of it. What is left out follows the
    /// defaults of the file.
    package struct NewLine: Sendable, Hashable {
        /// An app that the line names.
        package struct App: Sendable, Hashable {
            package var bundleID: BundleID
            /// What the line names the app by, if it has one for each of its apps; its bundleId where it is `nil`. An alias
            /// brings the app's competitors.
            package var alias: String?

            package init(_ bundleID: BundleID, alias: String? = nil) {
                self.bundleID = bundleID
                self.alias = alias
            }
        }

        /// At least one, no two of which are the same query.
        package var queries: [String]
        /// At least one, each once.
        package var apps: [App]
        package var countries: [Country]
        package var platforms: [Platform]
        /// As it is written: `6h`.
        package var every: String?
        package var tags: [String]
        /// As it is written: `en_us`.
        package var language: String?
        /// 0–100.
        package var popularity: Double?

        package init(
            queries: [String], apps: [App], countries: [Country] = [], platforms: [Platform] = [], every: String? = nil,
            tags: [String] = [], language: String? = nil, popularity: Double? = nil
        ) {
            self.queries = queries
            self.apps = apps
            self.countries = countries
            self.platforms = platforms
            self.every = every
            self.tags = tags
            self.language = language
            self.popularity = popularity
        }

        /// One query for one app.
        package init(
            query: String, bundleID: BundleID, alias: String? = nil, countries: [Country] = [],
            platforms: [Platform] = [], every: String? = nil, tags: [String] = [], language: String? = nil,
            popularity: Double? = nil
        ) {
            self.init(
                queries: [query], apps: [App(bundleID, alias: alias)], countries: countries, platforms: platforms,
                every: every, tags: tags, language: language, popularity: popularity)
        }

        /// The aliases by which the line names its apps; `nil` if it names them by their bundleIds.
        package var aliases: [String]? {
            let aliases = apps.compactMap(\.alias)
            return aliases.count == apps.count ? aliases : nil
        }

        /// The line itself, without a comma.
        package var text: String {
            WatchlistEditor.object(members.map { ($0.key, JSONString.written($0.values, $0.isList)) })
        }

        /// The line as a person would write it: on several lines of text where one would be too long to read.
        ///
        /// - Parameters:
        ///   - indent: what its first line begins with.
        ///   - unit: one step of indentation.
        func text(indent: String, unit: String, lineBreak: String) -> String {
            let short = text
            guard indent.count + short.count > Self.longestLine else { return short }
            let inner = lineBreak + indent + unit
            let written = members.map { key, values, isList in
                let plain = "\(JSONString.quoted(key)): \(JSONString.written(values, isList))"
                guard isList, indent.count + unit.count + plain.count > Self.longestLine else { return plain }
                let items = values.map { inner + unit + $0 }.joined(separator: ",")
                return "\(JSONString.quoted(key)): [\(items)\(inner)]"
            }
            return "{" + written.map { inner + $0 }.joined(separator: ",") + lineBreak + indent + "}"
        }

        /// In characters, as in the example that comes with the project.
        private static let longestLine = 110

        private var members: [(key: String, values: [String], isList: Bool)] {
            var members = [Self.list("query", "queries", queries)]
            members.append(
                aliases.map { Self.list("app", "apps", $0) }
                    ?? Self.list("bundleId", "bundleIds", apps.map(\.bundleID.text)))
            if !countries.isEmpty { members.append(Self.list("country", "countries", countries.map(\.code))) }
            if !platforms.isEmpty { members.append(Self.list("platform", "platforms", platforms.map(\.rawValue))) }
            if let every { members.append(("every", [JSONString.quoted(every)], false)) }
            if !tags.isEmpty { members.append(("tags", tags.map(JSONString.quoted), true)) }
            if let language { members.append(("language", [JSONString.quoted(language)], false)) }
            if let popularity { members.append(("popularity", [WatchlistDecoder.plain(popularity)], false)) }
            return members
        }

        private static func list(
            _ one: String, _ many: String, _ values: [String]
        ) -> (key: String, values: [String], isList: Bool) {
            let quoted = values.map(JSONString.quoted)
            return values.count == 1 ? (one, quoted, false) : (many, quoted, true)
        }
    }

    /// What adding a line came to.
    package struct Addition: Sendable {
        /// The line that was added.
        package var line: NewLine
        /// The queries that were watched already for all apps of the line, each with the place of its line. The added line
        /// leaves them out.
        package var known: [(query: String, path: String)]
        /// What became different for apps that were tracked on the queries before.
        package var altered: [AlteredQuery]
        /// The queries of the watchlist that the added line stands for, for what it costs.
        package var queries: [WatchedQuery]
    }

    /// Appends one line to `watch`, or to the bare list.
    ///
    /// - Returns: what became different for apps that were tracked on its queries before.
    /// - Throws: `alreadyWatched` if a query of the line would add no pair, or an app of it none; `invalid` where the line
    ///   itself is wrong.
    @discardableResult
    package mutating func add(_ line: NewLine) throws(Refusal) -> [AlteredQuery] {
        let trial = try trying(line)
        if let (query, path) = trial.known.first {
            throw .alreadyWatched(query: query, bundleID: line.apps[0].bundleID, path: path)
        }
        return try accept(trial, line).altered
    }

    /// Appends one line without those of its queries that are watched already for all of its apps.
    ///
    /// - Throws: `alreadyWatched` if that leaves no query, or an app of the line would get no pair; `invalid` where the line
    ///   itself is wrong.
    package mutating func addMissing(_ line: NewLine) throws(Refusal) -> Addition {
        let trial = try trying(line)
        let known = trial.known
        guard !known.isEmpty else { return try accept(trial, line) }
        var rest = line
        let left = Set(known.map(\.query))
        rest.queries.removeAll { left.contains($0) }
        guard !rest.queries.isEmpty else {
            throw .alreadyWatched(query: known[0].query, bundleID: line.apps[0].bundleID, path: known[0].path)
        }
        var addition = try accept(trying(rest), rest)
        addition.known = known
        return addition
    }

    /// A document with one line more, which nobody has accepted yet.
    private struct Trial {
        let edited: [UInt8]
        let after: WatchlistReading
        let change: WatchlistChange
        let line: WatchLine
        /// The queries that the line adds nothing to.
        let known: [(query: String, path: String)]
    }

    private func trying(_ line: NewLine) throws(Refusal) -> Trial {
        let before = current
        let edited: [UInt8]
        if case .array = before.root.value {
            edited = try Self.appending(written(line), to: before.root, of: before.root, spreads: true, in: bytes)
        } else {
            edited = try Self.appending(
                written(line), toSection: "watch", brackets: ("[", "]"), of: before.root, in: bytes)
        }
        let after = try Self.checked(edited)
        let change = WatchlistChange(from: before.watchlist, to: after.watchlist)
        guard let added = after.lines.last, after.lines.count == before.lines.count + 1 else { throw .inexact }
        let apps = Set(line.apps.map(\.bundleID))
        let fresh = Set(change.added.filter { apps.contains($0.bundleID) }.map(\.query.folded))
        let known = line.queries.filter { !fresh.contains(Query.fold($0)) }.map { query in
            let folded = Query.fold(query)
            let wanted = after.watchlist.queries.first { watched in
                watched.query.folded == folded && watched.pairs.contains { apps.contains($0.bundleID) }
            }
            return (query: query, path: wanted?.declaredAt ?? after.path(to: added.place))
        }
        return Trial(edited: edited, after: after, change: change, line: added, known: known)
    }

    private mutating func accept(_ trial: Trial, _ line: NewLine) throws(Refusal) -> Addition {
        let before = current
        let change = trial.change
        let folded = Set(line.queries.map(Query.fold))
        // An app that gets nothing was watched on all the queries, while another was not.
        for app in line.apps where !change.added.contains(where: { $0.bundleID == app.bundleID }) {
            let wanted = before.watchlist.queries.first { watched in
                folded.contains(watched.query.folded) && watched.pairs.contains { $0.bundleID == app.bundleID }
            }
            throw .alreadyWatched(
                query: line.queries[0], bundleID: app.bundleID,
                path: wanted?.declaredAt ?? trial.after.path(to: trial.line.place))
        }
        let competitors = (line.aliases ?? []).flatMap { alias in
            before.watchlist.apps.first { $0.alias == alias }?.competitors ?? []
        }
        let brought = Set(line.apps.map(\.bundleID) + competitors)
        let isExact =
            change.removed.isEmpty && change.keepsNotesAndSettings && change.keepsDeclaredApps
            && change.added.allSatisfy { folded.contains($0.query.folded) && brought.contains($0.bundleID) }
            && change.altered.allSatisfy { folded.contains($0.folded) }
        guard isExact else { throw .inexact }
        let (countries, platforms) = (Set(trial.line.countries), Set(trial.line.platforms))
        let languages = Set(trial.line.queries.map(\.language))
        let queries = trial.after.watchlist.queries.filter {
            folded.contains($0.query.folded) && countries.contains($0.query.country)
                && platforms.contains($0.query.platform) && languages.contains($0.query.language)
        }
        accept(trial.edited, trial.after)
        return Addition(
            line: line, known: [], altered: AlteredQuery.list(from: before.watchlist, to: trial.after.watchlist),
            queries: queries)
    }

    /// The line as it is written into this document.
    private func written(_ line: NewLine) -> String {
        let root = current.root
        let layout = JSON5Layout(bytes: bytes)
        guard layout.hasLines else { return line.text }
        let unit = Self.unit(root, layout)
        let container = JSON5Layout.Container(root.member("watch") ?? root)
        let indent: String
        if let last = container?.items.last, root.member("watch") != nil || root.isArray {
            guard layout.isFirstOnLine(last.lowerBound) else { return line.text }
            indent = layout.indent(at: last.lowerBound)
        } else {
            indent = root.isArray ? unit : unit + unit
        }
        return line.text(indent: indent, unit: unit, lineBreak: layout.lineBreak)
    }

    /// `{ "key": value, … }` on one line.
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{ " + members.map { "\(JSONString.quoted($0.key)): \($0.value)" }.joined(separator: ", ") + " }"
    }
}

extension JSON5Node {
    fileprivate var isArray: Bool { if case .array = value { true } else { false } }
}

extension JSONString {
    /// Values that are JSON already, as a list or the one that there is.
    fileprivate static func written(_ values: [String], _ isList: Bool) -> String {
        isList ? "[" + values.joined(separator: ", ") + "]" : values.joined()
    }
}
