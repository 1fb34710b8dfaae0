import GRDB
import RankKit

/// The bundle identifiers that one of Apple's numbers has had, oldest first: the number is the app, and a bundle
/// identifier is a name that it has from a time on.
///
/// A name is the app's once it has stayed: for two days checks showed it and no other one. Until then the app has the name
/// before, and nothing is told. So two of Apple's caches that take turns make one change, and a single odd answer none;
/// an app that comes back to a name gets it back by the same rule. A name that has not stayed yet stands for the app all
/// the same if no other app has it, so that whoever tracks it by the new one need not wait. It is forgotten when checks
/// have shown others alone for two days.
struct AppNames: Hashable {
    struct Name: Hashable {
        var bundleID: BundleID
        /// When it was first seen after the one before it, in seconds.
        var from: Int64
        /// When a check showed that it had stayed, in seconds.
        var stayed: Int64
    }

    /// A name that has not stayed yet.
    struct NewName: Hashable {
        var bundleID: BundleID
        var from: Int64
        /// Since when checks show others; `nil` if the newest showed this one.
        var until: Int64?
    }

    /// Those that have stayed.
    private(set) var all: [Name]
    private(set) var new: [NewName]

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
            UNION SELECT bundle_key FROM bundle_name WHERE bundle_key IS NOT NULL AND app IN \(ids(key)))
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
                        WHERE later.app = name.app AND later.from_at > name.from_at AND later.stayed_at IS NOT NULL))
            ORDER BY name.ordinal DESC LIMIT 1), app.bundle_id)
        """

    /// What `app` was called at `moment`, both expressions of SQL: the last of its names that had stayed by then.
    static func past(at moment: String) -> String {
        """
        (SELECT name.bundle_id FROM bundle_name AS name
            WHERE name.app = app.id AND name.stayed_at <= \(moment)
            ORDER BY name.ordinal DESC LIMIT 1)
        """
    }

    init(_ names: [Name], new: [NewName] = []) { (all, self.new) = (names, new) }

    /// Those of an app that is there.
    init(of app: Int64, in database: Database) throws {
        (all, new) = ([], [])
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT bundle_id, from_at, stayed_at, until_at FROM bundle_name WHERE app = ? ORDER BY ordinal"),
            arguments: [app])
        for row in rows {
            guard let bundleID = try BundleID(row[0]) else { continue }
            if let stayed = try row[2] as Int64? {
                try all.append(Name(bundleID: bundleID, from: row[1], stayed: stayed))
            } else {
                try new.append(NewName(bundleID: bundleID, from: row[1], until: row[3]))
            }
        }
        guard all.isEmpty else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT bundle_id, first_seen_at FROM app WHERE id = ?"), arguments: [app])
        if let row, let bundleID = try BundleID(row[0]) {
            all = try [Name(bundleID: bundleID, from: row[1], stayed: row[1])]
        }
    }

    /// The app's present one.
    var present: BundleID? { all.last?.bundleID }

    func contains(_ bundleID: BundleID) -> Bool {
        all.contains { $0.bundleID == bundleID } || new.contains { $0.bundleID == bundleID }
    }

    /// In seconds.
    private static let secondsToStay = ListingPast.secondsToStay

    private static func hasStayed(from start: Int64, to end: Int64) -> Bool {
        let (span, overflows) = end.subtractingReportingOverflow(start)
        return end > start && (overflows || span >= secondsToStay)
    }

    /// Takes up which name a check has just shown. It is the newest, whatever the clock says.
    mutating func see(_ bundleID: BundleID, at moment: Int64) {
        new = new.compactMap { name in
            guard name.bundleID != bundleID else { return name }
            if let until = name.until, Self.hasStayed(from: until, to: moment) { return nil }
            return NewName(bundleID: name.bundleID, from: name.from, until: min(name.until ?? moment, moment))
        }
        guard bundleID != present else { return }
        guard let index = new.firstIndex(where: { $0.bundleID == bundleID }) else {
            new.append(NewName(bundleID: bundleID, from: moment))
            return
        }
        let name = new[index]
        if name.until != nil {
            new[index] = NewName(bundleID: bundleID, from: moment)
        } else if Self.hasStayed(from: name.from, to: moment) {
            new.remove(at: index)
            all.append(Name(bundleID: bundleID, from: Self.after(all.last, name.from), stayed: moment))
        } else {
            new[index].from = min(name.from, moment)
        }
    }

    /// No two names begin at once: which is the newer one is to be the same for everybody who reads them.
    private static func after(_ name: Name?, _ moment: Int64) -> Int64 {
        guard let name, moment <= name.from else { return moment }
        return name.from == .max ? .max : name.from + 1
    }

    /// Takes up what another history knows of the same app: every change that one of them saw. What a history saw first is
    /// a change only if the app is not known to have had that name before.
    mutating func merge(_ other: AppNames) {
        let firsts = [all.first, other.all.first].compactMap(\.self).sorted(by: Self.isEarlier)
        var names = all.dropFirst() + other.all.dropFirst() + firsts.prefix(1)
        if let second = firsts.dropFirst().first,
            !names.contains(where: { $0.bundleID == second.bundleID && $0.from <= second.from })
        {
            names.append(second)
        }
        all = []
        for name in names.sorted(by: Self.isEarlier) {
            if let last = all.last, last.bundleID == name.bundleID {
                all[all.count - 1].stayed = min(last.stayed, name.stayed)
            } else {
                all.append(Name(bundleID: name.bundleID, from: Self.after(all.last, name.from), stayed: name.stayed))
            }
        }
        let newest = Dictionary((new + other.new).map { ($0.bundleID, $0) }) { one, other in
            (one.from, one.until ?? .max) < (other.from, other.until ?? .max) ? other : one
        }
        new = newest.values.filter { $0.bundleID != present }.sorted { ($0.from, $0.bundleID) < ($1.from, $1.bundleID) }
    }

    private static func isEarlier(_ one: Name, _ other: Name) -> Bool {
        (one.from, one.bundleID, one.stayed) < (other.from, other.bundleID, other.stayed)
    }

    /// Writes them as those of `app`, and the last that has stayed as its present one.
    func keep(of app: Int64, in database: Database) throws {
        let others = try OtherNumbers(of: [app], in: database)[app]
        try write(of: app, in: database)
        // What was an exit and an entry may turn out to be one app that Apple numbered anew, or two after all.
        if try OtherNumbers(of: [app], in: database)[app] != others { try CountryDayRow.noteAll(in: database) }
    }

    private func write(of app: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM bundle_name WHERE app = ?").execute(arguments: [app])
        guard let present, all.count > 1 || !new.isEmpty else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO bundle_name (app, ordinal, bundle_key, bundle_id, from_at, stayed_at, until_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for (index, name) in all.enumerated() {
            try insert.execute(
                arguments: [app, index, name.bundleID.folded, name.bundleID.text, name.from, name.stayed, nil])
        }
        try database.cachedStatement(sql: "UPDATE app SET bundle_id = ?, bundle_key = ? WHERE id = ?")
            .execute(arguments: [present.text, present.folded, app])
        for (index, name) in new.enumerated() {
            let key = try Self.stands(name.bundleID, for: app, all, in: database) ? name.bundleID.folded : nil
            try insert.execute(
                arguments: [app, all.count + index, key, name.bundleID.text, name.from, nil, name.until])
        }
    }

    /// Whether a name that has not stayed yet stands for `app`, which has `names`: no other app has it, but for another
    /// number of the same one.
    private static func stands(
        _ new: BundleID, for app: Int64, _ names: [Name], in database: Database
    ) throws -> Bool {
        if names.contains(where: { $0.bundleID == new }) { return true }
        let others = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM app WHERE bundle_key = :key AND id <> :app
                    UNION SELECT app FROM bundle_name
                        WHERE bundle_key = :key AND app <> :app AND stayed_at IS NOT NULL
                    """), arguments: ["key": new.folded, "app": app])
        let own = Set(names.map(\.bundleID))
        return try others.allSatisfy { other in
            try AppNames(of: other, in: database).all.contains { own.contains($0.bundleID) }
        }
    }

    /// Decides anew which names that have not stayed yet stand for their apps: another app has come to have one of them.
    ///
    /// - Returns: the names, folded, of which that changed.
    static func reconsider(in database: Database) throws -> Set<String> {
        var changed: Set<String> = []
        for (app, name, key) in try newNames(in: database) {
            let names = try AppNames(of: app, in: database)
            guard try stands(name, for: app, names.all, in: database) != (key != nil) else { continue }
            try names.keep(of: app, in: database)
            changed.insert(name.folded)
        }
        return changed
    }

    /// The names that have not stayed yet, and the key by which each stands for its app.
    private static func newNames(in database: Database) throws -> [(app: Int64, BundleID, key: String?)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT app, bundle_id, bundle_key FROM bundle_name WHERE stayed_at IS NULL ORDER BY app, ordinal")
        ).compactMap { row in try BundleID(row[1]).map { try (row[0], $0, row[2]) } }
    }

    /// Whether a name that has not stayed yet is `key`, folded, and stands for an app.
    static func isNew(_ key: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM bundle_name WHERE bundle_key = ? AND stayed_at IS NULL)"),
            arguments: [key]) ?? false
    }

    /// All names, folded, that have not stayed yet.
    static func newKeys(in database: Database) throws -> Set<String> {
        Set(try newNames(in: database).map { $0.1.folded })
    }

    /// Apps whose present name is not the last of their names, and names that stand for an app though they do not yet.
    static func findings(in database: Database) throws -> [Finding] {
        var findings = try Row.fetchAll(
            database,
            sql: """
                SELECT app.bundle_id FROM app
                WHERE id IN (SELECT app FROM bundle_name) AND bundle_key IS NOT (
                    SELECT bundle_key FROM bundle_name
                    WHERE bundle_name.app = app.id AND stayed_at IS NOT NULL ORDER BY ordinal DESC LIMIT 1)
                """
        ).map { row in
            try Finding(
                part: .apps, place: "names of \(row[0] as String)",
                problem: "the present name of this app is not the last of its names")
        }
        for (app, name, key) in try newNames(in: database) {
            guard let key else { continue }
            let names = try AppNames(of: app, in: database)
            if try name.folded != key || !stands(name, for: app, names.all, in: database) {
                findings.append(
                    Finding(
                        part: .apps, place: "names of \(names.present?.text ?? "number \(app)")",
                        problem: "“\(name.text)” stands for this app, although it is another app's name"))
            }
        }
        return findings
    }
}

/// Whom a name stands for, before and after something changes that.
struct NameChange {
    private let before: [String: AppNumbers]

    /// - Parameter keys: bundle identifiers, folded, that may come to stand for other numbers.
    init(of keys: some Sequence<String>, in database: Database) throws {
        before = try Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, try AppNumbers(of: $0, in: database)) })
    }

    /// Puts right what was recorded of pairs whose name stands for other numbers now.
    func correct(in database: Database) throws {
        for (key, numbers) in before.sorted(by: { $0.key < $1.key })
        where try AppNumbers(of: key, in: database) != numbers {
            try CorrectedPlaces.correct(pairsOf: key, in: database)
        }
    }
}
