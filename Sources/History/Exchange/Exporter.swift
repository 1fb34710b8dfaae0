import Foundation
import GRDB
import RankKit

/// Writes a history line by line.
struct Exporter {
    private let database: Database
    private let since: Int64
    private let write: ([UInt8]) throws -> Void
    private let encoder = JSONEncoder()
    private var buffer: [UInt8] = []
    private var checksum = Checksum()
    private(set) var result = ExportResult()

    init(_ database: Database, since: Timestamp?, write: @escaping ([UInt8]) throws -> Void) {
        self.database = database
        self.since = since?.secondsSinceEpoch ?? .min
        self.write = write
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// - Parameter each: called before every check.
    mutating func run(now: Timestamp, each: (_ done: Int) throws -> Void) throws {
        try put(.header(header(now)))
        try put(.plan(plan()))
        try rows(SQLRequest(sql: "SELECT id, country, language FROM storefront ORDER BY id")) {
            try .storefront(.init(n: $0[0], country: $0[1], language: $0[2]))
        }
        let names = try self.names()
        try rows(SQLRequest(sql: "SELECT id, app_id, bundle_id, first_seen_at, last_seen_day FROM app ORDER BY id")) {
            try .app(
                .init(
                    n: $0[0], appId: $0.wide(1), bundleId: $0[2], firstSeenAt: $0[3], lastSeenDay: $0[4],
                    names: names[$0[0]]?.lines, newNames: names[$0[0]]?.newLines))
        }
        let rated = try ratedListings()
        try rows(SQLRequest(sql: Self.listingSQL)) { [database, since] row in
            var line = try Self.listing(row)
            if rated.contains([line.app, line.storefront]) {
                line.ratings = try Self.ratings(of: line, since: since, in: database)
            }
            return .listing(line)
        }
        try rows(
            SQLRequest(
                sql: "SELECT app, storefront, at, field, was FROM listing_change ORDER BY app, storefront, at, field")
        ) {
            try .listingChange(.init(app: $0[0], storefront: $0[1], at: $0[2], field: $0[3], was: $0[4]))
        }
        try rows(SQLRequest(sql: AppPresenceRow.all)) {
            try .presence(
                .init(
                    country: $0[0], bundleId: $0[1], foundAt: $0[2], emptySince: $0[3], emptyAt: $0[4],
                    emptyAnswers: $0[5], failedAt: $0[6], failuresInARow: $0[7]))
        }
        let cut = since == .min ? [] : try cutQueries()
        try rows(
            SQLRequest(
                sql: """
                    SELECT id, text, country, platform, source, language, cadences, cadence_seconds, popularity, ordinal,
                        retired_at, baseline_from, is_cut
                    FROM query ORDER BY id
                    """)
        ) {
            try .query(
                .init(
                    n: $0[0], text: $0[1], country: $0[2], platform: $0[3], source: $0[4], language: $0[5],
                    cadences: $0[6], cadenceSeconds: $0[7], popularity: $0[8], ordinal: $0[9], retiredAt: $0[10],
                    baselineFrom: $0[11], isCut: $0[12] || cut.contains($0[0]) ? true : nil))
        }
        try pairs()
        for query in try Int64.fetchAll(database, sql: "SELECT id FROM query ORDER BY id") {
            try checks(of: query, each)
        }
        let day = since == .min ? since : Timestamp(secondsSinceEpoch: since).day
        try rows(
            SQLRequest(
                sql: "SELECT query, day, reason, failed FROM failure_day WHERE day >= ? ORDER BY 1, 2, 3",
                arguments: [day])
        ) {
            try .failures(.init(query: $0[0], day: $0[1], reason: $0[2], failed: $0[3]))
        }
        try rows(
            SQLRequest(
                sql: """
                    SELECT started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day,
                        nullif(source, 'itunes')
                    FROM pass WHERE started_at >= ? ORDER BY id
                    """, arguments: [since])
        ) {
            try .pass(
                .init(
                    source: $0[9], startedAt: $0[0], finishedAt: $0[1], due: $0[2], succeeded: $0[3], failed: $0[4],
                    throttled: $0[5],
                    requests: $0[6], suspect: $0[7], badDay: $0[8]))
        }
        if let first = try Setting.listsSince.integer(in: database) { try whatDroppedListsTold(before: first) }
        try put(.end(.init(lines: result.lines + 1, checksum: checksum.text)))
        try flush()
    }

    private mutating func put(_ line: ExchangeLine) throws {
        result.lines += 1
        let text = Self.safe(try encoder.encode(line))
        checksum.add(text)
        buffer += text
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 1 << 16 { try flush() }
    }

    private mutating func flush() throws {
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// What would act on a terminal is escaped; JSON says the same with it.
    private static func safe(_ json: Data) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return [UInt8](json) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            guard scalar.value >= 0x7F, SafeText.isUnsafe(scalar) else {
                bytes += Array(String(scalar).utf8)
                continue
            }
            JSONString.appendEscape(of: scalar, to: &bytes)
        }
        return bytes
    }

    private mutating func rows(
        _ request: SQLRequest<Row>, _ line: (Row) throws -> ExchangeLine
    ) throws {
        let rows = try Row.fetchCursor(database, request)
        while let row = try rows.next() { try put(try line(row)) }
    }

    private func header(_ now: Timestamp) throws -> ExchangeLine.Header {
        let row = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM check_log")
        let listsSince = try Setting.listsSince.integer(in: database)
        return try .init(
            format: ExchangeLine.format, version: ExchangeLine.version, exportedAt: now.secondsSinceEpoch,
            since: since == .min ? nil : since, listsSince: listsSince,
            countryDaysZone: try listsSince.map { _ in try CountryDayRow.zoneName(in: database) },
            tableZones: try TableDays.exported(in: database),
            countedUntil: try Setting.countedUntil.integer(in: database), firstCheck: row?[0], lastCheck: row?[1])
    }

    private func plan() throws -> ExchangeLine.Plan {
        let rivals = try Dictionary(
            grouping: try Row.fetchAll(
                database, sql: "SELECT bundle_key, competitor_key FROM competitor ORDER BY 1, 2")
        ) { try $0[0] as String }
        let apps = try Row.fetchAll(
            database, sql: "SELECT bundle_key, bundle_id, alias, mine FROM watched_app ORDER BY ordinal"
        ).map { row in
            try ExchangeLine.Plan.App(
                bundleId: row[1], alias: row[2], mine: row[3],
                competitors: rivals[row[0], default: []].map { try $0[1] })
        }
        let notes = try Row.fetchAll(
            database, sql: "SELECT on_date, bundle_key, version, text, added, removed FROM note ORDER BY ordinal"
        ).map { row in
            try ExchangeLine.Plan.Note(
                on: row[0], bundleId: row[1], version: row[2], text: row[3], added: Self.lines(row[4]),
                removed: Self.lines(row[5]))
        }
        return .init(
            adoptedAt: try Setting.adoptedAt.integer(in: database), timeZone: try Setting.timeZone.text(in: database),
            sensitivity: try Setting.sensitivity.text(in: database),
            requestsPerMinute: try Setting.requestsPerMinute.positive(in: database),
            parallelism: try Setting.parallelism.positive(in: database), apps: apps, notes: notes)
    }

    private static func lines(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func pairs() throws {
        let pruned = try PrunedPairs.all(in: database)
        try rows(SQLRequest(sql: "SELECT id, query, bundle_id, tags, retired_at FROM pair ORDER BY id")) {
            [database] row in
            let tags: String = try row[3]
            let periods = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT from_at, until_at FROM pair_period WHERE pair = ? ORDER BY from_at"),
                arguments: [row[0] as Int64])
            return try .pair(
                .init(
                    n: row[0], query: row[1], bundleId: row[2],
                    tags: PairTags.decode(tags), retiredAt: row[4],
                    periods: periods.map { try .init(from: $0[0], until: $0[1]) }, prunedBefore: pruned[row[0]]))
        }
    }

    /// What was derived from lists of before `moment`, and may not be derived again.
    private mutating func whatDroppedListsTold(before moment: Int64) throws {
        try rows(
            SQLRequest(
                sql: """
                    SELECT query, app, best, best_at FROM query_app WHERE best_at >= ? AND best_at < ?
                    ORDER BY query, app
                    """, arguments: [since, moment])
        ) {
            try .bestPlace(.init(query: $0[0], app: $0[1], best: $0[2], at: $0[3]))
        }
        let zone = try CountryDayRow.zone(in: database)
        let from = since == .min ? since : zone.day(of: Timestamp(secondsSinceEpoch: since))
        let days = try CountryDayRow.all(from ... .max, of: nil, in: database)
            .filter { CountryDayRow.needs($0.day, of: zone, listsSince: moment) }
        for day in days.sorted(by: { ($0.store, $0.day) < ($1.store, $1.day) }) {
            let (moves, spread) = (day.moves, day.moves.spread)
            try put(
                .countryDay(
                    .init(
                        source: day.store.source == .usual ? nil : day.store.source.rawValue,
                        country: day.country.code, day: day.day, queries: day.queries, good: day.good,
                        suspect: day.suspect, failed: day.failed, compared: moves.compared, apps: moves.apps,
                        entered: moves.entered, left: moves.left, lowerQuartile: spread?.lowerQuartile,
                        median: spread?.median, upperQuartile: spread?.upperQuartile, ninthDecile: spread?.ninthDecile))
            )
        }
    }

    private mutating func checks(of query: Int64, _ each: (Int) throws -> Void) throws {
        let pairs = try Int64.fetchAll(
            database, sql: "SELECT id FROM pair WHERE query = ? ORDER BY id", arguments: [query])
        let statement = try database.cachedStatement(
            sql: "SELECT position, within FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        try KeptCheck.each(of: query, since: since, in: database) { check in
            try each(result.checks)
            result.checks += 1
            let words = check.outcome.columns
            var line = ExchangeLine.Check(
                n: check.id, query: query, at: check.at, outcome: words.outcome, within: words.within,
                reason: words.reason, detail: check.detail)
            switch check.list {
            case .none: break
            case .places(let places):
                line.list = places.map { $0 ?? 0 }
                line.unnumbered = try Self.unnumbered(check.id, in: places, database)
            case .damaged, .inDamagedPage: result.damagedLists += 1
            }
            for pair in pairs {
                guard let row = try Row.fetchOne(statement, arguments: [pair, check.at, check.id]) else { continue }
                let within: Int = try row[1]
                line.positions =
                    try (line.positions ?? []) + [
                        .init(pair: pair, position: row[0], within: within == words.within ? nil : within)
                    ]
            }
            try put(.check(line))
        }
    }

    /// What fits the list: an import refuses the rest, and with it the file.
    ///
    /// - Returns: `nil` where there are none.
    private static func unnumbered(
        _ check: Int64, in places: [Int64?], _ database: Database
    ) throws -> [ExchangeLine.Check.Unnumbered]? {
        guard places.contains(nil) else { return nil }
        let names = try UnnumberedPlaces.names(of: check, in: database)
        let fitting = places.indices.filter { places[$0] == nil }.compactMap { index in
            names[index + 1].map { ExchangeLine.Check.Unnumbered(position: index + 1, bundleId: $0.text) }
        }
        return fitting.isEmpty ? nil : fitting
    }

    /// Of the few apps that have had several.
    private func names() throws -> [Int64: AppNames] {
        let apps = try Int64.fetchAll(database, sql: "SELECT DISTINCT app FROM bundle_name")
        return try Dictionary(uniqueKeysWithValues: apps.map { ($0, try AppNames(of: $0, in: database)) })
    }

    /// The queries whose first checks are left out.
    private func cutQueries() throws -> Set<Int64> {
        Set(try Int64.fetchAll(database, sql: "SELECT DISTINCT query FROM check_log WHERE at < ?", arguments: [since]))
    }

    /// The few listings that have ratings day by day.
    private func ratedListings() throws -> Set<[Int64]> {
        try Set(
            Row.fetchAll(database, sql: "SELECT DISTINCT app, storefront FROM rating_day").map { try [$0[0], $0[1]] })
    }

    /// - Returns: `nil` where none is of `since` or later.
    private static func ratings(
        of listing: ExchangeLine.Listing, since: Int64, in database: Database
    ) throws -> [ExchangeLine.Ratings]? {
        let ratings = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT at, ratings, average FROM rating_day
                    WHERE app = ? AND storefront = ? AND at >= ? ORDER BY day
                    """), arguments: [listing.app, listing.storefront, since]
        ).map { try ExchangeLine.Ratings(at: $0[0], ratings: $0[1], average: $0[2]) }
        return ratings.isEmpty ? nil : ratings
    }

    private static let listingSQL = """
        SELECT listing.app, listing.storefront, fingerprint, rating, rating_count,
            name, developer, seller, version, released_at, version_released_at, price, currency, genre, icon_url,
            store_url, screenshot_urls
        FROM listing LEFT JOIN sighting ON sighting.storefront = listing.storefront AND sighting.app = listing.app
        ORDER BY listing.app, listing.storefront
        """

    private static func listing(_ row: Row) throws -> ExchangeLine.Listing {
        try .init(
            app: row[0], storefront: row[1], fingerprint: row.wideIfAny(2), rating: row[3], ratingCount: row[4],
            name: row[5],
            developer: row[6], seller: row[7], version: row[8], releasedAt: row[9], versionReleasedAt: row[10],
            price: row[11], currency: row[12], genre: row[13], iconUrl: row[14], storeUrl: row[15],
            screenshotUrls: row[16])
    }
}

extension AppNames {
    fileprivate var lines: [ExchangeLine.App.Name] {
        all.map { .init(bundleId: $0.bundleID.text, from: $0.from, stayed: $0.stayed == $0.from ? nil : $0.stayed) }
    }

    fileprivate var newLines: [ExchangeLine.App.NewName]? {
        new.isEmpty ? nil : new.map { .init(bundleId: $0.bundleID.text, from: $0.from, until: $0.until) }
    }
}
