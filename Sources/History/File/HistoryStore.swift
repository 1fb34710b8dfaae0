package import Foundation
import GRDB
import RankKit

/// The memory: the one writer of a history, and the only one who may be.
///
/// Every change is one transaction with full durability: when a method returns, what it recorded survives a power cut.
/// Only the clean-up, which can be done again, does not wait for the disk (`tidy`).
/// Recording is not undone by the cancellation of the task that asked for it.
package actor HistoryStore {
    package nonisolated let path: String
    /// How long a statement waits for another program's lock.
    let busySeconds: TimeInterval
    /// The one writing connection; `nil` while there is none, because the file could not be opened anew.
    var queue: DatabaseQueue?
    var file: OpenFile
    /// Whether the history was closed for good.
    var hasEnded = false
    /// Whether the connection is to be given up before it is used again.
    var isWornOut = false
    /// Whether nobody knows if the device has what was written: true from an error of the device in a write until all of
    /// the log has been moved into the database and synced.
    var isDoubtful = false
    /// Pages that the clean-up has written to the log since it was last moved into the database.
    var unmovedPages = 0
    /// Operations that are using the connection.
    var inFlight = 0
    /// Whether somebody opens or closes the file, for which nobody else may be using it.
    var isClaimed = false
    var waitingForIdle: CheckedContinuation<Void, Never>?
    var waitingForClaim: [CheckedContinuation<Void, Never>] = []
    private var lock: WriterLock?
    private let clock: any Clock<Duration>
    /// Opens the writing connection.
    let opening: @Sendable (_ path: String) throws -> DatabaseQueue
    private var mended: [HistoryError] = []

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
        try DatabaseFile.prepare(path)
        let path = DatabaseFile.resolved(path)
        self.path = path
        self.busySeconds = busySeconds
        self.clock = clock
        self.opening = opening
        lock = try WriterLock(database: path)
        let wasLeftInHaste = DatabaseFile.wasLeftInHaste(path)
        queue = try HistoryError.catching(path: path) {
            let queue = try opening(path)
            if wasLeftInHaste { try DatabaseFile.examine(queue, path: path) }
            try Schema.migrate(queue)
            try Derivation.finish(queue)
            return queue
        }
        file = try OpenFile(path)
    }

    /// Tells SQLite's planner what it learnt, closes the file and lets go of its lock.
    ///
    /// - Parameter discarding: whether the file is to go, as one that was made for nothing; before anyone else may write
    ///   it. The lock's file stays, since somebody may be waiting for it.
    package func close(discarding: Bool = false) async throws(HistoryError) {
        let queue = try await claimed(forWriting: true)
        defer { release() }
        try HistoryError.catching(path: path) {
            try queue.inDatabase { try $0.execute(sql: "PRAGMA optimize") }
            try queue.close()
        }
        if discarding { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        self.queue = nil
        hasEnded = true
        lock = nil
    }

    /// The device errors that opening the file anew has mended since this was asked last, to be told.
    package func takeMended() -> [HistoryError] {
        defer { mended = [] }
        return mended
    }

    /// The names that the file has besides its own. A program that writes it by another name does not see rankd's
    /// lock and log.
    package nonisolated var otherNames: Int { OpenFile.names(of: path) - 1 }

    /// Throws where the file is not the one that was opened. What the log still holds is moved into the file that was,
    /// wherever it lies now, so that the log harms no file that has taken its place.
    func requireSameFile() throws(HistoryError) {
        guard let what = file.change() else { return }
        if file.ownsLog, !isSettled, let queue {
            isSettled = true
            // Nothing more can be done for a file that is not there.
            do { try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") } } catch {}
        }
        throw .replaced(path: path, what: what)
    }

    private var isSettled = false

    /// Runs one transaction to its end, whatever becomes of the task that waits for it. After an error of the device it
    /// is run again, so that it has to do no harm where the first was committed all the same.
    func write<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await write(step: step) { database, _ in try change(database) }
    }

    /// Like `write`.
    ///
    /// - Parameter change: told whether it is run again, with the time before possibly not in vain.
    func write<Value: Sendable>(
        step: StaticString = #function,
        _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: true, step) { queue, isAgain in
            try await queue.write { try change($0, isAgain) }
        }
    }

    /// Like `write`, for what SQLite does outside of transactions.
    func writeWithoutTransaction<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: true, step) { queue, _ in try await queue.writeWithoutTransaction(change) }
    }

    /// Like `write`, for questions: an answer that has arrived is still to be judged and recorded when its task is
    /// cancelled.
    func read<Value: Sendable>(
        step: StaticString = #function, _ question: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: false, step) { queue, _ in try await queue.read(question) }
    }

    private static var mostRetries: Int { 5 }

    /// Does `work`; after an error of the device the file is opened anew and the work done again, five times at most.
    func mending<Value: Sendable>(
        forWriting: Bool, _ step: StaticString,
        _ work: @escaping @Sendable (_ queue: DatabaseQueue, _ isAgain: Bool) async throws -> Value
    ) async throws -> Value {
        var failures: [HistoryError] = []
        while true {
            do {
                let isAgain = !failures.isEmpty
                let value = try await onSameFile(forWriting: forWriting, step) { try await work($0, isAgain) }
                if let first = failures.first { mended.append(first) }
                return value
            } catch let error as HistoryError where error.isInputOutput && failures.count < Self.mostRetries {
                failures.append(error)
                // Whoever is told to end tries again all the same, without the wait.
                do { try await clock.sleep(for: .milliseconds(100) * (1 << failures.count)) } catch {}
            }
        }
    }

    /// Runs work that holds its thread for long, on the writing connection and a thread of its own.
    ///
    /// - Throws: what `body` throws, SQLite's errors as `HistoryError`; `CancellationError` where the task is cancelled.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork, DatabaseQueue) throws -> Value
    ) async throws -> Value {
        let queue = try await taken(forWriting: true)
        defer { giveBack() }
        let value = try await BlockingWork.run { [path] work in
            do { return try body(work, queue) } catch let error as DatabaseError {
                throw HistoryError(error, path: path)
            }
        }
        try requireSameFile()
        return value
    }

    /// Has `report` told what each access took, in which nobody else could write: what benchmarks ask for.
    package func timeAccesses(_ report: @escaping @Sendable (AccessTime) -> Void) { reportAccess = report }

    private var reportAccess: (@Sendable (AccessTime) -> Void)?

    /// Looks before and after: what was committed to a file that has gone is not recorded.
    private func onSameFile<Value: Sendable>(
        forWriting: Bool, _ step: StaticString, _ work: @escaping @Sendable (DatabaseQueue) async throws -> Value
    ) async throws -> Value {
        let queue = try await taken(forWriting: forWriting)
        defer { giveBack() }
        let began = reportAccess.map { _ in AccessTime.Beginning() }
        do {
            let value = try await Task { try await work(queue) }.value
            if let began { reportAccess?(AccessTime(of: step, since: began)) }
            try requireSameFile()
            return value
        } catch let error as CancellationError {
            throw error
        } catch {
            let sorted = HistoryError(error, path: path)
            note(error, sorted, inWriting: forWriting)
            throw sorted
        }
    }
}
