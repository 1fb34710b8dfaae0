import Foundation
import GRDB
import RankKit

/// The apps seen in one storefront: numbers them on first sight and keeps what changed about them.
struct AppRegister {
    private let storefront: Int64
    /// The row of the query that is asked.
    private let query: Int64

    init(storefrontOf query: Query, id: Int64, in database: Database) throws {
        self.query = id
        let arguments: StatementArguments = [query.country.code, query.language ?? ""]
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM storefront WHERE country = ? AND language = ?"),
            arguments: arguments)
        if let known {
            storefront = known
        } else {
            try database.cachedStatement(sql: "INSERT INTO storefront (country, language) VALUES (?, ?)")
                .execute(arguments: arguments)
            storefront = database.lastInsertedRowID
        }
    }

    private struct Known {
        var number: Int64
        var bundleKey: String
        /// Whether it has come under another bundle identifier that has not stayed yet.
        var hasNewName: Bool
        /// In seconds.
        var firstSeen: Int64
        var lastSeenDay: Int64
        /// `nil` if the app was never seen in this storefront.
        var fingerprint: UInt64?
        /// The best place that it ever had on the query, and when it had it first; `nil` if it had none.
        var best: (place: Int, at: Int64)?
        /// Whether the watchlist tracks or names it.
        var isWatched: Bool

        /// Of the few apps that have come under several.
        mutating func learnNames(in database: Database) throws {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT max(stayed_at IS NULL), max(bundle_key IN (SELECT bundle_key FROM watched_app))
                        FROM bundle_name WHERE app = ?
                        """), arguments: [number])
            guard let row else { return }
            hasNewName = try row[0] ?? false
            isWatched = try row[1] ?? false || isWatched
        }

        /// Takes up under which bundle identifier the app comes.
        mutating func see(_ bundleID: BundleID, at moment: Timestamp, in database: Database) throws {
            guard hasNewName || bundleKey != bundleID.folded else { return }
            let names = try AppRegister.see(number, lastSeenDay: lastSeenDay, as: bundleID, at: moment, in: database)
            bundleKey = names.present?.folded ?? bundleKey
            hasNewName = !names.new.isEmpty
        }
    }

    /// A list that is being recorded.
    private struct Sight {
        let moment: Timestamp
        /// The watchlist's zone's.
        let day: Int64
        let isGood: Bool
        let tellsNames: Bool
        /// Whether something may be known that a clock which was ahead dated later than now.
        let hasLater: Bool

        /// In seconds.
        var at: Int64 { moment.secondsSinceEpoch }
    }

    /// The dense number of the app in each place, `nil` if the entry names no app that has ever been numbered.
    ///
    /// - Parameters:
    ///   - isGood: whether the list is believed, so that its places can be the best that apps ever had.
    ///   - tellsNames: whether it tells under which names apps come: it is believed, and its check counts.
    func numbers(
        for places: [SeenApp?], isGood: Bool, tellsNames: Bool, seenAt moment: Timestamp, in database: Database
    ) throws -> [Int64?] {
        var known = try known(places, in: database)
        let sight = try Sight(
            moment: moment, day: CountryDayRow.wantedZone(in: database).day(of: moment), isGood: isGood,
            tellsNames: tellsNames, hasLater: CountedChecks.end(in: database) < .max)
        var seen: [Int64] = []
        var numbers: [Int64?] = try places.enumerated().map { index, place in
            guard let app = place, let id = app.id else { return nil }
            if let before = known[id], before.lastSeenDay < sight.day { seen.append(before.number) }
            return try enter(app, id, at: index + 1, sight, &known[id], in: database)
        }
        // Another entry of the same list may be the first that tells whose a name is.
        for (index, place) in places.enumerated() {
            guard let app = place, app.id == nil, let number = try number(of: app.bundleID, in: database) else {
                continue
            }
            numbers[index] = number
            if isGood { try enter(number, at: index + 1, sight.at, in: database) }
        }
        // Once a day each: a write for every app of every list would cost more than the list itself.
        let touch = try database.cachedStatement(sql: "UPDATE app SET last_seen_day = ? WHERE id = ?")
        for number in seen { try touch.execute(arguments: [sight.day, number]) }
        return numbers
    }

    /// Takes up the entry in one place.
    ///
    /// - Parameter known: what is known of the app, and from now on with this entry.
    /// - Returns: its dense number.
    private func enter(
        _ app: SeenApp, _ id: AppID, at place: Int, _ sight: Sight, _ known: inout Known?, in database: Database
    ) throws -> Int64 {
        if sight.tellsNames, app.tellsName { try known?.see(app.bundleID, at: sight.moment, in: database) }
        var entry =
            try known
            ?? Known(
                number: add(id, app.bundleID, at: sight.moment, on: sight.day, in: database),
                bundleKey: app.bundleID.folded, hasNewName: false, firstSeen: sight.at, lastSeenDay: sight.day,
                fingerprint: nil, best: nil, isWatched: isWatched(app.bundleID, in: database))
        if sight.at < entry.firstSeen {
            try see(entry, firstAt: sight.moment, in: database)
            entry.firstSeen = sight.at
        }
        entry.lastSeenDay = max(entry.lastSeenDay, sight.day)
        try take(app, (place: place, at: sight.at), sight, into: &entry, in: database)
        known = entry
        return entry.number
    }

    /// Takes up what an entry says of an app that has a number, and the place that it holds.
    private func take(
        _ app: SeenApp, _ place: (place: Int, at: Int64), _ sight: Sight, into known: inout Known, in database: Database
    ) throws {
        if known.best.map({ place < $0 }) ?? true {
            if sight.isGood { try enter(known.number, at: place.place, place.at, in: database) }
            known.best = place
        }
        guard let fingerprint = app.fingerprint else { return }
        var tellsRatings = true
        if try fingerprint != known.fingerprint || isToldLater(known, sight, in: database) {
            tellsRatings = try keep(app, fingerprint, of: known, at: sight.moment, in: database)
            known.fingerprint = fingerprint
        }
        // An entry of which nothing was kept says nothing of ratings.
        if known.isWatched, tellsRatings {
            try RatingDayRow.enter(known.number, storefront, at: sight.moment, on: sight.day, in: database)
        }
    }

    /// Whether something is known of an app's listing that is dated later.
    private func isToldLater(_ known: Known, _ sight: Sight, in database: Database) throws -> Bool {
        guard sight.hasLater, known.fingerprint != nil else { return false }
        return try ListingRow.hasLaterChanges(known.number, storefront, after: sight.moment, in: database)
    }

    private func known(_ places: [SeenApp?], in database: Database) throws -> [AppID: Known] {
        let ids = "[" + places.compactMap { $0?.id?.description }.joined(separator: ",") + "]"
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT app.app_id, app.id, app.last_seen_day, sighting.fingerprint, query_app.best, query_app.best_at,
                        app.bundle_key, app.first_seen_at,
                        EXISTS (SELECT 1 FROM watched_app WHERE watched_app.bundle_key = app.bundle_key),
                        EXISTS (SELECT 1 FROM bundle_name WHERE bundle_name.app = app.id)
                    FROM json_each(?) AS asked
                    JOIN app ON app.app_id = asked.value
                    LEFT JOIN sighting ON sighting.storefront = ? AND sighting.app = app.id
                    LEFT JOIN query_app ON query_app.query = ? AND query_app.app = app.id
                    """), arguments: [ids, storefront, query])
        var known: [AppID: Known] = [:]
        known.reserveCapacity(places.count)
        var named: [AppID] = []
        while let row = try rows.next() {
            let fingerprint = try row.wideIfAny(3)
            let (best, bestAt): (Int?, Int64?) = try (row[4], row[5])
            let id = AppID(try row.wide(0))
            known[id] = try Known(
                number: row[1], bundleKey: row[6], hasNewName: false, firstSeen: row[7], lastSeenDay: row.day(2),
                fingerprint: fingerprint.map { UInt64(bitPattern: $0) },
                best: best.flatMap { place in bestAt.map { (place, $0) } }, isWatched: row[8])
            if try row[9] { named.append(id) }
        }
        for id in named { try known[id]?.learnNames(in: database) }
        return known
    }

    private func isWatched(_ bundleID: BundleID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM watched_app WHERE bundle_key = ?)"),
            arguments: [bundleID.folded]) ?? false
    }

    /// - Parameter moment: in seconds.
    private func enter(_ number: Int64, at place: Int, _ moment: Int64, in database: Database) throws {
        try QueryAppRow.enter(number, at: place, on: query, at: moment, in: database)
    }

    /// Takes up under which bundle identifier a look-up has shown a number of Apple's.
    static func see(_ id: AppID, as bundleID: BundleID, at moment: Timestamp, in database: Database) throws {
        let app = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, last_seen_day FROM app WHERE app_id = ? AND (bundle_key <> ? OR EXISTS (
                        SELECT 1 FROM bundle_name AS new WHERE new.app = app.id AND new.stayed_at IS NULL))
                    """), arguments: [id.number, bundleID.folded])
        guard let app else { return }
        _ = try see(app[0], lastSeenDay: app.day(1), as: bundleID, at: moment, in: database)
    }

    /// Takes up under which bundle identifier an app comes.
    ///
    /// - Returns: its names now.
    private static func see(
        _ number: Int64, lastSeenDay: Int64, as bundleID: BundleID, at moment: Timestamp, in database: Database
    ) throws -> AppNames {
        let former = try AppNames(of: number, in: database)
        var names = former
        names.see(bundleID, at: moment.secondsSinceEpoch)
        guard names != former else { return names }
        // What others have not had for long may be this app's now, or theirs alone again.
        let isOther = names.keys != former.keys || names.all != former.all
        let others = isOther ? try AppNames.newKeys(in: database) : []
        let change = try NameChange(of: names.keys.union(former.keys).union(others), in: database)
        try names.keep(of: number, in: database)
        if isOther { _ = try AppNames.reconsider(in: database) }
        if !former.contains(bundleID) {
            for name in former.all {
                try CorrectedPlaces.takeBackAbsences(of: name.bundleID.folded, since: lastSeenDay, in: database)
            }
        }
        try change.note(in: database)
        for name in former.new.map(\.bundleID) where !names.new.contains(where: { $0.bundleID == name }) {
            try CorrectedPlaces.note(notNew: name.folded, in: database)
        }
        return names
    }

    /// Takes up that an app was seen earlier than is known: a clock was ahead then, or is behind now.
    private func see(_ app: Known, firstAt moment: Timestamp, in database: Database) throws {
        let change = try NameChange(of: AppNames(of: app.number, in: database).keys, in: database)
        try database.cachedStatement(sql: "UPDATE app SET first_seen_at = ?1 WHERE id = ?2 AND first_seen_at > ?1")
            .execute(arguments: [moment.secondsSinceEpoch, app.number])
        try database.cachedStatement(
            sql: """
                UPDATE bundle_name SET from_at = ?1, stayed_at = ?1 WHERE app = ?2 AND ordinal = 0 AND from_at > ?1
                """
        ).execute(arguments: [moment.secondsSinceEpoch, app.number])
        try change.note(in: database)
    }

    /// The newest app with this bundle identifier, its present one before a former one; `nil` if none was ever seen with a
    /// number of Apple's.
    private func number(of bundleID: BundleID, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM app WHERE id IN \(AppNames.ids(":key"))
                    ORDER BY bundle_key <> :key, last_seen_day DESC, id DESC LIMIT 1
                    """), arguments: ["key": bundleID.folded])
    }

    private func add(
        _ id: AppID, _ bundleID: BundleID, at moment: Timestamp, on day: Int64, in database: Database
    ) throws -> Int64 {
        let isTaken = try AppNames.isNew(bundleID.folded, in: database)
        var keys = isTaken ? try AppNames.newKeys(in: database) : []
        let isKnown =
            try AppNames.hasHolder(bundleID.folded, in: database)
            || UnnumberedPlaces.hasName(bundleID.folded, in: database)
        if isKnown { keys.insert(bundleID.folded) }
        let change = keys.isEmpty ? nil : try NameChange(of: keys, in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO app (app_id, bundle_id, bundle_key, first_seen_at, last_seen_day) VALUES (?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.number, bundleID.text, bundleID.folded, moment.secondsSinceEpoch, day,
            ])
        let number = database.lastInsertedRowID
        // It was taken for another app's that has just come under it.
        if isTaken { _ = try AppNames.reconsider(in: database) }
        try change?.note(in: database)
        return number
    }

    /// - Returns: whether the entry tells how many ratings there are.
    private func keep(
        _ app: SeenApp, _ fingerprint: UInt64, of known: Known, at moment: Timestamp, in database: Database
    ) throws -> Bool {
        // What the entry does not say stays as it was. After one that leaves the ratings out the next entry is read
        // again, whether it is the same or the one before: the fingerprint that is kept is neither's.
        let details = app.details().plausible
        try database.cachedStatement(
            sql: """
                INSERT INTO sighting (storefront, app, fingerprint, rating, rating_count) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (storefront, app) DO UPDATE SET
                    fingerprint = iif(excluded.rating_count IS NULL AND rating_count IS NOT NULL,
                        ~excluded.fingerprint, excluded.fingerprint),
                    rating = ifnull(excluded.rating, rating),
                    rating_count = ifnull(excluded.rating_count, rating_count)
                """
        ).execute(
            arguments: [
                storefront, known.number, Int64(bitPattern: fingerprint), details.rating, details.ratingCount,
            ])
        let listing = ListingRow(details)
        if known.fingerprint == nil {
            try listing.insert(app: known.number, storefront: storefront, in: database)
        } else {
            try listing.update(app: known.number, storefront: storefront, at: moment, in: database)
        }
        return details.ratingCount != nil
    }
}
