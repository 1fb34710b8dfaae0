import History
import RankKit

extension Opportunities {
    /// How a pair left the list longer ago than moves are judged: a judgement looks for what is news.
    struct Departure: Sendable, Hashable {
        /// Its usual place before.
        var from: Position
        /// Days since 1970-01-01: the first of those on which it was absent throughout.
        var since: Int64

        /// How many of the last readings before count.
        private static let before = 7

        /// `nil` unless the newest `leastReadings` days with a good check have all been without it, and it was in the list on
        /// as many of the seven before them, or had a usual place three weeks ago.
        init?(of pair: PairDays, on day: Int64) {
            let readings = pair.days.elements.prefix { $0.day <= day }
            let end = readings.lastIndex { $0.reading.position != nil }.map { $0 + 1 } ?? readings.startIndex
            let absent = readings[end...]
            guard let first = absent.first, absent.count >= leastReadings else { return nil }
            let places = readings[..<end].suffix(Self.before).compactMap { $0.reading.position }
            var usual: [Double] = []
            if places.count >= leastReadings, let median = Robust.median(places.map { Double($0.number) }) {
                usual.append(median)
            }
            // It may have come back for a day meanwhile.
            if let earlier = Opportunities.usual(pair, weekUpTo: day - 21) { usual.append(earlier) }
            guard let best = usual.min(), let from = Position(Int(best.rounded())) else { return nil }
            (self.from, since) = (from, first.day)
        }
    }
}
