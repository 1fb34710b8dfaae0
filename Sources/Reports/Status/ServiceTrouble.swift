package import History
package import RankKit

/// What keeps the service from its work, as a message tells it: of what `rankctl status` says only what somebody has to
/// look after, and not what passes by itself within the hour.
package struct ServiceTrouble: Sendable, Hashable {
    package var isDown: Bool
    /// For people; the gravest first. May hold foreign text.
    package var reasons: [String]

    /// How long nothing may be learnt while Apple is not asked, in seconds.
    private static let longestPause: Int64 = 3_600

    /// - Returns: `nil` if there is none.
    package init?(from reader: HistoryReader, now: Timestamp) throws(HistoryError) {
        let status = try Status(from: reader, now: now)
        // While nothing is due, nobody waits for Apple.
        let waiting = status.dueSince.map { now - max($0, status.newestCheckAt ?? $0) } ?? 0
        let told = status.reasons.filter { reason in
            switch reason.kind {
            case .overdue, .disk, .backupLate, .watchlistRefused: true
            case .paused: waiting > Self.longestPause
            // What the lists are like is told by other messages, who reads this is running, and a message about messages
            // would be one more that does not arrive.
            case .failing, .suspect, .alerts, .serviceGone, .unitNotRunning, .serviceUnknown: false
            }
        }
        let failed = status.backups.flatMap { $0.failedAt == nil ? nil : "the last backup failed" }
        let reasons = told.map(\.text) + (failed.map { [$0] } ?? [])
        guard !reasons.isEmpty else { return nil }
        isDown = status.level == .down
        self.reasons = reasons
    }
}
