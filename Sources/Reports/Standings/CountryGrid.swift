import Algorithms
import Judging
package import RankKit

/// One app's pairs at a glance: a row for each query, a column for each country, device and language that it is asked in.
///
/// Each cell is a pair of `Standings`, so that its place and its move are those of every other report.
package struct CountryGrid: Sendable {
    /// What the columns are called, such as `us · iPhone`: as the watchlist has them.
    let columns: [String]
    /// As the watchlist has them.
    let rows: [Row]
    /// The moment that the cells are of.
    let until: Timestamp

    struct Row: Sendable {
        var query: String
        /// One for each column; `nil` where the query is not asked there.
        var pairs: [Standings.Row?]
    }

    /// How many pairs there are.
    package var count: Int { rows.reduce(0) { $0 + $1.pairs.count { $0 != nil } } }

    /// - Parameter pairs: of one app, in the order of the report.
    init(_ pairs: [Standings.Row], until: Timestamp) {
        let places = Array(pairs.map { Place($0.question) }.uniqued())
        columns = places.map(\.title)
        self.until = until
        let numbers = Dictionary(zip(places, places.indices), uniquingKeysWith: { first, _ in first })
        rows = pairs.grouped(by: \.query).map { pairs in
            var row = Row(query: pairs[0].query, pairs: Array(repeating: nil, count: places.count))
            for pair in pairs { if let number = numbers[Place(pair.question)] { row.pairs[number] = pair } }
            return row
        }
    }

    /// Where a query is asked, whatever its words are.
    private struct Place: Hashable {
        let title: String
        let source: Source

        init(_ query: Query) {
            title = query.place + (query.source == .usual ? "" : " · \(query.source.rawValue)")
            source = query.source
        }
    }
}

extension StandingsReport {
    /// The pairs of one app; `nil` if it has none.
    package func grid(of app: BundleID) -> CountryGrid? {
        let pairs = standings.rows.filter { $0.bundleID == app }
        return pairs.isEmpty ? nil : CountryGrid(pairs, until: standings.until)
    }
}
