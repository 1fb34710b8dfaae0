import Judging
import RankKit

extension Standings {
    /// How many pairs of mine did what. Competitors never count: their rise is not good news.
    struct Summary: Sendable, Hashable {
        var pairs = 0
        /// By the change since the day before, or since `Standings.since`.
        var up = 0
        var down = 0
        var entered = 0
        var left = 0
        var unchanged = 0
        /// What is news of `newsDays`, by the judgement.
        var news = MoveCounts()
        /// Pairs whose newest good check is too old to say anything about today: they count among no changes.
        var stale = 0
        /// The newest of those checks.
        var staleSince: Timestamp?
        /// Pairs with a good check, yet none a day before it to compare it with.
        var uncompared = 0
        /// By the newest check. Such a pair counts among the changes as well where its last good checks show one.
        var failed = 0
        var suspect = 0
        /// Never checked.
        var pending = 0

        var compared: Int { up + down + entered + left + unchanged }
    }

    var summary: Summary {
        var summary = Summary()
        for row in rows where row.mine {
            summary.pairs += 1
            if let good = row.lastGood, row.isStale(at: until) {
                summary.stale += 1
                summary.staleSince = max(summary.staleSince ?? good.checkedAt, good.checkedAt)
            } else {
                summary.news.count(row.judgement, isBack: row.isBack, isOfMonth: row.monthMove != nil)
                summary.count(since == nil ? row.change1d : row.changeSince, hasReading: row.lastGood != nil)
            }
            switch row.state {
            case .failed: summary.failed += 1
            case .suspect: summary.suspect += 1
            case .pending: summary.pending += 1
            case .ranked, .absent: break
            }
        }
        return summary
    }
}

extension Standings.Summary {
    fileprivate mutating func count(_ change: Standings.Change?, hasReading: Bool) {
        switch change {
        case .places(let places) where places > 0: up += 1
        case .places(let places) where places < 0: down += 1
        case .places: unchanged += 1
        case .entered: entered += 1
        case .left: left += 1
        case nil: uncompared += hasReading ? 1 : 0
        }
    }
}
