import CSQLite
import Foundation
import GRDB

/// What is looked at before anything is changed, and what a connection may do once that was found right.
extension DatabaseFile {
    /// Looks at the file and its log as SQLite will see the two together, changing neither: whether they are a history,
    /// and after a writer that was killed, or in a copy that was put there, whether the structure is sound. The structure
    /// of a file of many hundred megabytes is left to its fate, because nobody waits for that.
    ///
    /// - Returns: whether it could be looked at. It cannot while somebody reads it, who then found it fit.
    /// - Throws: `HistoryError`, or what SQLite says.
    static func examine(_ path: String) throws -> Bool {
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
            if hasLog || isCopy { try examine(queue, path: path) }
            try queue.close()
            return true
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
            return false
        }
    }

    /// The same on a connection that is open.
    static func examine(_ queue: DatabaseQueue, path: String) throws {
        guard size(of: path) ?? 0 <= mostExamined else { return }
        let finding = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        if let finding, finding != "ok" { throw HistoryError.corrupt(path: path, what: finding) }
    }

    private static let mostExamined: Int64 = 256 << 20

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
