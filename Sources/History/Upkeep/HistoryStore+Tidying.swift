import GRDB

/// How the clean-up writes: it holds the writer for what it computes, and leaves the waiting for the disk to others.
extension HistoryStore {
    /// Like `write`, for what can be done again: does not wait until the disk has it. A power cut may take the last such
    /// changes back, each as a whole, but none that a later `write` has come after.
    func tidy<Value: Sendable>(
        step: StaticString = #function, _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await tidy(step: step) { database, _ in try change(database) }
    }

    /// Like `tidy`.
    ///
    /// - Parameter change: told whether it is run again, with the time before possibly not in vain.
    func tidy<Value: Sendable>(
        step: StaticString = #function,
        _ change: @escaping @Sendable (_ database: Database, _ isAgain: Bool) throws -> Value
    ) async throws -> Value {
        if unmovedPages >= Self.mostUnmovedPages { try await moveLog() }
        let (value, pages) = try await mending(forWriting: true, step) { queue, isAgain in
            try await queue.writeWithoutTransaction { database in
                let before = DatabaseFile.pagesWritten(database)
                let value = try DatabaseFile.withoutSyncs(database) {
                    var value: Value?
                    try database.inTransaction(.immediate) {
                        value = try change(database, isAgain)
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
    package func moveLog() async throws {
        _ = try await taken(forWriting: true)
        defer { giveBack() }
        do {
            // Not to be cut off: an error of the device must not be taken for a cancellation.
            try await Task { [path, file] in
                try await BlockingWork.run { _ in try DatabaseFile.moveLog(of: path) { file.change() == nil } }
            }.value
        } catch {
            let sorted = HistoryError(error, path: path)
            note(error, sorted, inWriting: true)
            throw sorted
        }
        unmovedPages = 0
        try requireSameFile()
    }
}
