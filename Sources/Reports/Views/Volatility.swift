package import History
package import Judging
package import RankKit

/// The weather in the stores that are asked: the value behind `rankctl report volatility`.
package struct Volatility: Sendable {
    package var generatedAt: Timestamp
    /// In UTC, counted from 1970-01-01.
    package var days: ClosedRange<Int64>
    /// By country.
    package var stores: [StoreWeather]
    /// Active pairs that were asked about.
    package var pairs: Int

    package static let defaultDays: Int64 = 60

    package init(generatedAt: Timestamp, days: ClosedRange<Int64>, stores: [StoreWeather], pairs: Int? = nil) {
        self.generatedAt = generatedAt
        self.days = days
        self.stores = stores
        self.pairs = pairs ?? stores.count
    }

    /// - Parameters:
    ///   - filter: the countries of the pairs that it admits are told of; all where it says nothing.
    ///   - since: within the first day (UTC).
    ///   - until: within the last day, `now` where it is `nil` or later.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, now: Timestamp
    ) throws(HistoryError) {
        let days = DaySpan(since: since, until: until, now: now, defaultDays: Self.defaultDays).shown
        let pairs = try reader.trackedPairs(filter)
        let countries = filter == PairFilter() ? nil : Set(pairs.map(\.query.country))
        self.init(
            generatedAt: now, days: days, stores: try StoreWeather.of(days, in: countries, from: reader),
            pairs: pairs.count)
    }
}
