package import History
package import RankKit

extension Opportunities {
    /// - Parameters:
    ///   - filter: which pairs of mine are looked at; the competitors on their queries always are.
    ///   - until: the moment that the report is about; `now` if it is `nil` or later.
    ///   - sensitivity: how keenly moves are told from wobble; `nil` for the watchlist's.
    package init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), until: Timestamp? = nil, now: Timestamp,
        sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let until = min(until ?? now, now)
        let today = reader.days.day(of: until)
        let pairs = try reader.standings(asOf: until)
        let judged = try JudgedPairs(from: reader, until: until, now: now, sensitivity: sensitivity)
        var apps: [JudgedPairs.Pair: ReportedApp] = [:]
        var rivals: [Query: [Rival]] = [:]
        for pair in pairs {
            let key = JudgedPairs.Pair(pair.query, pair.bundleID)
            let app = ReportedApp(
                bundleID: pair.bundleID, appID: pair.appID, name: pair.appName, alias: pair.alias,
                mark: pair.isMine ? .mine : .competitor)
            apps[key] = app
            guard !pair.isMine, let days = judged.pairs[key] else { continue }
            let judgement = judged.monthsJudgement(of: pair.query, pair.bundleID)
            if let rival = Self.rival(days, app, judgement: judgement, on: today) {
                rivals[pair.query, default: []].append(rival)
            }
        }
        let asked = pairs.filter {
            filter.admits(query: $0.query, bundleID: $0.bundleID, alias: $0.alias, tags: $0.tags)
        }
        let mine = asked.filter(\.isMine)
        let difficulties = try QueryDifficulty.of(Set(mine.map(\.query)), at: until, from: reader)
        let ratings = try reader.ratingCounts(of: Set(mine.map(\.bundleID)))
        let gone = mine.filter { pair in
            let reading = judged.pairs[JudgedPairs.Pair(pair.query, pair.bundleID)]?.reading(asOf: today)
            return pair.best != nil && reading.map { $0.position == nil } ?? false
        }
        let lastRanked = try reader.lastRanked(gone.map(\.id), until: until)
        let rows = mine.compactMap { pair -> Row? in
            let key = JudgedPairs.Pair(pair.query, pair.bundleID)
            guard let days = judged.pairs[key], let app = apps[key] else { return nil }
            let facts = Facts(
                app: app, difficulty: difficulties[pair.query],
                ratingCount: ratings(pair.bundleID, on: pair.query),
                best: pair.best?.position, lastRanked: lastRanked[pair.id])
            return Self.row(
                of: days, facts, rivals: rivals[pair.query] ?? [],
                judgement: judged.monthsJudgement(of: pair.query, pair.bundleID), on: today)
        }
        self.init(generatedAt: now, until: until, rows: rows, pairs: asked.count, mine: mine.count)
        damaged = try reader.damagedLists(mine.map(\.query), without: Set(difficulties.keys), at: until)
    }
}
