import History
import Logging
import RankKit

/// Fills in the past of new pairs behind the service's back, one filling at a time, and ends with the process.
actor BackFillWatch {
    private let backFill: BackFill
    private let log: Logger
    private var running: Task<Void, Never>?
    /// Whether there was another adoption while a filling ran.
    private var isWantedAgain = false
    /// After a failure that may pass: when to try again.
    private var notBefore: Timestamp?
    /// What was found wrong with the file, that nothing may be written to it any more.
    private(set) var ruin: HistoryError?

    /// Seconds until a filling that failed is tried again.
    private static let retryDelay: Int64 = 3_600

    init(history: HistoryStore, log: Logger) {
        backFill = BackFill(history: history)
        self.log = log
    }

    /// Begins where nothing is running, else once more when that has ended.
    func start(now: Timestamp) {
        guard running == nil else {
            isWantedAgain = true
            return
        }
        notBefore = nil
        running = Task.detached(priority: .background) { [backFill] in
            let result: Result<BackFill.Outcome, any Error>
            do { result = .success(try await backFill.run()) } catch { result = .failure(error) }
            await self.ended(result, startedAt: now)
        }
    }

    /// Begins again where a filling failed, once its time has come, or at once where what stood in its way `hasPassed`.
    func startAgain(now: Timestamp, hasPassed: Bool) {
        guard let notBefore else { return }
        // A clock that was set back must not put it off.
        if hasPassed || notBefore <= now || now + Self.retryDelay < notBefore { start(now: now) }
    }

    /// Cancels what is running and waits until its current step has ended.
    func stop() async {
        isWantedAgain = false
        running?.cancel()
        await running?.value
    }

    /// Returns when what is running has ended.
    func ended() async { await running?.value }

    private func ended(_ result: Result<BackFill.Outcome, any Error>, startedAt: Timestamp) {
        running = nil
        switch result {
        case .success(let outcome):
            if !outcome.queries.isEmpty {
                log.info("history filled in from the kept lists", metadata: ["queries": "\(outcome.queries.count)"])
            }
            for lists in outcome.damaged {
                log.warning(
                    "damaged lists leave a gap in the history of new pairs: see rankctl verify",
                    metadata: [
                        "query": "\(lists.query.text)", "country": "\(lists.query.country)",
                        "platform": "\(lists.query.platform)", "from": "\(lists.from)", "through": "\(lists.through)",
                    ])
            }
        case .failure(is CancellationError):
            log.debug("the filling in of history was stopped; it goes on with the next start")
        case .failure(let error as HistoryError) where error.isCorrupt:
            // Asking again does not mend it; a file that is beyond use the next recording finds out.
            log.warning(
                "not all history could be filled in; it is tried again with the next start or reload",
                metadata: ["error": "\(error)"])
        case .failure(let error):
            if let error = error as? HistoryError, error.isFinal { ruin = error }
            log.warning("history not filled in, to be tried again in an hour", metadata: ["error": "\(error)"])
            notBefore = startedAt + Self.retryDelay
        }
        guard isWantedAgain else { return }
        isWantedAgain = false
        start(now: startedAt)
    }
}

extension HistoryError {
    fileprivate var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
}
