import History
import Judging
import RankKit

/// The weather in the stores that are asked: the value behind `rankctl report volatility`.
struct Volatility: Sendable {
    var generatedAt: Timestamp
    /// Counted from 1970-01-01.
    var days: ClosedRange<Int64>
    /// By country.
    var stores: [StoreWeather]
    /// Active pairs that were asked about.
    var pairs: Int
    /// Whose days the stores' are: the watchlist's zone's, once a clean-up has taken that up.
    var zone: ZoneDays

    static let defaultDays: Int64 = 60

    init(
        generatedAt: Timestamp, days: ClosedRange<Int64>, stores: [StoreWeather], pairs: Int? = nil,
        zone: ZoneDays = .utc
    ) {
        self.zone = zone
        self.generatedAt = generatedAt
        self.days = days
        self.stores = stores
        self.pairs = pairs ?? stores.count
    }

    /// - Parameters:
    ///   - filter: the report is about the stores of the pairs that it admits; all stores if it is empty.
    ///   - since: within the first day.
    ///   - until: within the last day, `now` where it is `nil` or later.
    init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, now: Timestamp
    ) throws(HistoryError) {
        let days = try DaySpan(
            since: since, until: until, now: now, defaultDays: Self.defaultDays, from: reader
        ).shown
        let pairs = try reader.trackedPairs(filter)
        let wanted = filter == PairFilter() ? nil : Set(pairs.map(\.query.store))
        self.init(
            generatedAt: now, days: days,
            stores: try StoreWeather.of(days, until: until ?? now, now: now, in: wanted, from: reader),
            pairs: pairs.count, zone: try reader.countryDaysZone())
    }
}
