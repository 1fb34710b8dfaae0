/// Whether a query's answer can be believed: a list that suddenly collapses is far more often the store's trouble than
/// the apps'. So is a first list that is empty or very short. Pure, from what was recorded before. What is not believed
/// is asked again, and is suspect if it is still short (`HistoryStore.apply`).
package struct Belief: Sendable, Hashable {
    /// The lengths of the query's last good lists since its baseline began, newest first.
    package var goodLengths: [Int]
    /// The suspect checks since the last good one, oldest first. So are good ones that nothing supports: the first
    /// short lists of a query as they were recorded before first lists were judged.
    package var suspects: [Suspect]
    /// How many checks of the query were answered, as far as `fewestLists`.
    package var answers: Int

    package init(goodLengths: [Int] = [], suspects: [Suspect] = [], answers: Int = 0) {
        self.goodLengths = goodLengths
        self.suspects = suspects
        self.answers = answers
    }

    package struct Suspect: Sendable, Hashable {
        package var at: Timestamp
        package var length: Int
        /// Too many of the pass's lists were not to be believed with it.
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
        /// Empty or very short, and there is no usual length yet.
        case unsupported
        /// As short as it has been for days, or as the pass supports: this is how it is now.
        case believed

        /// Why the list cannot be believed; `nil` if it can.
        package var suspicion: Suspicion? {
            switch self {
            case .collapsed: .collapsed
            case .unsupported: .early
            case .accepted, .believed: nil
            }
        }
    }

    /// So many good lists make the baseline, at most.
    package static let baselineLists = 10
    /// With fewer good lists than these there is no baseline.
    package static let fewestLists = 3
    /// Without a baseline, a list with fewer places than these needs support.
    package static let fewestPlaces = 10
    /// What it takes to believe a collapse: this many suspect checks, over this many seconds.
    package static let suspectsToBelieve = 3
    package static let secondsToBelieve: Int64 = 48 * 3_600
    /// The same where there is no baseline.
    package static let secondsToBelieveFirst: Int64 = 24 * 3_600
    /// A pass of at least this many queries, half of whose lists collapse, is a bad day of the store. So is one with
    /// this many new queries, a third of whose lists are empty.
    package static let badDayQueries = 10
    /// So many lists of other queries of the pass and country, of `fewestPlaces` or more, support a short first list.
    package static let supportingLists = 10

    /// The median length of the last good lists (the lower of the two middle ones); `nil` while there are too few.
    package var baseline: Int? {
        let lengths = goodLengths.prefix(Self.baselineLists).sorted()
        return lengths.count < Self.fewestLists ? nil : lengths[(lengths.count - 1) / 2]
    }

    /// Whether too few checks were answered to know the query.
    package var isNew: Bool { answers < Self.fewestLists }

    /// What to make of a list of `length` places, asked at `moment`.
    ///
    /// - Parameters:
    ///   - onBadDay: whether the pass was a bad day of the store.
    ///   - isSupported: whether the pass supports a short first list: other lists came whole, and this one was short
    ///     when it was asked again.
    package func verdict(
        length: Int, at moment: Timestamp, onBadDay: Bool = false, isSupported: Bool = false
    ) -> Verdict {
        let doubt: Verdict
        let seconds: Int64
        if let baseline {
            guard length * 2 < baseline else { return .accepted }
            (doubt, seconds) = (.collapsed, Self.secondsToBelieve)
        } else {
            let longest = goodLengths.max()
            guard length < Self.fewestPlaces, longest.map({ length * 2 < $0 }) ?? true else { return .accepted }
            (doubt, seconds) = (.unsupported, Self.secondsToBelieveFirst)
            if isSupported, !onBadDay, longest == nil, suspects.allSatisfy({ $0.length <= length * 2 }),
                isLongAfterBadDays(moment)
            {
                return .believed
            }
        }
        guard !onBadDay else { return doubt }
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
        return count >= Self.suspectsToBelieve && moment - first >= seconds ? .believed : doubt
    }

    /// Whether no short list before was of a bad day, or the first of them is as old as what is believed without
    /// support: a throttle that lasts for several passes is one throttle.
    private func isLongAfterBadDays(_ moment: Timestamp) -> Bool {
        guard suspects.contains(where: \.onBadDay), let first = suspects.map(\.at).min() else { return true }
        return moment - first >= Self.secondsToBelieveFirst
    }

    /// Whether two answers to one question are short, and as short as each other.
    package static func areAlikeAndShort(_ one: Int, _ other: Int) -> Bool {
        max(one, other) < fewestPlaces && max(one, other) <= 2 * min(one, other)
    }

    /// Whether a pass was a bad day of the store.
    ///
    /// - Parameters:
    ///   - collapsed: lists shorter than half of what is usual.
    ///   - answered: all lists.
    ///   - new: lists of queries that are new.
    ///   - emptyNew: the empty ones of those.
    package static func isBadDay(collapsed: Int, answered: Int, new: Int = 0, emptyNew: Int = 0) -> Bool {
        answered >= badDayQueries && collapsed * 2 >= answered || new >= badDayQueries && emptyNew * 3 >= new
    }
}

extension Belief {
    /// A good check, as far as the length of its list.
    package struct Length: Sendable, Hashable {
        package var at: Timestamp
        package var places: Int

        package init(at: Timestamp, places: Int) {
            self.at = at
            self.places = places
        }
    }

    /// In seconds: first lists that were short for so long, three times or more, were short.
    package static let secondsToSettle: Int64 = 7 * Timestamp.secondsPerDay

    /// Which of a query's good lists its later ones speak against: those before the first three in a row of ten places
    /// or more, if they are shorter than ten places and than half of each of these.
    ///
    /// - Parameter checks: the query's good checks in the order of time, from its first.
    /// - Returns: their indices, in ascending order.
    package static func outgrown(_ checks: some Sequence<Length>) -> [Int] {
        var short: [(index: Int, check: Length)] = []
        var long: [Int] = []
        for (index, check) in checks.enumerated() {
            guard check.places < fewestPlaces else {
                long.append(check.places)
                guard long.count == fewestLists else { continue }
                let least = long.min() ?? 0
                return short.filter { $0.check.places * 2 < least }.map(\.index)
            }
            long = []
            short.append((index, check))
            if short.count >= fewestLists, check.at - short[0].check.at >= secondsToSettle { return [] }
        }
        return []
    }
}
