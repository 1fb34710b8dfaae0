internal import Foundation

/// Runs a program for a message: no shell, the webhook's JSON on its standard input, and a limit of time.
///
/// Its output is thrown away, and its environment holds `PATH`, `LANG` and a mark alone, so that no secret of rankd's
/// reaches it. It and whatever it starts are a process group, which is ended when the time is up, and when the program
/// ends: what it leaves running would be nobody's, and outlive rankd. On Linux what has left the group is found by the
/// mark, and ended as well.
package struct CommandTransport: Sendable {
    private let arguments: [String]
    private let limit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// What the program has after SIGTERM, before SIGKILL.
    package static let grace = Duration.seconds(3)
    /// Source: sysexits.h, `EX_TEMPFAIL`.
    private static let tryLater: Int32 = 75

    /// - Parameters:
    ///   - arguments: the absolute path of the program, and what it is given.
    ///   - clock: measures the limit.
    package init(_ arguments: [String], limit: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        self.arguments = arguments
        self.limit = limit
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Runs the program once.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the process group is ended by then.
    package func run(_ input: [UInt8]) async throws -> DeliveryAnswer {
        let process: SpawnedProcess
        do { process = try SpawnedProcess(arguments, input: input) } catch {
            return .refused(why: "\(error)")
        }
        let isLate = await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await process.waitForEnd()
                return nil
            }
            group.addTask { [limit, sleep] in await Self.watch(process, limit, sleep) }
            var isLate = false
            for await result in group {
                if let result { isLate = result } else { group.cancelAll() }
            }
            return isLate
        }
        // Before it is reaped: until then its number, which is the group's, is nobody else's.
        await process.endLeft()
        let ended = process.reap()
        if Task.isCancelled { throw CancellationError() }
        if isLate { return .retry(after: nil, why: "it ran for \(limit.components.seconds) s and was stopped") }
        switch ended {
        case .code(0): return .delivered
        case .code(Self.tryLater): return .retry(after: nil, why: "it ended with \(Self.tryLater), try later")
        case .code(let code): return .refused(why: "it ended with \(code)")
        case .signal(let signal): return .refused(why: "it was ended by signal \(signal)")
        }
    }

    /// Ends the group when the time is up, or when the task is cancelled while the process runs.
    ///
    /// - Returns: whether the time was up.
    private static func watch(
        _ process: SpawnedProcess, _ limit: Duration, _ sleep: @Sendable (Duration) async throws -> Void
    ) async -> Bool {
        do { try await sleep(limit) } catch {
            if !process.hasEnded { process.signalGroup(SIGKILL) }
            return false
        }
        process.signalGroup(SIGTERM)
        // Whether it has ended meanwhile or has not: nothing of the group is left over.
        do { try await sleep(grace) } catch {}
        process.signalGroup(SIGKILL)
        return true
    }
}
