package import History
package import Logging
package import RankKit

/// The backups that the watchlist wants.
package struct Backups: Sendable {
    private let history: HistoryStore
    private let plan: CurrentPlan
    /// How long a backup rests between two megabytes.
    private let pause: Duration
    /// Awaited before a backup begins. Once begun it goes on beside a pass: it only reads, and resting for the length of
    /// a pass would keep the write-ahead log from being emptied for as long.
    private let turn: @Sendable () async throws -> Void

    package init(
        history: HistoryStore, plan: CurrentPlan, pause: Duration = .milliseconds(2),
        turn: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.history = history
        self.plan = plan
        self.pause = pause
        self.turn = turn
    }

    package func isDue(at now: Timestamp) async throws -> Bool {
        guard await settings != nil else { return false }
        return try await history.backups()?.isDue(at: now) ?? false
    }

    /// Makes one.
    ///
    /// - Throws: `Failed`, which the history then knows of; `CancellationError`, and nothing is left of the backup.
    package func run(now: Timestamp, log: Logger) async throws {
        guard let settings = await settings else { return }
        do {
            try await turn()
            let (name, damaged) = try await history.backUp(
                into: settings.directory, keeping: settings.keep, pause: pause, now: now)
            try await history.noteBackup(at: now, damaged: damaged.count)
            log.info("backup made", metadata: ["file": "\(name)"])
            if !damaged.isEmpty {
                log.warning(
                    "the history has damaged lists, and so has the backup: see rankctl verify; the newest backup without them is kept",
                    metadata: [
                        "file": "\(name)", "lists": "\(damaged.prefix(3).map(\.place).joined(separator: ", "))",
                    ])
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            do { try await history.noteBackupFailure("\(error)", at: now) } catch {
                log.error("the history could not record the failed backup", metadata: ["error": "\(error)"])
            }
            throw Failed(cause: "\(error)")
        }
    }

    /// Why there is no backup. Whatever it is, it is no reason to end the service.
    package struct Failed: Error, CustomStringConvertible {
        let cause: String

        package var description: String { cause }
    }

    private var settings: BackupSettings? {
        get async { await plan.current.watchlist.service.backup }
    }
}

extension BackgroundJob {
    static func backup(_ backups: Backups, log: Logger) -> BackgroundJob {
        BackgroundJob("backup", log: log, level: .error, isDue: { try await backups.isDue(at: $0) }) { now in
            try await backups.run(now: now, log: log)
        }
    }
}
