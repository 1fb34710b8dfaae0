import Foundation
import GRDB

extension HistoryReader {
    /// Reads a history of an older schema, such as a backup from before an upgrade: from a private copy in `folder` that
    /// is brought to the present schema. The file itself is not touched.
    ///
    /// The copy has no name any more once it is open, so that nothing of it is left however the process ends.
    ///
    /// - Parameter progress: called with how much of the file is copied.
    /// - Throws: `HistoryError`, for a file that is no history as well as where there is no room in `folder`;
    ///   `FileRefusal` where there is no such folder; or `CancellationError`.
    package static func migratedCopy(
        of path: String, in folder: String, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws -> HistoryReader {
        let path = DatabaseFile.resolved(path)
        return try await BlockingWork.run { work in
            let source = try HistoryError.catching(path: path) {
                let (database, isSettled) = try DatabaseFile.openForReading(path, olderToo: true)
                return HistoryReader(path: path, isSettled: isSettled, source: database)
            }
            let place = try PrivateFolder(in: folder)
            let copy = place.path + "/history.sqlite"
            do {
                try source.copy(to: copy, work, pause: .zero, progress)
                let queue = try open(copy, in: place)
                try work.interrupting(queue) { try Schema.migrate(queue) }
                return HistoryReader(path: path, isSettled: source.isSettled, source: queue)
            } catch let error as DatabaseError {
                let isOfFile = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
                throw HistoryError(error, path: isOfFile ? path : folder)
            }
        }
    }

    /// Opens the copy, and takes its name from it.
    private static func open(_ copy: String, in place: PrivateFolder) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "rankctl.copy"
        configuration.prepareDatabase { database in
            try DatabaseFile.guardAgainstHostileContent(database)
            // The copy takes as little memory as the file would; what sorting needs beyond that goes to a file.
            try database.execute(sql: "PRAGMA temp_store = FILE; PRAGMA synchronous = OFF")
            guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete",
                try String.fetchOne(database, sql: "PRAGMA journal_mode = OFF") == "off"
            else { throw HistoryError.unusable(path: copy, what: "the copy cannot be taken out of write-ahead mode") }
        }
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        place.clear()
        return queue
    }
}

/// A folder that only this user may look into, and that goes with the value at the latest.
private final class PrivateFolder: Sendable {
    let path: String

    init(in folder: String) throws {
        var name = Array("\(folder)/rankctl-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            if errno == ENOENT { throw FileRefusal.noFolder(path: folder) }
            throw FileRefusal.writing(errno: errno, path: folder, option: "TMPDIR")
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { clear() }

    func clear() {
        for file in ["", "-journal", "-wal", "-shm"] { unlink("\(path)/history.sqlite\(file)") }
        rmdir(path)
    }
}
