/// Whether a pass is under way, and a way to wait until none is: the clean-up keeps out of a pass's way.
package actor PassActivity {
    private var isActive = false
    /// Told whether to go on at once.
    private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var lastTicket = 0

    package init() {}

    package func begin() { isActive = true }

    /// Whoever waits takes its step, even where the next pass begins at once.
    package func end() {
        isActive = false
        letStep()
    }

    /// Lets whoever waits take one step although a pass is under way.
    package func letStep() {
        for continuation in waiting.values { continuation.resume(returning: true) }
        waiting = [:]
    }

    /// Returns when no pass is under way, or where a step may be taken all the same.
    ///
    /// - Throws: `CancellationError` where the task is cancelled.
    package func ended() async throws {
        while isActive, !Task.isCancelled {
            lastTicket += 1
            let ticket = lastTicket
            let goesOn = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if !isActive || Task.isCancelled {
                        continuation.resume(returning: false)
                    } else {
                        waiting[ticket] = continuation
                    }
                }
            } onCancel: {
                Task { await self.giveUp(ticket) }
            }
            if goesOn { break }
        }
        try Task.checkCancellation()
    }

    private func giveUp(_ ticket: Int) {
        waiting.removeValue(forKey: ticket)?.resume(returning: false)
    }
}
