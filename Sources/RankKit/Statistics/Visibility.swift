internal import Foundation

/// How visible an app is on its queries, in one number: 100 where it is first on all of them, 0 where on none.
///
/// 100 × Σ weight × 1 / log2(1 + position) / Σ weight. The discount is that of Järvelin and Kekäläinen (“Cumulated
/// gain-based evaluation of IR techniques”, 2002); an absence counts 0. Queries without a reading count neither above nor
/// below the line; `coverage` says how much was left.
package struct Visibility: Sendable, Hashable {
    /// One query.
    package struct Entry: Sendable, Hashable {
        /// `nil` if the watchlist gives none.
        package var popularity: Double?
        /// `nil` if the check failed, was suspect or is missing.
        package var reading: Reading?

        package init(popularity: Double?, reading: Reading?) {
            self.popularity = popularity
            self.reading = reading
        }
    }

    /// 0–100.
    package let score: Double
    /// The share of the weight that had a reading: above 0, at most 1.
    package let coverage: Double
    /// Queries with a reading, and all.
    package let counted: Int
    package let queries: Int
    /// Whether popularity weighs. One number weighs all its queries by popularity or all alike: where one of `entries`
    /// has none, or none above 0, all weigh 1.
    package let isWeighted: Bool

    /// - Returns: `nil` if no entry has a reading.
    package init?(_ entries: [Entry]) {
        let isWeighted = !entries.isEmpty && entries.allSatisfy { ($0.popularity ?? 0) > 0 }
        var seen = 0.0
        var all = 0.0
        var sum = 0.0
        var counted = 0
        for entry in entries {
            let weight = isWeighted ? entry.popularity ?? 0 : 1
            all += weight
            guard let reading = entry.reading else { continue }
            counted += 1
            seen += weight
            sum += weight * (reading.position.map { Self.discount($0) } ?? 0)
        }
        guard counted > 0 else { return nil }
        score = 100 * sum / seen
        coverage = seen / all
        self.counted = counted
        queries = entries.count
        self.isWeighted = isWeighted
    }

    /// What a place is worth beside the first: 1 / log2(1 + position).
    package static func discount(_ position: Position) -> Double { 1 / log2(1 + Double(position.number)) }
}
