package import RankKit

/// The watchlist in force, and a way to wait for the next one.
package actor CurrentPlan {
    private var watchlist: Watchlist
    /// Counts the watchlists so far.
    package private(set) var edition = 0
    private let waiting = WaitingTasks()

    package init(_ watchlist: Watchlist) { self.watchlist = watchlist }

    /// The watchlist and its edition, as of one moment.
    package var current: (watchlist: Watchlist, edition: Int) { (watchlist, edition) }

    package func replace(with watchlist: Watchlist) {
        self.watchlist = watchlist
        edition += 1
        waiting.wakeAll()
    }

    /// Returns when the edition is no longer `edition`, or the task is cancelled.
    package func changed(from edition: Int) async {
        while self.edition == edition, await waiting.wait() {}
    }
}
