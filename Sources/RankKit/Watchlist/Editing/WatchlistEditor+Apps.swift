import JSON5

extension WatchlistEditor {
    /// Declares an app under `apps`, and adds its alias to the competitors of another. An app that is declared
    /// already under this very alias is only added to the competitors.
    ///
    /// - Throws: `alreadyDeclared` if the alias or the app is taken or nothing would change; `unknownAlias` for
    ///   an owner that is not declared; `bareList`; `invalid` for an alias that cannot be one.
    package mutating func addApp(
        alias: String, bundleID: BundleID, competitorOf owner: String? = nil
    ) throws(Refusal) {
        let before = current
        let declared = before.watchlist.apps.first { $0.alias == alias || ($0.alias != nil && $0.bundleID == bundleID) }
        let owning = try owner.map { name throws(Refusal) in
            guard let app = before.watchlist.apps.first(where: { $0.alias == name }) else {
                throw unknownAlias(name)
            }
            return app
        }
        var edited = bytes
        if let declared {
            let isSame = declared.alias == alias && declared.bundleID == bundleID
            let isListed = owning?.competitors.contains(bundleID) ?? true
            guard isSame, !isListed else {
                throw .alreadyDeclared(alias: declared.alias ?? alias, bundleID: declared.bundleID)
            }
        } else {
            let entry = "\(JSONString.quoted(alias)): \(Self.object([("bundleId", JSONString.quoted(bundleID.text))]))"
            edited = try Self.appending(entry, toSection: "apps", brackets: ("{", "}"), of: before.root, in: edited)
        }
        if let owner, owning?.competitors.contains(bundleID) != true {
            edited = try Self.addingCompetitor(alias, to: owner, in: edited)
        }
        let after = try Self.checked(edited)
        let change = WatchlistChange(from: before.watchlist, to: after.watchlist)
        let entry = after.watchlist.apps.first { $0.alias == alias }
        let isCompetitor = after.watchlist.apps.first { $0.alias == owner }?.competitors.contains(bundleID) ?? false
        let isExact =
            change.removed.isEmpty && change.added.allSatisfy { $0.bundleID == bundleID }
            && change.keepsNotesAndSettings && entry?.bundleID == bundleID && (owner == nil || isCompetitor)
        guard isExact else { throw .inexact }
        accept(edited, after)
    }

    private func unknownAlias(_ name: String) -> Refusal {
        .unknownAlias(name, near: Spelling.nearest(to: name, in: current.watchlist.apps.lazy.compactMap(\.alias)))
    }

    private static func addingCompetitor(
        _ alias: String, to owner: String, in bytes: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        let root = try checked(bytes).root
        guard let app = root.member("apps")?.member(owner) else { throw .unknownAlias(owner, near: nil) }
        let quoted = JSONString.quoted(alias)
        if let list = app.member("competitors") {
            return try appending(quoted, to: list, of: root, spreads: false, in: bytes)
        }
        return try appending("\"competitors\": [\(quoted)]", to: app, of: root, spreads: false, in: bytes)
    }

    /// Appends a note, for an app by alias or bundleId, or for none.
    ///
    /// - Parameter day: `YYYY-MM-DD`.
    /// - Throws: `bareList`; `unknownAlias` for an app that is neither an alias nor a bundleId that the file names;
    ///   `invalid` for a day or a text that cannot be one.
    package mutating func addNote(
        on day: String, app: String? = nil, version: String? = nil, text: String, added: [String] = [],
        removed: [String] = []
    ) throws(Refusal) {
        let before = current
        var members = [("on", JSONString.quoted(day))]
        if let app {
            if before.watchlist.apps.contains(where: { $0.alias == app }) {
                members.append(("app", JSONString.quoted(app)))
            } else if let bundleID = BundleID(app), before.watchlist.apps.contains(where: { $0.bundleID == bundleID }) {
                members.append(("bundleId", JSONString.quoted(app)))
            } else {
                throw unknownAlias(app)
            }
        }
        if let version { members.append(("version", JSONString.quoted(version))) }
        members.append(("text", JSONString.quoted(text)))
        if !added.isEmpty { members.append(("added", JSONString.list(added))) }
        if !removed.isEmpty { members.append(("removed", JSONString.list(removed))) }
        let edited = try Self.appending(
            Self.object(members), toSection: "notes", brackets: ("[", "]"), of: before.root, in: bytes)
        let after = try Self.checked(edited)
        var expected = before.watchlist
        expected.notes = after.watchlist.notes
        guard after.watchlist == expected, expected.notes.dropLast() == before.watchlist.notes[...] else {
            throw .inexact
        }
        accept(edited, after)
    }
}
