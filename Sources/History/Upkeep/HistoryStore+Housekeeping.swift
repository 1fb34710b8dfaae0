import GRDB
package import RankKit

/// The steps of the clean-up. Each is one short transaction, safe to be cut off anywhere and repeated.
extension HistoryStore {
    /// When the last clean-up ended; `nil` before the first.
    package func lastHousekeeping() async throws -> Timestamp? {
        try await read { try Setting.lastHousekeeping.moment(in: $0) }
    }

    package func finishHousekeeping(_ cleanUp: CleanUp = CleanUp(), at now: Timestamp) async throws {
        try await tidy { database, isAgain in
            if try !isAgain || Setting.lastHousekeeping.integer(in: database) != now.secondsSinceEpoch {
                // What an earlier version noted may be missing or in another form: then damage may be known for long.
                let isFirst = try Setting.lastHousekeeping.integer(in: database) == nil
                let last = CleanUp(stored: try Setting.lastCleanUp.text(in: database))
                let found = cleanUp.listsDamaged - (last?.listsDamaged ?? (isFirst ? 0 : cleanUp.listsDamaged))
                try Setting.newDamage.set(found > 0 ? found : nil, in: database)
            }
            try Setting.lastHousekeeping.set(now.secondsSinceEpoch, in: database)
            try Setting.lastCleanUp.set(cleanUp.stored, in: database)
        }
    }

    /// What the last clean-up did; `nil` before the first.
    package func lastCleanUp() async throws -> CleanUp? {
        try await read { try CleanUp(stored: Setting.lastCleanUp.text(in: $0)) }
    }

    /// The oldest closed day that has no roll-ups yet; `nil` if there is none. `today` is not closed.
    package func nextDayToRollUp(today: Int64) async throws -> Int64? {
        try await read { database in
            // Days without a single check are passed over: a clock that once stood at 1970 must not cost a transaction
            // for every day since.
            let from = try DayRollUp.lastDay(in: database).map { Timestamp.startOfDay($0 + 1) }
            return try Self.nextCheck(from: from, in: database).flatMap { $0.day < today ? $0.day : nil }
        }
    }

    /// When the first check began at `from` or later, or of all; `nil` if there is none.
    ///
    /// - Parameter askedOnly: whether imported tables of other tools are left out.
    static func nextCheck(
        from: Timestamp?, askedOnly: Bool = false, in database: Database
    ) throws -> Timestamp? {
        let next = try Timestamp.fetchOne(
            database,
            sql: """
                SELECT min((SELECT min(at) FROM check_log WHERE check_log.query = query.id AND at >= ?)) FROM query
                WHERE NOT ? OR \(QueryRow.isAsked)
                """,
            arguments: [from?.secondsSinceEpoch ?? .min, askedOnly])
        // Whoever goes on from day to day would never come to an end.
        if let from, let next, next < from {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "check_log: its index by time is out of order")
        }
        return next
    }

    /// Rolls up `day` for the next pairs after `pair`, at most `limit`.
    ///
    /// - Returns: the last pair that was looked at; `nil` when the day is done, which is then noted.
    package func rollUp(day: Int64, after pair: Int64, limit: Int) async throws -> Int64? {
        try await tidy { database in
            let pairs = try Int64.fetchAll(
                database, sql: "SELECT id FROM pair WHERE id > ? ORDER BY id LIMIT ?", arguments: [pair, limit])
            try Setting.rollingUp.set(day, in: database)
            for pair in pairs { try DayRollUp.rollUp(day: day, of: pair, in: database) }
            guard pairs.count == limit, let last = pairs.last else {
                try Setting.rolledUpThrough.set(day, in: database)
                try Setting.rollingUp.set(nil, in: database)
                return nil
            }
            return last
        }
    }

    /// Forgets all passes but the newest `count`.
    package func thinPasses(keeping count: Int) async throws {
        try await tidy { database in
            try database.execute(
                literal: "DELETE FROM pass WHERE id <= (SELECT max(id) FROM pass) - \(count)")
        }
    }

    /// Gives at most `pages` unused pages back to the file system.
    ///
    /// - Returns: how many are left.
    package func giveBack(pages: Int) async throws -> Int {
        try await tidy { database in
            try database.execute(literal: "PRAGMA incremental_vacuum(\(sql: String(pages)))")
            return try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        }
    }

    /// The size of the database with what it has given to nobody yet, in bytes.
    package func databaseBytes() async throws -> Int64 {
        try await read { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// Lets SQLite's planner learn what has changed.
    package func optimize() async throws {
        try await tidy { try $0.execute(sql: "PRAGMA optimize") }
    }

    /// The size of the write-ahead log, in bytes.
    package nonisolated var logBytes: Int64 { DatabaseFile.size(of: path + "-wal") ?? 0 }

    /// A log of more bytes is emptied as soon as nothing is being asked: SQLite's `journal_size_limit`.
    package static var logLimit: Int64 { 16 << 20 }
    /// A log of more bytes is a sign of trouble: a program that reads the history for hours keeps it from being emptied.
    package static var largeLog: Int64 { 64 << 20 }

    /// Moves the write-ahead log into the database and empties it, unless a reader stands in the way. Does not wait
    /// for one, because recordings would wait with it.
    ///
    /// - Returns: whether it was emptied.
    @discardableResult
    package func checkpoint() async throws -> Bool {
        let busySeconds = connection.busySeconds
        return try await writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            defer { DatabaseFile.setBusyTimeout(busySeconds, database) }
            return try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] == 0
        }
    }
}
