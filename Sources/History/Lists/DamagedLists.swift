package import RankKit

/// Lists of a query that are kept and cannot be read: those of a page, or one by itself. What they said is unknown; it
/// must not pass for an absence.
package struct DamagedLists: Sendable, Hashable {
    package var query: Query
    /// When the first and the last of them were asked for.
    package var from: Timestamp
    package var through: Timestamp

    package init(query: Query, from: Timestamp, through: Timestamp) {
        self.query = query
        self.from = from
        self.through = through
    }
}

/// The same where the history is read, before anyone has said of which query.
struct UnreadableLists: Error, Hashable {
    /// The row that holds them.
    let what: String
    /// In seconds since 1970.
    var from: Int64
    var through: Int64

    /// As far as they lie in `span` and come after what could be read; `nil` if none does.
    func rest(after last: StoredList.Key? = nil, in span: ClosedRange<Int64>) -> UnreadableLists? {
        var rest = self
        rest.from = max(from, last?.at ?? from, span.lowerBound)
        rest.through = min(through, span.upperBound)
        return rest.from <= rest.through ? rest : nil
    }

    func of(_ query: Query) -> DamagedLists {
        DamagedLists(
            query: query, from: Timestamp(secondsSinceEpoch: from), through: Timestamp(secondsSinceEpoch: through))
    }
}
