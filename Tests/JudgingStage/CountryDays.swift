package import History
package import Judging
package import RankKit
import TestSupport

/// Days of a country's store for tests of its weather; the last one is the day of `noon`.
package protocol CountryDays {}

extension CountryDays {
    package var today: Int64 { noon.day }

    /// A day on which the lists of `queries` queries moved by so many places.
    package func facts(
        _ code: String = "us", daysAgo: Int64, moved quartiles: (Int, Int, Int)?, queries: Int = 5, failed: Int = 0,
        suspect: Int = 0
    ) throws -> CountryDay {
        var day = CountryDay(store: Store(in: try country(code)), day: today - daysAgo)
        (day.queries, day.good, day.failed, day.suspect) = (queries, 4 * queries, failed, suspect)
        if let quartiles {
            day.moves.compared = queries
            day.moves.apps = 100 * queries
            day.moves.spread = .init(
                lowerQuartile: quartiles.0, median: quartiles.1, upperQuartile: quartiles.2, ninthDecile: 20)
        }
        return day
    }

    package func store(
        _ facts: [CountryDay], of source: Source = .usual, in code: String = "us", troubles: [StoreTrouble] = [],
        shownDays: Int64 = 10
    ) throws -> StoreWeather {
        StoreWeather(
            Store(source, in: try country(code)), facts,
            Dictionary(uniqueKeysWithValues: troubles.map { ($0.day, $0) }),
            shown: today - shownDays...today)
    }

    /// `count` calm days that end so many days ago.
    package func calm(_ code: String = "us", _ count: Int64 = 30, until last: Int64 = 1) throws -> [CountryDay] {
        try (last..<last + count).map { try facts(code, daysAgo: $0, moved: (0, 2, 4)) }
    }

    package func trouble(daysAgo: Int64, queries: Int, badDay: Bool = false) throws -> StoreTrouble {
        StoreTrouble(store: Store(in: try country("us")), day: today - daysAgo, queries: queries, hasBadDay: badDay)
    }
}
