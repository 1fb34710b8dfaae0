package import RankKit

/// What a watchlist would change if it were adopted: the value behind `rankctl plan`. All lists are sorted by query.
package struct PlanChange: Sendable {
    package var generatedAt: Timestamp
    /// When the plan that it is compared with was adopted; `nil` if there is none yet and everything is new.
    package var adoptedAt: Timestamp?
    package var added: [AddedSearch]
    package var retired: [RetiredSearch]
    /// Searches that are asked before and after.
    package var keptCount: Int
    /// Kept searches that would be asked at other times.
    package var recadenced: [CadenceChange]
    package var pairsAdded: [AddedPair]
    package var pairsRetired: [Pair]
    package var pairsKept: Int
    /// What the stored plan comes to; `nil` if there is none.
    package var before: WatchlistSummary?
    package var after: WatchlistSummary
    /// What would make it fit; `nil` if it does.
    package var remedies: BudgetRemedies?

    /// What becomes of the history of something that is added.
    package enum Continuation: Sendable, Hashable {
        /// It was watched before and comes back to the same history; `nil` if that has no check.
        case continues(lastCheckedAt: Timestamp?)
        /// Nothing is known of it.
        case startsAnew
        /// It would go on the history of a retired search, were it not for one property.
        case startsAnewBecause(Property, insteadOf: Query)
    }

    /// What makes two queries different, in the order in which a difference is looked for.
    package enum Property: String, Sendable, Hashable, CaseIterable {
        case language, platform, source, country
        case text = "query"
    }

    package struct AddedSearch: Sendable, Hashable {
        package var query: Query
        package var cadences: [Cadence]
        package var apps: Int
        package var history: Continuation
    }

    package struct RetiredSearch: Sendable, Hashable {
        package var query: Query
        package var lastCheckedAt: Timestamp?
    }

    package struct CadenceChange: Sendable, Hashable {
        package var query: Query
        package var before: [Cadence]
        package var after: [Cadence]
    }

    package struct Pair: Sendable, Hashable {
        package var query: Query
        package var bundleID: BundleID
        /// Whether its search is added or retired with it.
        package var goesWithSearch: Bool
    }

    package struct AddedPair: Sendable, Hashable {
        package var pair: Pair
        /// Whether it was tracked before, so that its history continues.
        package var comesBack: Bool
    }

    /// Whether adopting it would change nothing: what is asked, for which apps, at what pace.
    package var isEmpty: Bool {
        added.isEmpty && retired.isEmpty && recadenced.isEmpty && pairsAdded.isEmpty && pairsRetired.isEmpty
            && before?.requestsPerMinute ?? after.requestsPerMinute == after.requestsPerMinute
    }

    /// Added searches whose histories continue.
    package var comingBack: Int {
        added.count { if case .continues = $0.history { true } else { false } }
    }

    /// Added searches that begin a history, in all.
    package var startingAnew: Int { added.count - comingBack }

    /// How many start anew because of one property alone, in the order of the properties; none that is 0.
    package var startingAnewBecause: [(property: Property, count: Int)] {
        Property.allCases.compactMap { property in
            let count = added.count {
                if case .startsAnewBecause(property, _) = $0.history { true } else { false }
            }
            return count > 0 ? (property, count) : nil
        }
    }
}
