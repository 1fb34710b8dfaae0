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
        var news = News()
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

        /// Pairs by what is to be said of them.
        struct News: Sendable, Hashable {
            /// Confirmed, or by drift.
            var up = 0
            var down = 0
            var entered = 0
            var left = 0
            /// Those that came into the list and are out of it again.
            var cameAndWent = 0
            /// Those that left the list and are in it again.
            var returned = 0
            /// What awaits its confirmation.
            var likely = 0
            /// Moved over the month, and did no more than wobble in the week.
            var month = 0
            /// Did no more than wobble.
            var steady = 0
            /// With too little history to judge.
            var notJudged = 0
            /// A list was too short to compare.
            var uncompared = 0

            /// Whether anything could be told.
            var isTold: Bool { up + down + entered + left + cameAndWent + returned + likely + month + steady > 0 }

            /// - Parameter isBack: whether it is where it was before it entered or left.
            fileprivate mutating func count(_ judgement: MoveJudgement?, isBack: Bool) {
                switch judgement {
                case .real(let move): if move.direction == .up { up += 1 } else { down += 1 }
                case .entered where isBack: returned += 1
                case .left where isBack: cameAndWent += 1
                case .entered: entered += 1
                case .left: left += 1
                case .unconfirmed: likely += 1
                case .withinNoise: steady += 1
                case .notJudged(.shortList): uncompared += 1
                case .notJudged: notJudged += 1
                case nil: break
                }
            }
        }
    }

    var summary: Summary {
        var summary = Summary()
        for row in rows where row.mine {
            summary.pairs += 1
            if let good = row.lastGood, good.checkedAt + row.freshFor < until {
                summary.stale += 1
                summary.staleSince = max(summary.staleSince ?? good.checkedAt, good.checkedAt)
            } else {
                if row.slide != nil {
                    summary.news.month += 1
                } else {
                    summary.news.count(row.judgement, isBack: row.isBack)
                }
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
