package import Foundation
package import History
package import RankKit

/// How many messages the last days would have brought.
package struct AlertCost: Sendable, Hashable {
    /// As the settings are.
    package var messages: Int
    /// If all rules were that keen.
    package var counts: [Sensitivity: Int]
    /// They come besides.
    package var digests: Int
    /// What mutes leave out of it, in words; `nil` for nothing.
    package var muted: String?

    /// In days, today included.
    package static let days: Int64 = 30

    /// - Parameters:
    ///   - apps: those of the watchlist, for their aliases.
    ///   - reader: a snapshot.
    /// - Returns: `nil` if the history is younger than that.
    package init?(
        _ settings: AlertSettings, apps: [WatchedApp], now: Timestamp, zone: TimeZone, from reader: HistoryReader
    ) throws(HistoryError) {
        let zoneDays = ZoneDays(zone)
        let since = zoneDays.day(of: now) - Self.days
        let start = zoneDays.start(of: since)
        guard let oldest = try reader.oldestCheck(), zoneDays.day(of: oldest) <= since else { return nil }
        let preview = try AlertPreview(settings, since: since, until: now, now: now, zone: zone, from: reader)
        messages = preview.messages.count
        counts = preview.counts
        digests = settings.digests(since: start, until: now, zone: zone).count
        muted = settings.mutedWords(since: start, zone: zone, apps: apps)
    }

    /// For people.
    package var words: String {
        let each = Sensitivity.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", ")
        let noun = messages == 1 ? "message" : "messages"
        let besides = digests == 0 ? "" : digests == 1 ? " and 1 digest" : " and \(digests) digests"
        return
            "in the last \(Self.days) days rankd would have sent \(messages) \(noun)\(besides) (at each sensitivity: \(each))"
            + (muted.map { "; \($0)" } ?? "")
    }
}
