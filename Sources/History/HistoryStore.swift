import GRDB
import RankKit

/// The memory: the one writer of a history, and the only one who may be.
///
/// Every change is one transaction with full durability: when a method returns, what it recorded survives a power cut.
/// Recording is not undone by the cancellation of the task that asked for it.
package actor HistoryStore {
    package nonisolated let path: String
    let queue: DatabaseQueue
    private var lock: WriterLock?

    /// Opens the history at `path`, making or migrating it where needed.
    ///
    /// - Throws: `HistoryError`. Nothing is ever overwritten: a file that is not a history is left as it is.
    package init(path: String) throws(HistoryError) {
        try DatabaseFile.prepare(path)
        let path = DatabaseFile.resolved(path)
        self.path = path
        lock = try WriterLock(database: path)
        queue = try HistoryError.catching(path: path) {
            let queue = try DatabaseFile.openForWriting(path)
            try Schema.migrate(queue)
            return queue
        }
    }

    /// Tells SQLite's planner what it learnt, closes the file and lets go of its lock.
    package func close() throws(HistoryError) {
        try HistoryError.catching(path: path) {
            try queue.inDatabase { try $0.execute(sql: "PRAGMA optimize") }
            try queue.close()
        }
        lock = nil
    }

    /// Runs one transaction to its end, whatever becomes of the task that waits for it.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let queue = queue
        return try await HistoryError.catching(path: path) {
            try await Task { try await queue.write(change) }.value
        }
    }

    /// Like `write`, for what SQLite does outside of transactions.
    func writeWithoutTransaction<Value: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let queue = queue
        return try await HistoryError.catching(path: path) {
            try await Task { try await queue.writeWithoutTransaction(change) }.value
        }
    }

    /// Like `write`, for questions: an answer that has arrived is still to be judged and recorded when its task is
    /// cancelled.
    func read<Value: Sendable>(_ question: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let queue = queue
        return try await HistoryError.catching(path: path) {
            try await Task { try await queue.read(question) }.value
        }
    }
}
