package import History
package import RankKit

/// What a watchlist would change if it were adopted: the value behind `rankctl plan`. All lists are sorted by query.
package struct PlanChange: Sendable {
    var generatedAt: Timestamp
    /// Of the zone of the watchlist that is looked at: dates are told by them.
    package var days = ZoneDays.utc
    /// The countries that were asked about, where nothing but them is compared; else none.
    var countries: [Country] = []
    /// When the plan that it is compared with was adopted; `nil` if there is none yet and everything is new.
    var adoptedAt: Timestamp?
    var added: [AddedSearch]
    var retired: [RetiredSearch]
    /// Searches that are asked before and after.
    var keptCount: Int
    /// Those of them that the history has no search of: of a watchlist that is compared with itself, as rankd has perhaps
    /// not adopted it.
    var unrecorded = 0
    /// Kept searches that would be asked at other times.
    var recadenced: [CadenceChange]
    var pairsAdded: [AddedPair]
    var pairsRetired: [Pair]
    /// Pairs that the new watchlist names otherwise, each of the same app.
    var pairsRenamed: [RenamedPair] = []
    var pairsKept: Int
    /// The apps that the new watchlist has by several names.
    package var namedTwice: [OneApp] = []
    /// What the stored plan comes to; `nil` if there is none.
    var before: WatchlistSummary?
    var after: WatchlistSummary
    /// What would make it fit; `nil` if it does.
    var remedies: BudgetRemedies?

    /// What becomes of the history of something that is added.
    enum Continuation: Sendable, Hashable {
        /// It was watched before and comes back to the same history; `nil` if that has no check.
        case continues(lastCheckedAt: Timestamp?)
        /// Nothing is known of it.
        case startsAnew
        /// It would go on the history of a retired search, were it not for one property.
        case startsAnewBecause(Property, insteadOf: Query)
    }

    /// What makes two queries different, in the order in which a difference is looked for.
    enum Property: String, Sendable, Hashable, CaseIterable {
        case language, platform, source, country
        case text = "query"
    }

    struct AddedSearch: Sendable, Hashable {
        var query: Query
        var cadences: [Cadence]
        var apps: Int
        var history: Continuation
    }

    struct RetiredSearch: Sendable, Hashable {
        var query: Query
        var lastCheckedAt: Timestamp?
    }

    struct CadenceChange: Sendable, Hashable {
        var query: Query
        var before: [Cadence]
        var after: [Cadence]
    }

    struct Pair: Sendable, Hashable {
        var query: Query
        var bundleID: BundleID
        /// Whether its search is added or retired with it.
        var goesWithSearch: Bool
    }

    struct AddedPair: Sendable, Hashable {
        var pair: Pair
        /// Whether it was tracked before, so that its history continues.
        var comesBack: Bool
        /// From when on the kept lists of its query tell its past; `nil` if there are none.
        var pastSince: Timestamp?
    }

    struct RenamedPair: Sendable, Hashable {
        /// As it is named now.
        var pair: Pair
        /// The name that the watchlist in force has.
        var from: BundleID
        /// Which of both names the app has, and since when.
        var app: OneApp
    }

    /// Whether adopting it would change nothing: what is asked, for which apps, at what pace, and how keenly reports
    /// judge it.
    var isEmpty: Bool {
        added.isEmpty && retired.isEmpty && recadenced.isEmpty && pairsAdded.isEmpty && pairsRetired.isEmpty
            && pairsRenamed.isEmpty
            && before?.requestsPerMinute ?? after.requestsPerMinute == after.requestsPerMinute
            && before?.sensitivity ?? after.sensitivity == after.sensitivity
    }

    /// Kept searches that have a history to continue.
    var continuing: Int { keptCount - unrecorded }

    /// Added searches whose histories continue.
    var comingBack: Int {
        added.count { if case .continues = $0.history { true } else { false } }
    }

    /// Added searches that begin a history, in all.
    var startingAnew: Int { added.count - comingBack }

    /// How many start anew because of one property alone, in the order of the properties; none that is 0.
    var startingAnewBecause: [(property: Property, count: Int)] {
        Property.allCases.compactMap { property in
            let count = added.count {
                if case .startsAnewBecause(property, _) = $0.history { true } else { false }
            }
            return count > 0 ? (property, count) : nil
        }
    }
}
