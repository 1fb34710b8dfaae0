import GRDB
package import RankKit

/// Reads a history, while rankd writes it or after it has stopped. Never changes a byte.
package struct HistoryReader: Sendable {
    package let path: String
    /// Whether the file is read as one that cannot change, because rankd is stopped and the WAL files are gone.
    package let isSnapshot: Bool
    let queue: DatabaseQueue

    /// - Throws: `HistoryError`, which says in plain words what is missing and who makes it.
    package init(path: String) throws(HistoryError) {
        let path = DatabaseFile.resolved(path)
        self.path = path
        (queue, isSnapshot) = try HistoryError.catching(path: path) { try DatabaseFile.openForReading(path) }
    }

    init(path: String, isSnapshot: Bool, queue: DatabaseQueue) {
        (self.path, self.isSnapshot, self.queue) = (path, isSnapshot, queue)
    }

    /// Runs `question` in one transaction, so that all of its answers are of the same moment.
    func read<Value>(_ question: (Database) throws -> Value) throws(HistoryError) -> Value {
        try HistoryError.catching(path: path) { try queue.read(question) }
    }

    /// The watchlist's time zone, an IANA name; `nil` where it names none.
    package func timeZone() throws(HistoryError) -> String? {
        try read { try Setting.timeZone.text(in: $0) }
    }

    /// The apps of the watchlist, in its order.
    package func watchedApps() throws(HistoryError) -> [WatchedApp] {
        try read { database in
            let competitors = try Row.fetchAll(
                database,
                sql: """
                    SELECT competitor.bundle_key, watched_app.bundle_id
                    FROM competitor
                    JOIN watched_app ON watched_app.bundle_key = competitor.competitor_key
                    ORDER BY watched_app.ordinal
                    """)
            let byApp = Dictionary(grouping: competitors) { $0[0] as String }
            return try Row.fetchAll(
                database, sql: "SELECT bundle_key, bundle_id, alias, mine FROM watched_app ORDER BY ordinal"
            ).compactMap { row in
                BundleID(row[1]).map {
                    WatchedApp(
                        bundleID: $0, alias: row[2], isMine: row[3],
                        competitors: byApp[row[0], default: []].compactMap { BundleID($0[1]) })
                }
            }
        }
    }
}
