import Foundation
import RankKit

extension AlertSettings {
    /// What mutes leave out of a past: “1 mute hides messages about: habits until 2026-12-24”.
    ///
    /// - Parameters:
    ///   - since: when that past begins. A mute that was over by then leaves nothing out.
    ///   - apps: those of the watchlist, for their aliases.
    /// - Returns: `nil` if nothing is left out.
    func mutedWords(since: Timestamp, zone: TimeZone, apps: [WatchedApp]) -> String? {
        let holding = mutes.filter { $0.holds(at: since, zone) }
        guard !holding.isEmpty else { return nil }
        let one = holding.count == 1
        let subjects = holding.prefix(Self.mostNamedMutes).map { $0.subject(apps: apps) }
        let more = holding.count - subjects.count
        return "\(holding.count) \(one ? "mute hides" : "mutes hide") messages about: "
            + (subjects + (more > 0 ? ["and \(more) more"] : [])).joined(separator: ", ")
    }

    private static let mostNamedMutes = 5
}
