import GRDB

/// The ways to write and to read by it.
extension WritingConnection {
    /// Runs one transaction to its end, whatever becomes of the task that waits for it. After an error of the device it
    /// is run again, so that it has to do no harm where the first was committed all the same.
    ///
    /// - Parameter change: its argument is true when an earlier try may have been committed.
    func write<Value: Sendable>(
        step: StaticString, _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: true, step) { [generation] queue, isAgain in
            try await queue.write { database in
                try HistoryVersion.counting(as: generation, in: database) { try change(database, isAgain) }
            }
        }
    }

    /// Like `write`, for what SQLite does outside of transactions.
    func writeWithoutTransaction<Value: Sendable>(
        step: StaticString, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: true, step) { [generation] queue, _ in
            try await queue.writeWithoutTransaction { database in
                try HistoryVersion.counting(as: generation, in: database) { try change(database) }
            }
        }
    }

    /// Like `write`, for questions.
    func read<Value: Sendable>(
        step: StaticString, _ question: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await mending(forWriting: false, step) { queue, _ in try await queue.read(question) }
    }

    /// Runs work that holds its thread for long and makes transactions of its own, on the connection and a thread of its
    /// own.
    ///
    /// - Throws: what `body` throws, SQLite's errors as `HistoryError`; `CancellationError` where the task is cancelled.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable (BlockingWork, CountingQueue) throws -> Value
    ) async throws -> Value {
        let queue = try await taken(forWriting: true)
        defer { giveBack() }
        let value = try await BlockingWork.run { [path, generation] work in
            do {
                return try body(work, CountingQueue(queue: queue, generation: generation))
            } catch let error as DatabaseError {
                throw HistoryError(error, path: path)
            }
        }
        try requireSameFile()
        return value
    }

    // MARK: The clean-up

    /// Like `write`, for what can be done again: holds the writer for what it computes, and does not wait until the disk
    /// has it. A power cut may take the last such changes back, each as a whole, but none that a later `write` has come
    /// after.
    func tidy<Value: Sendable>(
        step: StaticString, _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        if unmovedPages >= Self.mostUnmovedPages { try await moveLog() }
        let (value, pages) = try await mending(forWriting: true, step) { [generation] queue, isAgain in
            try await queue.writeWithoutTransaction { database in
                let before = DatabaseFile.pagesWritten(database)
                let value = try DatabaseFile.withoutSyncs(database) {
                    var value: Value?
                    try database.inTransaction(.immediate) {
                        value = try HistoryVersion.counting(as: generation, in: database) {
                            try change(database, isAgain)
                        }
                        return .commit
                    }
                    return value
                }
                return (value, DatabaseFile.pagesWritten(database) - before)
            }
        }
        unmovedPages += pages
        guard let value else { throw HistoryError.unusable(path: path, what: "a step of the clean-up did nothing") }
        return value
    }

    /// As many pages as a recording lets the log have before it moves them itself, which would then hold it up.
    private static var mostUnmovedPages: Int { Int(DatabaseFile.mostLogPages) }

    /// Moves what the write-ahead log holds into the database, by a connection of its own: whoever records meanwhile
    /// waits for nothing. Leaves what a reader still needs.
    func moveLog() async throws {
        _ = try await taken(forWriting: true)
        defer { giveBack() }
        do {
            // Not to be cut off: an error of the device must not be taken for a cancellation.
            try await Task { [path, file] in
                try await BlockingWork.run { _ in try DatabaseFile.moveLog(of: path) { file.change() == nil } }
            }.value
        } catch {
            throw noted(error, inWriting: true)
        }
        unmovedPages = 0
        try requireSameFile()
    }
}

/// The one writing connection, for work that makes transactions of its own: each is counted as it is committed, so that
/// nobody is shown the state before it under the same version.
struct CountingQueue: Sendable {
    private let queue: DatabaseQueue
    private let generation: Int64

    init(queue: DatabaseQueue, generation: Int64) {
        self.queue = queue
        self.generation = generation
    }

    /// Does `change` in a transaction of its own.
    func write<Value>(_ change: (Database) throws -> Value) throws -> Value {
        try queue.write { database in
            try HistoryVersion.counting(as: generation, in: database) { try change(database) }
        }
    }

    /// Asks in a transaction of its own.
    func read<Value>(_ question: (Database) throws -> Value) throws -> Value { try queue.read(question) }
}
