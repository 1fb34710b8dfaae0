package import RankKit

/// How long ago something was, or how far ahead it is, in one unit, rounded down.
package struct RelativeAge: Sendable, Hashable {
    /// Negative for what lies ahead.
    package let seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    package init(of moment: Timestamp, at now: Timestamp) { seconds = now - moment }

    /// `5m`, `2h`, `3d`, `5w` (from two weeks), `2y`; `nil` under a minute. The same for past and future.
    package var amount: String? {
        let minutes = seconds.magnitude / 60
        let hours = minutes / 60
        let days = hours / 24
        if minutes < 1 { return nil }
        if hours < 1 { return "\(minutes)m" }
        if days < 1 { return "\(hours)h" }
        if days < 14 { return "\(days)d" }
        return days < 365 ? "\(days / 7)w" : "\(days / 365)y"
    }

    /// For a column: `now`, `5m`. A moment ahead, which only a clock set back brings about, is `now` too.
    package var short: String { seconds < 0 ? "now" : amount ?? "now" }

    /// For a sentence: `just now`, `5m ago`, `in 5m`.
    package var phrase: String {
        guard let amount else { return "just now" }
        return seconds < 0 ? "in \(amount)" : "\(amount) ago"
    }
}
