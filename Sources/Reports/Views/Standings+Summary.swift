extension Standings {
    /// How many pairs of mine did what. Competitors never count: their rise is not good news.
    package struct Summary: Sendable, Hashable {
        package var pairs = 0
        /// By the change over one day.
        package var up = 0
        package var down = 0
        package var entered = 0
        package var left = 0
        package var unchanged = 0
        /// Pairs with a good check, yet none a day before it to compare it with.
        package var uncompared = 0
        /// By the newest check. Such a pair counts among the changes as well where its last good checks show one.
        package var failed = 0
        package var suspect = 0
        /// Never checked.
        package var pending = 0

        package init() {}

        package var compared: Int { up + down + entered + left + unchanged }
    }

    package var summary: Summary {
        var summary = Summary()
        for row in rows where row.mine {
            summary.pairs += 1
            switch row.change1d {
            case .places(let places) where places > 0: summary.up += 1
            case .places(let places) where places < 0: summary.down += 1
            case .places: summary.unchanged += 1
            case .entered: summary.entered += 1
            case .left: summary.left += 1
            case nil: summary.uncompared += row.lastGood == nil ? 0 : 1
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
