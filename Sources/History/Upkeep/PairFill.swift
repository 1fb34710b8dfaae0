import GRDB
import RankKit

/// What the kept lists tell of a pair that is tracked from now on: where it stands at once, its past in steps.
enum PairFill {
    /// Places the pair by the newest checks of its query, and notes that its past is to be filled in. Does nothing where
    /// the query was never asked.
    static func begin(_ pair: Int64, in database: Database) throws {
        let isAsked = try Bool.fetchOne(
            database.cachedStatement(
                sql:
                    "SELECT EXISTS (SELECT 1 FROM pair JOIN check_log ON check_log.query = pair.query WHERE pair.id = ?)"
            ),
            arguments: [pair])
        guard isAsked == true else { return }
        try note(pair, in: database)
        try place(pair, in: database)
    }

    /// Takes over what was recorded of the app under another name of it, from checks whose lists are not kept any more:
    /// lists do not tell it again. A name that has not stayed yet may be an odd answer's, and takes over nothing.
    static func takeOver(_ pair: Int64, in database: Database) throws {
        guard let end = try Setting.listsSince.integer(in: database) else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT query, bundle_key FROM pair WHERE id = ?"), arguments: [pair])
        guard let row else { return }
        let (query, key): (Int64, String) = try (row[0], row[1])
        guard try !AppNames.isNew(key, in: database) else { return }
        let start = try PrunedPairs.end(of: pair, in: database)
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        var days: Set<Int64> = []
        for other in try SameApp.pairs(of: key, on: query, in: database)
        where try other.id != pair && !AppNames.isNew(other.key, in: database) {
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT at, check_id, position, within FROM position WHERE pair = ? AND at >= ? AND at < ?"),
                arguments: [other.id, start, end])
            for row in rows {
                let at: Int64 = try row[0]
                guard other.isSame(at: at) else { continue }
                try insert.execute(
                    arguments: [pair, at, row[1] as Int64, row[2] as Int64?, row[3] as Int64])
                if database.changesCount > 0 { days.insert(Timestamp(secondsSinceEpoch: at).day) }
            }
        }
        for day in days { try DayRollUp.refresh(day: day, pairs: [pair], in: database) }
        if !days.isEmpty { try Derivation.derive(standingsOf: [pair], query: query, in: database) }
    }

    /// Up to which list the pair's past is there, where the rest is still to be filled in.
    static func through(of pair: Int64, in database: Database) throws -> StoredList.Key? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT through_at, through_check FROM pair_fill
                    WHERE pair = ? AND (SELECT retired_at FROM pair WHERE pair.id = pair_fill.pair) IS NULL
                    """), arguments: [pair]
        ).flatMap { try StoredList.Key($0, at: 0) }
    }

    /// Whether a pair is tracked on a query that is asked, and its past is there as far as lists tell it.
    static func isFilled(_ pair: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM pair JOIN query ON query.id = pair.query
                        WHERE pair.id = ? AND pair.retired_at IS NULL AND \(QueryRow.isAsked)
                            AND NOT EXISTS (SELECT 1 FROM pair_fill WHERE pair_fill.pair = pair.id))
                    """), arguments: [pair]) ?? false
    }

    /// Queries whose newest check is no longer there. Only those can have `missed` pairs: they look never asked to whoever
    /// goes by it.
    private static let isDangling = """
        query.newest_check IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM check_log WHERE check_log.id = query.newest_check)
        """

    private static let dangling = """
        SELECT id FROM query WHERE \(isDangling)
        """

    /// The same, where it was no failure that earlier versions thinned out.
    static let lostNewest = """
        SELECT id FROM query
        WHERE \(isDangling) AND NOT EXISTS (SELECT 1 FROM failure_day WHERE failure_day.query = query.id)
        """

    /// Tracked pairs that stand nowhere and wait for nothing, though there are good checks of their query.
    static let missed = """
        SELECT pair.id, query.text, query.country, pair.bundle_id
        FROM query JOIN pair ON pair.query = query.id
        WHERE \(isDangling) AND pair.retired_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM standing WHERE standing.pair = pair.id)
            AND NOT EXISTS (SELECT 1 FROM pair_fill WHERE pair_fill.pair = pair.id)
            AND EXISTS (SELECT 1 FROM check_log WHERE check_log.query = query.id AND check_log.outcome = 'good')
        """

    /// Begins what was passed over because a query's newest check is no longer there, and finds that check anew.
    static func beginMissed(in database: Database) throws {
        let pairs = try Int64.fetchAll(database, sql: missed)
        for query in try Int64.fetchAll(database, sql: dangling) {
            try QueryRow.deriveNewestCheck(of: query, in: database)
        }
        for pair in pairs { try begin(pair, in: database) }
    }

    /// Notes that the pair's past is to be filled in, as far as it was not deleted.
    static func note(_ pair: Int64, in database: Database) throws {
        let end = try PrunedPairs.end(of: pair, in: database)
        let through = end == .min ? nil : end - 1
        try database.cachedStatement(
            sql: """
                INSERT INTO pair_fill (pair, through_at, through_check) VALUES (?, ?, ?)
                ON CONFLICT (pair) DO UPDATE SET
                    through_at = excluded.through_at, through_check = excluded.through_check
                """
        ).execute(arguments: [pair, through, through.map { _ in Int64.max }])
    }

    /// The pair's standing becomes what it would be, had the pair been tracked all along; its best and worst places apart,
    /// which come with its past.
    static func place(_ pair: Int64, in database: Database) throws {
        guard let checks = try NewestChecks(ofQueryOf: pair, in: database) else { return }
        try place(pair, by: checks, in: database)
    }

    private static func place(_ pair: Int64, by checks: NewestChecks, in database: Database) throws {
        if let good = checks.good, try PrunedPairs.end(of: pair, in: database) <= good.at.secondsSinceEpoch {
            let place = try good.place(of: NamedApp(ofPair: pair, in: database), in: database)
            // The check may have told it what the list cannot tell again.
            let told = try place.isUnknown ? told(place, of: pair, in: database) : enter(place, of: pair, in: database)
            if told.isUnknown {
                // What the lists before it tell comes with the pair's past.
                try StandingRow.unread(.failed(.unreadPlaces), at: good.at, of: pair, in: database)
            } else {
                try StandingRow.reading(told.position, within: told.within, at: good.at, of: pair, in: database)
                try DayRollUp.refresh(day: good.at.day, pairs: [pair], in: database)
            }
        }
        if let unread = checks.unread {
            try StandingRow.unread(unread.gap, at: unread.at, of: pair, in: database)
        }
    }

    /// The numbers that lists have for the app of the pair.
    static func numbers(of pair: Int64, in database: Database) throws -> AppNumbers {
        try NamedApp(ofPair: pair, in: database).numbers
    }

    /// Keeps the position, unless it is there already: an entry without a number of Apple's may have told it, which the
    /// list cannot tell again.
    ///
    /// - Returns: what is kept.
    @discardableResult
    static func enter(_ place: StoredPlace, of pair: Int64, in database: Database) throws -> StoredPlace {
        try database.cachedStatement(
            sql: """
                INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(
            arguments: [
                pair, place.head.at.secondsSinceEpoch, place.head.checkID, place.position?.number, place.within,
            ])
        return database.changesCount == 0 ? try told(place, of: pair, in: database) : place
    }

    /// What is kept of the pair's place, known then; the place itself where nothing is.
    static func told(_ place: StoredPlace, of pair: Int64, in database: Database) throws -> StoredPlace {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id = ?"),
            arguments: [pair, place.head.at.secondsSinceEpoch, place.head.checkID])
        guard let row else { return place }
        return StoredPlace(head: place.head, position: try row[0], within: place.within, isWhole: true)
    }
}

/// The checks of a query that say where its pairs stand.
private struct NewestChecks {
    /// The list of the newest good check.
    var good: StoredList?
    /// The newest check, where it is not that one.
    var unread: (gap: Gap, at: Timestamp)?

    /// `nil` if the query was never asked.
    init?(ofQueryOf pair: Int64, in database: Database) throws {
        let newest = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT check_log.query, check_log.at, outcome, within, reason, check_log.id
                    FROM pair
                    JOIN query ON query.id = pair.query
                    JOIN check_log ON check_log.id = query.newest_check
                    WHERE pair.id = ?
                    """), arguments: [pair])
        guard let newest else { return nil }
        let at = try Timestamp(secondsSinceEpoch: newest[1])
        let outcome = try CheckOutcome(newest, at: 2, ofCheck: newest[5])
        if !outcome.isGood, let gap = outcome.gap { unread = (gap, at) }
        // By the newest check's time: one that is dated ahead does not count.
        // Where that cannot be read, the pair stands where the newest before it has it: nothing is known of what it said.
        good = try HistoryReader.list(on: newest[0], at: at, goodOnly: true, skippingDamage: true, database)
    }
}
