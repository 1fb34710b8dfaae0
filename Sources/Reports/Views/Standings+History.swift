package import History
import Judging
package import RankKit

extension Standings {
    /// The days of the trend, today included.
    package static let trendDays: Int64 = 30

    /// Reads where the active pairs that `filter` admits stand.
    ///
    /// - Parameters:
    ///   - withTrend: whether each row's `trend` is filled, which only people's forms show.
    ///   - since: what the summary compares with; `nil` for a day before each pair's newest check.
    ///   - until: the moment to be told of, `now` where it is `nil` or later.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), withTrend: Bool, since: Timestamp? = nil,
        until: Timestamp? = nil, now: Timestamp
    ) throws(HistoryError) {
        let moment = until.map { min($0, now) }
        self.init(generatedAt: now, since: since, until: moment, rows: [])
        let pairs = try reader.standings(
            filter, days: [1, 7, 30],
            comparedIn: since.map { since in
                { Reading.window(since: since, until: moment ?? now, newest: $1, cadence: $0) }
            }, asOf: moment.flatMap { $0 < now ? $0 : nil })
        guard !pairs.isEmpty else { return }
        let judged = try JudgedPairs(from: reader, until: self.until, now: now)
        let difficulties = try QueryDifficulty.of(Set(pairs.map(\.query)), at: self.until, from: reader)
        damaged = try reader.damagedLists(pairs.map(\.query), without: Set(difficulties.keys), at: self.until)
        let ratings = try reader.ratingCounts()
        let trendDays = self.until.day - Self.trendDays + 1...self.until.day
        for pair in pairs {
            var row = Row(pair)
            row.judgement = judged.news(of: pair.query, pair.bundleID, since: newsDays.lowerBound)
            if pair.isMine, row.judgement?.isBeyondNoise != true {
                row.slide = judged.slide(of: pair.query, pair.bundleID)
            }
            row.difficulty = difficulties[pair.query]
            row.ratingCount = ratings(pair.bundleID, on: pair.query)
            if withTrend, let days = judged.pairs[.init(pair.query, pair.bundleID)]?.days {
                row.trend = trendDays.map { days[$0] }
            }
            rows.append(row)
        }
        let countries = Set(rows.map(\.country))
        remarks = judged.weather.filter { countries.contains($0.country) }
            .remarks(on: newsDays, today: now.day)
    }
}

extension Standings.Row {
    fileprivate init(_ pair: PairStanding) {
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
            change7d: change(7), change30d: change(30), best: pair.best, worst: pair.worst)
        unknown = pair.unknown.flatMap { UnknownApp(StorefrontApp(pair.bundleID, in: pair.query.country), $0) }
        if let then = pair.compared, let good = pair.lastGood { changeSince = Standings.Change(from: then, to: good) }
        freshFor = max(Timestamp.secondsPerDay, 2 * pair.cadence)
    }
}
