import GRDB
import RankKit

/// Rows of `country_day` and `country_day_due`.
enum CountryDayRow {
    private static let columns = """
        source, country, day, queries, good, suspect, failed, compared, apps, entered, dropped_out, lower_quartile, median,
        upper_quartile, ninth_decile
        """

    static func all(
        _ days: ClosedRange<Int64>, of store: Store?, in database: Database
    ) throws -> [CountryDay] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(columns) FROM country_day
                WHERE day BETWEEN :from AND :to AND \(isOfStore)
                """,
            arguments: ["from": days.lowerBound, "to": days.upperBound] + arguments(of: store)
        ).map { row in
            var day = try CountryDay(store: try Self.store(row), day: row.day(2))
            let counts = try (3...10).map { try row.count($0) }
            (day.queries, day.good, day.suspect, day.failed) = (counts[0], counts[1], counts[2], counts[3])
            day.moves.compared = counts[4]
            (day.moves.apps, day.moves.entered, day.moves.left) = (counts[5], counts[6], counts[7])
            if try (row[12] as Int?) != nil {
                day.moves.spread = try .init(
                    lowerQuartile: row.depth(11), median: row.depth(12), upperQuartile: row.depth(13),
                    ninthDecile: row.depth(14))
            }
            return day
        }
    }

    /// The condition that a row is of a store, or of any where there is none.
    static let isOfStore = "(:source IS NULL OR source = :source AND country = :country)"

    static func arguments(of store: Store?) -> StatementArguments {
        ["source": store?.source.rawValue, "country": store?.country.code]
    }

    /// Reads a source and a country, the row's first columns.
    static func store(_ row: Row) throws -> Store { try Store(.stored(row[0]), in: country(row[1])) }

    static func country(_ code: String) throws -> Country {
        guard let country = Country(code: code) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a country that no rankd writes")
        }
        return country
    }

    static func insert(_ day: CountryDay, in database: Database) throws {
        let spread = day.moves.spread
        let counts: StatementArguments = [
            day.store.source.rawValue, day.country.code, day.day, day.queries, day.good, day.suspect, day.failed,
        ]
        let moves: StatementArguments = [
            day.moves.compared, day.moves.apps, day.moves.entered, day.moves.left, spread?.lowerQuartile,
            spread?.median, spread?.upperQuartile, spread?.ninthDecile,
        ]
        try database.cachedStatement(
            sql: "INSERT INTO country_day (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: counts + moves)
    }

    struct Key: Hashable {
        let store: Store
        let day: Int64
    }

    /// Whether how far apps moved on `day` is told by lists from before `since`, which may be missing.
    static func needs(_ day: Int64, of zone: ZoneDays, listsSince since: Int64) -> Bool {
        zone.start(of: day - CountryDay.longestGap).secondsSinceEpoch < since
    }

    /// `rows` of `days` with their moves as they were derived before, where lists have been dropped since, or where
    /// more queries were compared then than can be now.
    ///
    /// - Parameter unread: the days of which some lists cannot be read.
    static func keepingMoves(
        _ rows: [CountryDay], unread: Set<Key>, _ days: ClosedRange<Int64>, in database: Database
    ) throws -> [CountryDay] {
        let since = try Setting.listsSince.integer(in: database)
        guard since != nil || !unread.isEmpty else { return rows }
        let zone = try zone(in: database)
        let known = Dictionary(
            try all(days, of: nil, in: database).map { (Key(store: $0.store, day: $0.day), $0.moves) },
            uniquingKeysWith: { first, _ in first })
        return rows.map { row in
            var row = row
            let key = Key(store: row.store, day: row.day)
            guard let moves = known[key] else { return row }
            let wereDropped = since.map { needs(row.day, of: zone, listsSince: $0) } ?? false
            if wereDropped || (unread.contains(key) && row.moves.compared < moves.compared) { row.moves = moves }
            return row
        }
    }

    /// The last day that is there, and before which all are; `nil` before the first.
    static func lastDay(in database: Database) throws -> Int64? {
        guard let day = try Setting.countryDaysThrough.integer(in: database) else { return nil }
        guard day.magnitude < everyDay else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "days of stores: a day that cannot be")
        }
        return day
    }

    /// Whose days these are: the watchlist's zone's, as the clean-up last took it up.
    static func zone(in database: Database) throws -> ZoneDays {
        if let name = try Setting.countryDaysZone.text(in: database) { return ZoneDays(kept: name) }
        return try lastDay(in: database) == nil ? wantedZone(in: database) : .utc
    }

    /// The name of that zone, also where this machine does not know it.
    static func zoneName(in database: Database) throws -> String {
        try Setting.countryDaysZone.text(in: database) ?? zone(in: database).name
    }

    /// Whose days the next clean-up is to take up.
    static func wantedZone(in database: Database) throws -> ZoneDays {
        ZoneDays(kept: try Setting.timeZone.text(in: database))
    }

    /// By how many days a moment's may differ between two zones.
    private static let farthest: Int64 = 2

    /// Whether days through the last outdated one are perhaps of another zone than the others.
    static func hasFormerZone(in database: Database) throws -> Bool {
        try Setting.countryDaysFormerZone.text(in: database) != nil
    }

    /// Has the days derived by those of `zone`, and all that are there derived anew. A day that has no row yet, but may have
    /// checks of a neighbour's, also of one that is only due, is due.
    static func adopt(_ zone: ZoneDays, in database: Database) throws {
        let former = try self.zone(in: database)
        // A zone that this machine does not know counts as UTC here, and is another one all the same.
        if try zoneName(in: database) != zone.name, let last = try lastDay(in: database) ?? newestRow(in: database) {
            try noteAll(in: database)
            if try Setting.countryDaysOutdated.integer(in: database) != nil {
                try Setting.countryDaysFormerZone.set(former.name, in: database)
            }
            try Setting.countryDaysFormerUntil.set(former.start(of: last + 1).secondsSinceEpoch, in: database)
            // The last days are closed and not derived by the days of one of the two.
            try Setting.countryDaysThrough.set(last - farthest, in: database)
            try database.execute(literal: "DELETE FROM country_day_due WHERE day > \(last - farthest)")
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO country_day_due (source, country, day)
                    SELECT known.source, known.country, known.day + step.value
                    FROM (SELECT source, country, day FROM country_day
                        UNION SELECT source, country, day FROM country_day_due) AS known
                    CROSS JOIN json_each(:steps) AS step
                    WHERE known.day + step.value <= :last AND NOT EXISTS (
                        SELECT 1 FROM country_day AS other
                        WHERE other.source = known.source AND other.country = known.country
                            AND other.day = known.day + step.value)
                    """,
                arguments: ["steps": "[\(-farthest), -1, 1, \(farthest)]", "last": last - farthest])
        }
        try Setting.countryDaysZone.set(zone.name, in: database)
    }

    /// Of days that an import brought, where none was derived here.
    private static func newestRow(in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT max(day) FROM country_day")
    }

    /// Notes that a check of `store` at `moment` was added, deleted or judged anew: see `noteChange(of:on:in:)`.
    static func noteChange(of store: Store, at moment: Timestamp, in database: Database) throws {
        // No zone's day is more than one from UTC's.
        guard let last = try lastDay(in: database), moment.day - 1 <= last else { return }
        try noteChange(of: store, on: try zone(in: database).day(of: moment), in: database)
    }

    /// Notes that checks of `store` on `day` were added or deleted: that day, where it has been derived already, and
    /// those that are compared with it are to be derived anew.
    static func noteChange(of store: Store, on day: Int64, in database: Database) throws {
        guard let last = try lastDay(in: database), day <= last else { return }
        for day in day...min(last, day + CountryDay.longestGap) {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO country_day_due (source, country, day) VALUES (?, ?, ?)"
            ).execute(arguments: [store.source.rawValue, store.country.code, day])
        }
    }

    /// Counts a failed check of `query` that was just thinned on the day of the date that its count has from now on
    /// (UTC's), if that is another one. Nothing else of the two days changes, so that no list is read for it.
    static func moveFailure(of query: Int64, from day: Int64, to other: Int64, in database: Database) throws {
        guard day != other, let last = try lastDay(in: database) else { return }
        guard let store = try QueryRow.store(of: query, in: database) else { return }
        let stored: StatementArguments = [store.source.rawValue, store.country.code]
        let zone = try zone(in: database)
        if day <= last {
            let isLast = try count(of: query, on: day, zone, in: database) == 0 ? 1 : 0
            let key = stored + [day]
            try database.cachedStatement(
                sql: "DELETE FROM country_day WHERE source = ? AND country = ? AND day = ? AND queries <= ?"
            ).execute(arguments: key + [isLast])
            try database.cachedStatement(
                sql: """
                    UPDATE country_day SET failed = max(0, failed - 1), queries = queries - ?
                    WHERE source = ? AND country = ? AND day = ?
                    """
            ).execute(arguments: [isLast] + key)
        }
        if other <= last {
            let isFirst = try count(of: query, on: other, zone, in: database) == 1 ? 1 : 0
            try database.cachedStatement(
                sql: """
                    INSERT INTO country_day (source, country, day, queries, good, suspect, failed, compared, apps,
                        entered, dropped_out)
                    VALUES (?, ?, ?, 1, 0, 0, 1, 0, 0, 0, 0)
                    ON CONFLICT DO UPDATE SET failed = failed + 1, queries = queries + ?
                    """
            ).execute(arguments: stored + [other, isFirst])
        }
    }

    /// How many checks of `query` count on `day`, those that were thinned included.
    private static func count(
        of query: Int64, on day: Int64, _ zone: ZoneDays, in database: Database
    ) throws -> Int {
        let thinned = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT ifnull(sum(failed), 0) FROM failure_day WHERE query = ? AND day = ?"),
            arguments: [query, day])
        guard let seconds = zone.seconds(of: day) else { return thinned ?? 0 }
        let kept = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM check_log WHERE query = ? AND at BETWEEN ? AND ?"),
            arguments: [query, seconds.lowerBound.secondsSinceEpoch, seconds.upperBound.secondsSinceEpoch])
        return (thinned ?? 0) + (kept ?? 0)
    }

    /// Notes that checks of `query` are about to be deleted: the days of its store are to be derived anew.
    ///
    /// - Parameter before: the time from which on nothing is deleted; `nil` if everything is.
    static func noteDeletion(of query: Int64, before: Int64?, in database: Database) throws {
        let zone = try zone(in: database)
        let last = before.map { zone.day(of: Timestamp(secondsSinceEpoch: $0)) + CountryDay.longestGap } ?? .max
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO country_day_due (source, country, day)
                SELECT country_day.source, country_day.country, country_day.day FROM country_day
                JOIN query ON query.source = country_day.source AND query.country = country_day.country
                WHERE query.id = ? AND country_day.day <= ?
                """, arguments: [query, last])
    }

    /// Notes that all days are to be derived anew, the newest first. Lists need not stay for that: a day whose lists
    /// were dropped keeps its moves.
    static func noteAll(in database: Database) throws {
        guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM country_day)") ?? false else { return }
        try Setting.countryDaysOutdated.set(everyDay, in: database)
        try noteRuling(in: database)
    }

    /// Later than any day that is stored.
    static let everyDay: Int64 = 1 << 36

    /// Takes up that the days so noted are those through the last that is there.
    ///
    /// - Returns: the newest of them; `nil` if there are none.
    static func beginRenewal(in database: Database) throws -> Int64? {
        let newest = try lastDay(in: database).flatMap { last in
            try Int64.fetchOne(database, sql: "SELECT max(day) FROM country_day WHERE day <= ?", arguments: [last])
        }
        try setOutdated(through: newest, in: database)
        return newest
    }

    /// Through which day all are to be derived anew; `nil` where none is but those that are due.
    static func lastOutdatedDay(in database: Database) throws -> Int64? {
        try Setting.countryDaysOutdated.integer(in: database)
    }

    /// Notes that all of `days` have been derived anew.
    static func noteRenewal(of days: ClosedRange<Int64>, in database: Database) throws {
        guard let last = try lastOutdatedDay(in: database), days.contains(last) else { return }
        let next = try Int64.fetchOne(
            database, sql: "SELECT max(day) FROM country_day WHERE day < ?", arguments: [days.lowerBound])
        try setOutdated(through: next, in: database)
    }

    private static func setOutdated(through day: Int64?, in database: Database) throws {
        try Setting.countryDaysOutdated.set(day, in: database)
        if day == nil { try Setting.countryDaysFormerZone.set(nil, in: database) }
    }

    /// The newest days before `today` that are due, at most `limit`, by store.
    static func newestDue(
        before today: Int64, limit: Int, in database: Database
    ) throws -> [(store: Store, day: Int64)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT source, country, day FROM (
                    SELECT source, country, day FROM country_day_due WHERE day < ?
                    ORDER BY day DESC, country, source LIMIT ?)
                ORDER BY country, source, day
                """, arguments: [today, limit]
        ).map { try (try store($0), $0.day(2)) }
    }

    /// How often what checks say was decided anew: a draft that began before counts otherwise.
    static func rulings(in database: Database) throws -> Int64 {
        try Setting.countryDayRulings.integer(in: database) ?? 0
    }

    /// Notes that checks which were recorded before count otherwise from now on.
    static func noteRuling(in database: Database) throws {
        try Setting.countryDayRulings.set(try rulings(in: database) &+ 1, in: database)
    }

    /// The first day that is due and whose lists are all kept: how far apps moved on earlier ones is not derived anew.
    static func firstDue(in database: Database) throws -> Int64? {
        var first = Int64.min
        if let since = try Setting.listsSince.integer(in: database) {
            let zone = try zone(in: database)
            first = zone.day(of: Timestamp(secondsSinceEpoch: since)) + CountryDay.longestGap
            if needs(first, of: zone, listsSince: since) { first += 1 }
        }
        return try Int64.fetchOne(
            database, sql: "SELECT min(day) FROM country_day_due WHERE day >= ?", arguments: [first])
    }

    static func due(
        _ days: ClosedRange<Int64>, in database: Database
    ) throws -> [(store: Store, day: Int64)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT source, country, day FROM country_day_due WHERE day BETWEEN ? AND ?
                ORDER BY country, source, day
                """,
            arguments: [days.lowerBound, days.upperBound]
        ).map { try (try store($0), $0.day(2)) }
    }
}
