import GRDB
import RankKit

/// The listings that both this history and a file have: of each column one chain of values is made of the two, as one
/// history would have it that had made all checks itself.
///
/// A row of `listing_change` says what a column held before, so that rows of two histories cannot stand side by side.
/// What each of the two knew at a check of its own is known all the same: where they differ, the checks that have shown
/// the app decide, in order of time (`ListingConflict`). Those are the checks whose lists have it, and the readings of its
/// ratings. Where lists were dropped, the beginning of the day on which it was last seen stands for the checks of that day:
/// so what a listing says in the end does not depend on the order of imports. What it said in between is then as far
/// known as changes tell, and so is which of two histories saw it last on one and the same day.
struct ListingMerge {
    private struct Key: Hashable {
        let app: Int64
        let storefront: Int64
    }

    /// What the file says of a listing.
    private struct Told {
        /// As in `ListingRow.columns`; `nil` where they are what the history has.
        var values: [DatabaseValue]?
        /// What each says of ratings; `nil` where that is the same.
        var sightings: (own: ListingConflict.Sighting?, file: ListingConflict.Sighting?)?
        /// When its ratings were read.
        var readings: (own: [Int64], file: [Int64])
        /// By column; in any order.
        var changes: [String: [(at: Int64, was: String?)]] = [:]
    }

    /// What a history knows of when it saw an app.
    struct Seen {
        /// When it first did.
        let first: Int64
        /// The beginning of the day on which it last did.
        let lastDay: Int64
        /// In how many storefronts. Where there are several, nobody knows which one the day is of.
        var listings: Int
    }

    /// What an import is cut short by.
    var work: BlockingWork?
    private var told: [Key: Told] = [:]
    /// Of each app of the file that was here before.
    private var seen: [Int64: (own: Seen, file: Seen)] = [:]
    private var conflicts: [ListingConflict] = []
    /// By storefront, and then by app.
    private var places: [Int64: [Int64: Int]] = [:]
    private var storefronts: [Int64: Int64?] = [:]
    private var isPrepared = false

    /// - Parameter file: before its listings are taken up.
    mutating func note(app: Int64, own: Seen, file: Seen) { seen[app] = (own, file) }

    /// Takes up what the file says of a listing that is here.
    ///
    /// - Parameter readings: when the file's readings of its ratings were made, none of which is here yet.
    /// - Returns: whether it is here.
    mutating func take(
        app: Int64, storefront: Int64, _ values: [DatabaseValue], _ sighting: ListingConflict.Sighting?,
        readings: [Int64], in database: Database
    ) throws -> Bool {
        seen[app]?.file.listings += 1
        let same = try Row.fetchOne(
            database.cachedStatement(sql: Self.comparison),
            arguments: StatementArguments([app.databaseValue, storefront.databaseValue] + values))
        guard let same else { return false }
        let isSame: Bool = try same[0]
        let own = try Self.sighting(same, at: 1)
        let ownReadings = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT at FROM rating_day WHERE app = ? AND storefront = ?"),
            arguments: [app, storefront])
        told[Key(app: app, storefront: storefront)] = Told(
            values: isSame ? nil : values, sightings: own == sighting ? nil : (own, sighting),
            readings: (ownReadings, readings))
        return true
    }

    /// Takes up a change that the file tells.
    ///
    /// - Returns: whether the listing was here before the import.
    mutating func take(app: Int64, storefront: Int64, at: Int64, field: String, was: String?) -> Bool {
        let key = Key(app: app, storefront: storefront)
        guard told[key] != nil else { return false }
        told[key]?.changes[field, default: []].append((at, was))
        return true
    }

    /// Finds the listings of which the two say something else, and which of the checks that are here have shown them:
    /// before the first check of the file is taken up.
    ///
    /// - Parameter fileSince: from when on every list is in the file; `nil` where none was dropped or left out.
    mutating func prepare(fileSince: Int64?, _ database: Database) throws {
        guard !isPrepared else { return }
        isPrepared = true
        let since = (own: try Setting.listsSince.integer(in: database), file: fileSince)
        for (key, told) in told {
            try work?.checkCancellation()
            guard let conflict = try conflict(key, told, since, in: database) else { continue }
            places[key.storefront, default: [:]][key.app] = conflicts.count
            conflicts.append(conflict)
        }
        told = [:]
        seen = [:]
        for (storefront, indices) in places {
            for query in try Self.queries(of: storefront, in: database) {
                try WantedLists(of: query, conflicts: indices, work).see(&conflicts, in: database)
            }
        }
    }

    /// Takes up a list of the file, whose apps have the numbers that they have here.
    mutating func see(_ list: [Int64?], of query: Int64, at moment: Int64, in database: Database) throws {
        guard !conflicts.isEmpty else { return }
        let storefront: Int64?
        if let known = storefronts[query] {
            storefront = known
        } else {
            storefront = try Int64.fetchOne(
                database,
                sql: """
                    SELECT storefront.id FROM query JOIN storefront
                        ON storefront.country = query.country AND storefront.language = query.language
                    WHERE query.id = ?
                    """, arguments: [query])
            storefronts[query] = .some(storefront)
        }
        guard let storefront, let indices = places[storefront] else { return }
        for app in list {
            if let app, let index = indices[app] { conflicts[index].see(at: moment, \.file) }
        }
    }

    /// Writes what the two histories come to.
    ///
    /// - Parameter fileSince: as for `prepare`.
    mutating func finish(fileSince: Int64?, _ database: Database) throws {
        try prepare(fileSince: fileSince, database)
        for index in conflicts.indices {
            try work?.checkCancellation()
            try conflicts[index].settle(in: database)
        }
        conflicts = []
        places = [:]
    }

    private static func queries(of storefront: Int64, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT query.id FROM query JOIN storefront
                    ON storefront.country = query.country AND storefront.language = query.language
                WHERE storefront.id = ?
                """, arguments: [storefront])
    }

    private func conflict(
        _ key: Key, _ told: Told, _ since: (own: Int64?, file: Int64?), in database: Database
    ) throws -> ListingConflict? {
        let changes = try Self.changes(key, in: database)
        guard told.values != nil || told.sightings != nil || !told.changes.isEmpty || !changes.isEmpty else {
            return nil
        }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: Self.selection), arguments: [key.app, key.storefront])
        guard let row else { return nil }
        let own = ListingRow.columns.indices.map { row.value($0) }
        let ownTexts = try Self.texts(own, in: database)
        let values = told.values ?? own
        let fileTexts = try told.values.map { try Self.texts($0, in: database) } ?? ownTexts
        let columns = ListingRow.columns.enumerated().map { index, name in
            ListingConflict.Column(
                name: name, own: ListingChain(changes[name] ?? [], now: ownTexts[index]),
                file: ListingChain((told.changes[name] ?? []).sorted { $0.at < $1.at }, now: fileTexts[index]),
                ownValue: own[index], fileValue: values[index])
        }
        let different = columns.filter { $0.own != $0.file || $0.ownValue != $0.fileValue }
        guard !different.isEmpty || told.sightings != nil else { return nil }
        let seen = self.seen[key.app]
        return ListingConflict(
            app: key.app, storefront: key.storefront, columns: different, sightings: told.sightings,
            own: Self.sights(seen?.own, told.readings.own, columns.map(\.own), listsSince: since.own),
            file: Self.sights(seen?.file, told.readings.file, columns.map(\.file), listsSince: since.file))
    }

    private static func sights(
        _ seen: Seen?, _ readings: [Int64], _ chains: [ListingChain], listsSince: Int64?
    ) -> ListingConflict.Sights {
        var lastDay: Int64?
        if let seen, let listsSince, seen.listings == 1, seen.lastDay < listsSince { lastDay = seen.lastDay }
        return ListingConflict.Sights(
            firstSeen: seen?.first ?? .max, lastDay: lastDay, times: readings, changes: chains)
    }

    /// By column, in order of time.
    private static func changes(
        _ key: Key, in database: Database
    ) throws -> [String: [(at: Int64, was: String?)]] {
        var changes: [String: [(at: Int64, was: String?)]] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT at, field, was FROM listing_change WHERE app = ? AND storefront = ? ORDER BY at"),
            arguments: [key.app, key.storefront])
        while let row = try rows.next() { try changes[row[1], default: []].append((at: row[0], was: row[2])) }
        return changes
    }

    private static func sighting(_ row: Row, at index: Int) throws -> ListingConflict.Sighting? {
        guard let fingerprint = try row.wideIfAny(index) else { return nil }
        return try .init(fingerprint: fingerprint, rating: row[index + 1], ratingCount: row[index + 2])
    }

    /// As `listing_change` has them.
    private static func texts(_ values: [DatabaseValue], in database: Database) throws -> [String?] {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: textsSQL), arguments: StatementArguments(values))
        return try ListingRow.columns.indices.map { try row?[$0] }
    }

    private static let textsSQL =
        "SELECT " + ListingRow.columns.map { _ in "CAST(? AS TEXT)" }.joined(separator: ", ")

    private static let selection =
        "SELECT " + ListingRow.columns.joined(separator: ", ") + " FROM listing WHERE app = ? AND storefront = ?"

    private static let comparison = """
        SELECT \(ListingRow.columns.enumerated().map { index, column in "listing.\(column) IS ?\(index + 3)" }
            .joined(separator: " AND ")), fingerprint, rating, rating_count
        FROM listing LEFT JOIN sighting ON sighting.storefront = listing.storefront AND sighting.app = listing.app
        WHERE listing.app = ?1 AND listing.storefront = ?2
        """
}
