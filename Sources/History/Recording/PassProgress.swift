import GRDB
package import RankKit

/// How far a pass is that has begun and has not ended.
package struct PassProgress: Sendable, Hashable {
    package var startedAt: Timestamp
    /// When the newest of its checks was made.
    package var updatedAt: Timestamp
    /// What it set out to ask.
    package var due: Int
    /// How many of these have a check by now.
    package var done: Int

    package init(startedAt: Timestamp, updatedAt: Timestamp, due: Int, done: Int) {
        self.startedAt = startedAt
        self.updatedAt = updatedAt
        self.due = due
        self.done = done
    }

    /// How long it will take yet, by what it took so far, in seconds; `nil` before the first check.
    package var secondsLeft: Int64? {
        let elapsed = updatedAt - startedAt
        guard done > 0, elapsed >= 0 else { return nil }
        let left = Double(elapsed) / Double(done) * Double(max(0, due - done))
        // More is no length of a pass.
        return left < 1e9 ? Int64(left.rounded(.up)) : nil
    }

    /// In seconds: a pass of which nothing is heard for so long was cut off. A query is given up after three tries of half
    /// a minute each, and waits between them.
    static let longestSilence: Int64 = 600
}

extension PassProgress {
    /// Notes that a pass of `due` queries begins. Its checks count themselves from now on.
    static func begin(at moment: Timestamp, due: Int, in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO pass_under_way (one, started_at, updated_at, due, done)
                VALUES (1, \(moment.secondsSinceEpoch), \(moment.secondsSinceEpoch), \(due), 0)
                ON CONFLICT DO UPDATE SET started_at = excluded.started_at, updated_at = excluded.updated_at,
                    due = excluded.due, done = 0
                """)
    }

    /// Notes that no pass is under way.
    static func end(in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM pass_under_way").execute()
    }

    /// Counts a check, where a pass is under way.
    static func count(checkAt moment: Timestamp, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE pass_under_way SET done = min(due, done + 1), updated_at = max(updated_at, ?)"
        ).execute(arguments: [moment.secondsSinceEpoch])
    }
}

extension HistoryReader {
    /// The pass that is under way at `now`; `nil` where none is, or where it was cut off.
    package func passUnderWay(now: Timestamp) throws(HistoryError) -> PassProgress? {
        try read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT started_at, updated_at, due, done FROM pass_under_way"))
            guard let row else { return nil }
            let progress = try PassProgress(
                startedAt: row[0], updatedAt: row[1],
                due: row.count(2), done: row.count(3))
            // A clock that was set back leaves a pass that seems to come.
            return abs(now - progress.updatedAt) <= PassProgress.longestSilence ? progress : nil
        }
    }
}
