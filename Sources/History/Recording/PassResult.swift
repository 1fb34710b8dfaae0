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

extension HistoryStore {
    /// Keeps how a pass went, for `rankctl status`. One of the same times and requests is taken for it: what ended in an
    /// error of the device may have been recorded all the same.
    package func record(_ pass: PassResult) async throws {
        try await write { database in
            try database.execute(
                literal: """
                    INSERT INTO pass (started_at, finished_at, due, succeeded, failed, throttled, requests, suspect, bad_day)
                    SELECT \(pass.startedAt.secondsSinceEpoch), \(pass.finishedAt.secondsSinceEpoch), \(pass.due),
                        \(pass.succeeded), \(pass.failed), \(pass.throttled), \(pass.requests), \(pass.suspect), \(pass.isBadDay)
                    WHERE NOT EXISTS
                        (SELECT 1 FROM pass WHERE started_at = \(pass.startedAt.secondsSinceEpoch)
                            AND finished_at = \(pass.finishedAt.secondsSinceEpoch) AND requests = \(pass.requests)
                            AND id > (SELECT max(id) FROM pass) - 100)
                    """)
            try PassProgress.end(in: database)
        }
    }
}
