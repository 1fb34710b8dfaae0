import GRDB
package import RankKit

extension HistoryStore {
    /// What lies behind each active query at `now`, from the stored checks alone. Checks that claim to be of a later
    /// slot than the one that `now` lies in (the clock was set back) are left out.
    package func attempts(asOf now: Timestamp) async throws -> [Query: Attempts] {
        try await read { database in
            var attempts: [Query: Attempts] = [:]
            var slots = SlotTable(now: now)
            for (id, scheduled) in try QueryAttempts.activeQueries(in: database) {
                attempts[scheduled.query] = try QueryAttempts.attempts(
                    of: id, asOf: now, slotEnd: slots.slot(of: scheduled.cadences).end, in: database)
            }
            return attempts
        }
    }

    /// The queries that are being watched, at their cadences.
    package func scheduledQueries() async throws -> [ScheduledQuery] {
        try await read { try QueryAttempts.activeQueries(in: $0).map(\.scheduled) }
    }

    /// The same for these queries alone, at the cadences given.
    package func attempts(of queries: [ScheduledQuery], asOf now: Timestamp) async throws -> [Query: Attempts] {
        try await read { database in
            var attempts: [Query: Attempts] = [:]
            var slots = SlotTable(now: now)
            for scheduled in queries {
                guard let id = try QueryRow.id(of: scheduled.query, in: database) else { continue }
                attempts[scheduled.query] = try QueryAttempts.attempts(
                    of: id, asOf: now, slotEnd: slots.slot(of: scheduled.cadences).end, in: database)
            }
            return attempts
        }
    }
}

extension HistoryStore {
    /// Asks the file for something small, which throws where it cannot answer.
    package func answer() async throws {
        _ = try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM setting") }
    }
}

/// What due-ness needs to know, asked of the stored checks by writer and reader alike.
enum QueryAttempts {
    static func activeQueries(in database: Database) throws -> [(id: Int64, scheduled: ScheduledQuery)] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, cadences, \(QueryRow.columns) FROM query WHERE retired_at IS NULL ORDER BY ordinal"
        ).map { row in
            let cadences = try CadenceText.stored(row[1])
            return try (row[0], ScheduledQuery(query: try QueryRow.query(from: row, at: 2), cadences: cadences))
        }
    }

    /// - Parameter slotEnd: when the query's slot at `now` ends. A check between the two, from before the clock was set
    ///   back, still is the slot's.
    static func attempts(
        of query: Int64, asOf now: Timestamp, slotEnd: Timestamp, in database: Database
    ) throws -> Attempts {
        let recorded = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT at FROM check_log WHERE query = ? AND at < ? AND outcome <> 'failed'
                    ORDER BY at DESC LIMIT 1
                    """), arguments: [query, slotEnd.secondsSinceEpoch])
        let held = try HeldAnswer.of(query, in: database).flatMap { $0.check == nil && $0.at < slotEnd ? $0.at : nil }
        let good = [recorded, held?.secondsSinceEpoch].compactMap(\.self).max()
        let failures = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*), max(at) FROM check_log WHERE query = ? AND at > ? AND at <= ?"),
            arguments: [query, good ?? .min, now.secondsSinceEpoch])
        let lastFailed: Int64? = try failures?[1]
        return try Attempts(
            lastGood: good.map(Timestamp.init(secondsSinceEpoch:)),
            lastFailed: lastFailed.map(Timestamp.init(secondsSinceEpoch:)),
            failuresInARow: failures?[0] ?? 0)
    }
}

extension HistoryStore {
    /// What the recorded checks say about how long the query's lists usually are, for a list asked for at `moment`.
    ///
    /// Checks go by time, and within a second as they were recorded: an import brings older checks after newer ones.
    /// Those dated more than a day after `moment` are from a clock that was ahead, or the clock is behind now. They
    /// are the measure only while there are too few others, since then any list at all would be accepted.
    package func belief(about query: Query, at moment: Timestamp) async throws -> Belief {
        try await read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return Belief() }
            return try Belief(about: id, at: moment, in: database)
        }
    }
}

extension Belief {
    /// What the recorded checks say about the query `id`, as `HistoryStore.belief` says.
    init(about id: Int64, at moment: Timestamp, in database: Database) throws {
        let checks = try ChecksForBelief(of: id, upTo: moment + Timestamp.secondsPerDay, in: database)
        var lengths = try checks.goodLengths(limit: Belief.baselineLists, in: database)
        if lengths.count < Belief.fewestLists {
            lengths += try checks.laterGoodLengths(limit: Belief.baselineLists - lengths.count, in: database)
        }
        let answers = lengths.count < Belief.fewestLists ? try checks.answers(in: database) : lengths.count
        if try checks.areUnsupported(lengths, in: database) {
            self.init(suspects: try checks.suspects(andGood: true, in: database), answers: answers)
        } else {
            self.init(
                goodLengths: lengths, suspects: try checks.suspects(in: database),
                answers: min(answers, Belief.fewestLists))
        }
    }
}

/// The checks of one query that a list is measured by.
private struct ChecksForBelief {
    private let query: Int64
    /// The first check of the baseline, by its number.
    private let baseline: Int64
    /// Its time; the beginning of all time where it is later than `end`, or gone.
    private let start: Int64
    private let end: Int64

    init(of query: Int64, upTo end: Timestamp, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT baseline_from, (SELECT at FROM check_log WHERE id = baseline_from AND query = query.id)
                    FROM query WHERE id = ?
                    """), arguments: [query])
        self.query = query
        self.end = end.secondsSinceEpoch
        baseline = try row?[0] ?? 0
        let start: Int64 = try (row?[1] as Int64?) ?? .min
        self.start = start <= end.secondsSinceEpoch ? start : .min
    }

    /// Newest first. A check that was recorded before the baseline or is older does not count.
    func goodLengths(limit: Int, in database: Database) throws -> [Int] {
        try Int.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT within FROM check_log
                    WHERE query = ? AND outcome = 'good' AND id >= ? AND at BETWEEN ? AND ?
                    ORDER BY at DESC, id DESC LIMIT ?
                    """), arguments: [query, baseline, start, end, limit])
    }

    /// Those after the end, newest first.
    func laterGoodLengths(limit: Int, in database: Database) throws -> [Int] {
        try Int.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT within FROM check_log WHERE query = ? AND outcome = 'good' AND id >= ? AND at > ?
                    ORDER BY at DESC, id DESC LIMIT ?
                    """), arguments: [query, baseline, end, limit])
    }

    /// How many checks were answered, as far as that matters.
    func answers(in database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM (
                        SELECT 1 FROM check_log WHERE query = ? AND outcome <> 'failed' AND at <= ? LIMIT ?)
                    """), arguments: [query, end, Belief.fewestLists]) ?? 0
    }

    /// Whether nothing supports the good lists, the last of which have the lengths `lengths`: all are short, and they
    /// are too few, or from too short a time, to be believed for that. They were recorded before first lists were
    /// judged; what was believed since then has begun a baseline.
    func areUnsupported(_ lengths: [Int], in database: Database) throws -> Bool {
        guard baseline == 0, !lengths.isEmpty, lengths.allSatisfy({ $0 < Belief.fewestPlaces }) else { return false }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT (SELECT at FROM check_log WHERE query = :query AND outcome = 'good' ORDER BY at LIMIT 1),
                        (SELECT at FROM check_log WHERE query = :query AND outcome = 'good' AND at <= :end
                            ORDER BY at DESC LIMIT 1)
                    """), arguments: ["query": query, "end": end])
        guard let first: Int64 = try row?[0], let last: Int64 = try row?[1] else { return false }
        if lengths.count >= Belief.fewestLists, last - first >= Belief.secondsToBelieveFirst { return false }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT NOT EXISTS (
                        SELECT 1 FROM check_log WHERE query = ? AND outcome = 'good' AND at <= ? AND within >= ?)
                    """), arguments: [query, end, Belief.fewestPlaces]) ?? false
    }

    /// Those after the newest good check, oldest first.
    ///
    /// - Parameter andGood: whether the good checks are among them, of which there may be more then.
    func suspects(andGood: Bool = false, in database: Database) throws -> [Belief.Suspect] {
        let newest =
            andGood
            ? nil
            : try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT at, id FROM check_log WHERE query = ? AND outcome = 'good' AND at <= ?
                        ORDER BY at DESC, id DESC LIMIT 1
                        """), arguments: [query, end])
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT at, within, reason FROM check_log
                    WHERE query = :query AND (outcome = 'suspect' OR :andGood AND outcome = 'good')
                        AND at BETWEEN :at AND :end AND (at, id) > (:at, :id)
                    ORDER BY at DESC, id DESC LIMIT :limit
                    """),
            arguments: [
                "query": query, "at": newest?[0] ?? Int64.min, "id": newest?[1] ?? Int64.min, "end": end,
                "limit": Self.mostSuspects, "andGood": andGood,
            ])
        return try rows.reversed().map { row in
            try Belief.Suspect(
                at: row[0], length: row[1],
                onBadDay: (row[2] as String?) == Suspicion.badDay.rawValue)
        }
    }

    /// Enough for 48 hours of checks a minute apart; a belief that needs more comes a little later.
    private static let mostSuspects = 3_000
}
