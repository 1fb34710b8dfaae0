import History
import Logging

/// Fills in the past of new pairs behind the service's back, one filling at a time, and ends with the process.
actor BackFillWatch {
    private let backFill: BackFill
    private let log: Logger
    private var running: Task<Void, Never>?
    /// Whether there was another adoption while a filling ran.
    private var isWantedAgain = false

    init(history: HistoryStore, log: Logger) {
        backFill = BackFill(history: history)
        self.log = log
    }

    /// Begins where nothing is running, else once more when that has ended.
    func start() {
        guard running == nil else {
            isWantedAgain = true
            return
        }
        running = Task.detached(priority: .background) { [backFill] in
            do {
                self.log(try await backFill.run().count)
            } catch is CancellationError {
                self.log.debug("the filling in of history was stopped; it goes on with the next start")
            } catch {
                self.log.warning(
                    "history not filled in; it goes on with the next start or reload", metadata: ["error": "\(error)"])
            }
            await self.ended()
        }
    }

    /// Cancels what is running and waits until its current step has ended.
    func stop() async {
        isWantedAgain = false
        running?.cancel()
        await running?.value
    }

    private nonisolated func log(_ queries: Int) {
        guard queries > 0 else { return }
        log.info("history filled in from the kept lists", metadata: ["queries": "\(queries)"])
    }

    private func ended() {
        running = nil
        guard isWantedAgain else { return }
        isWantedAgain = false
        start()
    }
}
