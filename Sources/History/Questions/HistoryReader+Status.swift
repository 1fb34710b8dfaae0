import GRDB
package import RankKit

/// What the file says about how the service is doing.
package struct ServiceRecord: Sendable {
    package var databaseBytes: Int64
    package var walBytes: Int64
    /// What keeps the device from being written; `nil` if nothing does.
    package var device: HistoryError?
    /// In bytes: with less left on the device, a commit may not fit.
    fileprivate static let leastRoom: UInt64 = 1 << 20
    package var schemaVersion: Int
    package var oldestCheck: Timestamp?
    package var newestCheck: Timestamp?
    package var lastHousekeeping: Timestamp?
    /// `nil` if the watchlist wants no backups.
    package var backups: BackupRecord?
    package var service: ServiceLife
    package var upkeep: Upkeep
    package var requestsPerMinute: Int
    /// How asking each source goes that queries of the watchlist name: the usual one first, which is there in any case.
    package var lanes: [Lane]
    /// Every active query with its cadences and what lies behind it.
    package var queries: [WatchedQuery]
    /// The queries whose newest check failed.
    package var failing: [FailingQuery]
    /// The queries whose newest check is suspect.
    package var suspects: [SuspectQuery]
    /// Whether the look-up endpoint may be asked.
    package var lookupHealth: EndpointHealth
    /// The tracked apps that their storefronts are taken not to sell.
    package var unknownApps: [StorefrontApp: AppPresence]
    /// `nil` unless look-ups have come to nothing for days.
    package var lookups: FailingLookups?
    package var undelivered: UndeliveredMessages
    /// `nil` if no results ever waited for long until the file could be written.
    package var waited: WaitedResults?
    /// Who holds the writer's lock.
    package var writer: HistoryWriter

    /// How asking one source goes. What one meets says nothing of another.
    package struct Lane: Sendable {
        package var source: Source
        /// Whether it may be asked.
        package var health: EndpointHealth
        package var lastPass: PassResult?
        package var requestsLastHour: Int
        package var requestsLastDay: Int
        /// How many queries it asks in all, for whoever sees some of them as well: it is nothing to be shown.
        package var queriesOfAll: Int
    }

    /// The usual source's lane.
    package var usualLane: Lane? { lanes.first { $0.source == .usual } }

    /// What the clean-up did last, and what there is for the next.
    package struct Upkeep: Sendable, Hashable {
        /// `nil` before the first one that noted it.
        package var last: CleanUp?
        /// Lists that the last clean-up found damaged and the one before did not.
        package var newlyDamaged: Int
        package var pages: Int
        /// Lists in those pages.
        package var listsInPages: Int
        /// Lists in no page: those of the day under way, and what the clean-up has yet to do.
        package var otherLists: Int
        /// From when on all lists are kept; `nil` if none was dropped.
        package var listsSince: Timestamp?
        /// Closed days since the first one that is not rolled up by pair; 0 if all are.
        package var daysBehind: Int
        /// The same by country.
        package var countryDaysBehind: Int

        package init(
            last: CleanUp? = nil, newlyDamaged: Int = 0, pages: Int = 0, listsInPages: Int = 0, otherLists: Int = 0,
            listsSince: Timestamp? = nil, daysBehind: Int = 0, countryDaysBehind: Int = 0
        ) {
            self.last = last
            self.newlyDamaged = newlyDamaged
            self.pages = pages
            self.listsInPages = listsInPages
            self.otherLists = otherLists
            self.listsSince = listsSince
            self.daysBehind = daysBehind
            self.countryDaysBehind = countryDaysBehind
        }
    }

    /// Look-ups that have come to nothing for days.
    package struct FailingLookups: Sendable, Hashable {
        /// Tracked apps that could not be looked up.
        package var apps: Int
    }

    package struct WatchedQuery: Sendable, Hashable {
        package var scheduled: ScheduledQuery
        package var attempts: Attempts
        /// Since when the query has been watched without a break; `nil` if no pair is active on it.
        package var since: Timestamp?
    }

    package struct SuspectQuery: Sendable, Hashable {
        package var query: Query
        package var reason: Suspicion
        /// How many places the newest check saw.
        package var within: Int
        package var at: Timestamp
    }

    package struct FailingQuery: Sendable, Hashable {
        package var query: Query
        package var reason: Failure.Reason
        package var detail: String?
        package var at: Timestamp
    }
}

extension HistoryReader {
    /// Who writes the history now.
    package var writer: HistoryWriter {
        switch WriterLock.state(of: path) {
        case .held(let pid): .running(pid: pid)
        case .free: .nobody
        case .unknown: .unknown
        }
    }

    /// The watchlist's pace.
    package func requestsPerMinute() throws(HistoryError) -> Int {
        try read { try Self.requestsPerMinute(in: $0) }
    }

    private static func requestsPerMinute(in database: Database) throws -> Int {
        try Setting.requestsPerMinute.positive(in: database) ?? ServiceSettings.defaultRequestsPerMinute
    }

    /// When the newest check up to `now` began; `nil` if there is none.
    package func newestCheck(asOf now: Timestamp) throws(HistoryError) -> Timestamp? {
        try read { try Self.newestCheck(asOf: now, in: $0) }
    }

    /// When the first check was made that nobody imported; `nil` if there is none.
    package func oldestCheck() throws(HistoryError) -> Timestamp? { try read { try Self.oldestCheck(in: $0) } }

    package func serviceRecord(now: Timestamp) throws(HistoryError) -> ServiceRecord {
        let writer = writer
        return try read { database in
            return ServiceRecord(
                databaseBytes: DatabaseFile.size(of: path) ?? 0,
                walBytes: DatabaseFile.size(of: path + "-wal") ?? 0,
                device: HistoryError.device(of: path, room: ServiceRecord.leastRoom),
                schemaVersion: try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                oldestCheck: try Self.oldestCheck(in: database),
                newestCheck: try Self.newestCheck(asOf: now, in: database),
                lastHousekeeping: Self.timestamp(try Setting.lastHousekeeping.integer(in: database)),
                backups: try BackupRecord(in: database),
                service: try ServiceLife(in: database),
                upkeep: try Self.upkeep(now: now, in: database),
                requestsPerMinute: try Self.requestsPerMinute(in: database),
                lanes: try Self.lanes(now: now, in: database),
                queries: try Self.scheduled(asOf: now, in: database),
                failing: try Self.failing(in: database),
                suspects: try Self.suspects(in: database),
                lookupHealth: try LaneRow.health(named: Endpoint.lookupName, in: database),
                unknownApps: try AppPresenceRow.unknown(in: database),
                lookups: try AppPresenceRow.failing(asOf: now, in: database),
                undelivered: try UndeliveredMessages(asOf: now, at: path, in: database),
                waited: try WaitedResults(in: database),
                writer: writer)
        }
    }

    private static func upkeep(now: Timestamp, in database: Database) throws -> ServiceRecord.Upkeep {
        func behind(_ last: Int64?, by zone: ZoneDays = .utc, askedOnly: Bool = false) throws -> Int {
            let next = try HistoryStore.nextCheck(
                from: last.map { zone.start(of: $0 + 1) }, askedOnly: askedOnly, in: database)
            return next.map { Int(max(0, zone.day(of: now) - zone.day(of: $0))) } ?? 0
        }
        let pages = try Row.fetchOne(database, sql: "SELECT count(*), ifnull(sum(lists), 0) FROM result_page")
        return try ServiceRecord.Upkeep(
            last: CleanUp(stored: try Setting.lastCleanUp.text(in: database)),
            newlyDamaged: try Setting.newDamage.integer(in: database).map { Int($0) } ?? 0, pages: pages?.count(0) ?? 0,
            listsInPages: pages?.count(1) ?? 0,
            otherLists: try Int.fetchOne(database, sql: "SELECT count(*) FROM result_list") ?? 0,
            listsSince: timestamp(try Setting.listsSince.integer(in: database)),
            daysBehind: try behind(DayRollUp.lastDay(in: database)),
            countryDaysBehind: try behind(
                CountryDayRow.lastDay(in: database), by: CountryDayRow.zone(in: database), askedOnly: true))
    }

    private static func timestamp(_ seconds: Int64?) -> Timestamp? { seconds.map(Timestamp.init(secondsSinceEpoch:)) }

    /// Imported tables apart, as is the newest.
    private static func oldestCheck(in database: Database) throws -> Timestamp? {
        timestamp(
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT min((SELECT min(at) FROM check_log WHERE check_log.query = query.id)) FROM query
                    WHERE \(QueryRow.isAsked)
                    """))
    }

    /// By time, since imported checks have the greatest numbers. What a clock that was ahead has dated past tomorrow
    /// does not count.
    private static func newestCheck(asOf now: Timestamp, in database: Database) throws -> Timestamp? {
        timestamp(
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max((SELECT max(at) FROM check_log WHERE check_log.query = query.id AND at < ?)) FROM query
                    WHERE \(QueryRow.isAsked)
                    """, arguments: [now.endOfTomorrow.secondsSinceEpoch]))
    }

    private static func lanes(now: Timestamp, in database: Database) throws -> [ServiceRecord.Lane] {
        let named = try String.fetchAll(
            database,
            sql: "SELECT DISTINCT source FROM query WHERE retired_at IS NULL AND \(QueryRow.isAsked) ORDER BY source"
        ).map(Source.stored)
        return try ([.usual] + named.filter { $0 != .usual }).map { source in
            try ServiceRecord.Lane(
                source: source, health: LaneRow.health(named: Endpoint.name(of: source), in: database),
                lastPass: lastPass(of: source, in: database),
                requestsLastHour: requests(since: now - 3_600, now: now, of: source, in: database),
                requestsLastDay: requests(since: now - Timestamp.secondsPerDay, now: now, of: source, in: database),
                queriesOfAll: Int.fetchOne(
                    database, sql: "SELECT count(*) FROM main.query WHERE retired_at IS NULL AND source = ?",
                    arguments: [source.rawValue]) ?? 0)
        }
    }

    private static func lastPass(of source: Source, in database: Database) throws -> PassResult? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day FROM pass
                WHERE source = ? ORDER BY id DESC LIMIT 1
                """, arguments: [source.rawValue])
        return try row.map {
            try PassResult(
                startedAt: $0[0], finishedAt: $0[1],
                due: $0.count(2), succeeded: $0.count(3), failed: $0.count(4), throttled: $0.count(5),
                requests: $0.count(6), suspect: $0.count(7), isBadDay: $0[8])
        }
    }

    private static func requests(
        since moment: Timestamp, now: Timestamp, of source: Source, in database: Database
    ) throws -> Int {
        try requests(in: min(moment + 1, now)...now, of: source, in: database)
    }

    private static func scheduled(
        asOf now: Timestamp, in database: Database
    ) throws -> [ServiceRecord.WatchedQuery] {
        var slots = SlotTable(now: now)
        return try Row.fetchAll(
            database,
            sql: """
                SELECT id, cadences, \(QueryRow.columns),
                    (SELECT min(from_at) FROM pair JOIN pair_period ON pair_period.pair = pair.id
                        WHERE pair.query = query.id AND pair_period.until_at IS NULL)
                FROM query WHERE retired_at IS NULL ORDER BY ordinal
                """
        ).map { row in
            let cadences = try CadenceText.stored(row[1])
            let scheduled = ScheduledQuery(query: try QueryRow.query(from: row, at: 2), cadences: cadences)
            return try ServiceRecord.WatchedQuery(
                scheduled: scheduled,
                attempts: try QueryAttempts.attempts(
                    of: row[0], asOf: now, slotEnd: slots.slot(of: cadences).end, in: database),
                since: timestamp(row[7]))
        }
    }

    private static func suspects(in database: Database) throws -> [ServiceRecord.SuspectQuery] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(QueryRow.columns), newest.outcome, newest.within, newest.reason, newest.at, newest.id
                FROM query
                JOIN check_log AS newest ON newest.id = query.newest_check
                WHERE query.retired_at IS NULL AND newest.outcome = 'suspect'
                ORDER BY query.ordinal
                """
        ).compactMap { row in
            guard case .suspect(let why, let count) = try CheckOutcome(row, at: 5, ofCheck: row[9]) else { return nil }
            return try ServiceRecord.SuspectQuery(
                query: try QueryRow.query(from: row), reason: why, within: count,
                at: row[8])
        }
    }

    private static func failing(in database: Database) throws -> [ServiceRecord.FailingQuery] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(QueryRow.columns), newest.outcome, newest.within, newest.reason, newest.at, newest.id,
                    newest.detail
                FROM query
                JOIN check_log AS newest ON newest.id = query.newest_check
                WHERE query.retired_at IS NULL AND newest.outcome = 'failed'
                ORDER BY newest.at DESC
                """
        ).compactMap { row in
            guard case .failed(let why) = try CheckOutcome(row, at: 5, ofCheck: row[9]) else { return nil }
            return try ServiceRecord.FailingQuery(
                query: try QueryRow.query(from: row), reason: why, detail: row[10],
                at: row[8])
        }
    }
}
