package import History
package import Logging
package import RankKit

/// Makes the backups that the watchlist wants, one at a time, and ends one with the process.
package actor Backups {
    private let history: HistoryStore
    private let log: Logger
    /// How long a backup rests between two megabytes.
    private let pause: Duration
    /// Awaited before a backup begins. Once begun it goes on beside a pass: it only reads, and resting for the length of
    /// a pass would keep the write-ahead log from being emptied for as long.
    private let turn: @Sendable () async throws -> Void
    private var running: Task<Void, Never>?
    /// When the history is next looked at: asking it every time would be a query a minute for nothing.
    private var notBefore: Timestamp?
    private var settings: BackupSettings?

    package init(
        history: HistoryStore, log: Logger, pause: Duration = .milliseconds(2),
        turn: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.history = history
        self.log = log
        self.pause = pause
        self.turn = turn
    }

    /// Begins a backup where one is due. It survives whoever asked for it, and is awaited by `stop`.
    ///
    /// - Parameter other: what has to end first.
    package func startIfDue(
        _ settings: BackupSettings?, now: Timestamp, after other: Task<Void, Never>? = nil
    ) async throws {
        guard running == nil, try await isDue(settings, now: now), running == nil, let settings else { return }
        running = Task.detached(priority: .background) {
            await other?.value
            await self.make(settings, now: now)
            await self.forget()
        }
    }

    /// Makes a backup where one is due, and returns once it is there or has failed.
    package func runIfDue(_ settings: BackupSettings?, now: Timestamp) async throws {
        guard running == nil, try await isDue(settings, now: now), let settings else { return }
        await make(settings, now: now)
    }

    /// Returns when no backup is running.
    package func ended() async { await running?.value }

    /// Breaks off a running backup, of which nothing is left, and waits until it has ended.
    package func stop() async {
        running?.cancel()
        await running?.value
    }

    private func isDue(_ settings: BackupSettings?, now: Timestamp) async throws -> Bool {
        guard settings != nil else { return false }
        if settings == self.settings, let notBefore, now < notBefore, notBefore <= now + Self.longestRest {
            return false
        }
        self.settings = settings
        let isDue = try await history.backups()?.isDue(at: now) ?? false
        notBefore = isDue ? nil : now + Self.longestRest
        return isDue
    }

    /// In seconds: how late a backup may begin because of `notBefore`.
    private static let longestRest: Int64 = 600

    private func forget() { running = nil }

    private nonisolated func make(_ settings: BackupSettings, now: Timestamp) async {
        do {
            try await turn()
            let (name, damaged) = try await history.backUp(
                into: settings.directory, keeping: settings.keep, pause: pause, now: now)
            try await history.noteBackup(at: now)
            log.info("backup made", metadata: ["file": "\(name)"])
            if !damaged.isEmpty {
                log.warning(
                    "the backup has damaged lists, as the history has: see rankctl verify; the newest without is kept",
                    metadata: [
                        "file": "\(name)", "lists": "\(damaged.prefix(3).map(\.place).joined(separator: ", "))",
                    ])
            }
        } catch is CancellationError {
            log.debug("backup was stopped")
        } catch {
            log.error("backup failed, to be tried again in an hour", metadata: ["error": "\(error)"])
            do { try await history.noteBackupFailure("\(error)", at: now) } catch {
                log.error("the failed backup could not be noted", metadata: ["error": "\(error)"])
            }
        }
    }
}
