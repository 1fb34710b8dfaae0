import GRDB
package import RankKit

/// How far a pass is that has begun and has not ended.
package struct PassProgress: Sendable, Hashable {
    package var source: Source
    package var startedAt: Timestamp
    /// When the newest of its checks was made.
    package var updatedAt: Timestamp
    /// What it set out to ask.
    package var due: Int
    /// How many of these have a check by now.
    package var done: Int

    package init(
        source: Source = .usual, startedAt: Timestamp, updatedAt: Timestamp, due: Int, done: Int
    ) {
        self.source = source
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
    /// Notes that a pass of `due` queries of `source` begins. Its checks count themselves from now on.
    static func begin(_ source: Source, at moment: Timestamp, due: Int, in database: Database) throws {
        try database.execute(
            literal: """
                INSERT INTO pass_under_way (source, started_at, updated_at, due, done)
                VALUES (\(source.rawValue), \(moment.secondsSinceEpoch), \(moment.secondsSinceEpoch), \(due), 0)
                ON CONFLICT DO UPDATE SET started_at = excluded.started_at, updated_at = excluded.updated_at,
                    due = excluded.due, done = 0
                """)
    }

    /// Notes that no pass of `source` is under way.
    static func end(_ source: Source, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM pass_under_way WHERE source = ?")
            .execute(arguments: [source.rawValue])
    }

    /// Notes that no pass is under way.
    static func endAll(in database: Database) throws {
        try database.execute(sql: "DELETE FROM pass_under_way")
    }

    /// Counts a check, where a pass of its source is under way.
    static func count(checkAt moment: Timestamp, of source: Source, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE pass_under_way SET done = min(due, done + 1), updated_at = max(updated_at, ?) WHERE source = ?
                """
        ).execute(arguments: [moment.secondsSinceEpoch, source.rawValue])
    }
}

extension HistoryReader {
    /// The passes that are under way at `now`, one of a source, the usual one's first; none that was cut off.
    package func passesUnderWay(now: Timestamp) throws(HistoryError) -> [PassProgress] {
        try read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT source, started_at, updated_at, due, done FROM pass_under_way
                        ORDER BY source <> 'itunes', source
                        """)
            ).map { row in
                try PassProgress(
                    source: try Source.stored(row[0]), startedAt: row[1], updatedAt: row[2], due: row.count(3),
                    done: row.count(4))
            }
            // A clock that was set back leaves a pass that seems to come.
            .filter { abs(now - $0.updatedAt) <= PassProgress.longestSilence }
        }
    }
}
