package import History
package import RankKit

/// What keeps the service from its work, as a message tells it: of what `rankctl status` says only what somebody has to
/// look after, and not what passes by itself within the hour.
package struct ServiceTrouble: Sendable, Hashable {
    /// What is wrong, in a word that is stored. Reasons that come of one cause share one, so that one outage is not told
    /// as two.
    package enum Matter: String, Sendable, Hashable, CaseIterable {
        /// Nothing at all is learnt.
        case down
        /// Queries wait for a good check, or Apple is not asked.
        case asking
        case disk, backup, watchlist
        /// Lists in the history cannot be read that could be before.
        case damage
    }

    package struct Reason: Sendable, Hashable {
        package var matter: Matter
        /// For people; may hold foreign text.
        package var text: String

        package init(matter: Matter, text: String) {
            self.matter = matter
            self.text = text
        }
    }

    package var isDown: Bool
    /// The gravest first; never empty.
    package var reasons: [Reason]

    /// All that is wrong.
    package var matters: Set<Matter> { Set(reasons.map(\.matter) + (isDown ? [.down] : [])) }

    package init(isDown: Bool, reasons: [Reason]) {
        self.isDown = isDown
        self.reasons = reasons
    }

    /// How long nothing may be learnt while Apple is not asked, in seconds.
    private static let longestPause: Int64 = 3_600

    /// - Returns: `nil` if there is none.
    package init?(from reader: HistoryReader, now: Timestamp) throws(HistoryError) {
        let status = try Status(from: reader, now: now)
        // While nothing is due, nobody waits for Apple.
        let waiting = status.dueSince.map { now - max($0, status.newestCheckAt ?? $0) } ?? 0
        reasons = status.reasons.compactMap { reason in
            let matter: Matter
            switch reason.kind {
            case .overdue: matter = .asking
            case .paused where waiting > Self.longestPause: matter = .asking
            case .disk: matter = .disk
            case .backupLate: matter = .backup
            case .watchlistRefused: matter = .watchlist
            // What the lists are like is told by other messages, who reads this is running, and a message about messages
            // would be one more that does not arrive.
            case .paused, .failing, .suspect, .lookups, .alerts, .serviceGone, .serviceStopped, .unitNotRunning,
                .serviceUnknown:
                return nil
            }
            return Reason(matter: matter, text: reason.text)
        }
        if status.backups?.failedAt != nil { reasons.append(Reason(matter: .backup, text: "the last backup failed")) }
        let damaged = max(status.upkeep?.newlyDamaged ?? 0, status.backups?.newlyDamaged ?? 0)
        if damaged > 0 {
            let lists = Figures.counted(damaged, "list")
            reasons.append(
                Reason(
                    matter: .damage,
                    text: "\(lists) in the history turned out to be damaged: see "
                        + ReportAudience.command("rankctl verify")))
        }
        guard !reasons.isEmpty else { return nil }
        isDown = status.level == .down
    }
}
