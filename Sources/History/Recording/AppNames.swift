import GRDB
import RankKit

/// The bundle identifiers that one of Apple's numbers has had, oldest first: the number is the app, and a bundle
/// identifier is a name that it has from a time on.
///
/// A name is the app's once it has stayed: for two days checks showed it and no other one. Until then the app has the name
/// before, and nothing is told. So two of Apple's caches that take turns make one change, and a single odd answer none;
/// an app that comes back to a name gets it back by the same rule. A name that has not stayed yet stands for the app all
/// the same if no other app has it, so that whoever tracks it by the new one need not wait.
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
        /// Since when checks show the present name again; `nil` if the newest showed this one.
        var until: Int64?
    }

    /// Those that have stayed.
    private(set) var all: [Name]
    private(set) var new: NewName?

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

    init(_ names: [Name], new: NewName? = nil) { (all, self.new) = (names, new) }

    /// Those of an app that is there.
    init(of app: Int64, in database: Database) throws {
        all = []
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT bundle_id, from_at, stayed_at, until_at FROM bundle_name WHERE app = ? ORDER BY ordinal"),
            arguments: [app])
        for row in rows {
            guard let bundleID = try BundleID(row[0]) else { continue }
            if let stayed = try row[2] as Int64? {
                try all.append(Name(bundleID: bundleID, from: row[1], stayed: stayed))
            } else {
                new = try NewName(bundleID: bundleID, from: row[1], until: row[3])
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
        all.contains { $0.bundleID == bundleID } || new?.bundleID == bundleID
    }

    /// In seconds.
    private static let secondsToStay = ListingPast.secondsToStay

    private static func hasStayed(from start: Int64, to end: Int64) -> Bool {
        let (span, overflows) = end.subtractingReportingOverflow(start)
        return end > start && (overflows || span >= secondsToStay)
    }

    /// Takes up which name a check has just shown. It is the newest, whatever the clock says.
    mutating func see(_ bundleID: BundleID, at moment: Int64) {
        guard let present else { return }
        guard var new, bundleID == present || bundleID == new.bundleID else {
            if bundleID != present { self.new = NewName(bundleID: bundleID, from: moment) }
            return
        }
        if bundleID == present {
            if let until = new.until, Self.hasStayed(from: until, to: moment) {
                self.new = nil
                return
            }
            new.until = min(new.until ?? moment, moment)
        } else if new.until != nil {
            new = NewName(bundleID: new.bundleID, from: moment)
        } else if Self.hasStayed(from: new.from, to: moment) {
            self.new = nil
            all.append(Name(bundleID: new.bundleID, from: Self.after(all.last, new.from), stayed: moment))
            return
        } else {
            new.from = min(new.from, moment)
        }
        self.new = new
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
        new = [new, other.new].compactMap(\.self).filter { $0.bundleID != present }.max {
            ($0.from, $0.bundleID, $0.until ?? .max) < ($1.from, $1.bundleID, $1.until ?? .max)
        }
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
        guard let present, all.count > 1 || new != nil else { return }
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
        if let new {
            let key = try newStands(for: app, in: database) ? new.bundleID.folded : nil
            try insert.execute(
                arguments: [app, all.count, key, new.bundleID.text, new.from, nil, new.until])
        }
    }

    /// Whether the name that has not stayed yet stands for `app`: no other app has it, but for another number of the same
    /// one.
    private func newStands(for app: Int64, in database: Database) throws -> Bool {
        guard let new else { return false }
        if all.contains(where: { $0.bundleID == new.bundleID }) { return true }
        let others = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM app WHERE bundle_key = :key AND id <> :app
                    UNION SELECT app FROM bundle_name
                        WHERE bundle_key = :key AND app <> :app AND stayed_at IS NOT NULL
                    """), arguments: ["key": new.bundleID.folded, "app": app])
        let own = Set(all.map(\.bundleID))
        return try others.allSatisfy { other in
            try AppNames(of: other, in: database).all.contains { own.contains($0.bundleID) }
        }
    }

    /// Decides anew which names that have not stayed yet stand for their apps: another app has come to have one of them.
    ///
    /// - Returns: the names, folded, of which that changed.
    static func reconsider(in database: Database) throws -> Set<String> {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT app, bundle_key FROM bundle_name WHERE stayed_at IS NULL"))
        var changed: Set<String> = []
        for row in rows {
            let (app, key): (Int64, String?) = try (row[0], row[1])
            let names = try AppNames(of: app, in: database)
            guard let new = names.new, try names.newStands(for: app, in: database) != (key != nil) else { continue }
            try names.keep(of: app, in: database)
            changed.insert(new.bundleID.folded)
        }
        return changed
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
        Set(
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT bundle_id FROM bundle_name WHERE stayed_at IS NULL")
            ).compactMap { BundleID($0)?.folded })
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
                part: .apps, place: "names of \(row[0] as String)", problem: "it is not the one that was seen last")
        }
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT app, bundle_name.bundle_id, bundle_name.bundle_key, app.bundle_id
                FROM bundle_name JOIN app ON app.id = bundle_name.app WHERE stayed_at IS NULL
                """)
        {
            let (app, name, key): (Int64, String, String?) = try (row[0], row[1], row[2])
            let stands = try AppNames(of: app, in: database).newStands(for: app, in: database)
            if let key, BundleID(name)?.folded != key || !stands {
                try findings.append(
                    Finding(
                        part: .apps, place: "names of \(row[3] as String)",
                        problem: "\(name) stands for it, though it is another app's"))
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
