/// A query and how often it is wanted.
package struct ScheduledQuery: Hashable, Sendable {
    package let query: Query
    /// Never empty; more than one where several lines want the query at different cadences.
    package let cadences: [Cadence]

    package init(query: Query, cadences: [Cadence]) {
        self.query = query
        self.cadences = cadences
    }

    /// The shortest of the cadences, in seconds.
    package var shortestCadence: Int64 { cadences.map(\.seconds).min() ?? Timestamp.secondsPerDay }
}
