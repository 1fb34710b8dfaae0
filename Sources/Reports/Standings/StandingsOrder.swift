import ArgumentParser
import Judging
import RankKit

/// What the rows of the standings can be sorted by: the words of `--sort`.
enum StandingsOrder: String, Sendable, CaseIterable, ExpressibleByArgument {
    case query, app, country, platform, now
    case day = "1d"
    case week = "7d"
    case month = "30d"
    case best
    case topTen = "top10"
    case own, named, age

    /// Whether what is most comes first: of what was gained, and of ratings.
    var startsDescending: Bool {
        switch self {
        case .day, .week, .month, .own: true
        default: false
        }
    }

    /// `elements` in this order; those of which it is unknown last, and equal ones as they were.
    func sorted<Element>(
        _ elements: [Element], isReversed: Bool, by row: (Element) -> Standings.Row
    ) -> [Element] {
        let keyed = elements.enumerated().map { (place: $0.offset, key: key(of: row($0.element)), element: $0.element) }
        return keyed.sorted { left, right in
            guard let a = left.key, let b = right.key else {
                return left.key == nil && right.key == nil ? left.place < right.place : left.key != nil
            }
            return a == b ? left.place < right.place : isReversed == startsDescending ? a < b : b < a
        }.map(\.element)
    }

    private enum Key: Comparable {
        case number(Double)
        case text(String)
    }

    private func key(of row: Standings.Row) -> Key? {
        switch self {
        case .query: .text(Query.fold(row.query))
        case .app: .text(Query.fold(row.title))
        case .country: .text(row.country.code)
        case .platform: .text(row.platform.rawValue)
        case .now: Self.place(row)
        case .day: Self.gained(row.change1d)
        case .week: Self.gained(row.change7d)
        case .month: Self.gained(row.change30d)
        case .best: row.best.map { .number(Double($0.position.number)) }
        case .topTen: row.difficulty?.medianRatings.map(Key.number)
        case .own: row.ratingCount.map { .number(Double($0)) }
        case .named: row.difficulty?.withWords.map { .number(Double($0)) }
        case .age: row.lastGood.map { .number(-Double($0.checkedAt.secondsSinceEpoch)) }
        }
    }

    /// An absence is behind every place.
    private static func place(_ row: Standings.Row) -> Key? {
        guard let reading = row.lastGood else { return nil }
        return .number(reading.position.map { Double($0.number) } ?? .infinity)
    }

    /// Who came is before who climbed, and who left behind who fell.
    private static func gained(_ change: Standings.Change?) -> Key? {
        switch change {
        case .places(let places): .number(Double(places))
        case .entered: .number(.infinity)
        case .left: .number(-.infinity)
        case nil: nil
        }
    }
}

extension Standings.Row {
    /// The shortest that says which app it is.
    var title: String { appName ?? alias ?? bundleID.text }
}

extension Table.Column.Sorting {
    init(_ order: StandingsOrder) { self.init(word: order.rawValue, startsDescending: order.startsDescending) }
}
