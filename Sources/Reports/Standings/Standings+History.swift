package import History
import Judging
package import RankKit

extension Standings {
    /// The days of the trend, today included.
    static let trendDays: Int64 = 30
    /// Days of a week.
    static let weekDays: Int64 = 7

    /// Reads where the active pairs that `filter` admits stand.
    ///
    /// - Parameters:
    ///   - withTrend: whether each row's `trend` is filled, which only people's forms show.
    ///   - since: what the summary compares with; `nil` for a day before each pair's newest check.
    ///   - until: the moment that the report is about; `now` if it is `nil` or later.
    ///   - sensitivity: how keenly moves are told from noise; `nil` for the watchlist's.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), withTrend: Bool, since: Timestamp? = nil,
        until: Timestamp? = nil, now: Timestamp, sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let moment = until.map { min($0, now) }
        self.init(generatedAt: now, since: since, until: moment, rows: [])
        let judge = try PairJudge(
            from: reader, since: since?.reportDay, until: self.until, now: now, sensitivity: sensitivity)
        let trendDays = self.until.reportDay - Self.trendDays + 1...self.until.reportDay
        let firstNews = newsDays.lowerBound
        var turns: [PairStanding.Turn] = []
        var overviews = AppOverviews()
        if filter == PairFilter() { rows.reserveCapacity(try reader.activePairs()) }
        try reader.eachStanding(
            filter, days: [1, Self.weekDays, 30], daily: judge.wantedDays,
            comparedIn: since.map { since in
                { Reading.window(since: since, until: moment ?? now, newest: $1, cadence: $0) }
            }, asOf: moment.flatMap { $0 < now ? $0 : nil }
        ) { pair in
            var row = Row(pair)
            let series = NoiseModel.Series(store: row.question.store, cadence: pair.cadence, days: pair.daily)
            row.judgement = judge.news(of: series, since: firstNews)
            if let now = pair.lastGood, let then = pair.reading(at: firstNews, of: self, series) {
                row.judgement = row.judgement?.given(isComparable: Change(from: then, to: now) != nil)
            }
            switch row.judgement {
            case .entered, .left: row.newsFrom = pair.reading(at: firstNews, of: self, series)
            case .real: break
            case .unconfirmed, .withinNoise, .notJudged, nil: row.monthMove = judge.monthMove(of: series)
            }
            if withTrend {
                row.trend = trendDays.map { pair.daily[$0] }
                if row.mine { overviews.add(pair, trendDays) }
            }
            rows.append(row)
            turns.append(pair.turn)
        }
        guard !rows.isEmpty else { return }
        rows.arrange(turns.indices.sorted { turns[$0] < turns[$1] })
        self.overviews = overviews.ordered(by: rows)
        let queries = Set(rows.map(\.question))
        let difficulties = try QueryDifficulty.of(queries, at: self.until, from: reader)
        // Nearly always all have theirs.
        if difficulties.count < queries.count {
            damaged = try reader.damagedLists(
                rows.map(\.question), without: Set(difficulties.keys), at: self.until)
        }
        let ratings = try reader.ratingCounts(of: Set(rows.map(\.bundleID)))
        for place in rows.indices {
            rows[place].difficulty = difficulties[rows[place].question]
            rows[place].ratingCount = ratings(rows[place].bundleID, on: rows[place].question)
        }
        try tellDetails(reader)
        let stores = Set(rows.map(\.question.store))
        weather = judge.weather.filter { stores.contains($0.store) }
        remarks = weather.remarks(on: newsDays, today: now.reportDay)
    }
}

extension Standings {
    /// What was seen of the newest checks that failed.
    private mutating func tellDetails(_ reader: HistoryReader) throws(HistoryError) {
        let failed = rows.indices.filter { rows[$0].state == .failed }
        var newest: [Query: AskedQuery.NewestCheck] = [:]
        for index in failed where newest[rows[index].question] == nil {
            newest[rows[index].question] = try reader.newestCheck(of: rows[index].question, at: until)
        }
        for index in failed {
            guard let check = newest[rows[index].question], check.at == rows[index].checkedAt else { continue }
            rows[index].detail = check.detail
        }
    }
}

extension Standings.Row {
    fileprivate init(_ pair: PairStanding) {
        func change(_ days: Int64) -> Standings.Change? {
            guard let now = pair.lastGood, let then = pair.earlier[days] else { return nil }
            return Standings.Change(from: then, to: now)
        }
        self.init(
            question: pair.query, bundleID: pair.bundleID, alias: pair.alias, appID: pair.appID, appName: pair.appName,
            mine: pair.isMine, tags: pair.tags, outcome: pair.outcome, checkedAt: pair.checkedAt,
            lastGood: pair.lastGood, change1d: change(1),
            change7d: change(7), change30d: change(30), best: pair.best, worst: pair.worst)
        unknown = pair.unknown.flatMap { UnknownApp(StorefrontApp(pair.bundleID, in: pair.query.country), $0) }
        if let then = pair.compared, let good = pair.lastGood { changeSince = Standings.Change(from: then, to: good) }
        freshFor = max(Timestamp.secondsPerDay, 2 * pair.cadence)
        span = JudgedSpan(cadence: pair.cadence)
    }
}

extension PairStanding {
    /// Its reading at the beginning of what is news of it, which is what `movers` compares with.
    ///
    /// - Parameter firstNews: the first day of what is news of pairs whose queries are asked often enough.
    fileprivate func reading(
        at firstNews: Int64, of standings: Standings, _ series: NoiseModel.Series
    ) -> Standings.Reading? {
        let first = min(firstNews, standings.until.reportDay - series.span.news)
        if let since = standings.since, since.reportDay == first { return compared }
        if first == standings.until.reportDay - Standings.weekDays { return earlier[Standings.weekDays] }
        return daily.last(upTo: first).flatMap { $0.day >= first - series.span.staleness ? $0.reading : nil }
    }
}

extension Standings {
    /// A line of the table: one pair, or an app's iPhone and iPad pairs on one query where they read the same.
    struct FoldedRow: Sendable {
        /// The iPhone's where two are folded.
        var row: Row
        var twin: Row?

        /// Whether what is shown of the past is true of the iPhone alone.
        var differsInPast: Bool {
            guard let twin else { return false }
            return twin.best?.position != row.best?.position
                || twin.trend.map { $0?.position } != row.trend.map { $0?.position }
        }
    }

    /// What stands in the first column of changes must stay true for both, so the rows have to agree in state, place,
    /// reason, all changes and how they moved. Best and trend may differ: they are told apart in JSON and CSV.
    ///
    /// - Parameter agree: what else has to agree.
    static func folded(_ rows: [Row], where agree: (Row, Row) -> Bool = { _, _ in true }) -> [FoldedRow] {
        var pads: [FoldKey: Int] = [:]
        for (index, row) in rows.enumerated() where row.platform == .ipad { pads[FoldKey(row)] = index }
        var twins: [Int: Int] = [:]
        for (index, row) in rows.enumerated() where row.platform == .iphone {
            guard let twin = pads[FoldKey(row)], row.readsLike(rows[twin]), agree(row, rows[twin]) else {
                continue
            }
            twins[index] = twin
        }
        let hidden = Set(twins.values)
        return rows.indices.filter { !hidden.contains($0) }.map { index in
            FoldedRow(row: rows[index], twin: twins[index].map { rows[$0] })
        }
    }

    private struct FoldKey: Hashable {
        var query: String
        var country: Country
        var source: Source
        var language: String?
        var bundleID: BundleID

        init(_ row: Row) {
            query = Query.fold(row.query)
            country = row.country
            source = row.source
            language = row.language
            bundleID = row.bundleID
        }
    }
}

extension Standings.Row {
    fileprivate func readsLike(_ other: Self) -> Bool {
        state == other.state && position == other.position && within(of: self) == within(of: other)
            && outcome.gap == other.outcome.gap && detail == other.detail
            && lastGood?.position == other.lastGood?.position
            && change1d == other.change1d && change7d == other.change7d && change30d == other.change30d
            && Cell.mark(judgement, isMine: true) == Cell.mark(other.judgement, isMine: true)
            && (monthMove == nil) == (other.monthMove == nil)
    }

    /// How many places were seen matters only to an absence.
    private func within(of row: Self) -> Int? {
        let newest = row.state == .absent ? row.within : nil
        return newest ?? row.lastGood.flatMap { $0.position == nil ? $0.within : nil }
    }
}

extension Array {
    /// Puts the element that is at `order[n]` in place `n`, for each, without a second array of them.
    fileprivate mutating func arrange(_ order: [Int]) {
        for place in indices {
            // Where an earlier step has put it.
            var now = order[place]
            while now < place { now = order[now] }
            if now != place { swapAt(place, now) }
        }
    }
}
