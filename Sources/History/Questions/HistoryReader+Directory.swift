import Foundation
import GRDB
package import RankKit

/// An app that some answer held.
package struct DirectoryEntry: Sendable, Hashable {
    package var appID: AppID
    package var bundleID: BundleID
    /// As a storefront last named it; `nil` if none did.
    package var name: String?
    package var developer: String?
    /// `nil` for a narrowed reader, as the next: others' lists may have shown it.
    package var firstSeen: Timestamp?
    /// The day on which it was last seen, by the days of the watchlist's zone of then.
    package var lastSeenDay: Int64?
    /// On how many queries a good check ever saw it.
    package var queries: Int
    /// The best place that it ever had, and when first; `nil` if only suspect lists held it.
    package var best: Extreme?
}

extension HistoryReader {
    /// The apps ever seen that `text` finds in their names, developers or bundle identifiers, without regard to case and
    /// accents: those on most queries first, then by best place and when they had it first.
    ///
    /// - Parameters:
    ///   - text: `nil` or empty for all.
    ///   - limit: how many are wanted.
    /// - Returns: the first `limit` of them, and how many there are in all.
    package func directory(matching text: String? = nil, limit: Int) throws(HistoryError) -> (
        entries: [DirectoryEntry], count: Int
    ) {
        let words = (text ?? "").split(whereSeparator: \.isWhitespace).map { NameSearch.fold(String($0)) }
        return try read { database in
            let wanted = words.isEmpty ? nil : try Self.numbers(matching: words, in: database)
            var found = try Self.presences(of: wanted, in: database)
            let count = found.count
            found.sort()
            return (
                try found.prefix(max(0, limit)).map { presence in
                    var entry = try Self.entry(presence, in: database)
                    if isNarrowed { (entry.firstSeen, entry.lastSeenDay) = (nil, nil) }
                    return entry
                }, count
            )
        }
    }

    /// What a search looks in, for every app in every storefront.
    private static func textsSQL(of present: PresentListing) -> String {
        """
        SELECT app.id, app.bundle_key, \(present.column("name")), \(present.column("developer")),
            (SELECT group_concat(name.bundle_key, ' ') FROM bundle_name AS name WHERE name.app = app.id)
        FROM app LEFT JOIN listing ON listing.app = app.id
        """
    }

    private static func numbers(matching words: [String], in database: Database) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        let rows = try Row.fetchCursor(database, sql: Self.textsSQL(of: PresentListing(in: database)))
        while let row = try rows.next() {
            let number: Int64 = try row[0]
            guard !numbers.contains(number) else { continue }
            let key: String = try row[1]
            let name: String? = try row[2]
            let developer: String? = try row[3]
            let names: String? = try row[4]
            let text = NameSearch.fold("\(names ?? key) \(name ?? "") \(developer ?? "")")
            if words.allSatisfy({ NameSearch.contains(text, $0) }) { numbers.insert(number) }
        }
        return numbers
    }

    private struct Presence: Comparable {
        var app: Int64
        var queries = 0
        var best = Int.max
        var bestAt = Int64.max

        static func < (left: Presence, right: Presence) -> Bool {
            (-left.queries, left.best, left.bestAt, left.app) < (-right.queries, right.best, right.bestAt, right.app)
        }
    }

    private static func presences(of wanted: Set<Int64>?, in database: Database) throws -> [Presence] {
        var presences: [Int64: Presence] = [:]
        if let wanted {
            for app in wanted { presences[app] = Presence(app: app) }
        } else {
            let apps = try Int64.fetchCursor(database, sql: "SELECT id FROM app")
            while let app = try apps.next() { presences[app] = Presence(app: app) }
        }
        let rows = try Row.fetchCursor(database, sql: "SELECT app, best, best_at FROM query_app")
        while let row = try rows.next() {
            let (best, at): (Int, Int64) = try (row[1], row[2])
            // In place: a copy for every row would cost more than all the rest.
            let index = try presences.index(forKey: row[0])
            guard let index else { continue }
            presences.values[index].queries += 1
            if (best, at) < (presences.values[index].best, presences.values[index].bestAt) {
                presences.values[index].best = best
                presences.values[index].bestAt = at
            }
        }
        return Array(presences.values)
    }

    private static func entrySQL(of present: PresentListing) -> String {
        """
        SELECT app.app_id, \(AppNames.shown), app.first_seen_at, app.last_seen_day, \(present.column("name")),
            \(present.column("developer"))
        FROM app LEFT JOIN listing ON listing.app = app.id
        WHERE app.id = ? ORDER BY listing.name IS NULL, listing.storefront LIMIT 1
        """
    }

    private static func entry(_ presence: Presence, in database: Database) throws -> DirectoryEntry {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: Self.entrySQL(of: PresentListing(in: database))), arguments: [presence.app])
        guard let row, let bundleID = try BundleID(row[1]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "app \(presence.app)")
        }
        return try DirectoryEntry(
            appID: AppID(row.wide(0)), bundleID: bundleID, name: row[4], developer: row[5],
            firstSeen: row[2], lastSeenDay: row.day(3), queries: presence.queries,
            best: Position(presence.best).flatMap {
                presence.queries == 0
                    ? nil : Extreme(position: $0, at: Timestamp(secondsSinceEpoch: presence.bestAt))
            })
    }

    /// Every bundle identifier ever seen.
    package func bundleIDsEverSeen() throws(HistoryError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT bundle_id FROM app UNION SELECT bundle_id FROM bundle_name") }
    }
}
