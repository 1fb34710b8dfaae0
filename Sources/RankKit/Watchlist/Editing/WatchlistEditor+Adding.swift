import JSON5

extension WatchlistEditor {
    /// A line to be added to `watch`. What is left out follows the defaults of the file.
    package struct NewLine: Sendable, Hashable {
        package var query: String
        package var bundleID: BundleID
        /// What the line names the app by; its bundleId where it is `nil`. An alias brings the app's competitors.
        package var alias: String?
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
            query: String, bundleID: BundleID, alias: String? = nil, countries: [Country] = [],
            platforms: [Platform] = [], every: String? = nil, tags: [String] = [], language: String? = nil,
            popularity: Double? = nil
        ) {
            self.query = query
            self.bundleID = bundleID
            self.alias = alias
            self.countries = countries
            self.platforms = platforms
            self.every = every
            self.tags = tags
            self.language = language
            self.popularity = popularity
        }

        /// The line itself, without a comma.
        package var text: String {
            var members = [("query", JSONString.quoted(query))]
            members.append(
                alias.map { ("app", JSONString.quoted($0)) } ?? ("bundleId", JSONString.quoted(bundleID.text)))
            members += Self.list("country", "countries", countries.map(\.code))
            members += Self.list("platform", "platforms", platforms.map(\.rawValue))
            if let every { members.append(("every", JSONString.quoted(every))) }
            if !tags.isEmpty { members.append(("tags", JSONString.list(tags))) }
            if let language { members.append(("language", JSONString.quoted(language))) }
            if let popularity { members.append(("popularity", WatchlistDecoder.plain(popularity))) }
            return WatchlistEditor.object(members)
        }

        private static func list(_ one: String, _ many: String, _ values: [String]) -> [(String, String)] {
            switch values.count {
            case 0: []
            case 1: [(one, JSONString.quoted(values[0]))]
            default: [(many, JSONString.list(values))]
            }
        }
    }

    /// Appends one line to `watch`, or to the bare list.
    ///
    /// - Returns: what became different for apps that were tracked on the query before.
    /// - Throws: `alreadyWatched` if the line would add no pair of this app; `invalid` where the line itself is wrong.
    @discardableResult
    package mutating func add(_ line: NewLine) throws(Refusal) -> [AlteredQuery] {
        let before = current
        let edited: [UInt8]
        if case .array = before.root.value {
            edited = try Self.appending(line.text, to: before.root, of: before.root, spreads: true, in: bytes)
        } else {
            edited = try Self.appending(line.text, toSection: "watch", brackets: ("[", "]"), of: before.root, in: bytes)
        }
        let after = try Self.checked(edited)
        let change = WatchlistChange(from: before.watchlist, to: after.watchlist)
        let folded = Query.fold(line.query)
        guard let added = after.lines.last, after.lines.count == before.lines.count + 1 else { throw .inexact }
        guard change.added.contains(where: { $0.bundleID == line.bundleID }) else {
            let wanted = after.watchlist.queries.first { query in
                query.query.folded == folded && query.pairs.contains { $0.bundleID == line.bundleID }
            }
            let path = wanted?.declaredAt ?? after.path(to: added.place)
            throw .alreadyWatched(query: line.query, bundleID: line.bundleID, path: path)
        }
        let declared = line.alias.flatMap { alias in before.watchlist.apps.first { $0.alias == alias } }
        let brought = [line.bundleID] + (declared?.competitors ?? [])
        let isExact =
            change.removed.isEmpty && change.keepsNotesAndSettings && change.keepsDeclaredApps
            && change.added.allSatisfy { $0.query.folded == folded && brought.contains($0.bundleID) }
            && change.altered.allSatisfy { $0.folded == folded }
        guard isExact else { throw .inexact }
        accept(edited, after)
        return AlteredQuery.list(from: before.watchlist, to: after.watchlist)
    }

    /// `{ "key": value, … }` on one line.
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{ " + members.map { "\(JSONString.quoted($0.key)): \($0.value)" }.joined(separator: ", ") + " }"
    }
}
