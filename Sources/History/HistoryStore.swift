package import Foundation
import GRDB
import RankKit

/// The memory: the one writer of a history, and the only one who may be.
///
/// Every change is one transaction with full durability: when a method returns, what it recorded survives a power cut.
/// Recording is not undone by the cancellation of the task that asked for it.
package actor HistoryStore {
    package nonisolated let path: String
    /// How long a statement waits for another program's lock.
    let busySeconds: TimeInterval
    private var queue: DatabaseQueue
    private var file: OpenFile
    private var lock: WriterLock?

    /// Opens the history at `path`, making or migrating it where needed.
    ///
    /// - Parameter busySeconds: how long a statement waits for another program's lock.
    /// - Throws: `HistoryError`. Nothing is ever overwritten: a file that is not a history is left as it is.
    package init(path: String, busySeconds: TimeInterval = 5) throws(HistoryError) {
        try DatabaseFile.prepare(path)
        let path = DatabaseFile.resolved(path)
        self.path = path
        self.busySeconds = busySeconds
        lock = try WriterLock(database: path)
        let wasLeftInHaste = DatabaseFile.wasLeftInHaste(path)
        queue = try HistoryError.catching(path: path) {
            let queue = try DatabaseFile.openForWriting(path, busySeconds: busySeconds)
            if wasLeftInHaste { try DatabaseFile.examine(queue, path: path) }
            try Schema.migrate(queue)
            try Derivation.finish(queue)
            return queue
        }
        file = try OpenFile(path)
    }

    /// Closes the file and opens it anew, keeping the lock: what SQLite advises after the device has failed, because
    /// nobody knows then what of its cache is on the disk.
    ///
    /// - Throws: `HistoryError`; the file stays closed then, and may be reopened later.
    package func reopen() throws(HistoryError) {
        let problem = file.change()
        if let problem { throw .replaced(path: path, what: problem) }
        // Closing empties the log as far as the device lets it; what it does not is recovered by opening.
        do { try queue.close() } catch {}
        queue = try HistoryError.catching(path: path) {
            try DatabaseFile.openForWriting(path, busySeconds: busySeconds)
        }
        file = try OpenFile(path)
    }

    /// Tells SQLite's planner what it learnt, closes the file and lets go of its lock.
    package func close() throws(HistoryError) {
        try requireSameFile()
        try HistoryError.catching(path: path) {
            try queue.inDatabase { try $0.execute(sql: "PRAGMA optimize") }
            try queue.close()
        }
        lock = nil
    }

    /// The names that the file has besides its own. A program that writes it by another name does not see rankd's
    /// lock and log.
    package nonisolated var otherNames: Int { OpenFile.names(of: path) - 1 }

    /// Throws where the file is not the one that was opened. What the log still holds is moved into the file that was,
    /// wherever it lies now, so that the log harms no file that has taken its place.
    private func requireSameFile() throws(HistoryError) {
        guard let what = file.change() else { return }
        if file.ownsLog, !isSettled {
            isSettled = true
            // Nothing more can be done for a file that is not there.
            do { try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") } } catch {}
        }
        throw .replaced(path: path, what: what)
    }

    private var isSettled = false

    /// Runs one transaction to its end, whatever becomes of the task that waits for it.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await onSameFile { try await $0.write(change) }
    }

    /// Like `write`, for what SQLite does outside of transactions.
    func writeWithoutTransaction<Value: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await onSameFile { try await $0.writeWithoutTransaction(change) }
    }

    /// Like `write`, for questions: an answer that has arrived is still to be judged and recorded when its task is
    /// cancelled.
    func read<Value: Sendable>(_ question: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await onSameFile { try await $0.read(question) }
    }

    /// Runs work that holds its thread for long, on the writing connection and a thread of its own.
    ///
    /// - Throws: what `body` throws, SQLite's errors as `HistoryError`; `CancellationError` where the task is cancelled.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork, DatabaseQueue) throws -> Value
    ) async throws -> Value {
        try requireSameFile()
        let (queue, path) = (queue, path)
        let value = try await BlockingWork.run { work in
            do { return try body(work, queue) } catch let error as DatabaseError {
                throw HistoryError(error, path: path)
            }
        }
        try requireSameFile()
        return value
    }

    /// Looks before and after: what was committed to a file that has gone is not recorded.
    private func onSameFile<Value: Sendable>(
        _ work: @escaping @Sendable (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        try requireSameFile()
        let queue = queue
        let value = try await HistoryError.catching(path: path) {
            try await Task { try await work(queue) }.value
        }
        try requireSameFile()
        return value
    }
}
