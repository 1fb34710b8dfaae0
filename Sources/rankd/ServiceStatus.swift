import History
import RankKit
import Tracking

extension TrackingService.State {
    /// What `systemctl status` shows.
    var status: String {
        switch self {
        case .idle(let until): until.map { "idle, next due \($0)" } ?? "idle, nothing to watch"
        case .asking(let done, let total): "asking, \(done) of \(total) done"
        case .paused(let until): "paused until \(until)"
        case .stalled(let error): "stalled: \(error.short)"
        case .waiting(let checks, let error, let state):
            "\(checks) checks wait to be recorded: \(error.short); \(state.status)"
        }
    }
}

extension HistoryError {
    /// The same in a line.
    var short: String { SafeText.escaped(description).cut(toBytes: 200) }
}
