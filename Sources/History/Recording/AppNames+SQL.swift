import GRDB

/// Names of apps in statements.
///
/// Whose a name is, is decided over the whole history (`main`) also on a connection that shows a part of it alone
/// (`Narrowing`): an app that somebody may not see can have a name all the same. Whoever looks apps up by these ids
/// takes them from `app`, which leaves out the ones that are not to be seen.
extension AppNames {
    /// The ids of all apps that have, or had, the bundle identifier that is `key`, an expression of SQL.
    static func ids(_ key: String) -> String {
        """
        (SELECT named.id FROM main.app AS named WHERE named.bundle_key = \(key)
            UNION SELECT named.app FROM main.bundle_name AS named WHERE named.bundle_key = \(key))
        """
    }

    /// All bundle identifiers, folded, that the apps which have or had `key`, an expression of SQL, have or had.
    static func keys(_ key: String) -> String {
        """
        (SELECT \(key)
            UNION SELECT bundle_key FROM main.app WHERE id IN \(ids(key))
            UNION SELECT bundle_key FROM main.bundle_name WHERE bundle_key IS NOT NULL AND app IN \(ids(key)))
        """
    }

    /// The ids of the apps that the bundle identifier `key`, an expression of SQL, stands for now: those that have it, and
    /// those that had it if nobody took it up since.
    static func holders(_ key: String) -> String {
        """
        (SELECT named.id FROM main.app AS named WHERE named.bundle_key = \(key)
            UNION SELECT name.app FROM main.bundle_name AS name WHERE name.bundle_key = \(key) AND NOT \(isTakenUp))
        """
    }

    /// The same at a moment, an expression of SQL: by what had been seen by then. A name that nobody had by then is a later
    /// one of the app that is asked for. `nil` for now.
    static func holders(_ key: String, at moment: String?) -> String {
        guard let moment else { return holders(key) }
        let known = """
            SELECT named.id FROM main.app AS named
                WHERE named.bundle_key = \(key) AND named.first_seen_at <= \(moment)
                    AND NOT EXISTS (SELECT 1 FROM main.bundle_name AS own WHERE own.app = named.id)
                UNION SELECT name.app FROM main.bundle_name AS name
                    WHERE name.bundle_key = \(key) AND \(isBegun(at: moment)) AND NOT \(isTakenUp(at: moment))
            """
        return """
            (\(known)
                UNION SELECT later.id FROM main.app AS later
                    WHERE later.id IN \(holders(key)) AND later.first_seen_at <= \(moment) AND NOT EXISTS (\(known)))
            """
    }

    /// Whether another app took up a name that the row `name` of `bundle_name` has, after its app had given it up.
    private static let isTakenUp = """
        (EXISTS (
            SELECT 1 FROM main.app AS other
            WHERE other.bundle_key = name.bundle_key AND other.id <> name.app
                AND ifnull((SELECT max(own.from_at) FROM main.bundle_name AS own
                    WHERE own.app = other.id AND own.bundle_key = name.bundle_key), other.first_seen_at)
                    >= \(givenUp("later.stayed_at IS NOT NULL")))
            OR EXISTS (
                SELECT 1 FROM main.bundle_name AS other
                WHERE other.bundle_key = name.bundle_key AND other.app <> name.app
                    AND other.from_at >= \(givenUp("later.stayed_at IS NOT NULL"))))
        """

    /// The same at a moment: of what came later nothing was known. Until a name has stayed, it does not stand for an
    /// app where another one had it before.
    private static func isTakenUp(at moment: String) -> String {
        """
        (EXISTS (
            SELECT 1 FROM main.app AS other
            WHERE other.bundle_key = name.bundle_key AND other.id <> name.app
                AND other.first_seen_at BETWEEN \(givenUp("later.stayed_at <= \(moment)")) AND \(moment)
                AND NOT EXISTS (SELECT 1 FROM main.bundle_name AS own WHERE own.app = other.id))
            OR EXISTS (
                SELECT 1 FROM main.bundle_name AS other
                WHERE other.bundle_key = name.bundle_key AND other.app <> name.app
                    AND ifnull(other.stayed_at, other.from_at) <= \(moment)
                    AND other.from_at >= \(givenUp("later.stayed_at <= \(moment)"))))
        """
    }

    private static func givenUp(_ hasStayed: String) -> String {
        """
        (SELECT min(later.from_at) FROM main.bundle_name AS later
            WHERE later.app = name.app AND later.ordinal > name.ordinal AND \(hasStayed))
        """
    }

    /// Whether the row `name` of `bundle_name` stood for its app at a moment: it had stayed, or had come and no other
    /// app had it.
    private static func isBegun(at moment: String) -> String {
        """
        (name.stayed_at <= \(moment) OR name.from_at <= \(moment)
            AND NOT EXISTS (
                SELECT 1 FROM main.app AS other
                WHERE other.bundle_key = name.bundle_key AND other.id <> name.app AND other.first_seen_at <= \(moment)
                    AND NOT EXISTS (SELECT 1 FROM main.bundle_name AS own WHERE own.app = other.id))
            AND NOT EXISTS (
                SELECT 1 FROM main.bundle_name AS other
                WHERE other.bundle_key = name.bundle_key AND other.app <> name.app AND other.from_at <= \(moment)))
        """
    }

    /// What `app`, an alias of SQL, is called in reports: as the watchlist calls it, where that has one of its names,
    /// else its present one. A name that another number took up later is that one's.
    static let shown = shown(present: "app.bundle_key", "app.bundle_id", where: "NOT \(isTakenUp)")

    /// The same, of a moment, an expression of SQL: by the names that had begun then, and its present one of then.
    static func shown(at moment: String) -> String {
        shown(
            present: "ifnull(\(past("bundle_key", at: moment)), app.bundle_key)",
            "ifnull(\(past("bundle_id", at: moment)), app.bundle_id)",
            where: "\(isBegun(at: moment)) AND NOT \(isTakenUp(at: moment))")
    }

    private static func shown(present key: String, _ bundleID: String, where condition: String) -> String {
        """
        ifnull((
            SELECT watched_app.bundle_id FROM bundle_name AS name
            JOIN watched_app ON watched_app.bundle_key = name.bundle_key
            WHERE name.app = app.id AND \(condition)
                AND NOT EXISTS (SELECT 1 FROM watched_app AS own WHERE own.bundle_key = \(key))
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
}

extension AppNames {
    /// Whether two folded bundle identifiers are one, or some app has had both.
    static func areOfOneApp(_ name: String, _ key: String, in database: Database) throws -> Bool {
        guard name != key else { return true }
        return try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT :name IN \(AppNames.keys(":key"))"),
            arguments: ["name": name, "key": key]) ?? false
    }
}
