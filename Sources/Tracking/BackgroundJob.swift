import History
import Logging
import RankKit

/// Work beside the passes: one run at a time, which survives whoever started it and ends with the process. A run that
/// failed is tried again an hour later.
actor BackgroundJob {
    private let name: String
    private let log: Logger
    /// What a failure is worth in the log.
    private let level: Logger.Level
    private let isDue: @Sendable (Timestamp) async throws -> Bool
    private let work: @Sendable (Timestamp) async throws -> Void
    private var running: Task<Void, Never>?
    /// Whether it was started anew while it ran.
    private var isWantedAgain = false
    /// After a failure: when to try again.
    private var notBefore: Timestamp?
    /// Where it was not due: when to look again. Looking each time would be a question a minute for nothing.
    private var nextLook: Timestamp?
    /// What was found wrong with the history's file, that nothing may be written to it any more.
    private(set) var ruin: HistoryError?

    /// Seconds until a run that failed is tried again.
    private static let retryDelay: Int64 = 3_600
    /// Seconds: how late a run may begin because nobody looked.
    private static let longestRest: Int64 = 600

    /// - Parameters:
    ///   - isDue: asked by `startIfDue` alone.
    ///   - work: one run, begun at the moment given. It says in the log what it came to, and throws `CancellationError`
    ///     where it is cancelled between two steps.
    init(
        _ name: String, log: Logger, level: Logger.Level = .warning,
        isDue: @escaping @Sendable (Timestamp) async throws -> Bool = { _ in true },
        work: @escaping @Sendable (Timestamp) async throws -> Void
    ) {
        self.name = name
        self.log = log
        self.level = level
        self.isDue = isDue
        self.work = work
    }

    /// Begins where nothing is running, else once more when that has ended.
    ///
    /// - Parameter other: what has to end first.
    func start(now: Timestamp, after other: BackgroundJob? = nil) {
        guard running == nil else {
            isWantedAgain = true
            return
        }
        notBefore = nil
        running = Task.detached(priority: .background) {
            await other?.ended()
            await self.run(now: now)
        }
    }

    /// Begins where nothing is running and it is due.
    func startIfDue(now: Timestamp, after other: BackgroundJob? = nil) async throws {
        guard running == nil, isOver(notBefore, Self.retryDelay, now), isOver(nextLook, Self.longestRest, now) else {
            return
        }
        let isDue = try await self.isDue(now)
        nextLook = isDue ? nil : now + Self.longestRest
        if isDue, running == nil { start(now: now, after: other) }
    }

    /// Begins again where a run failed, once its time has come, or at once where what stood in its way `hasPassed`.
    func startAgain(now: Timestamp, hasPassed: Bool) {
        guard notBefore != nil else { return }
        if hasPassed || isOver(notBefore, Self.retryDelay, now) { start(now: now) }
    }

    /// Has `startIfDue` look: what it goes by may have changed.
    func lookAgain() { nextLook = nil }

    /// Returns when nothing is running.
    func ended() async { await running?.value }

    /// Cancels what is running and waits until its current step has ended.
    func stop() async {
        isWantedAgain = false
        running?.cancel()
        await running?.value
    }

    /// Runs once, on the caller's task.
    func run(now: Timestamp) async {
        let result: Result<Void, any Error>
        do { result = .success(try await work(now)) } catch { result = .failure(error) }
        running = nil
        switch result {
        case .success: break
        case .failure(is CancellationError): log.debug("\(name) was stopped")
        case .failure(let error):
            if let error = error as? HistoryError, error.isFinal { ruin = error }
            log.log(level: level, "\(name) failed; rankd tries again in an hour", metadata: ["error": "\(error)"])
            notBefore = now + Self.retryDelay
        }
        guard isWantedAgain else { return }
        isWantedAgain = false
        start(now: now)
    }

    /// Whether a rest of `length` seconds that ends at `end` is over. A clock that was set back does not prolong it.
    private func isOver(_ end: Timestamp?, _ length: Int64, _ now: Timestamp) -> Bool {
        guard let end else { return true }
        return end <= now || now + length < end
    }
}
