package import RankKit

/// The watchlist in force, and a way to wait for the next one.
package actor CurrentPlan {
    private var watchlist: Watchlist
    /// Counts the watchlists so far.
    package private(set) var edition = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastTicket = 0

    package init(_ watchlist: Watchlist) { self.watchlist = watchlist }

    /// The watchlist and its edition, as of one moment.
    package var current: (watchlist: Watchlist, edition: Int) { (watchlist, edition) }

    package func replace(with watchlist: Watchlist) {
        self.watchlist = watchlist
        edition += 1
        for continuation in waiting.values { continuation.resume() }
        waiting = [:]
    }

    /// Returns when the edition is no longer `edition`, or the task is cancelled.
    package func changed(from edition: Int) async {
        lastTicket += 1
        let ticket = lastTicket
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if self.edition != edition || Task.isCancelled {
                    continuation.resume()
                } else {
                    waiting[ticket] = continuation
                }
            }
        } onCancel: {
            Task { await self.giveUp(ticket) }
        }
    }

    private func giveUp(_ ticket: Int) {
        waiting.removeValue(forKey: ticket)?.resume()
    }
}
