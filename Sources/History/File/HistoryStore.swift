package import Foundation
import GRDB

/// The memory: the one writer of a history, and the only one who may be.
///
/// Every change is one transaction with full durability: when a method returns, what it recorded survives a power cut.
/// Only the clean-up, which can be done again, does not wait for the disk (`tidy`).
/// Recording is not undone by the cancellation of the task that asked for it.
package actor HistoryStore {
    package nonisolated let path: String
    nonisolated let connection: WritingConnection
    /// Noted queries that could not be derived for what stands in the file (`deriveNoted`).
    var unreadableQueries: Set<Int64> = []

    /// Opens the history at `path`, making or migrating it where needed.
    ///
    /// - Parameters:
    ///   - busySeconds: how long a statement waits for another program's lock.
    ///   - clock: what the waits between tries are measured by, after the device has failed.
    /// - Throws: `HistoryError`. Nothing is ever overwritten: a file that is not a history is left as it is.
    package init(
        path: String, busySeconds: TimeInterval = 5, clock: any Clock<Duration> = ContinuousClock()
    ) throws(HistoryError) {
        try self.init(path: path, busySeconds: busySeconds, clock: clock) { path in
            try DatabaseFile.openForWriting(path, busySeconds: busySeconds)
        }
    }

    /// - Parameter opening: opens the writing connection to the file at a path.
    init(
        path: String, busySeconds: TimeInterval, clock: any Clock<Duration>,
        opening: @escaping @Sendable (_ path: String) throws -> DatabaseQueue
    ) throws(HistoryError) {
        connection = try WritingConnection(path: path, busySeconds: busySeconds, clock: clock, opening: opening)
        self.path = connection.path
    }

    /// Tells SQLite's planner what it learnt, closes the file and lets go of its lock.
    ///
    /// - Parameter discarding: whether the file is to go, as one that was made for nothing; before anyone else may write
    ///   it.
    package func close(discarding: Bool = false) async throws(HistoryError) {
        try await connection.close(discarding: discarding)
    }

    /// Closes the file and opens it anew, after the device has failed. Waits until nobody uses the file.
    ///
    /// - Throws: `HistoryError`; the file may be closed then, and is opened by whoever uses it next.
    package func reopen() async throws(HistoryError) { try await connection.reopen() }

    /// The device errors that opening the file again has mended since the last call, so that they can be reported.
    package func takeMended() async -> [HistoryError] { await connection.takeMended() }

    /// The names that the file has besides its own. A program that writes it by another name does not see rankd's
    /// lock and log.
    package nonisolated var otherNames: Int { OpenFile.names(of: path) - 1 }

    /// Calls `report` with how long each access kept others from writing. For benchmarks, and for a log that tells all.
    package func timeAccesses(_ report: @escaping @Sendable (AccessTime) -> Void) async {
        await connection.timeAccesses(report)
    }

    /// Moves what the write-ahead log holds into the database, by a connection of its own: whoever records meanwhile
    /// waits for nothing. Leaves what a reader still needs.
    package func moveLog() async throws { try await connection.moveLog() }
}

/// What the files of this type write and read by. `step` is the function that asks.
extension HistoryStore {
    /// Runs one transaction to its end, whatever becomes of the task that waits for it. After an error of the device it
    /// is run again, so that it has to do no harm where the first was committed all the same.
    func write<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await connection.write(step: step) { database, _ in try change(database) }
    }

    /// - Parameter change: its argument is true when an earlier try may have been committed.
    func write<Value: Sendable>(
        step: StaticString = #function,
        _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        try await connection.write(step: step, change)
    }

    /// Like `write`, for what SQLite does outside of transactions.
    func writeWithoutTransaction<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await connection.writeWithoutTransaction(step: step, change)
    }

    /// Like `write`, for questions: an answer that has arrived is still to be judged and recorded when its task is
    /// cancelled.
    func read<Value: Sendable>(
        step: StaticString = #function, _ question: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await connection.read(step: step, question)
    }

    /// Runs work that holds its thread for long, on the writing connection and a thread of its own.
    ///
    /// - Throws: what `body` throws, SQLite's errors as `HistoryError`; `CancellationError` where the task is cancelled.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork, CountingQueue) throws -> Value
    ) async throws -> Value {
        try await connection.blocking(body)
    }

    /// Like `write`, for what can be done again: does not wait until the disk has it. A power cut may take the last such
    /// changes back, each as a whole, but none that a later `write` has come after.
    func tidy<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await connection.tidy(step: step) { database, _ in try change(database) }
    }

    /// - Parameter change: its argument is true when an earlier try may have been committed.
    func tidy<Value: Sendable>(
        step: StaticString = #function,
        _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        try await connection.tidy(step: step, change)
    }
}
