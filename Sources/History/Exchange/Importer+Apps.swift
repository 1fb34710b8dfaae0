import Foundation
import GRDB
import RankKit

/// What was seen of apps.
extension Importer {
    mutating func take(_ line: ExchangeLine.Storefront, _ database: Database) throws {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM storefront WHERE country = ? AND language = ?"),
            arguments: [line.country, line.language])
        storefronts[line.n] =
            try known
            ?? insert("storefront", at: line.n, [("country", line.country), ("language", line.language)], database)
    }

    mutating func take(_ line: ExchangeLine.App, _ database: Database) throws {
        fileApps.add(line)
        let lastDay = try storeDays.lastSeenDay(line.lastSeenDay, in: database)
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM app WHERE app_id = ?"), arguments: [line.appId])
        let own = try known.map { try AppNames(of: $0, in: database) }
        let seen = try known.flatMap { known in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT first_seen_at, last_seen_day FROM app WHERE id = ?"),
                arguments: [known]
            ).map { try (first: $0[0], lastDay: $0[1]) as (first: Int64, lastDay: Int64) }
        }
        if let known {
            try noteSeen(known, seen ?? (line.firstSeenAt, lastDay), line, database)
            try database.cachedStatement(
                sql: """
                    UPDATE app SET first_seen_at = min(first_seen_at, ?), last_seen_day = max(last_seen_day, ?)
                    WHERE id = ?
                    """
            ).execute(arguments: [line.firstSeenAt, lastDay, known])
        }
        let app =
            try known
            ?? insert(
                "app", at: line.n,
                [
                    ("app_id", line.appId), ("bundle_id", line.bundleId), ("bundle_key", line.bundleId.lowercased()),
                    ("first_seen_at", line.firstSeenAt), ("last_seen_day", lastDay),
                ], database)
        apps[line.n] = app
        try merge(line, seenLast: lastDay, into: app, of: own, lastSeen: seen?.lastDay, database)
        if seen.map({ line.firstSeenAt < $0.first }) ?? true { try noteTakenUp(line.bundleId.lowercased(), database) }
    }

    /// Takes up when each of the two histories saw an app, before its listings come.
    private mutating func noteSeen(
        _ app: Int64, _ own: (first: Int64, lastDay: Int64), _ line: ExchangeLine.App, _ database: Database
    ) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM listing WHERE app = ?"), arguments: [app])
        let days = try storeDays.zones(in: database)
        func start(_ day: Int64, _ zone: ZoneDays) -> Int64 { zone.start(of: day).secondsSinceEpoch }
        listings.note(
            app: app,
            own: .init(first: own.first, lastDay: start(own.lastDay, days.here), listings: count ?? 0),
            file: .init(first: line.firstSeenAt, lastDay: start(line.lastSeenDay, days.there), listings: 0))
    }

    /// Decides anew which names that have not stayed yet stand for their apps.
    mutating func reconsider(_ database: Database) throws {
        for key in try AppNames.reconsider(in: database) { try noteQueries(of: key, database) }
    }

    /// Notes that what was recorded of pairs by one name is held against the lists anew.
    private mutating func noteQueries(of key: String, _ database: Database) throws {
        changed.formUnion(
            try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT query FROM pair WHERE bundle_key = ?"), arguments: [key]))
    }

    /// Notes that another app may have the bundle identifier from an earlier time on than before, where one gave it up:
    /// then pairs of it mean the other one since.
    private mutating func noteTakenUp(_ key: String, _ database: Database) throws {
        changed.formUnion(
            try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT query FROM pair
                        WHERE bundle_key = :key AND EXISTS (SELECT 1 FROM bundle_name WHERE bundle_key = :key)
                        """), arguments: ["key": key]))
    }

    /// Takes up the names that the file has for an app; each counts since the first of the two histories saw it.
    ///
    /// - Parameters:
    ///   - lastDay: the day on which the file's history saw it last, by this history's days.
    ///   - own: those that it had here; `nil` if it was not here.
    ///   - lastSeen: the day on which it was seen last here.
    private mutating func merge(
        _ line: ExchangeLine.App, seenLast lastDay: Int64, into app: Int64, of own: AppNames?, lastSeen: Int64?,
        _ database: Database
    ) throws {
        func bundleID(_ text: String) throws -> BundleID {
            guard let bundleID = BundleID(text) else { throw Unfitting(what: "has a bundleId that cannot be") }
            return bundleID
        }
        let told = line.names ?? [.init(bundleId: line.bundleId, from: line.firstSeenAt)]
        guard zip(told, told.dropFirst()).allSatisfy({ $0.from < $1.from && $0.bundleId != $1.bundleId }),
            told.allSatisfy({ $0.from <= $0.stayed ?? $0.from }), told.last?.bundleId == line.bundleId
        else { throw Unfitting(what: "has names that are not in order of time, or do not end with its bundleId") }
        let other = AppNames(
            try told.map { .init(bundleID: try bundleID($0.bundleId), from: $0.from, stayed: $0.stayed ?? $0.from) },
            new: try (line.newNames ?? []).map {
                .init(bundleID: try bundleID($0.bundleId), from: $0.from, until: $0.until)
            })
        var names = own ?? other
        if let lastSeen { names.merge(other, lastSeen: lastSeen, lastDay) }
        guard names.all.count > 1 || !names.new.isEmpty, names != own else { return }
        try names.keep(of: app, in: database)
        for name in names.all.map(\.bundleID) + ((own?.new ?? []) + names.new).map(\.bundleID) {
            try noteQueries(of: name.folded, database)
        }
    }

    func take(_ line: ExchangeLine.Presence, _ database: Database) throws {
        guard let country = Country(code: line.country), let bundleID = BundleID(line.bundleId) else {
            throw Unfitting(what: "is about an app or a country that cannot be")
        }
        func moment(_ seconds: Int64?) -> Timestamp? { seconds.map { Timestamp(secondsSinceEpoch: $0) } }
        let told = AppPresence(
            foundAt: moment(line.foundAt), emptySince: moment(line.emptySince), emptyAt: moment(line.emptyAt),
            emptyAnswers: line.emptyAnswers, failedAt: moment(line.failedAt), failuresInARow: line.failuresInARow)
        let app = StorefrontApp(bundleID, in: country)
        let known = try AppPresenceRow.presence(of: app, in: database)
        try AppPresenceRow.keep(known.joined(with: told), of: app, in: database)
    }
}
