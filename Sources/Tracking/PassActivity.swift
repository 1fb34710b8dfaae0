/// Whether a pass is under way, and a way to wait until none is: the clean-up keeps out of a pass's way.
package actor PassActivity {
    private var isActive = false
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastTicket = 0

    package init() {}

    package func begin() { isActive = true }

    package func end() {
        isActive = false
        for continuation in waiting.values { continuation.resume() }
        waiting = [:]
    }

    /// Returns when no pass is under way.
    ///
    /// - Throws: `CancellationError` where the task is cancelled.
    package func ended() async throws {
        while isActive, !Task.isCancelled {
            lastTicket += 1
            let ticket = lastTicket
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if !isActive || Task.isCancelled {
                        continuation.resume()
                    } else {
                        waiting[ticket] = continuation
                    }
                }
            } onCancel: {
                Task { await self.giveUp(ticket) }
            }
        }
        try Task.checkCancellation()
    }

    private func giveUp(_ ticket: Int) {
        waiting.removeValue(forKey: ticket)?.resume()
    }
}
