import RankKit

/// How many passes are under way, and a way to wait until none is: the upkeep keeps out of a pass's way.
package actor PassActivity {
    private var passes = 0
    private let waiting = WaitingTasks()

    package init() {}

    /// How many wait for the pass to end.
    var waiters: Int { waiting.count }

    package func begin() { passes += 1 }

    /// With the last, whoever waits takes its step, even where the next pass begins at once.
    package func end() {
        passes -= 1
        if passes == 0 { waiting.wakeAll() }
    }

    /// Lets whoever waits take one step although a pass is under way.
    package func letStep() { waiting.wakeAll() }

    /// Returns when no pass is under way, or where a step may be taken all the same.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func ended() async throws {
        if passes > 0 { await waiting.wait() }
        try Task.checkCancellation()
    }
}
