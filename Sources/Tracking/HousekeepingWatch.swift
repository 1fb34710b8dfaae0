import History
import Logging
import RankKit

/// Starts the clean-up and backups when they are due, one at a time, and ends them with the process.
actor HousekeepingWatch {
    private let housekeeping: Housekeeping
    private let backFill: BackFillWatch
    private let backups: Backups
    private let log: Logger
    private var running: Task<Void, Never>?
    /// After a failure: when to try again.
    private var notBefore: Timestamp?
    /// What the clean-up found wrong with the file, that nothing may be written to it any more.
    private var ruin: HistoryError?

    /// Seconds until a clean-up that failed is tried again.
    private static let retryDelay: Int64 = 3_600

    init(history: HistoryStore, activity: PassActivity, log: Logger) {
        housekeeping = Housekeeping(history: history) { try await activity.ended() }
        backFill = BackFillWatch(history: history, log: log)
        backups = Backups(history: history, log: log) { try await activity.ended() }
        self.log = log
    }

    /// The clean-up survives the end of the pass that started it, and is awaited by `stop`.
    ///
    /// - Throws: `HistoryError`, also where the last clean-up found the file damaged or gone.
    func startIfDue(now: Timestamp) async throws {
        try await requireSound()
        guard running == nil else { return }
        if let notBefore, now < notBefore, notBefore <= now + Self.retryDelay { return }
        guard try await housekeeping.isDue(at: now), running == nil else { return }
        running = Task.detached(priority: .background) { [housekeeping] in
            await self.ended(await Result { try await housekeeping.run(now: now) }, startedAt: now)
        }
    }

    /// Throws what a clean-up, or the filling in, found wrong with the file.
    func requireSound() async throws {
        if let ruin { throw ruin }
        if let ruin = await backFill.ruin { throw ruin }
    }

    /// Fills in the past of pairs that are new to the watchlist.
    func startBackFill(now: Timestamp) async { await backFill.start(now: now) }

    /// Goes on with the filling in where it failed an hour ago, or where what stood in its way `hasPassed`.
    func startBackFillAgain(now: Timestamp, hasPassed: Bool) async {
        await backFill.startAgain(now: now, hasPassed: hasPassed)
    }

    /// Begins a backup where one is due, once a clean-up that is running has ended: what that is about to rewrite need
    /// not be copied.
    func startBackup(_ settings: BackupSettings?, now: Timestamp) async throws {
        try await backups.startIfDue(settings, now: now, after: running)
    }

    /// Cancels what is running and waits until its current step has ended.
    func stop() async {
        running?.cancel()
        await running?.value
        await backFill.stop()
        await backups.stop()
    }

    private func ended(_ result: Result<Housekeeping.Outcome, any Error>, startedAt: Timestamp) {
        running = nil
        notBefore = nil
        switch result {
        case .success(let outcome):
            log.info(
                "housekeeping ended",
                metadata: [
                    "daysRolledUp": "\(outcome.daysRolledUp)", "countryDays": "\(outcome.countryDays)",
                    "failuresThinned": "\(outcome.failuresThinned)", "listsCompacted": "\(outcome.listsCompacted)",
                    "listsDropped": "\(outcome.listsDropped)", "bytesFreed": "\(outcome.bytesFreed)",
                ])
            if outcome.listsDamaged > 0 {
                log.warning("result lists cannot be compacted", metadata: ["damaged": "\(outcome.listsDamaged)"])
            }
        case .failure(is CancellationError):
            log.debug("housekeeping was stopped")
        case .failure(let error):
            if let error = error as? HistoryError, error.isFinal { ruin = error }
            log.warning("housekeeping failed, to be tried again in an hour", metadata: ["error": "\(error)"])
            notBefore = startedAt + Self.retryDelay
        }
    }
}

extension Result where Failure == any Error {
    /// What `work` returns or throws.
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
