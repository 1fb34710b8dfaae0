import GRDB

/// What is derived behind a recording, in transactions of its own.
extension HistoryStore {
    /// Brings up to date the queries of which other checks count since a recording, or in which a name stands for another
    /// app: each in a transaction of its own, so that others read and write between them, and one that is broken off goes
    /// on with the next recording.
    ///
    /// A query that cannot be read stays as it is and keeps nobody from recording: whoever asks for it is told.
    func deriveNoted() async {
        while true {
            do {
                let unreadable = unreadableQueries
                guard let query = try await read({ try Self.noted(but: unreadable, in: $0) }) else { return }
                do {
                    try await write { database in
                        if try CountedChecks.noted(in: database).contains(query) {
                            try CountedChecks.deriveNoted(query, in: database)
                        }
                        if try Derivation.pending(in: database).contains(query) {
                            try Derivation.finish(query, in: database)
                        }
                    }
                } catch HistoryError.corrupt {
                    unreadableQueries.insert(query)
                }
            } catch {
                // What stands in the way now does so for the next recording, which says it and tries again.
                return
            }
        }
    }

    /// Whether something is to be derived anew.
    static func hasNoted(in database: Database) throws -> Bool { try noted(in: database) != nil }

    /// A query of which something is to be derived anew.
    private static func noted(but others: Set<Int64> = [], in database: Database) throws -> Int64? {
        try CountedChecks.noted(in: database).union(Derivation.pending(in: database)).subtracting(others).min()
    }
}
