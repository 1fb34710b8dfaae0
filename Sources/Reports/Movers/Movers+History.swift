import History
import Judging
import RankKit

extension Movers {
    /// Compares with this many days ago unless something else is asked for.
    static let defaultDays: Int64 = 7

    /// - Parameters:
    ///   - since: the earlier moment; `nil` for `defaultDays` before the later one.
    ///   - widens: whether pairs whose queries are asked too seldom for that are compared with an earlier moment
    ///     (`JudgedSpan.news`); `nil` for where nobody chose one.
    ///   - until: the later one, `now` where it is `nil` or later.
    ///   - sensitivity: `nil` for the watchlist's.
    init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since wanted: Timestamp? = nil,
        widens: Bool? = nil, until: Timestamp? = nil, now: Timestamp, sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let until = min(until ?? now, now)
        let judged = try JudgedPairs(
            from: reader, filter: filter, since: wanted?.reportDay, until: until, now: now, sensitivity: sensitivity)
        try self.init(judged, from: reader, filter: filter, since: wanted, widens: widens, until: until, now: now)
    }

    /// - Parameter judged: the pairs at `until`.
    init(
        _ judged: JudgedPairs, from reader: HistoryReader, filter: PairFilter, since wanted: Timestamp?,
        widens: Bool? = nil, until: Timestamp, now: Timestamp
    ) throws(HistoryError) {
        let since = wanted ?? until - Self.defaultDays * Timestamp.secondsPerDay
        let widens = widens ?? (wanted == nil)
        func moment(_ cadence: Int64) -> Timestamp {
            guard widens else { return since }
            return min(since, until - JudgedSpan(cadence: cadence).news * Timestamp.secondsPerDay)
        }
        func window(_ cadence: Int64, _ newest: Timestamp) -> ClosedRange<Timestamp> {
            Reading.window(since: moment(cadence), until: until, newest: newest, cadence: cadence)
        }
        let pairs = try reader.standings(filter, comparedIn: window, asOf: until < now ? until : nil)
        var rows: [Row] = []
        var compared = 0
        var (mine, unmoved) = (Scope(), MoveCounts())
        for pair in pairs {
            if pair.isMine { mine.pairs += 1 }
            let fresh = Reading.window(before: until, days: 0, cadence: pair.cadence)
            guard let from = pair.compared, let to = pair.lastGood, to.checkedAt >= fresh.lowerBound else { continue }
            compared += 1
            let began = moment(pair.cadence)
            let span = JudgedSpan(cadence: pair.cadence)
            if pair.isMine {
                mine.compared += 1
                if span.interval > 1, until.reportDay - began.reportDay < Self.leastDays * span.interval {
                    mine.tooSeldom += 1
                }
            }
            let verdict = judged.judgement(of: pair.query, pair.bundleID, since: began.reportDay)
            let judgement = (verdict ?? .notJudged(.noReading)).given(
                isComparable: Standings.Change(from: from, to: to) != nil)
            let month = !judgement.isBeyondNoise ? judged.monthMove(of: pair.query, pair.bundleID) : nil
            guard from.position != to.position || month != nil || judgement.change != nil else {
                if pair.isMine { unmoved.count(judgement, isBack: false, isOfMonth: false) }
                continue
            }
            rows.append(
                Row(
                    query: pair.query,
                    app: ReportedApp(
                        bundleID: pair.bundleID, appID: pair.appID, name: pair.appName, alias: pair.alias,
                        mark: pair.isMine ? .mine : .competitor),
                    mine: pair.isMine, tags: pair.tags, from: from, to: to, judgement: judgement, monthMove: month,
                    span: span, since: began < since ? began : nil))
        }
        let stores = Set(pairs.map(\.query.store))
        self.init(
            generatedAt: now, since: since, until: until, rows: rows, compared: compared, pairs: pairs.count,
            mine: mine, unmoved: unmoved,
            remarks: judged.weather.filter { stores.contains($0.store) }
                .remarks(on: min(since.reportDay, until.reportDay)...until.reportDay, today: now.reportDay),
            sensitivity: judged.sensitivity)
        weather = judged.weather.filter { stores.contains($0.store) }
        if compared == 0 { begins = try reader.firstChecks().values.min() }
    }
}
