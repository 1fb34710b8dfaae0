/// What a query has behind it, as far as due-ness needs to know.
package struct Attempts: Hashable, Sendable {
    /// When the newest good or suspect check began.
    package var lastGood: Timestamp?
    /// When the newest failed check began, where it is newer than `lastGood`.
    package var lastFailed: Timestamp?
    /// Failed checks since the last good one.
    package var failuresInARow: Int

    package init(lastGood: Timestamp? = nil, lastFailed: Timestamp? = nil, failuresInARow: Int = 0) {
        self.lastGood = lastGood
        self.lastFailed = lastFailed
        self.failuresInARow = failuresInARow
    }

    /// What is behind the query after one more check at `moment`.
    package func adding(good: Bool, at moment: Timestamp) -> Attempts {
        good
            ? Attempts(lastGood: moment)
            : Attempts(lastGood: lastGood, lastFailed: moment, failuresInARow: failuresInARow + 1)
    }
}
