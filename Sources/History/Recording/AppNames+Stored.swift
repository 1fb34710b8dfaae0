import GRDB
import RankKit

/// Names of apps as they are stored.
extension AppNames {
    /// Those of an app that is there.
    init(of app: Int64, in database: Database) throws {
        var (all, new): ([Name], [NewName]) = ([], [])
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bundle_id, from_at, stayed_at, until_at, bundle_key IS NOT NULL FROM main.bundle_name
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
        guard all.isEmpty else {
            self.init(all, new: new)
            return
        }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT bundle_id, first_seen_at FROM main.app WHERE id = ?"),
            arguments: [app])
        if let row, let bundleID = try BundleID(row[0]) {
            all = try [Name(bundleID: bundleID, from: row[1], stayed: row[1])]
        }
        self.init(all, new: new)
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
    static func stands(_ name: BundleID, for app: Int64, in database: Database) throws -> Bool {
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

    /// Whether some app has, or had, the bundle identifier `key`, folded.
    static func hasHolder(_ key: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS \(ids(":key"))
                    """), arguments: ["key": key]) ?? false
    }

    /// All names, folded, that have not stayed yet.
    static func newKeys(in database: Database) throws -> Set<String> {
        Set(try newNames(in: database).map { $0.1.folded })
    }
}
