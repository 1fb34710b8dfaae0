import GRDB
import RankKit

/// Positions that are put right because an app came to be known under another bundle identifier.
enum CorrectedPlaces {
    /// Puts right what was recorded of the pairs that name `key`, which an app has just been seen with: it was in their
    /// lists before, under another name.
    static func correct(pairsOf key: String, in database: Database) throws {
        let queries = try Int64.fetchAll(
            database, sql: "SELECT DISTINCT query FROM pair WHERE bundle_key = ?", arguments: [key])
        for query in queries {
            let pairs = try Int64.fetchAll(
                database, sql: "SELECT id FROM pair WHERE query = ? AND bundle_key = ?", arguments: [query, key])
            let changed = try correct(pairs, on: query, in: database)
            try Derivation.derive(standingsOf: changed, query: query, in: database)
        }
    }

    /// Holds the positions of pairs on `query` against the kept lists, where an app of theirs has had several names. A
    /// place that could not be told before, because of an entry that could not be read, is filled in.
    ///
    /// - Returns: the pairs of which some were wrong.
    @discardableResult
    static func correct(_ pairs: [Int64], on query: Int64, in database: Database) throws -> Set<Int64> {
        var numbers: [Int64: AppNumbers] = [:]
        var periods: [Int64: PairPeriods] = [:]
        for pair in pairs {
            numbers[pair] = try PairFill.numbers(of: pair, in: database)
            periods[pair] = try PairPeriods(of: pair, in: database)
        }
        guard numbers.contains(where: { !$0.value.isEmpty }) else { return [] }
        let stored = try database.cachedStatement(
            sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        let update = try database.cachedStatement(
            sql: "UPDATE position SET position = ? WHERE pair = ? AND at = ? AND check_id = ?")
        let insert = try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)")
        var days: [Int64: Set<Int64>] = [:]
        try KeptCheck.each(of: query, in: database) { check in
            guard check.outcome.isGood, case .places(let places) = check.list else { return }
            for (pair, numbers) in numbers {
                let listed = places.firstIndex { $0.map { numbers.contains(DenseID($0), at: check.at) } ?? false }
                    .map { $0 + 1 }
                guard let row = try Row.fetchOne(stored, arguments: [pair, check.at, check.id]) else {
                    guard let listed, let tracked = periods[pair], tracked.meetingOrBefore(at: check.at) != .no else {
                        continue
                    }
                    try insert.execute(arguments: [pair, check.at, check.id, listed, places.count])
                    days[pair, default: []].insert(Timestamp(secondsSinceEpoch: check.at).day)
                    continue
                }
                let told: Int? = row[0]
                // An entry without a number of Apple's told it then.
                if let told, told <= places.count, places[told - 1] == nil, told < listed ?? .max { continue }
                guard told != listed, listed != nil || told == nil || !places.contains(nil) else { continue }
                try update.execute(arguments: [listed, pair, check.at, check.id])
                days[pair, default: []].insert(Timestamp(secondsSinceEpoch: check.at).day)
            }
        }
        for (pair, days) in days {
            for day in days { try DayRollUp.refresh(day: day, pairs: [pair], in: database) }
        }
        return Set(days.keys)
    }

    /// Takes back the absences that earlier versions recorded of an app which came under another bundle identifier: they
    /// kept its place as one that could not be read. What the app's place was is not known any more, so it is untold.
    ///
    /// - Parameters:
    ///   - key: the bundle identifier that the app had.
    ///   - day: the last day on which it was seen under it.
    static func takeBackAbsences(of key: String, since day: Int64, in database: Database) throws {
        let pairs = try Row.fetchAll(
            database, sql: "SELECT id, query FROM pair WHERE bundle_key = ?", arguments: [key])
        for row in pairs {
            let (pair, query): (Int64, Int64) = (row[0], row[1])
            let wrong = try Row.fetchAll(
                database,
                sql: """
                    SELECT position.at, position.check_id FROM check_log
                    CROSS JOIN position ON position.pair = :pair AND position.at = check_log.at
                        AND position.check_id = check_log.id
                    WHERE check_log.query = :query AND check_log.at >= :from AND check_log.outcome = 'good'
                        AND check_log.reason IS NOT NULL AND position.position IS NULL
                    """,
                arguments: [
                    "pair": pair, "query": query, "from": Timestamp.startOfDay(day).secondsSinceEpoch,
                ])
            guard !wrong.isEmpty else { continue }
            for row in wrong {
                try database.cachedStatement(sql: "DELETE FROM position WHERE pair = ? AND at = ? AND check_id = ?")
                    .execute(arguments: [pair, row[0] as Int64, row[1] as Int64])
            }
            for day in Set(wrong.map { Timestamp(secondsSinceEpoch: $0[0]).day }) {
                try DayRollUp.forget(day: day, of: pair, in: database)
                try DayRollUp.refresh(day: day, pairs: [pair], in: database)
            }
            try Derivation.derive(standingsOf: [pair], query: query, in: database)
        }
    }
}
