import Foundation
import GRDB
import GRDBSQLite

/// How the history's file is found fit, made, and opened.
enum DatabaseFile {
    /// "rank", as SQLite's `application_id`.
    static let applicationID = 0x7261_6E6B

    /// Opens the one writing connection to the history at `path`, making the file where there is none.
    ///
    /// Closing it leaves the write-ahead log as it is, until `accept` says otherwise.
    ///
    /// - Parameter busySeconds: how long a statement waits for another program's lock.
    /// - Throws: `HistoryError.readOnly` if SQLite could open the file for reading alone, which it does silently.
    static func openForWriting(_ path: String, busySeconds: TimeInterval) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "rankd.history"
        configuration.busyMode = .timeout(busySeconds)
        configuration.prepareDatabase { database in
            try keepLogOnClose(true, database, path: path)
            try FirstLook.refuse(path)
            guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
                throw HistoryError.readOnly(path: path)
            }
            try keepWALFiles(database, path: path)
            let version = try checkIdentity(database, path: path)
            if version == 0 { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            try guardAgainstHostileContent(database)
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw HistoryError.unusable(path: path, what: "write-ahead logging is refused") }
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA journal_size_limit = 16777216;
                    PRAGMA analysis_limit = 400;
                    """)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { database in
            sqlite3_wal_autocheckpoint(database.sqliteConnection, mostLogPages)
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard synchronous == 2 else { throw HistoryError.unusable(path: path, what: "full durability is refused") }
        }
        return queue
    }

    static func setBusyTimeout(_ seconds: TimeInterval, _ database: Database) {
        sqlite3_busy_timeout(database.sqliteConnection, Int32(seconds * 1_000))
    }

    /// Whether the file's last writer left something in the log, as one does that was killed or lost its power.
    static func wasLeftInHaste(_ path: String) -> Bool { size(of: path + "-wal") ?? 0 > 0 }

    /// In bytes; `nil` if there is no such file.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Opens the history at `path` without ever writing to it.
    ///
    /// - Parameter olderToo: whether it may be of an older schema, of which nothing but copying knows.
    /// - Returns: a pool of connections; or a single one to a file that is settled, because the WAL files are gone and
    ///   nobody writes: that is read as one that cannot change.
    static func openForReading(
        _ path: String, olderToo: Bool = false
    ) throws -> (source: any DatabaseReader, isSettled: Bool) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw HistoryError(errno: errno, path: path) }
        guard isRegular(status) else { throw HistoryError.foreign(path: path, what: "not a regular file") }
        guard access(path, R_OK) == 0 else { throw HistoryError(errno: errno, path: path) }
        do {
            return (try DatabasePool(path: path, configuration: reading(path, olderToo: olderToo)), false)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            try requireSettled(path)
            let queue = try DatabaseQueue(
                path: immutableURI(path), configuration: reading(path, olderToo: olderToo))
            // A writer that began in between may have changed what is taken for unchanging.
            try requireSettled(path)
            return (queue, true)
        }
    }

    /// Throws unless the file holds everything and nobody can be writing: the log is gone or empty, and the lock is
    /// known to be free.
    private static func requireSettled(_ path: String) throws {
        var log = stat()
        if stat(path + "-wal", &log) == 0, log.st_size > 0 {
            throw HistoryError.unusable(
                path: path, what: "its write-ahead log has not been merged and may not be opened here; start rankd once"
            )
        }
        switch WriterLock.state(of: path) {
        case .free: return
        case .held(let pid): throw HistoryError.unusable(path: path, what: "rankd (pid \(pid)) is about to write it")
        case .unknown(let code): throw HistoryError(errno: code, path: path)
        }
    }

    /// How many questions are answered at once, each on a connection with a cache of its own.
    private static let mostReaders = 4

    /// What every connection that reads is held to, those of a pool and of its snapshots too.
    private static func reading(_ path: String, olderToo: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "rankctl.history"
        configuration.readonly = true
        configuration.maximumReaderCount = mostReaders
        configuration.prepareDatabase { database in
            // Of every connection of the pool, since the file may have been emptied after the first was opened.
            try FirstLook.refuse(path)
            setBusyTimeout(5, database)
            let version = try checkIdentity(database, path: path)
            guard version > 0 else { throw HistoryError.missing(path: path) }
            guard olderToo || version == Schema.version else {
                throw HistoryError.older(path: path, version: version, understood: Schema.version)
            }
            try guardAgainstHostileContent(database)
            try database.execute(sql: "PRAGMA query_only = ON")
        }
        return configuration
    }

    /// The schema's version of a file that is a history or still empty.
    static func checkIdentity(_ database: Database, path: String) throws -> Int {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, tables == 0, version == 0 { return 0 }
        guard application == applicationID else {
            throw HistoryError.foreign(path: path, what: "another program's database")
        }
        guard version <= Schema.version else {
            throw HistoryError.newer(path: path, version: version, understood: Schema.version)
        }
        guard version > 0 else { throw HistoryError.corrupt(path: path, what: "it names schema \(version)") }
        return version
    }

    /// What SQLite's makers advise for files that others may have touched (sqlite.org/security.html).
    static func guardAgainstHostileContent(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                PRAGMA mmap_size = 0;
                PRAGMA cache_size = -8000;
                PRAGMA temp_store = MEMORY;
                """)
    }

    /// Leaves the WAL files in place on closing, so that a member of the group who may only read can still open the
    /// history while rankd is stopped.
    static func keepWALFiles(_ database: Database, path: String) throws {
        var keep: Int32 = 1
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
        guard code == SQLITE_OK else { throw HistoryError.unusable(path: path, what: "persistent WAL is refused") }
    }

    static func immutableURI(_ path: String) -> String {
        let absolute = URL(fileURLWithPath: path).path
        let escaped = absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? absolute
        return "file:\(escaped)?immutable=1"
    }

    /// The one spelling of `path` that its lock and log are named by: links are followed, since SQLite follows them.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Makes what is missing of the file and its folder, with their modes, before SQLite opens it. Another rankd may be
    /// at the same: only the lock, which is taken afterwards, tells which of them goes on.
    static func prepare(_ path: String) throws(HistoryError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try makeFolder(folder)
        while try !acceptExisting(path) {
            // Made by root in a folder of somebody else's, it would shut that user out.
            var status = stat()
            if geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 {
                throw .ownedByAnother(path: folder, user: status.st_uid)
            }
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else {
                let code = errno
                // Another program made it first. (A link to nowhere is in the way as well, for ever.)
                if code == EEXIST, lstat(path, &status) != 0 || !isLink(status) { continue }
                throw .writing(errno: code, path: path)
            }
            defer { close(descriptor) }
            // The umask may have taken the group's right to read.
            guard fchmod(descriptor, 0o640) == 0 else { throw HistoryError(errno: errno, path: path) }
            return
        }
    }

    /// Whether there is a file at `path` already that rankd may open.
    ///
    /// - Throws: `HistoryError` if what is there, or its log without it, is no history to go on with.
    private static func acceptExisting(_ path: String) throws(HistoryError) -> Bool {
        // The log is looked for first. A new history has none before it has its first page, so a log that was there
        // before an empty file was seen, or none, is not one that another rankd has just begun.
        let hasLog = size(of: path + "-wal") != nil
        var status = stat()
        guard stat(path, &status) == 0 else {
            if hasLog { throw .abandoned(path: path) }
            return false
        }
        guard isRegular(status) else { throw .foreign(path: path, what: "not a regular file") }
        if geteuid() == 0, status.st_uid != 0 { throw .ownedByAnother(path: path, user: status.st_uid) }
        guard access(path, R_OK | W_OK) == 0 else { throw .writing(errno: errno, path: path) }
        // SQLite deletes the log of an empty file.
        if status.st_size == 0, hasLog { throw .abandoned(path: path) }
        return true
    }

    private static func isLink(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFLNK }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    /// Makes a missing folder, and those above it, for the owner and the group alone.
    static func makeFolder(_ path: String) throws(HistoryError) {
        var status = stat()
        guard stat(path, &status) != 0 else { return }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if parent != path { try makeFolder(parent) }
        guard mkdir(path, 0o750) == 0 else {
            if errno == EEXIST { return }
            throw .writing(errno: errno, path: path)
        }
        // The umask may have taken the group's right to enter, or the owner's.
        guard chmod(path, 0o750) == 0 else { throw .writing(errno: errno, path: path) }
    }
}
