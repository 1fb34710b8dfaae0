package import RankKit

/// A stretch of time in which the store is not itself, as it happens for a day and for some queries only.
package struct BadPeriod: Sendable {
    package var during: Range<Timestamp>
    /// The share of queries that get `status` and no list, 0–1.
    package var failing: Double
    /// 403 comes with an empty body, as the throttle does; anything else with a page.
    package var status: Int
    /// The share of queries whose list collapses to a tenth, or for every second one to nothing; 0–1.
    package var collapsing: Double

    package init(during: Range<Timestamp>, failing: Double = 0.6, status: Int = 503, collapsing: Double = 0) {
        self.during = during
        self.failing = failing
        self.status = status
        self.collapsing = collapsing
    }

    enum Effect {
        case fails(StoreAnswer)
        /// To so many tenths of its length.
        case collapses(toTenths: Int)
    }

    /// What happens to the query with this hash; the same for the whole period.
    func effect(on query: UInt64) -> Effect? {
        let draw = SeededHash.mix(query, during.lowerBound.secondsSinceEpoch).unit
        if draw < failing {
            return .fails(status == 403 ? .empty(status: 403) : .html(status: status, title: "Service Unavailable"))
        }
        if draw < failing + collapsing { return .collapses(toTenths: draw < failing + collapsing / 2 ? 0 : 1) }
        return nil
    }
}
