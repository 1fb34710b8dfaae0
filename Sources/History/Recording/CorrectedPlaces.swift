import GRDB
import RankKit

/// Positions that are put right because an app came to be known under another bundle identifier.
enum CorrectedPlaces {
    /// Notes that what was recorded of the pairs that name `key` is held against the lists anew (`Derivation`): it stands
    /// for other numbers now.
    static func note(pairsOf key: String, in database: Database) throws {
        try Derivation.note(
            Int64.fetchSet(
                database.cachedStatement(sql: "SELECT query FROM pair WHERE bundle_key = ?"), arguments: [key]),
            isRenamed: true, in: database)
    }

    /// Notes that all that was recorded from lists in which an entry without a number had the name `key` is held against
    /// them anew: whose it is can be told now, or no longer.
    static func note(entriesNamed key: String, in database: Database) throws {
        try Derivation.note(UnnumberedPlaces.queries(naming: key, in: database), isRenamed: true, in: database)
    }

    /// Notes the same of every query that has an entry with a name: nothing was held against them yet.
    static func noteNamedEntries(in database: Database) throws {
        try Derivation.note(UnnumberedPlaces.queries(in: database), isRenamed: true, in: database)
    }

    /// Notes that pairs which name the app of `key` may take over what was recorded under its other names from checks whose
    /// lists are not kept any more (`PairFill.takeOver`): the name has stayed, or was an odd answer's.
    static func note(notNew key: String, in database: Database) throws {
        guard try Setting.listsSince.integer(in: database) != nil else { return }
        try Derivation.note(
            Int64.fetchSet(
                database.cachedStatement(sql: "SELECT query FROM pair WHERE bundle_key IN \(AppNames.keys(":key"))"),
                arguments: ["key": key]),
            isRenamed: true, in: database)
    }

    /// What there is to know of a pair.
    private struct Pair {
        let id: Int64
        let app: NamedApp
        let periods: PairPeriods
        /// Whether its positions from before it was tracked are there, too.
        let isFilled: Bool
        /// How far they are there, where the rest is still to be filled in.
        let filledThrough: StoredList.Key?
        /// Its positions from before that were deleted, and stay so.
        let prunedEnd: Int64
        /// Whether it has a position of a check before.
        var isRead = false

        init(_ id: Int64, in database: Database) throws {
            self.id = id
            app = try NamedApp(ofPair: id, in: database)
            periods = try PairPeriods(of: id, in: database)
            prunedEnd = try PrunedPairs.end(of: id, in: database)
            isFilled =
                try Bool.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM pair_fill WHERE pair = pair.id)
                            FROM pair WHERE id = ?
                            """), arguments: [id]) ?? false
            filledThrough = try PairFill.through(of: id, in: database)
        }

        /// Whether a check that can tell its place is to have told it. One in whose list it is may be from before it was
        /// tracked.
        func isDue(at check: StoredList.Key, _ isListed: Bool) -> Bool {
            if check.at < prunedEnd { return false }
            if isFilled || filledThrough.map({ check <= $0 }) ?? false, isRead || isListed { return true }
            if isListed { return periods.meetingOrBefore(at: check.at) != .no }
            return switch periods.meeting(at: check.at) {
            case .inside, .certainly: true
            case .no, .outsideNearby: false
            }
        }
    }

    /// Holds the positions of pairs on `query` against the kept lists, and fills in those that are missing: an app of
    /// theirs has come to have another name, or a pair and a check that it should have met come from two histories. A
    /// place that could not be told before, because of an entry that could not be read, is filled in too.
    ///
    /// - Returns: the pairs of which some were wrong.
    @discardableResult
    static func correct(_ pairs: [Int64], on query: Int64, in database: Database) throws -> Set<Int64> {
        guard !pairs.isEmpty else { return [] }
        var pairs = try pairs.map { try Pair($0, in: database) }
        let stored = try database.cachedStatement(
            sql: "SELECT position FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        let insert = try database.cachedStatement(
            sql: "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, ?)")
        let update = try database.cachedStatement(
            sql: "UPDATE position SET position = ? WHERE pair = ? AND at = ? AND check_id = ?")
        let delete = try database.cachedStatement(
            sql: "DELETE FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        var days: [Int64: Set<Int64>] = [:]
        try KeptCheck.each(of: query, in: database) { check in
            guard check.outcome.isGood, case .places(let places) = check.list else { return }
            let unread = try UnreadEntries(of: places, check: check.id, seenAt: check.at, in: database)
            for index in pairs.indices {
                let (pair, app) = (pairs[index].id, pairs[index].app)
                let reading = unread.reading(
                    of: app,
                    listed: places.firstIndex { $0.map { app.numbers.contains(DenseID($0), at: check.at) } ?? false }
                        .map { $0 + 1 })
                let listed = reading.position
                guard let row = try Row.fetchOne(stored, arguments: [pair, check.at, check.id]) else {
                    guard pairs[index].isDue(at: StoredList.Key(at: check.at, check: check.id), listed != nil),
                        listed != nil || reading.isWhole
                    else { continue }
                    try insert.execute(arguments: [pair, check.at, check.id, listed, places.count])
                    pairs[index].isRead = true
                    days[pair, default: []].insert(Timestamp(secondsSinceEpoch: check.at).day)
                    continue
                }
                let told = (try row[0] as Position?)?.number
                // An entry without a number of Apple's told it then.
                let isTold =
                    try told.map { try $0 < listed ?? .max && unread.allows($0, for: app, in: database) } ?? false
                guard !isTold, told != listed || told == nil && reading.hasStranger else {
                    pairs[index].isRead = true
                    continue
                }
                if listed != nil || reading.isWhole {
                    try update.execute(arguments: [listed, pair, check.at, check.id])
                    pairs[index].isRead = true
                } else {
                    // It may be the entry that could not be read.
                    try delete.execute(arguments: [pair, check.at, check.id])
                }
                days[pair, default: []].insert(Timestamp(secondsSinceEpoch: check.at).day)
            }
        }
        for (pair, days) in days {
            for day in days {
                try DayRollUp.forget(day: day, of: pair, in: database)
                try DayRollUp.refresh(day: day, pairs: [pair], in: database)
            }
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
        guard let last = try Setting.misnamedThrough.integer(in: database) else { return }
        let pairs = try Row.fetchAll(
            database, sql: "SELECT id, query FROM pair WHERE bundle_key = ?", arguments: [key])
        for row in pairs {
            let (pair, query): (Int64, Int64) = try (row[0], row[1])
            let wrong = try Row.fetchAll(
                database,
                sql: """
                    SELECT position.at, position.check_id FROM check_log
                    CROSS JOIN position ON position.pair = :pair AND position.at = check_log.at
                        AND position.check_id = check_log.id
                    WHERE check_log.query = :query AND check_log.at >= :from AND check_log.outcome = 'good'
                        AND check_log.reason IS NOT NULL AND position.position IS NULL AND check_log.id <= :last
                    """,
                arguments: [
                    "pair": pair, "query": query, "last": last, "from": Timestamp.startOfDay(day).secondsSinceEpoch,
                ])
            guard !wrong.isEmpty else { continue }
            for row in wrong {
                try database.cachedStatement(sql: "DELETE FROM position WHERE pair = ? AND at = ? AND check_id = ?")
                    .execute(arguments: [pair, row[0] as Int64, row[1] as Int64])
            }
            for day in try Set(wrong.map { try ($0[0] as Timestamp).day }) {
                try DayRollUp.forget(day: day, of: pair, in: database)
                try DayRollUp.refresh(day: day, pairs: [pair], in: database)
            }
            try Derivation.derive(standingsOf: [pair], query: query, in: database)
        }
    }
}
