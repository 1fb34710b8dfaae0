package import Foundation
package import History
package import RankKit

/// The releases of one app that are known: the value behind `rankctl report release APP`.
package struct Releases: Sendable {
    package var generatedAt: Timestamp
    package var app: ReportedApp
    /// Newest first.
    package var rows: [Row]

    package struct Row: Sendable, Hashable {
        package var release: AppRelease
        /// In the watchlist's zone, counted from 1970-01-01.
        package var day: Int64

        package init(release: AppRelease, day: Int64) {
            self.release = release
            self.day = day
        }
    }

    init(generatedAt: Timestamp, app: ReportedApp, rows: [Row]) {
        self.generatedAt = generatedAt
        self.app = app
        self.rows = rows
    }

    /// - Parameter zone: whose days the watchlist's notes mean.
    package init(
        of bundleID: BundleID, from reader: HistoryReader, zone: TimeZone, now: Timestamp
    ) throws(HistoryError) {
        let watched = try WatchedApps(reader)
        let country = try reader.queries(tracking: bundleID).first?.country
        self.init(
            generatedAt: now, app: try watched.reported(bundleID, namedIn: country, reader),
            rows: try reader.releases(of: bundleID, machineZone: zone).reversed().map {
                Row(release: $0, day: $0.day(in: reader.days))
            })
    }

    /// Leaves out what came before `since` or after `until`.
    package mutating func keep(from since: Timestamp?, through until: Timestamp?) {
        rows.removeAll { row in
            since.map { row.release.at < $0 } ?? false || until.map { row.release.at > $0 } ?? false
        }
    }

    /// The one that `text` names: a version or, for a change without one, the day of its note. Of several the first: what
    /// was noted later belongs to it.
    package func find(_ text: String) -> AppRelease? {
        let releases = rows.map(\.release).reversed()
        return releases.first { $0.isVersion(text) }
            ?? rows.reversed().first { CivilTime.date(.startOfDay($0.day)) == text }?.release
    }
}
