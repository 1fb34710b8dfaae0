import GRDB
package import RankKit

/// How a pass went, in numbers of queries.
package struct PassResult: Sendable, Hashable {
    package var startedAt: Timestamp
    package var finishedAt: Timestamp
    /// What the pass set out to ask.
    package var due: Int
    package var succeeded: Int
    package var failed: Int
    package var throttled: Int
    /// Requests made, further tries included.
    package var requests: Int
    /// Answered, but not to be believed yet.
    package var suspect: Int
    /// Half of its lists collapsed: a bad day of the store.
    package var isBadDay: Bool

    package init(
        startedAt: Timestamp, finishedAt: Timestamp, due: Int, succeeded: Int = 0, failed: Int = 0, throttled: Int = 0,
        requests: Int = 0, suspect: Int = 0, isBadDay: Bool = false
    ) {
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.due = due
        self.succeeded = succeeded
        self.failed = failed
        self.throttled = throttled
        self.requests = requests
        self.suspect = suspect
        self.isBadDay = isBadDay
    }

    package var asked: Int { succeeded + failed + throttled + suspect }
}

extension PassResult {
    /// Keeps how the pass went, for `rankctl status`. One of the same times and requests is taken for it: it may have
    /// been kept before.
    func keep(of source: Source, in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO pass
                    (source, started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                SELECT \(source.rawValue), \(startedAt.secondsSinceEpoch), \(finishedAt.secondsSinceEpoch), \(due), \(succeeded), \(failed),
                    \(throttled), \(requests), \(suspect), \(isBadDay)
                WHERE NOT EXISTS
                    (SELECT 1 FROM pass WHERE source = \(source.rawValue) AND started_at = \(startedAt.secondsSinceEpoch)
                        AND finished_at = \(finishedAt.secondsSinceEpoch) AND requests = \(requests)
                        AND id > (SELECT max(id) FROM pass) - 100)
                """)
    }

    /// As it is kept. It is kept now if it was not before: passes were not ended in the order in which they began.
    func kept(of source: Source, in database: Database) throws -> PassResult {
        try keep(of: source, in: database)
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT succeeded, failed, suspect, bad_day FROM pass
                    WHERE source = ? AND started_at = ? AND finished_at = ? AND requests = ? ORDER BY id DESC LIMIT 1
                    """),
            arguments: [source.rawValue, startedAt.secondsSinceEpoch, finishedAt.secondsSinceEpoch, requests])
        guard let row else { return self }
        var kept = self
        (kept.succeeded, kept.failed, kept.suspect) = try (row.count(0), row.count(1), row.count(2))
        kept.isBadDay = try row[3]
        return kept
    }

    /// Counts a check of the pass.
    package mutating func count(_ check: RecordedCheck) {
        if check.failure != nil {
            failed += 1
        } else if check.suspicion != nil {
            suspect += 1
        } else {
            succeeded += 1
        }
    }
}

extension HistoryStore {
    /// Keeps how a pass went that is over already. For tests and benchmarks.
    package func record(_ pass: PassResult, of source: Source = .usual) async throws {
        try await write { database in
            try pass.keep(of: source, in: database)
            try PassProgress.end(source, in: database)
        }
    }
}
