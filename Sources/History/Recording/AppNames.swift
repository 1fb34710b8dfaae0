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
        /// Whether it stands for the app.
        var stands = false
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

    /// The ids of the apps that the bundle identifier `key`, an expression of SQL, stands for now: those that have it, and
    /// those that had it if nobody took it up since.
    static func holders(_ key: String) -> String {
        """
        (SELECT named.id FROM app AS named WHERE named.bundle_key = \(key)
            UNION SELECT name.app FROM bundle_name AS name WHERE name.bundle_key = \(key) AND NOT \(isTakenUp))
        """
    }

    /// Whether another app took up a name that the row `name` of `bundle_name` has, after its app had given it up.
    private static let isTakenUp = """
        (EXISTS (
            SELECT 1 FROM app AS other
            WHERE other.bundle_key = name.bundle_key AND other.id <> name.app
                AND ifnull((SELECT max(own.from_at) FROM bundle_name AS own
                    WHERE own.app = other.id AND own.bundle_key = name.bundle_key), other.first_seen_at) >= \(givenUp))
            OR EXISTS (
                SELECT 1 FROM bundle_name AS other
                WHERE other.bundle_key = name.bundle_key AND other.app <> name.app AND other.from_at >= \(givenUp)))
        """

    private static let givenUp = """
        (SELECT min(later.from_at) FROM bundle_name AS later
            WHERE later.app = name.app AND later.ordinal > name.ordinal AND later.stayed_at IS NOT NULL)
        """

    /// What `app`, an alias of SQL, is called in reports: as the watchlist calls it, where that has one of its names,
    /// else its present one. A name that another number took up later is that one's.
    static let shown = shown(present: "app.bundle_key", "app.bundle_id", begun: "true")

    /// The same, of a moment, an expression of SQL: by the names that had begun then, and its present one of then.
    static func shown(at moment: String) -> String {
        shown(
            present: "ifnull(\(past("bundle_key", at: moment)), app.bundle_key)",
            "ifnull(\(past("bundle_id", at: moment)), app.bundle_id)", begun: "name.from_at <= \(moment)")
    }

    private static func shown(present key: String, _ bundleID: String, begun: String) -> String {
        """
        ifnull((
            SELECT watched_app.bundle_id FROM bundle_name AS name
            JOIN watched_app ON watched_app.bundle_key = name.bundle_key
            WHERE name.app = app.id AND \(begun)
                AND NOT EXISTS (SELECT 1 FROM watched_app AS own WHERE own.bundle_key = \(key))
                AND NOT \(isTakenUp)
            ORDER BY name.ordinal DESC LIMIT 1), \(bundleID))
        """
    }

    /// A column of the last name of `app` that had stayed by a moment.
    private static func past(_ column: String, at moment: String) -> String {
        """
        (SELECT past.\(column) FROM bundle_name AS past
            WHERE past.app = app.id AND past.stayed_at <= \(moment)
            ORDER BY past.ordinal DESC LIMIT 1)
        """
    }

    init(_ names: [Name], new: [NewName] = []) { (all, self.new) = (names, new) }

    /// Those of an app that is there.
    init(of app: Int64, in database: Database) throws {
        (all, new) = ([], [])
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bundle_id, from_at, stayed_at, until_at, bundle_key IS NOT NULL FROM bundle_name
                    WHERE app = ? ORDER BY ordinal
                    """), arguments: [app])
        for row in rows {
            guard let bundleID = try BundleID(row[0]) else {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "bundle_name of app \(app): a name that cannot be")
            }
            if let stayed = try row[2] as Int64? {
                try all.append(Name(bundleID: bundleID, from: row[1], stayed: stayed))
            } else {
                try new.append(NewName(bundleID: bundleID, from: row[1], until: row[3], stands: row[4]))
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

    /// When the app had a bundle identifier, in seconds: until the next one that stayed.
    ///
    /// - Parameter key: folded.
    func tenures(of key: String) -> [Range<Int64>] {
        var tenures: [Range<Int64>] = []
        for (index, name) in all.enumerated() where name.bundleID.folded == key {
            let until = index + 1 < all.count ? all[index + 1].from : .max
            tenures.append(min(name.from, until)..<until)
        }
        // What has not stayed yet may be an odd answer: it ends nothing.
        for name in new where name.stands && name.bundleID.folded == key { tenures.append(name.from..<(.max)) }
        return tenures
    }

    static func hasStayed(from start: Int64, to end: Int64) -> Bool {
        let (span, overflows) = end.subtractingReportingOverflow(start)
        return end > start && (overflows || span >= secondsToStay)
    }

    /// Takes up which name a check has just shown. It is the newest, whatever the clock says.
    mutating func see(_ bundleID: BundleID, at moment: Int64) {
        new = new.compactMap { name in
            guard name.bundleID != bundleID else { return name }
            if let until = name.until, Self.hasStayed(from: until, to: moment) { return nil }
            var name = name
            name.until = min(name.until ?? moment, moment)
            return name
        }
        guard bundleID != present else { return }
        guard let index = new.firstIndex(where: { $0.bundleID == bundleID }) else {
            new.append(NewName(bundleID: bundleID, from: moment))
            return
        }
        let name = new[index]
        if name.until != nil {
            (new[index].from, new[index].until) = (moment, nil)
        } else if Self.hasStayed(from: name.from, to: moment) {
            new.remove(at: index)
            let from = Self.after(all.last, name.from)
            all.append(Name(bundleID: bundleID, from: from, stayed: max(from, moment)))
        } else {
            new[index].from = min(name.from, moment)
        }
    }

    /// Takes up that nothing was seen after `limit`, in seconds: a clock that was ahead said so.
    mutating func undate(after limit: Int64) {
        var end = limit
        for index in all.indices.reversed() {
            all[index].from = min(all[index].from, end)
            all[index].stayed = max(all[index].from, min(all[index].stayed, limit))
            end = all[index].from - 1
        }
        for index in new.indices {
            new[index].from = min(new[index].from, limit)
            new[index].until = new[index].until.map { min($0, limit) }
        }
    }

    /// All of them, folded.
    var keys: Set<String> { Set(all.map(\.bundleID.folded) + new.map(\.bundleID.folded)) }

    /// No two names begin at once: which is the newer one is to be the same for everybody who reads them.
    private static func after(_ name: Name?, _ moment: Int64) -> Int64 {
        guard let name, moment <= name.from else { return moment }
        return name.from == .max ? .max : name.from + 1
    }

    /// Takes up what another history knows of the same app: every change that one of them saw. What a history saw first is
    /// a change only if the app is not known to have had that name before; if it did not see it for long, it has not
    /// stayed.
    ///
    /// - Parameters:
    ///   - day: the day on which this history saw the app last.
    ///   - otherDay: the day on which the other one did.
    mutating func merge(_ other: AppNames, lastSeen day: Int64, _ otherDay: Int64) {
        let firsts = [(names: self, day), (names: other, otherDay)].sorted {
            guard let one = $0.names.all.first, let another = $1.names.all.first else { return false }
            return Self.isEarlier(one, another)
        }
        var names = all.dropFirst() + other.all.dropFirst() + firsts[0].names.all.prefix(1)
        var new = self.new + other.new
        if let second = firsts[1].names.all.first,
            !names.contains(where: { $0.bundleID == second.bundleID && $0.from <= second.from })
        {
            let end = Timestamp.startOfDay(firsts[1].1).secondsSinceEpoch
            if firsts[1].names.all.count > 1 || Self.hasStayed(from: second.from, to: end) {
                names.append(second)
            } else {
                new.append(NewName(bundleID: second.bundleID, from: second.from))
            }
        }
        all = []
        for name in names.sorted(by: Self.isEarlier) {
            if let last = all.last, last.bundleID == name.bundleID {
                all[all.count - 1].stayed = min(last.stayed, name.stayed)
            } else {
                let from = Self.after(all.last, name.from)
                all.append(Name(bundleID: name.bundleID, from: from, stayed: max(from, name.stayed)))
            }
        }
        let newest = Dictionary(new.map { ($0.bundleID, $0) }) { one, other in
            if one.until == nil, other.until == nil { return one.from <= other.from ? one : other }
            return (one.from, one.until ?? .max) < (other.from, other.until ?? .max) ? other : one
        }
        self.new = newest.values.filter { $0.bundleID != present }.sorted {
            ($0.from, $0.bundleID) < ($1.from, $1.bundleID)
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
        guard let present else { return }
        try database.cachedStatement(sql: "DELETE FROM bundle_name WHERE app = ?").execute(arguments: [app])
        guard all.count > 1 || !new.isEmpty else { return }
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
            let key = try Self.stands(name.bundleID, for: app, in: database) ? name.bundleID.folded : nil
            try insert.execute(
                arguments: [app, all.count + index, key, name.bundleID.text, name.from, nil, name.until])
        }
    }

    /// Whether a name that has not stayed yet stands for `app`: no other app has come under it, but for another number of
    /// the same one.
    private static func stands(_ name: BundleID, for app: Int64, in database: Database) throws -> Bool {
        let others = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM app WHERE bundle_key = :key AND id <> :app
                    UNION SELECT app FROM bundle_name WHERE bundle_key = :key AND app <> :app
                    UNION SELECT app FROM bundle_name
                        WHERE stayed_at IS NULL AND lower(bundle_id) = :key AND app <> :app
                    """), arguments: ["key": name.folded, "app": app])
        return try others.allSatisfy { try AppNumbers.areOne(app, $0, in: database) }
    }

    /// Decides anew which names that have not stayed yet stand for their apps: another app has come to have one of them.
    ///
    /// - Returns: the names, folded, of which that changed.
    static func reconsider(in database: Database) throws -> Set<String> {
        var changed: Set<String> = []
        for (app, name, key) in try newNames(in: database) {
            guard try stands(name, for: app, in: database) != (key != nil) else { continue }
            try AppNames(of: app, in: database).keep(of: app, in: database)
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

    /// Whether any name that has not stayed yet is `key`, folded.
    static func isNew(_ key: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM bundle_name WHERE stayed_at IS NULL AND lower(bundle_id) = ?)"),
            arguments: [key]) ?? false
    }

    /// All names, folded, that have not stayed yet.
    static func newKeys(in database: Database) throws -> Set<String> {
        Set(try newNames(in: database).map { $0.1.folded })
    }

    /// What stands of the names of apps and cannot be.
    static func findings(in database: Database) throws -> [Finding] {
        try Int64.fetchAll(database, sql: "SELECT DISTINCT app FROM bundle_name ORDER BY app").compactMap { app in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ordinal, bundle_key, bundle_id, from_at, stayed_at, until_at FROM bundle_name
                    WHERE app = ? ORDER BY ordinal
                    """, arguments: [app])
            guard let problem = try problem(with: rows, of: app, in: database) else { return nil }
            let present = try String.fetchOne(database, sql: "SELECT bundle_id FROM app WHERE id = ?", arguments: [app])
            return Finding(part: .apps, place: "names of \(present ?? "app \(app)")", problem: problem)
        }
    }

    private static func problem(with rows: [Row], of app: Int64, in database: Database) throws -> String? {
        var (last, stayed, new): (Int64?, BundleID?, Set<BundleID>) = (nil, nil, [])
        for (index, row) in rows.enumerated() {
            guard try row[0] as Int == index else { return "the names of this app are not numbered one by one" }
            guard let name = try BundleID(row[2]) else { return "a name of this app cannot be a bundle ID" }
            let (key, from): (String?, Int64) = try (row[1], row[3])
            if let at = try row[4] as Int64? {
                guard new.isEmpty, last.map({ $0 < from }) ?? true, from <= at else {
                    return "the names of this app are not in order of time"
                }
                guard key == name.folded else {
                    return "“\(name.text)” does not stand for this app, although it stayed"
                }
                guard name != stayed, try row[5] as Int64? == nil else {
                    return "“\(name.text)” stayed, and is marked as if it had not"
                }
                (last, stayed) = (from, name)
            } else {
                guard name != stayed, new.insert(name).inserted else {
                    return "“\(name.text)” is marked as new, although the app has it"
                }
                guard try key == (stands(name, for: app, in: database) ? name.folded : nil) else {
                    return key == nil
                        ? "“\(name.text)” does not stand for this app, although no other app has it"
                        : "“\(name.text)” stands for this app, although it is another app's name"
                }
            }
        }
        let present = try Row.fetchOne(
            database, sql: "SELECT bundle_id, bundle_key FROM app WHERE id = ?", arguments: [app])
        guard let stayed, let present, try present[0] as String == stayed.text,
            try present[1] as String == stayed.folded
        else { return "the present name of this app is not the last of its names" }
        return nil
    }
}

/// Whom a name stands for, before and after something changes that.
struct NameChange {
    private let before: [String: AppNumbers]

    /// - Parameter keys: bundle identifiers, folded, that may come to stand for other numbers.
    init(of keys: some Sequence<String>, in database: Database) throws {
        before = try Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, try AppNumbers(of: $0, in: database)) })
    }

    /// Notes that what was recorded of pairs whose name stands for other numbers now is to be put right.
    func note(in database: Database) throws {
        for (key, numbers) in before.sorted(by: { $0.key < $1.key })
        where try AppNumbers(of: key, in: database) != numbers {
            try CorrectedPlaces.note(pairsOf: key, in: database)
        }
    }
}
