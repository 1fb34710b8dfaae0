import History
import RankKit
import Synchronization
import Tracking

/// Whose clock the status tells times by: that of the watchlist in force.
final class StatusClock: Sendable {
    private let state: Mutex<ZoneDays>

    init(_ watchlist: Watchlist) { state = Mutex(watchlist.days) }

    var days: ZoneDays { state.withLock { $0 } }

    func set(_ watchlist: Watchlist) { state.withLock { $0 = watchlist.days } }
}

extension TrackingService.State {
    /// What `systemctl status` shows.
    func status(_ days: ZoneDays) -> String {
        switch self {
        case .idle(let until): until.map { "idle, next due \(days.minute(until: $0))" } ?? "idle, nothing to watch"
        case .asking(let done, let total): "asking, \(done) of \(total) done"
        case .paused(let until): "paused until \(days.minute(until: until))"
        case .stalled(let error): "stalled: \(error.short)"
        case .waiting(let checks, let error, let state):
            "\(checks) checks wait to be recorded: \(error.short); \(state.status(days))"
        }
    }
}

extension HistoryError {
    /// The same in a line.
    var short: String { SafeText.escaped(description).cut(toBytes: 200) }
}
