package import History
package import Judging
package import RankKit

/// The apps ever seen: the value behind `rankctl apps`.
package struct AppDirectory: Sendable {
    package var generatedAt: Timestamp
    /// What they were looked for by; `nil` for all.
    package var text: String?
    package var rows: [Row]
    /// How many there are, shown or not.
    package var count: Int

    package init(generatedAt: Timestamp, text: String? = nil, rows: [Row], count: Int) {
        self.generatedAt = generatedAt
        self.text = text
        self.rows = rows
        self.count = count
    }

    package struct Row: Sendable, Hashable {
        package var app: ReportedApp
        package var firstSeen: Timestamp
        /// A UTC day.
        package var lastSeenDay: Int64
        /// On how many queries it ever was in the list.
        package var queries: Int
        package var best: Extreme?

        package init(app: ReportedApp, firstSeen: Timestamp, lastSeenDay: Int64, queries: Int, best: Extreme? = nil) {
            self.app = app
            self.firstSeen = firstSeen
            self.lastSeenDay = lastSeenDay
            self.queries = queries
            self.best = best
        }
    }

    /// Reads the first `limit` apps that `text` finds.
    package init(
        matching text: String?, limit: Int, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let watched = try WatchedApps(reader)
        let (entries, count) = try reader.directory(matching: text, limit: limit)
        self.init(
            generatedAt: now, text: text,
            rows: entries.map { entry in
                let known = watched[entry.bundleID]
                return Row(
                    app: ReportedApp(
                        bundleID: entry.bundleID, appID: entry.appID, name: entry.name, developer: entry.developer,
                        alias: known?.alias, mark: known.map { $0.isMine ? .mine : .competitor }),
                    firstSeen: entry.firstSeen, lastSeenDay: entry.lastSeenDay, queries: entry.queries,
                    best: entry.best)
            }, count: count)
    }
}
