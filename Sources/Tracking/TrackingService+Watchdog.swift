import AppStore
import History
import Logging
import RankKit

extension TrackingService {
    /// For how long nothing may move before a pass, or a look-up, is taken to hang. A turn is at most two minutes away
    /// (one request a minute, at half the pace after a pause), a try ends after 30 seconds, the waits between tries are
    /// shorter; the rest is a margin for a slow disk.
    private static var mostQuiet: Duration { .seconds(180) }

    /// Reports thrice within the watchdog's time what `state` says, until it is cancelled: beside a pass or a look-up,
    /// whose own steps may lie minutes apart at a slow pace. Without a watchdog nothing is reported beside them.
    ///
    /// It reports only where the history answers (or may again by itself) and something has moved: a turn granted, or a
    /// request ended. Work that hangs is thus left to the watchdog.
    func reportBeside(_ state: @escaping @Sendable () -> State) async {
        guard hasWatchdog else { return }
        let began = clock.now
        var isQuiet = false
        while true {
            do { try await clock.sleep(for: longestSleep) } catch { return }
            let moves = [began, await pass.lane.pace.lastMove, await pass.lookups?.lane.pace.lastMove]
            let quiet = (moves.compactMap(\.self).max() ?? began).duration(to: clock.now)
            guard quiet < Self.mostQuiet else {
                if !isQuiet {
                    log.error(
                        "asking hangs: no request has made progress for a while",
                        metadata: ["seconds": "\(quiet.components.seconds)"])
                }
                isQuiet = true
                continue
            }
            isQuiet = false
            do {
                try await pass.history.answer()
                report(state().with(await pass.recorder.backlog))
            } catch let error as HistoryError where error.mayPass {
                report(.stalled(error))
            } catch {
                // The next recording finds it too, and ends the service with it.
            }
        }
    }
}
