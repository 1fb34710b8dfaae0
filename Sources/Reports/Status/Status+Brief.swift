import RankKit

/// How the service is, in the few words that fit beside everything else.
extension Status {
    /// `checked 06:01 · next at 12:00`; what is wrong first, where something is: `not running · checked 28 Nov, 18:00`.
    package var brief: String {
        let today = generatedAt.reportDay
        let checked = newestCheckAt.map { "checked \(DayNames.time($0, today: today))" } ?? "nothing checked yet"
        guard level == .fine else { return "\(reasons.first?.kind.brief ?? level.rawValue) · \(checked)" }
        if underWay != nil { return "\(checked) · checking now" }
        guard let next = nextDueAt, next > generatedAt else { return checked }
        return "\(checked) · next at \(DayNames.time(next, today: today))"
    }
}

extension Status.Reason.Kind {
    /// In two or three words.
    fileprivate var brief: String {
        switch self {
        case .serviceGone, .serviceStopped, .unitNotRunning: "not running"
        case .serviceUnknown: "running or not: unknown"
        case .watchlistRefused: "watchlist refused"
        case .overdue: "checks overdue"
        case .paused: "asking is paused"
        case .failing: "checks fail"
        case .suspect: "lists in doubt"
        case .disk: "disk trouble"
        case .lookups: "look-ups fail"
        case .backupLate: "backup late"
        case .alerts: "alerts not sent"
        }
    }
}
