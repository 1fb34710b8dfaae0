import CSQLite
import Foundation
import GRDB

/// What is looked at before anything is changed, and what a connection may do once that was found right.
extension DatabaseFile {
    /// Looks at the file and its log as SQLite will see the two together, changing neither: whether they are a history,
    /// and after a writer that was killed, or in a copy that was put there, whether the structure is sound. The structure
    /// of a file of many hundred megabytes is left to its fate, because nobody waits for that; whether it was cut off is
    /// told by its size.
    ///
    /// - Parameter most: in bytes; the structure of a larger file is not looked at.
    /// - Returns: whether it could be looked at. It cannot while somebody reads it, who then found it fit.
    /// - Throws: `HistoryError`, or what SQLite says.
    static func examine(_ path: String, most: Int64 = mostExamined) throws -> Bool {
        guard let size = size(of: path), size > 0, self.size(of: path + "-journal") ?? 0 == 0 else { return false }
        let hasLog = wasLeftInHaste(path)
        var configuration = Configuration()
        configuration.label = "rankd.examination"
        configuration.readonly = !hasLog
        configuration.prepareDatabase { database in
            try keepLogOnClose(true, database, path: path)
            // SQLite then keeps the log's index in memory, instead of in the file beside it.
            if hasLog { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            _ = try checkIdentity(database, path: path)
            try guardAgainstHostileContent(database)
        }
        do {
            // A file without a log is complete, and nobody else writes it.
            let queue = try DatabaseQueue(path: hasLog ? path : immutableURI(path), configuration: configuration)
            let isCopy = FileHead(path).map { !$0.isInLogMode } ?? false
            if hasLog || isCopy { try examine(queue, path: path, most: most) }
            try queue.close()
            return true
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            return false
        }
    }

    /// The same on a connection that is open.
    static func examine(_ queue: DatabaseQueue, path: String, most: Int64 = mostExamined) throws {
        try refuseCutOff(queue, path: path)
        guard size(of: path) ?? 0 <= most else { return }
        let finding = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        if let finding, finding != "ok" { throw HistoryError.corrupt(path: path, what: finding) }
    }

    static let mostExamined: Int64 = 256 << 20

    /// Pages that the file lacks have to be in the log, which holds one in each of its frames
    /// (sqlite.org/fileformat2.html, 4.1). With fewer frames than that, the file is not the one that the log was written
    /// for, or was cut off since. Nobody may write either meanwhile.
    private static func refuseCutOff(_ queue: DatabaseQueue, path: String) throws {
        let (pages, pageSize) = try queue.inDatabase { database in
            (
                try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0,
                try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        guard pageSize > 0, let size = size(of: path) else { return }
        let missing = pages - size / pageSize
        let frames = max(0, (self.size(of: path + "-wal") ?? 0) - 32) / (pageSize + 24)
        guard missing > frames else { return }
        throw HistoryError.corrupt(
            path: path, what: "it is cut off: \(missing) of its \(pages) pages are missing, and its log has \(frames)")
    }

    /// Lets the connection move the log into the file when it is closed, now that the file was found right.
    static func accept(_ queue: DatabaseQueue, path: String) throws {
        try queue.inDatabase { try keepLogOnClose(false, $0, path: path) }
    }

    /// Whether closing the connection leaves the log as it is, whoever else has the file open.
    static func keepLogOnClose(_ keeps: Bool, _ database: Database, path: String) throws {
        let code = sqlite3_keep_log_on_close(database.sqliteConnection, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw HistoryError.unusable(path: path, what: "its log cannot be left alone") }
    }
}
