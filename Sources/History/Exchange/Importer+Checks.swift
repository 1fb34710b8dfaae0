import Foundation
import GRDB
import RankKit

/// Checks with their lists and positions, and counts.
extension Importer {
    mutating func take(_ line: ExchangeLine.Check, _ database: Database) throws {
        let query = try known(line.query, in: queries, "query")
        try hold(line)
        let outcome: CheckOutcome
        do {
            outcome = try CheckOutcome(outcome: line.outcome, within: line.within, reason: line.reason)
        } catch { throw Unfitting(what: error.description) }
        let id = line.n + block.offset
        if line.at < header?.countedUntil ?? .max {
            newestCounted = max(newestCounted ?? line.at, line.at)
        } else {
            hasUncounted = true
        }
        if case .failed = outcome, try isCounted(line, query: query, database) {
            result.duplicates += 1
            return
        }
        let list: [Int64?]? = try line.list.map { try $0.map { $0 == 0 ? nil : try known($0, in: apps, "app") } }
        try listings.prepare(fileSince: fileListsSince, database)
        if let list { try listings.see(list, of: query, at: line.at, in: database) }
        switch try meeting(of: line, outcome, list: list, query: query, database) {
        case .same(let existing):
            result.duplicates += 1
            try addUnnumbered(line, list, to: existing, query: query, database)
            return try addPositions(line, to: existing, outcome, database)
        case .givesWay:
            result.duplicates += 1
            return
        case .new(let failed):
            for other in failed {
                try database.cachedStatement(sql: "DELETE FROM check_log WHERE id = ?").execute(arguments: [other])
            }
        }
        try database.cachedStatement(
            sql: "INSERT INTO check_log (id, query, at, outcome, within, reason, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [id, query, line.at, line.outcome, line.within, line.reason, line.detail])
        if let list {
            try UnpagedLists.keep(list, of: id, at: line.at, query: query, in: database)
            if line.unnumbered != nil { named.insert(query) }
            for place in line.unnumbered ?? [] {
                try UnnumberedPlaces.add(place.bundleId, at: place.position, of: id, in: database)
            }
            if outcome.isGood {
                let placed = Set((line.positions ?? []).compactMap { pairs[$0.pair] })
                unfilled.formUnion(try activePairs(on: query, database).subtracting(placed))
                unfilled.formUnion(try retiredPairs(on: query, missedBy: line, database).subtracting(placed))
            }
        } else if outcome.within != nil, let since = header?.listsSince, line.at < since {
            try noteDroppedLists(database)
        }
        if let store = try QueryRow.store(of: query, in: database) {
            try CountryDayRow.noteChange(of: store, at: Timestamp(secondsSinceEpoch: line.at), in: database)
        }
        (block.first, block.last) = (min(block.first, id), max(block.last, id))
        result.checks += 1
        changed.insert(query)
        try addPositions(line, to: id, outcome, database)
    }

    private mutating func activePairs(on query: Int64, _ database: Database) throws -> Set<Int64> {
        if let known = activePairs[query] { return known }
        let pairs = try Int64.fetchSet(
            database.cachedStatement(sql: "SELECT id FROM pair WHERE query = ? AND retired_at IS NULL"),
            arguments: [query])
        activePairs[query] = pairs
        return pairs
    }

    /// The retired pairs on `query` that a check of the file should have told of, if all their past had been filled in
    /// before they were retired. What was still to be filled in then stays so.
    private mutating func retiredPairs(
        on query: Int64, missedBy line: ExchangeLine.Check, _ database: Database
    ) throws -> Set<Int64> {
        // What two histories bring together is put right from the lists.
        guard block.offset == 0, let list = line.list else { return [] }
        let pairs = try retiredPairs[query] ?? RetiredPair.all(on: query, in: database)
        retiredPairs[query] = pairs
        let isWhole = !list.contains(0)
        return Set(
            pairs.filter { pair in
                pair.periods.meeting(at: line.at) == .certainly
                    && (isWhole || !fileApps.admits(nil, of: pair.key, in: list))
            }.map(\.id))
    }

    struct RetiredPair {
        let id: Int64
        let key: String
        let periods: PairPeriods

        static func all(on query: Int64, in database: Database) throws -> [RetiredPair] {
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id, bundle_key FROM pair WHERE query = ? AND retired_at IS NOT NULL"),
                arguments: [query]
            ).map { row in
                try RetiredPair(id: row[0], key: row[1], periods: PairPeriods(of: row[0], in: database))
            }
        }
    }

    /// Whether a failed check has gone into the count of its day here, and must not be counted again.
    private func isCounted(_ line: ExchangeLine.Check, query: Int64, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM failure_day WHERE query = :query AND day = :day AND reason = :reason)
                    AND NOT EXISTS (SELECT 1 FROM check_log WHERE query = :query AND at = :at)
                """)
        return try Bool.fetchOne(
            statement,
            arguments: [
                "query": query, "day": Timestamp(secondsSinceEpoch: line.at).day, "reason": line.reason, "at": line.at,
            ]) ?? false
    }

    /// Notes that some of the lists were dropped where the file comes from. Where this history has lists of all its
    /// checks, that is none of its concern.
    func noteDroppedLists(_ database: Database) throws {
        if let since = header?.listsSince { try HistoryStore.noteDropped(before: since, in: database) }
    }

    /// Only where the check that is there says the same of the list's length.
    private mutating func addPositions(
        _ line: ExchangeLine.Check, to check: Int64, _ outcome: CheckOutcome, _ database: Database
    ) throws {
        guard let positions = line.positions else { return }
        guard outcome.isGood else { throw Unfitting(what: "has positions, though the check is not good") }
        // A check that was brought before may have become suspect since.
        let within = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT within FROM check_log WHERE id = ? AND outcome = 'good'"),
            arguments: [check])
        guard let within, within == line.within else { return }
        for position in positions {
            let pair = try known(position.pair, in: pairs, "pair")
            if try position.position == nil && isMisnamed(line, filePairs[position.pair]?.key ?? "", database) {
                continue
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [pair, line.at, check, position.position, position.within ?? line.within])
            guard database.changesCount > 0 else { continue }
            result.positions += 1
            changed.insert(try known(line.query, in: queries, "query"))
            touched.insert(PairDay(pair: pair, day: Timestamp(secondsSinceEpoch: line.at).day))
        }
    }

    /// Whether a check of an earlier version may have found the app of the bundle identifier `key`, folded, under another
    /// one, whose place it took for one that could not be read.
    private func isMisnamed(_ line: ExchangeLine.Check, _ key: String, _ database: Database) throws -> Bool {
        guard (header?.version ?? 1) < ExchangeLine.namingVersion, line.list?.contains(0) == true else { return false }
        return try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM bundle_name WHERE bundle_key = ?)"),
            arguments: [key]) ?? false
    }

    func take(_ line: ExchangeLine.FailureDay, _ database: Database) throws {
        do { _ = try Gap(failure: line.reason) } catch { throw Unfitting(what: error.description) }
        try database.cachedStatement(
            sql: "INSERT INTO failure_day (query, day, reason, failed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [known(line.query, in: queries, "query"), line.day, line.reason, line.failed])
    }

    /// Only where lists are missing here too: the others tell of the places in them.
    func take(_ line: ExchangeLine.BestPlace, _ database: Database) throws {
        let (app, query) = (try known(line.app, in: apps, "app"), try known(line.query, in: queries, "query"))
        guard let since = try Setting.listsSince.integer(in: database), line.at < since else { return }
        try QueryAppRow.enter(app, at: line.best, on: query, at: line.at, in: database)
    }

    /// Only beside a plan of the file's: how another rankd's passes went says nothing about this one.
    func take(_ line: ExchangeLine.Pass, _ database: Database) throws {
        guard !keepsPlan else { return }
        let source = try Self.source(line.source)
        try database.cachedStatement(
            sql: """
                INSERT INTO pass (source, started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
                WHERE NOT EXISTS (SELECT 1 FROM pass WHERE source = ?1 AND started_at = ?2 AND finished_at = ?3)
                """
        ).execute(
            arguments: [
                source.rawValue, line.startedAt, line.finishedAt, line.due, line.succeeded, line.failed, line.throttled,
                line.requests, line.suspect, line.badDay,
            ])
    }

    /// The source that a line names, which is the usual one where it names none.
    static func source(_ word: String?) throws -> Source {
        guard let word else { return .usual }
        guard let source = Source(rawValue: word), source.isAsked else {
            throw Unfitting(what: "has a source that nobody asks")
        }
        return source
    }
}
