import History
import RankKit

extension Status {
    /// How many overdue queries are named.
    private static let named = 10

    /// Reads how the service is doing.
    ///
    /// - Parameters:
    ///   - queries: of which the counts of queries are, and what these want; all if it is `nil`. How the service is
    ///     doing is never a matter of some queries.
    ///   - database: what the history's file is called; its path unless given.
    ///   - unit: what systemd says of the service; `nil` if it is not asked, or has none.
    init(
        from reader: HistoryReader, of queries: Set<Query>? = nil, database: String? = nil, unit: ServiceUnit? = nil,
        now: Timestamp
    ) throws(HistoryError) {
        var record = try reader.serviceRecord(now: now)
        if reader.isNarrowed { record.dropWhatCountsAll() }
        if let database, database != reader.path { record.nameFilesAlone(hiding: reader.path) }
        var overdue = record.overdue(now: now)
        let reasons = Self.reasons(record, overdue: overdue, unit: unit, now: now)
        let level = Self.level(record, overdue: overdue, reasons: reasons, now: now)
        let dueSince = record.dueSincePause(now: now)
        if let queries {
            overdue.removeAll { !queries.contains($0.query) }
            record.keep(queries)
        }
        let failures = Self.streaks(record)
        // A killed rankd leaves the mark of the pass that it was in.
        let underWay = record.writer == .nobody ? nil : try reader.passesUnderWay(now: now).first
        self.init(
            generatedAt: now,
            level: level, reasons: reasons,
            daemon: record.writer, service: record.service,
            database: Database(
                path: database ?? reader.path, bytes: reader.isNarrowed ? nil : record.databaseBytes,
                walBytes: reader.isNarrowed ? nil : record.walBytes,
                schemaVersion: record.schemaVersion, trouble: record.trouble),
            historySince: record.oldestCheck,
            newestCheckAt: record.newestCheck,
            lastPass: reader.isNarrowed
                ? nil
                : record.usualLane?.lastPass.map {
                    Pass(
                        startedAt: $0.startedAt, finishedAt: $0.finishedAt, asked: $0.asked, succeeded: $0.succeeded,
                        failed: $0.failed, throttled: $0.throttled, suspect: $0.suspect, badDay: $0.isBadDay)
                },
            underWay: underWay,
            nextDueAt: Schedule.nextWake(
                record.queries.map(\.scheduled), attempts: record.attempts, now: now),
            dueSince: dueSince,
            queryCount: record.queries.count, overdueCount: overdue.count,
            overdue: overdue.prefix(Self.named).map { OverdueQuery(query: $0.query, dueSince: $0.dueSince) },
            failures: failures, housekeptAt: record.lastHousekeeping,
            upkeep: reader.isNarrowed ? nil : record.upkeep,
            requests: Requests(
                lastHour: reader.isNarrowed ? nil : record.usualLane?.requestsLastHour,
                lastDay: reader.isNarrowed ? nil : record.usualLane?.requestsLastDay,
                perMinute: record.requestsPerMinute,
                wantedPerDay: record.queries.filter { $0.scheduled.query.source == .usual }
                    .reduce(0) { $0 + SlotCount.perDay($1.scheduled.cadences) }),
            endpoints: record.lanes.map {
                Endpoint(
                    name: RankKit.Endpoint.name(of: $0.source), $0.health, isBadDay: $0.lastPass?.isBadDay ?? false)
            } + [Endpoint(name: RankKit.Endpoint.lookupName, record.lookupHealth)],
            suspects: record.suspects.map {
                SuspectQuery(
                    query: $0.query, reason: $0.reason, within: $0.within)
            },
            unknownApps: record.unknownApps.sorted { $0.key < $1.key }.compactMap { UnknownApp($0, $1) },
            namedTwice: try reader.appsNamedTwice(),
            backups: record.backups, waited: record.waited, isWhole: !reader.isNarrowed)
    }

    private static func streaks(_ record: ServiceRecord) -> [FailureStreak] {
        let inARow = record.attempts
        return Dictionary(grouping: record.failing, by: \.reason)
            .compactMap { reason, queries in
                guard let newest = queries.max(by: { $0.at < $1.at }) else { return nil }
                return FailureStreak(
                    reason: reason, queryCount: queries.count,
                    mostInARow: queries.map { inARow[$0.query]?.failuresInARow ?? 1 }.max() ?? 1,
                    lastMessage: newest.detail ?? "", lastAt: newest.at)
            }
            .sorted { ($1.queryCount, $0.reason.rawValue) < ($0.queryCount, $1.reason.rawValue) }
    }
}

extension Status.Endpoint {
    init(name: String, _ health: EndpointHealth, isBadDay: Bool = false) {
        let state: State =
            switch health.pause {
            case nil where health.errorsInARow >= Self.errorsOfAQuery: .failing
            case nil: isBadDay ? .badDay : .asking
            case .throttled?: .coolingDown
            case .offline?: .offline
            case .failing?: .failing
            }
        self.init(name: name, state: state, until: health.pausedUntil)
    }

    /// As many as come of one query with all its tries: with fewer the next try may already have been answered.
    private static let errorsOfAQuery = 3
}

extension ServiceRecord {
    var trouble: Status.Database.Trouble? {
        switch device {
        case .full?: return .noRoom
        case .readOnly?:
            // Where nobody writes, whoever reads may have been given it so.
            if case .running = writer { return .readOnly }
        default: break
        }
        return walBytes > HistoryStore.largeLog ? .longLog : nil
    }

    /// Leaves out what the service counted of everybody's, and what it wrote about everybody's messages and files.
    fileprivate mutating func dropWhatCountsAll() {
        undelivered = UndeliveredMessages()
        waited = nil
        backups?.failure = nil
        backups?.newlyDamaged = 0
    }

    /// Takes the folders out of what rankd wrote down for whoever sits at this machine.
    ///
    /// - Parameter path: of the history; its folder may have a space in it.
    fileprivate mutating func nameFilesAlone(hiding path: String) {
        func named(_ text: String) -> String { SafeText.withoutFolders(text, of: [path]) }
        service.refusal = service.refusal.map(named)
        if let failure = backups?.failure { backups?.failure = named(failure) }
    }

    /// Leaves these queries alone.
    mutating func keep(_ wanted: Set<Query>) {
        queries.removeAll { !wanted.contains($0.scheduled.query) }
        failing.removeAll { !wanted.contains($0.query) }
        suspects.removeAll { !wanted.contains($0.query) }
    }

    var attempts: [Query: Attempts] {
        Dictionary(queries.map { ($0.scheduled.query, $0.attempts) }, uniquingKeysWith: { first, _ in first })
    }
}
