import History
import Logging
import RankKit

/// What is done beside the passes: new pairs get their past, the history is cleaned up, backups are made.
struct BackgroundWork: Sendable {
    /// Passes come first.
    let activity: PassActivity
    private let history: HistoryStore
    private let plan: CurrentPlan
    private let log: Logger
    private let fillingIn: BackgroundJob
    private let cleanUp: BackgroundJob
    private let backup: BackgroundJob

    init(history: HistoryStore, plan: CurrentPlan, log: Logger) {
        self.history = history
        self.plan = plan
        self.log = log
        let activity = PassActivity()
        self.activity = activity
        let turn: @Sendable () async throws -> Void = { try await activity.ended() }
        fillingIn = .fillingIn(BackFill(history: history), log: log)
        cleanUp = .cleanUp(Housekeeping(history: history, turn: turn), log: log)
        backup = .backup(Backups(history: history, plan: plan, turn: turn), log: log)
    }

    /// Throws what one of them found wrong with the history's file.
    func requireSound() async throws {
        for job in [fillingIn, cleanUp, backup] {
            if let ruin = await job.ruin { throw ruin }
        }
    }

    /// Gives pairs that are new to the watchlist their past.
    func takeUpPlan(now: Timestamp) async {
        await fillingIn.start(now: now)
        await backup.lookAgain()
    }

    /// Goes on with the filling in where it failed an hour ago, or where what stood in its way `hasPassed`.
    func goOn(now: Timestamp, hasPassed: Bool) async {
        await fillingIn.startAgain(now: now, hasPassed: hasPassed)
    }

    /// The clean-up survives the end of the pass that started it.
    func startCleanUp(now: Timestamp) async throws {
        try await requireSound()
        try await cleanUp.startIfDue(now: now)
    }

    /// Begins a backup once a clean-up that is running has ended: what that is about to rewrite need not be copied.
    func startBackup(now: Timestamp) async throws { try await backup.startIfDue(now: now, after: cleanUp) }

    /// Cancels what is running and waits until each has ended its current step.
    func stop() async {
        for job in [cleanUp, fillingIn, backup] { await job.stop() }
    }

    /// Does all that is due to its end, for `--once`. What a signal leaves undone the next run does.
    ///
    /// - Parameter hasSearched: without, new pairs get their past, and nothing more is done.
    /// - Throws: `HistoryError`. Lists that cannot be read undo nothing of the pass, and are told.
    func finish(
        hasSearched: Bool, now: () -> Timestamp, _ tell: (TrackingEvent) -> Void
    ) async throws {
        do {
            tell(.filledIn(try await BackFill(history: history).run()))
            guard hasSearched else { return }
            let housekeeping = Housekeeping(history: history)
            if try await housekeeping.isDue(at: now()) {
                try await housekeeping.run(now: now()).write(to: log)
            }
            let backups = Backups(history: history, plan: plan, pause: .zero)
            if !Task.isCancelled, try await backups.isDue(at: now()) {
                await BackgroundJob.backup(backups, log: log).run(now: now())
            }
        } catch is CancellationError {}
    }
}
