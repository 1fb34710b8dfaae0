import Foundation
import GRDB
import RankKit

/// Writes anew what is derived from a query's checks and lists.
///
/// Which queries it is due for is noted in the transaction that changes them: a process that is killed before it gets
/// to them leaves that to the next one that opens the history for writing.
enum Derivation {
    /// Notes that what is derived from the checks of `queries` is out of date. What can be read from the lists instead
    /// is deleted.
    ///
    /// - Parameter isRenamed: whether names of pairs stand for other apps now, so that all places are held against the
    ///   lists.
    static func note(_ queries: Set<Int64>, isRenamed: Bool = false, in database: Database) throws {
        guard !queries.isEmpty else { return }
        if isRenamed { try Setting.misplaced.set(queries: misplaced(in: database).union(queries), in: database) }
        for query in queries { try QueryTopRow.forget(of: query, in: database) }
        let all = try pending(in: database).union(queries)
        try keep(all, in: database)
    }

    /// Derives what was noted, one query in a transaction.
    static func finish(_ queue: CountingQueue) throws {
        while let query = try queue.read({ try pending(in: $0).min() }) {
            try queue.write { try finish(query, in: $0) }
        }
    }

    /// Derives a query that was noted.
    static func finish(_ query: Int64, in database: Database) throws {
        try derive(query: query, in: database)
        try keep(try pending(in: database).subtracting([query]), in: database)
        let misplaced = try misplaced(in: database)
        if misplaced.contains(query) {
            try Setting.misplaced.set(queries: misplaced.subtracting([query]), in: database)
        }
    }

    private static func misplaced(in database: Database) throws -> Set<Int64> {
        try Setting.misplaced.queries(in: database)
    }

    /// The queries that were noted and have not been derived since.
    static func pending(in database: Database) throws -> Set<Int64> {
        guard let text = try Setting.underived.text(in: database) else { return [] }
        return Set(try JSONDecoder().decode([Int64].self, from: Data(text.utf8)))
    }

    private static func keep(_ queries: Set<Int64>, in database: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(queries.sorted()), as: UTF8.self)
        try Setting.underived.set(queries.isEmpty ? nil : text, in: database)
    }

    /// Brings the query's newest check, its apps, its first places and the standings of all its pairs up to date.
    static func derive(query: Int64, in database: Database) throws {
        guard let order = try QueryRow.deriveNewestCheck(of: query, in: database) else { return }
        try EarlyLists.judge(query, in: database)
        try deriveFromLists(of: query, in: database)
        // What two histories have brought together may not have met.
        let corrected = try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM pair
                WHERE query = ? AND (? OR bundle_key IN (SELECT lower(bundle_id) FROM bundle_name))
                """, arguments: [query, try order.isMerged || misplaced(in: database).contains(query)])
        try CorrectedPlaces.correct(corrected, on: query, in: database)
        for pair in corrected where try PairFill.isFilled(pair, in: database) {
            try PairFill.takeOver(pair, in: database)
        }
        try derive(pairsOf: query, order, in: database)
    }

    /// Brings where all pairs of a query stand up to date.
    static func derive(pairsOf query: Int64, _ order: RecordedOrder, in database: Database) throws {
        let pairs = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, retired_at IS NULL AND EXISTS (SELECT 1 FROM pair_fill WHERE pair_fill.pair = pair.id)
                    FROM pair WHERE query = ?
                    """), arguments: [query])
        for row in pairs {
            // The filling in does not look at where a pair stands now.
            if try row[1] { try PairFill.place(row[0], in: database) }
            try derive(pair: row[0], query: query, order, in: database)
        }
    }

    /// Works out anew what the kept lists tell of the apps in them. Where not all can be read or are still kept, what
    /// they told before stays.
    static func deriveFromLists(of query: Int64, in database: Database) throws {
        var apps = FilledApps(query: query, end: .max)
        var isWhole = try Setting.listsSince.integer(in: database) == nil
        let end = try CountedChecks.end(in: database)
        var first: FirstPlaces?
        try KeptCheck.each(of: query, in: database) { check in
            switch check.list {
            case .damaged, .inDamagedPage:
                isWhole = false
                if check.outcome.isGood, check.at < end { first = nil }
            case .places(let places) where check.outcome.isGood && check.at < end:
                let head = StoredList.Head(
                    checkID: check.id, at: Timestamp(secondsSinceEpoch: check.at), outcome: .good)
                apps.add(StoredList(head: head, places: places.map { $0.map(DenseID.init) }))
                first = FirstPlaces(places, head.key, after: first)
            case .places, .none: break
            }
        }
        if let first {
            try QueryTopRow.store(first, of: query, in: database)
        } else {
            try QueryTopRow.forget(of: query, in: database)
        }
        if isWhole {
            for table in ["query_app", "query_fill"] {
                try database.execute(literal: "DELETE FROM \(SQL(sql: table)) WHERE query = \(query)")
            }
        }
        let known = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM app WHERE id = ?)")
        for (app, best) in apps.best where try Bool.fetchOne(known, arguments: [app.number]) ?? false {
            try QueryAppRow.enter(app.number, at: best.place, on: query, at: best.at, in: database)
        }
    }

    /// Brings the standings of some pairs of a query up to date with their positions.
    static func derive(standingsOf pairs: Set<Int64>, query: Int64, in database: Database) throws {
        guard !pairs.isEmpty else { return }
        let source = try String.fetchOne(database, sql: "SELECT source FROM query WHERE id = ?", arguments: [query])
        guard let source else { return }
        let order = try RecordedOrder(of: source, in: database)
        for pair in pairs { try derive(pair: pair, query: query, order, in: database) }
    }

    /// Brings where a pair stands up to date.
    static func derive(
        pair: Int64, query: Int64, _ order: RecordedOrder, in database: Database
    ) throws {
        var standing = DerivedStanding(order)
        let positions = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT position, within, check_id, at FROM position WHERE pair = ?"),
            arguments: [pair])
        while let row = try positions.next() { try standing.read(row[0], within: row[1], check: row[2], at: row[3]) }
        let periods = try PairPeriods(of: pair, in: database)
        let others = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT id, at, outcome, within, reason FROM check_log WHERE query = ? AND outcome <> 'good'"),
            arguments: [query])
        while let row = try others.next() {
            guard let gap = try CheckOutcome(row, at: 2, ofCheck: row[0]).gap else { continue }
            try standing.unread(gap, check: row[0], at: row[1], periods)
        }
        let untold = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, at, outcome, within, reason FROM check_log
                    WHERE query = ? AND outcome = 'good' AND reason IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM position WHERE pair = ? AND position.at = check_log.at AND check_id = check_log.id)
                    """), arguments: [query, pair])
        while let row = try untold.next() {
            guard let gap = try CheckOutcome(row, at: 2, ofCheck: row[0]).gap else { continue }
            try standing.unread(gap, check: row[0], at: row[1], periods)
        }
        if let row = standing.row {
            try row.store(for: pair, in: database)
        } else {
            try database.cachedStatement(sql: "DELETE FROM standing WHERE pair = ?").execute(arguments: [pair])
        }
    }
}
