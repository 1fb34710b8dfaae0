package import History
package import RankKit

extension Standings {
    /// The days of the trend, today included.
    package static let trendDays: Int64 = 30

    /// Reads where the active pairs that `filter` admits stand.
    ///
    /// - Parameter withTrend: whether each row's `trend` is filled, which only a table shows.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), withTrend: Bool, now: Timestamp
    ) throws(HistoryError) {
        let firstDay = now.day - Self.trendDays + 1
        let pairs = try reader.standings(filter, days: [1, 7, 30], trendSince: withTrend ? firstDay : nil)
        self.init(
            generatedAt: now,
            rows: pairs.map { Row($0, trendDays: withTrend ? firstDay...now.day : nil) })
    }
}

extension Standings.Row {
    init(_ pair: PairStanding, trendDays: ClosedRange<Int64>?) {
        let state = pair.state.flatMap(Standings.State.init(rawValue:)) ?? .pending
        let isGood = state == .ranked || state == .absent
        func change(_ days: Int64) -> Standings.Change? {
            guard let now = pair.lastGood, let then = pair.earlier[days] else { return nil }
            return Standings.Change(from: then, to: now)
        }
        self.init(
            query: pair.query.text, country: pair.query.country, platform: pair.query.platform,
            source: pair.query.source, language: pair.query.language, bundleID: pair.bundleID, alias: pair.alias,
            appID: pair.appID, appName: pair.appName, mine: pair.isMine, tags: pair.tags, state: state,
            position: isGood ? pair.lastGood?.position : nil, within: isGood ? pair.lastGood?.within : nil,
            checkedAt: pair.checkedAt, reason: pair.reason, lastGood: pair.lastGood, change1d: change(1),
            change7d: change(7), change30d: change(30), best: pair.best, worst: pair.worst,
            trend: trendDays.map { $0.map { pair.daily[$0] } } ?? [])
        unknown = pair.unknown.flatMap { UnknownApp(StorefrontApp(pair.bundleID, in: pair.query.country), $0) }
        freshFor = max(Timestamp.secondsPerDay, 2 * pair.cadence)
    }
}
