import Foundation
import GRDB

/// How far a backup has got.
package enum BackupProgress: Sendable, Hashable {
    /// Pages of the file.
    case copying(done: Int, of: Int)
    case checking
}

/// A copy of a history.
package struct BackupCopy: Sendable, Hashable {
    /// Its size.
    package var bytes: Int64
    /// Lists in it that cannot be read, and cannot in the history either.
    package var damaged: [Finding]
}

/// A copy that was to replace a file, and has lists in it that cannot be read. The file may be the last that has them.
package struct DamagedCopy: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let damaged: [Finding]

    package var description: String { words { $0 } }

    /// As `HistoryError.words(naming:)`.
    package func words(naming command: (String) -> String) -> String {
        "\(path) was left unchanged, because the history has damaged lists (\(damaged.prefix(3).map(\.place).joined(separator: ", "))"
            + "\(damaged.count > 3 ? " and more" : "")), which that file may still hold: choose another name, and check "
            + "both: the history with \(command("rankctl verify")), that file with rankctl verify FILE"
    }
}

/// A copy that turned out not to be sound, and was deleted.
package struct UnsoundCopy: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let findings: [String]

    package var description: String { words { $0 } }

    /// As `HistoryError.words(naming:)`.
    package func words(naming command: (String) -> String) -> String {
        "\(path) was not made, because the copy is not sound (\(findings.prefix(3).joined(separator: "; "))): "
            + "check the history itself with " + command("rankctl verify")
    }
}

extension HistoryReader {
    /// Pages copied before looking up: a megabyte.
    private static let pagesPerStep: CInt = 256

    /// Copies the history, as it is now, to a file that opens by itself, and checks the copy before it gets its name:
    /// the structure of the file, that nothing refers to what is not there, and the checksums of all lists. Damaged lists
    /// are copied as they are: the rest is worth keeping.
    ///
    /// All of it is read in one transaction, so that what is recorded meanwhile neither gets into the copy nor makes
    /// the copying begin anew. Only the write-ahead log cannot shrink while it goes on.
    ///
    /// - Parameters:
    ///   - replaces: whether a file at `path` may be replaced.
    ///   - pause: how long to rest between two megabytes, for the sake of whoever else needs the disk.
    /// - Throws: `HistoryError`, `FileRefusal`, `UnsoundCopy`, `DamagedCopy` or `CancellationError`; nothing is left
    ///   behind then.
    @discardableResult
    package func backUp(
        to path: String, replaces: Bool = false, pause: Duration = .zero,
        progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws -> BackupCopy {
        try refuseOwnFile(path)
        return try await BlockingWork.run { work in
            let file = try UnfinishedFile(path, replaces: replaces) { BackupName.isDated($0, of: self.path) }
            let damaged: [Finding]
            do {
                try copy(to: file.temporary, work, pause: pause, progress)
                progress(.checking)
                damaged = try Self.check(file.temporary, of: path, work)
            } catch let error as DatabaseError {
                throw HistoryError(error, path: path)
            }
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else { throw HistoryError(errno: errno, path: path) }
            guard damaged.isEmpty || !FileManager.default.fileExists(atPath: path) else {
                throw DamagedCopy(path: path, damaged: damaged)
            }
            try file.finish()
            return BackupCopy(bytes: Int64(status.st_size), damaged: damaged)
        }
    }

    /// - Throws: `FileRefusal.isTheHistory` if a file to be made would replace the history or a file beside it.
    package func refuseOwnFile(_ path: String) throws {
        let own = ["", "-journal", "-wal", "-shm", ".lock", ".turns", ".sent", ".retry"]
        guard !own.contains(where: { FileIdentity.areSame(path, self.path + $0) }) else {
            throw FileRefusal.isTheHistory(path: path)
        }
    }

    func copy(
        to temporary: String, _ work: BlockingWork, pause: Duration, _ progress: @escaping (BackupProgress) -> Void
    ) throws {
        var configuration = Configuration()
        configuration.label = "rankd.backup"
        configuration.prepareDatabase { database in
            // Whatever happens to an unfinished copy, it is thrown away; a finished one is synced as a whole.
            try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000")
        }
        let target = try DatabaseQueue(path: temporary, configuration: configuration)
        try target.writeWithoutTransaction { copy in
            try source.read { database in
                // Begins the transaction, which `BEGIN` alone does not: without it each step would have one of its own.
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM setting")
                try database.backup(to: copy, pagesPerStep: Self.pagesPerStep) { state in
                    try work.checkCancellation()
                    progress(.copying(done: state.totalPageCount - state.remainingPageCount, of: state.totalPageCount))
                    if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
                }
            }
        }
        try target.close()
    }

    /// Makes the copy one file that needs no log beside it, and looks whether it is sound.
    ///
    /// - Returns: which lists are not.
    private static func check(_ temporary: String, of path: String, _ work: BlockingWork) throws -> [Finding] {
        var configuration = Configuration()
        configuration.label = "rankd.backup"
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -8000")
        }
        let copy = try DatabaseQueue(path: temporary, configuration: configuration)
        let damaged = try work.interrupting(copy) {
            try copy.writeWithoutTransaction { database in
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
                guard mode == "delete" else {
                    throw HistoryError.unusable(path: path, what: "the copy cannot be taken out of write-ahead mode")
                }
                // The service writes the history and not its copy, where it would be missed.
                try ServiceLife.forget(in: database)
                let findings = try StructureCheck.findings(in: database)
                guard findings.isEmpty else { throw UnsoundCopy(path: path, findings: findings.map(\.description)) }
                return try ListBytesCheck.findings(in: database)
            }
        }
        try copy.close()
        return damaged
    }
}
