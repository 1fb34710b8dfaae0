import History
import Logging
import RankKit

/// Starts the clean-up when it is due, and ends it with the process.
struct HousekeepingWatch {
    let history: HistoryStore
    let log: Logger
    private var running: Task<Void, Never>?

    init(history: HistoryStore, log: Logger) {
        self.history = history
        self.log = log
    }

    mutating func startIfDue(now: Timestamp) async throws {
        let housekeeping = Housekeeping(history: history)
        guard try await housekeeping.isDue(at: now) else { return }
        await stop()
        let work = housekeeping.start(now: now)
        running = Task.detached(priority: .background) { [log] in
            await withTaskCancellationHandler {
                do {
                    let outcome = try await work.value
                    log.info(
                        "housekeeping ended",
                        metadata: [
                            "daysRolledUp": "\(outcome.daysRolledUp)", "failuresThinned": "\(outcome.failuresThinned)",
                        ])
                } catch is CancellationError {
                    log.debug("housekeeping was stopped")
                } catch {
                    log.warning("housekeeping failed", metadata: ["error": "\(error)"])
                }
            } onCancel: {
                work.cancel()
            }
        }
    }

    /// Cancels a running clean-up and waits until its current step has ended.
    mutating func stop() async {
        running?.cancel()
        await running?.value
        running = nil
    }
}
