import GRDB
import GRDBSQLite

/// When the write-ahead log is synced, and when it is moved into the database.
extension DatabaseFile {
    /// Pages that the log may have before a commit moves them into the database: SQLite's `wal_autocheckpoint`.
    static let mostLogPages: Int32 = 1_000
    /// The same for changes that leave the log to another connection, should that one never come.
    private static let mostUnsyncedLogPages: Int32 = 16_000

    /// Runs `body`, whose commits neither wait for the disk nor move the log. SQLite keeps the order of commits all the
    /// same, and syncs the log before anything is moved out of it (sqlite.org/pragma.html#pragma_synchronous).
    static func withoutSyncs<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        sqlite3_wal_autocheckpoint(database.sqliteConnection, mostUnsyncedLogPages)
        defer {
            sqlite3_wal_autocheckpoint(database.sqliteConnection, mostLogPages)
            let code = sqlite3_exec(database.sqliteConnection, "PRAGMA synchronous = FULL", nil, nil, nil)
            // Going on would tell people of records that a power cut can still take.
            precondition(code == SQLITE_OK, "full durability could not be put back")
        }
        return try body()
    }

    /// How many pages the connection has written since it was opened.
    static func pagesWritten(_ database: Database) -> Int {
        var (count, most): (Int32, Int32) = (0, 0)
        sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &most, 0)
        return Int(count)
    }

    /// Moves the log of the history at `path` into it, while others write and read.
    ///
    /// - Parameter isSame: whether the files there are still those that the writer has open: the log of one over
    ///   another would damage it.
    static func moveLog(of path: String, isSame: () -> Bool) throws {
        var configuration = Configuration()
        configuration.label = "rankd.log"
        configuration.prepareDatabase { database in
            try keepWALFiles(database, path: path)
            try guardAgainstHostileContent(database)
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Opens the log, so that what is looked at then is what is used.
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM setting")
            guard isSame() else { return }
            _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        }
        try queue.close()
    }
}
