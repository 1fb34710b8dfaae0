import GRDB
package import RankKit

/// One active pair and where it stands.
package struct PairStanding: Sendable {
    /// Its number in the file.
    package var id: Int64
    package var query: Query
    package var bundleID: BundleID
    package var alias: String?
    package var isMine: Bool
    package var tags: [String]
    /// The shortest of the query's cadences, in seconds.
    package var cadence: Int64
    package var appID: AppID?
    package var appName: String?
    /// What is known of the app in the query's country, where the storefront is taken not to sell it.
    package var unknown: AppPresence?
    /// Of the newest check; `pending` where the pair was never checked.
    package var outcome: Outcome
    package var checkedAt: Timestamp?
    package var lastGood: Reading?
    package var best: Extreme?
    package var worst: Extreme?
    /// By how many days before the newest good check they stand for; missing if there is none in the window.
    package var earlier: [Int64: Reading] = [:]
    /// The last reading in the window asked for.
    package var compared: Reading?
    /// The last reading of each of the days asked for.
    package var daily: DailyReadings = [:]
    package var turn: Turn

    /// The order of reports: mine first, then by app and by query as in the watchlist.
    package struct Turn: Sendable, Hashable, Comparable {
        var isMine: Bool
        /// The app's place in the watchlist; before all places where it has none.
        var app: Int64
        var query: Int64
        var pair: Int64

        package static func < (left: Turn, right: Turn) -> Bool {
            if left.isMine != right.isMine { return left.isMine }
            return (left.app, left.query, left.pair) < (right.app, right.query, right.pair)
        }
    }
}

extension HistoryReader {
    /// Every active pair that `filter` admits: mine first, then in the watchlist's order.
    ///
    /// - Parameters:
    ///   - days: the distances in days at which an earlier reading is wanted.
    ///   - trendSince: the first UTC day of `daily`; `nil` for none.
    ///   - window: when `compared` may lie, by the pair's cadence in seconds and the time of its `lastGood`.
    ///   - moment: no later check is taken into account; `nil` for all. The pairs are those of today. What the apps are
    ///     called is of the reader's own moment (`asOf`).
    package func standings(
        _ filter: PairFilter = PairFilter(), days: [Int64] = [], trendSince: Int64? = nil,
        comparedIn window: ((_ cadence: Int64, _ newest: Timestamp) -> ClosedRange<Timestamp>)? = nil,
        asOf moment: Timestamp? = nil
    ) throws(HistoryError) -> [PairStanding] {
        var standings: [PairStanding] = []
        try eachStanding(
            filter, days: days, daily: trendSince.map { WantedDays($0...Self.lastDay) }, comparedIn: window,
            asOf: moment
        ) { standings.append($0) }
        return standings.sorted { $0.turn < $1.turn }
    }

    /// How many pairs are active.
    package func activePairs() throws(HistoryError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pair WHERE retired_at IS NULL") ?? 0 }
    }

    /// Hands over one standing after the other, in the order in which the file has them at hand: `turn` says which is
    /// whose. Of a long watchlist they take tens of megabytes together.
    package func eachStanding(
        _ filter: PairFilter = PairFilter(), days: [Int64] = [], daily: WantedDays? = nil,
        comparedIn window: ((_ cadence: Int64, _ newest: Timestamp) -> ClosedRange<Timestamp>)? = nil,
        asOf moment: Timestamp? = nil, _ body: (PairStanding) -> Void
    ) throws(HistoryError) {
        try read { database in
            let condition = try filter.condition(in: database)
            let names = try TrackedNames(condition, at: self.moment, in: database)
            // Of look-ups the newest alone is kept, so that nobody knows what they had told at an earlier moment.
            let unknown = self.moment == nil ? try AppPresenceRow.unknown(in: database) : [:]
            let readings = try PairReadings(self.days, in: database)
            var shared = SharedValues()
            let rows = try Row.fetchCursor(database, SQLRequest(literal: Self.standingsSQL(condition)))
            while let row = try rows.next() {
                guard var standing = try PairStanding(row, names: names, &shared) else { continue }
                if !unknown.isEmpty {
                    standing.unknown = unknown[StorefrontApp(standing.bundleID, in: standing.query.country)]
                }
                let pair = standing.id
                if let moment { try standing.rewind(to: moment, readings, in: database) }
                let known = daily?.days(cadence: standing.cadence)
                if let daily, let known {
                    standing.daily = try daily.known[pair] ?? readings.days(of: pair, known, until: daily.until)
                }
                func newest(_ window: ClosedRange<Timestamp>) throws -> Reading? {
                    guard let known else { return try readings.newest(of: pair, in: window) }
                    return try readings.newest(
                        of: pair, in: window, knowing: standing.daily, of: known, until: daily?.until)
                }
                if let good = standing.lastGood {
                    if let window { standing.compared = try newest(window(standing.cadence, good.checkedAt)) }
                    for distance in days {
                        standing.earlier[distance] = try newest(
                            Reading.window(before: good.checkedAt, days: distance, cadence: standing.cadence))
                    }
                }
                body(standing)
            }
        }
    }

    static func standingsSQL(_ condition: SQL) -> SQL {
        """
        SELECT pair.id, query.cadence_seconds, \(sql: QueryRow.columns),
            pair.bundle_id, watched_app.alias, ifnull(watched_app.mine, 1), pair.tags,
            standing.state, standing.checked_at, standing.reason,
            standing.good_at, standing.position, standing.within,
            standing.best, standing.best_at, standing.worst, standing.worst_at,
            query.id, ifnull(watched_app.ordinal, -1), query.ordinal
        FROM pair
        JOIN query ON query.id = pair.query
        LEFT JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
        LEFT JOIN standing ON standing.pair = pair.id
        WHERE \(condition)
        """
    }

    /// Beyond every check: the clock that wrote them may have been ahead.
    private static let lastDay: Int64 = 10_000 * 366
}

extension Reading {
    init(_ row: Row, at: Int, position: Int, within: Int) throws {
        try self.init(position: row[position], within: row.depth(within), checkedAt: row[at])
    }
}

extension Extreme {
    init?(_ row: Row, position: Int, at: Int) throws {
        let (place, moment): (Position?, Timestamp?) = try (row[position], row[at])
        guard let position = place, let moment else { return nil }
        self.init(position: position, at: moment)
    }
}

extension PairStanding {
    fileprivate init?(_ row: Row, names: TrackedNames, _ shared: inout SharedValues) throws {
        guard let bundleID = try shared.bundleID(row[7]) else { return nil }
        id = try row[0]
        query = try shared.query(row[21], row, at: 2)
        turn = try Turn(isMine: row[9], app: row[22], query: row[23], pair: row[0])
        self.bundleID = bundleID
        alias = try row[8]
        isMine = try row[9]
        cadence = try row.cadence(1)
        tags = try shared.tags(row[10])
        checkedAt = try row[12]
        lastGood = try (row[14] as Timestamp?) == nil ? nil : Reading(row, at: 14, position: 15, within: 16)
        outcome = try Outcome(row, state: 11, reason: 13, good: lastGood, ofPair: row[0])
        best = try Extreme(row, position: 17, at: 18)
        worst = try Extreme(row, position: 19, at: 20)
        (appID, appName) = names.name(of: bundleID, in: query.country)
    }
}

/// What tracked apps are called in each country. The cross joins hold SQLite to this order, from the few apps that
/// are tracked to their names, whatever it knows of the tables' sizes.
private struct TrackedNames {
    private struct Key: Hashable {
        let bundle: String
        let country: String
    }
    private var byCountry: [Key: (AppID, String?)] = [:]
    private var anywhere: [String: (AppID, String?)] = [:]

    /// - Parameters:
    ///   - condition: which pairs' apps are wanted (`PairFilter.condition`).
    ///   - moment: when they were called so; `nil` for now.
    init(_ condition: SQL, at moment: Timestamp?, in database: Database) throws {
        let (name, isListed, lastSeen, asOf) =
            moment == nil
            ? (try PresentListing(in: database).column("name"), "true", "app.last_seen_day", nil)
            : (FormerListing.name, FormerListing.isListed, FormerListing.lastSeenDay, "asOf.moment")
        // Of several numbers the one that was seen last tells.
        let rows = try Row.fetchCursor(
            database,
            SQLRequest(
                literal: """
                    SELECT tracked.bundle_key, storefront.country, app.app_id, \(sql: name)
                    FROM (SELECT \(moment?.secondsSinceEpoch) AS moment) AS asOf
                    CROSS JOIN (SELECT DISTINCT pair.bundle_key FROM pair JOIN query ON query.id = pair.query
                        WHERE \(condition)) AS tracked
                    CROSS JOIN app ON app.id IN \(sql: AppNames.holders("tracked.bundle_key", at: asOf))
                    CROSS JOIN listing ON listing.app = app.id
                    JOIN storefront ON storefront.id = listing.storefront
                    WHERE \(sql: isListed)
                    ORDER BY \(sql: lastSeen), app.id
                    """))
        while let row = try rows.next() {
            let value = try (AppID(row.wide(2)), row[3] as String?)
            try byCountry[Key(bundle: row[0], country: row[1])] = value
            try anywhere[row[0]] = value
        }
    }

    /// As called in `country`, else as called anywhere.
    func name(of bundleID: BundleID, in country: Country) -> (AppID?, String?) {
        let key = Key(bundle: bundleID.folded, country: country.code)
        guard let known = byCountry[key] ?? anywhere[bundleID.folded] else { return (nil, nil) }
        return known
    }
}
