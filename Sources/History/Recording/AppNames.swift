import GRDB
import RankKit

/// The bundle identifiers that one of Apple's numbers has had, oldest first: the number is the app, and a bundle
/// identifier is a name that it has from a time on.
///
/// Which name came when does not depend on the order in which checks are recorded or histories are merged: each name
/// counts since it was first seen, and the one that was first seen last is the app's present one. So two of Apple's caches
/// that take turns make one change, not many.
struct AppNames {
    struct Name: Hashable {
        var bundleID: BundleID
        var from: Int64
    }

    private(set) var all: [Name]

    /// The ids of all apps that have, or had, the bundle identifier that is `key`, an expression of SQL.
    static func ids(_ key: String) -> String {
        """
        (SELECT named.id FROM app AS named WHERE named.bundle_key = \(key)
            UNION SELECT named.app FROM bundle_name AS named WHERE named.bundle_key = \(key))
        """
    }

    /// All bundle identifiers, folded, that the apps which have or had `key`, an expression of SQL, have or had.
    static func keys(_ key: String) -> String {
        """
        (SELECT \(key)
            UNION SELECT bundle_key FROM app WHERE id IN \(ids(key))
            UNION SELECT bundle_key FROM bundle_name WHERE app IN \(ids(key)))
        """
    }

    /// What `app` is called in reports: as the watchlist calls it, where that has one of its names, else its present one.
    /// A name that another number took up later is that one's.
    static let shown = """
        ifnull((
            SELECT watched_app.bundle_id FROM bundle_name AS name
            JOIN watched_app ON watched_app.bundle_key = name.bundle_key
            WHERE name.app = app.id
                AND NOT EXISTS (SELECT 1 FROM watched_app AS own WHERE own.bundle_key = app.bundle_key)
                AND NOT EXISTS (
                    SELECT 1 FROM app AS other
                    WHERE other.bundle_key = name.bundle_key AND other.id <> app.id AND other.first_seen_at >= (
                        SELECT min(later.from_at) FROM bundle_name AS later
                        WHERE later.app = name.app AND later.from_at > name.from_at))
            ORDER BY name.from_at DESC LIMIT 1), app.bundle_id)
        """

    init(_ names: [Name]) { all = names }

    /// Those of an app that is there.
    init(of app: Int64, in database: Database) throws {
        all = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT bundle_id, from_at FROM bundle_name WHERE app = ? ORDER BY from_at"),
            arguments: [app]
        ).compactMap { row in try BundleID(row[0]).map { try Name(bundleID: $0, from: row[1]) } }
        guard all.isEmpty else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT bundle_id, first_seen_at FROM app WHERE id = ?"), arguments: [app])
        if let row, let bundleID = try BundleID(row[0]) { all = try [Name(bundleID: bundleID, from: row[1])] }
    }

    func contains(_ bundleID: BundleID) -> Bool { all.contains { $0.bundleID == bundleID } }

    /// Takes up a name that a check has just shown. It is the newest, whatever the clock says.
    mutating func add(_ bundleID: BundleID, at moment: Int64) {
        guard !contains(bundleID) else { return }
        let last = all.last?.from
        all.append(Name(bundleID: bundleID, from: last.map { max(moment, $0 == .max ? $0 : $0 + 1) } ?? moment))
    }

    /// Takes up what another history knows of the same app.
    mutating func merge(_ other: AppNames) {
        var from = Dictionary(all.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        for name in other.all {
            from[name.bundleID, default: name].from = min(from[name.bundleID]?.from ?? .max, name.from)
        }
        all = from.values.sorted { ($0.from, $0.bundleID) < ($1.from, $1.bundleID) }
        // No two begin at once: which is the newer one is to be the same for everybody who reads them.
        for index in all.indices.dropFirst() where all[index].from <= all[index - 1].from {
            let earlier = all[index - 1].from
            all[index].from = earlier == .max ? earlier : earlier + 1
        }
    }

    /// Writes them as those of `app`, and the last as its present one.
    func keep(of app: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM bundle_name WHERE app = ?").execute(arguments: [app])
        guard all.count > 1, let present = all.last?.bundleID else { return }
        for name in all {
            try database.cachedStatement(
                sql: "INSERT INTO bundle_name (app, bundle_key, bundle_id, from_at) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [app, name.bundleID.folded, name.bundleID.text, name.from])
        }
        try database.cachedStatement(sql: "UPDATE app SET bundle_id = ?, bundle_key = ? WHERE id = ?")
            .execute(arguments: [present.text, present.folded, app])
        // What was an exit and an entry may turn out to be one app that Apple numbered anew.
        guard try OtherNumbers(of: [app], in: database)[app].isEmpty else {
            return try CountryDayRow.noteAll(in: database)
        }
    }

    /// Apps whose present name is not the last of their names.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT app.bundle_id FROM app
                WHERE id IN (SELECT app FROM bundle_name) AND bundle_key IS NOT (
                    SELECT bundle_key FROM bundle_name WHERE bundle_name.app = app.id ORDER BY from_at DESC LIMIT 1)
                """
        ).map { row in
            try Finding(
                part: .apps, place: "names of \(row[0] as String)", problem: "it is not the one that was seen last")
        }
    }
}
