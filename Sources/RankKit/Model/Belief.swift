/// Whether a query's answer can be believed: a list that suddenly collapses is far more often the store's trouble than
/// the apps'. Pure, from what was recorded before. `TrackingPass` asks again what collapsed, and `Recorder` writes down
/// as suspect what is still short.
package struct Belief: Sendable, Hashable {
    /// The lengths of the query's last good lists since its baseline began, newest first.
    package var goodLengths: [Int]
    /// The suspect checks since the last good one, oldest first.
    package var suspects: [Suspect]

    package init(goodLengths: [Int] = [], suspects: [Suspect] = []) {
        self.goodLengths = goodLengths
        self.suspects = suspects
    }

    package struct Suspect: Sendable, Hashable {
        package var at: Timestamp
        package var length: Int
        /// Half of the pass's queries collapsed with it.
        package var onBadDay: Bool

        package init(at: Timestamp, length: Int, onBadDay: Bool = false) {
            self.at = at
            self.length = length
            self.onBadDay = onBadDay
        }
    }

    package enum Verdict: Sendable, Hashable {
        /// Nothing speaks against the list.
        case accepted
        /// Shorter than half of what is usual.
        case collapsed
        /// As short as it has been for days: this is how it is now.
        case believed
    }

    /// So many good lists make the baseline, at most.
    package static let baselineLists = 10
    /// With fewer good lists than these, whatever comes is accepted.
    package static let fewestLists = 3
    /// What it takes to believe a collapse: this many suspect checks, over this many seconds.
    package static let suspectsToBelieve = 3
    package static let secondsToBelieve: Int64 = 48 * 3_600
    /// A pass of at least this many queries, half of whose lists collapse, is a bad day of the store.
    package static let badDayQueries = 10

    /// The median length of the last good lists (the lower of the two middle ones); `nil` while there are too few.
    package var baseline: Int? {
        let lengths = goodLengths.prefix(Self.baselineLists).sorted()
        return lengths.count < Self.fewestLists ? nil : lengths[(lengths.count - 1) / 2]
    }

    /// What to make of a list of `length` places, asked at `moment`.
    package func verdict(length: Int, at moment: Timestamp, onBadDay: Bool = false) -> Verdict {
        guard let baseline, length * 2 < baseline else { return .accepted }
        guard !onBadDay else { return .collapsed }
        // The run of suspects that ends now, as far back as they are like each other.
        var (shortest, longest) = (length, length)
        var (count, first) = (1, moment)
        for suspect in suspects.reversed() {
            shortest = min(shortest, suspect.length)
            longest = max(longest, suspect.length)
            guard !suspect.onBadDay, longest <= shortest * 2 else { break }
            count += 1
            first = min(first, suspect.at)
        }
        return count >= Self.suspectsToBelieve && moment - first >= Self.secondsToBelieve ? .believed : .collapsed
    }

    /// Whether a pass in which `collapsed` of `answered` queries collapsed was a bad day of the store.
    package static func isBadDay(collapsed: Int, answered: Int) -> Bool {
        answered >= badDayQueries && collapsed * 2 >= answered
    }
}
