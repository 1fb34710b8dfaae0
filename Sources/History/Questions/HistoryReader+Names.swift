import GRDB
package import RankKit

/// An app that has come under another bundle identifier.
package struct BundleChange: Sendable, Hashable {
    /// As the watchlist calls it.
    package var bundleID: BundleID
    package var from: BundleID
    package var to: BundleID
    /// When the first check showed it.
    package var at: Timestamp
    /// When a check showed that it had stayed.
    package var stayedAt: Timestamp

    package init(bundleID: BundleID, from: BundleID, to: BundleID, at: Timestamp, stayedAt: Timestamp) {
        self.bundleID = bundleID
        self.from = from
        self.to = to
        self.at = at
        self.stayedAt = stayedAt
    }
}

extension HistoryReader {
    /// The app of the watchlist that `bundleID` stands for though the watchlist names it otherwise: it has, or had, this
    /// bundle identifier too. `nil` if there is none, or the watchlist has `bundleID` itself.
    package func watchedApp(alsoNamed bundleID: BundleID) throws(HistoryError) -> BundleID? {
        try read { database in
            let names = try Self.trackedNames(also: bundleID.folded, in: database)
            return names.first.flatMap { BundleID($0) }
        }
    }

    /// What reports call the app of one of Apple's numbers, by what had been seen by the reader's own moment; `nil` if no
    /// answer had shown it.
    package func bundleID(of id: AppID) throws(HistoryError) -> BundleID? {
        let moment = moment
        return try read { database in
            try Self.name(of: id, at: moment, in: database).flatMap { BundleID($0) }
        }
    }

    private static func name(of id: AppID, at moment: Timestamp? = nil, in database: Database) throws -> String? {
        guard let moment else {
            return try String.fetchOne(
                database.cachedStatement(sql: "SELECT \(AppNames.shown) FROM app WHERE app_id = ?"),
                arguments: [id.number])
        }
        return try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(AppNames.shown(at: ":moment")) FROM app
                    WHERE app_id = :number AND first_seen_at <= :moment
                    """), arguments: ["number": id.number, "moment": moment.secondsSinceEpoch])
    }

    /// `filter` with the watchlist's own names for apps that it names otherwise, and with names for Apple's numbers.
    package func resolving(_ filter: PairFilter) throws(HistoryError) -> PairFilter {
        guard !filter.apps.isEmpty else { return filter }
        return try read { database in
            let aliases = try String.fetchAll(database, sql: "SELECT alias FROM watched_app WHERE alias IS NOT NULL")
            let known = Set(aliases.map { $0.lowercased() })
            var filter = filter
            filter.apps = try filter.apps.flatMap { name in
                if known.contains(name) { return [name] }
                let names = try Self.trackedNames(also: name, in: database)
                if !names.isEmpty { return names.map { $0.lowercased() } }
                return [try AppID(named: name).flatMap { try Self.name(of: $0, in: database) }?.lowercased() ?? name]
            }
            return filter
        }
    }

    /// What the watchlist calls the apps that have, or had, the bundle identifier `key`, which it does not have itself.
    static func trackedNames(also key: String, in database: Database) throws -> [String] {
        try String.fetchAll(database.cachedStatement(sql: trackedNames), arguments: ["key": key])
    }

    private static let trackedNames = """
        SELECT DISTINCT watched_app.bundle_id FROM bundle_name AS given
        JOIN bundle_name AS name ON name.app = given.app
        JOIN watched_app ON watched_app.bundle_key = name.bundle_key
        WHERE given.bundle_key = :key AND NOT EXISTS (SELECT 1 FROM watched_app AS own WHERE own.bundle_key = :key)
        ORDER BY watched_app.ordinal
        """

    /// The apps of the watchlist that came under another bundle identifier which had stayed after `since` and up to
    /// `until`, in order of time; one with several editions once.
    package func bundleChanges(since: Timestamp, until: Timestamp) throws(HistoryError) -> [BundleChange] {
        let isFormer = moment != nil
        return try read { database in
            let apps = try Row.fetchAll(
                database,
                sql: """
                    SELECT watched_app.bundle_id, app.id FROM (SELECT ? AS moment) AS asOf CROSS JOIN watched_app
                    CROSS JOIN app
                        ON app.id IN \(AppNames.holders("watched_app.bundle_key", at: isFormer ? "asOf.moment" : nil))
                    WHERE EXISTS (SELECT 1 FROM bundle_name WHERE bundle_name.app = app.id)
                    ORDER BY watched_app.ordinal, app.id
                    """, arguments: [moment?.secondsSinceEpoch ?? .max])
            var changes: [BundleChange] = []
            for row in apps {
                guard let bundleID = try BundleID(row[0]) else { continue }
                let names = try AppNames(of: row[1], in: database).all
                for (before, after) in zip(names, names.dropFirst()) {
                    let stayedAt = Timestamp(secondsSinceEpoch: after.stayed)
                    // Two lines of the watchlist can have one app, by both its names: the newer one is told of.
                    let isTold = changes.contains {
                        $0.from == before.bundleID && $0.to == after.bundleID && $0.stayedAt == stayedAt
                    }
                    guard since < stayedAt, stayedAt <= until, !isTold else { continue }
                    changes.append(
                        BundleChange(
                            bundleID: bundleID, from: before.bundleID, to: after.bundleID,
                            at: Timestamp(secondsSinceEpoch: after.from), stayedAt: stayedAt))
                }
            }
            return changes.sorted { ($0.at, $0.bundleID) < ($1.at, $1.bundleID) }
        }
    }
}
