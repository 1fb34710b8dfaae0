package import History
package import RankKit

/// What makes an opportunity. The limits are choices, not estimates; each report states its figures beside them.
extension Opportunities {
    /// Places from which the top ten is within reach.
    static let pushed = 11...30
    static let defended = 1...3
    /// Days on which a usual place rests at least.
    package static let leastReadings = 4
    /// Steps on `PositionScale` by which a usual place must have changed to be rising: from 28 to 18, from 15 to 9.
    static let leastRise = 0.5
    /// Names of the first ten with the query's words, up to which the query is open.
    package static let fewNames = 2
    /// How many places below a rival is close.
    package static let closeBelow = 3
    /// Days over which a query has to have brought nothing.
    package static let dropDays: Int64 = 30

    /// Good days of the last thirty that are enough to say so: half of those on which the query was to be asked, 4 at
    /// least and 15 at most.
    ///
    /// - Parameter cadence: in seconds.
    static func enoughDays(cadence: Int64) -> Int {
        min(max(Int(dropDays * Timestamp.secondsPerDay / max(cadence, 1) / 2), 4), 15)
    }

    /// The median position of the week that ends on `day`, where it was ranked on enough of its days.
    static func usual(_ pair: PairDays, weekUpTo day: Int64) -> Double? {
        let positions = (day - 6...day).compactMap { pair.days[$0]?.position.map { Double($0.number) } }
        return positions.count >= leastReadings ? Robust.median(positions) : nil
    }

    static func rise(from earlier: Double?, to recent: Double?) -> Double? {
        guard let earlier, let recent else { return nil }
        return PositionScale.value(earlier) - PositionScale.value(recent)
    }

    /// Where a pair of mine is an opportunity.
    ///
    /// - Parameters:
    ///   - rivals: the competitors tracked on the same query.
    ///   - until: the moment that the report is about.
    package static func row(
        of pair: PairDays, _ facts: Facts, rivals: [Rival], judgement: MoveJudgement?, until: Timestamp
    ) -> Row? {
        let day = until.day
        guard let reading = pair.reading(asOf: day) else { return nil }
        let readings = (day - dropDays + 1...day).compactMap { pair.days[$0] }
        let (recent, earlier) = (usual(pair, weekUpTo: day), usual(pair, weekUpTo: day - 21))
        var kind = Kind.push
        var reasons: [Reason] = []
        let slide = facts.slide.flatMap { $0.direction == .down && defended.contains($0.from.number) ? $0 : nil }
        let loss = Loss(
            of: reading, recent: recent, earlier: earlier, slide: facts.slide, judgement: judgement,
            departure: Departure(of: pair, on: day))
        var (had, leftOn) = (loss.had, loss.leftOn)
        switch reading.position?.number {
        case .some(let place) where slide != nil || defended.contains(place):
            kind = .defend
            if isSlipping(pair, on: day, to: recent, judgement) {
                reasons.append(.slipping)
                had = [had, earlier.flatMap { Position(Int($0.rounded())) }].compactMap(\.self).min()
            }
            if let slide { reasons.append(.sliding(slide)) }
            reasons += rivals.filter { (place + 1...place + closeBelow).contains($0.position.number) }
                .sorted { $0.position < $1.position }.map(Reason.rival)
        case .some where !loss.reasons.isEmpty:
            kind = .recover
            reasons = loss.reasons
        case .some(let place) where pushed.contains(place):
            if let rise = rise(from: earlier, to: recent), rise >= leastRise { reasons.append(.rising) }
            var moves = [facts.slide].compactMap(\.self)
            if case .real(let move)? = judgement { moves.append(move) }
            if moves.contains(where: { $0.direction == .up }), !reasons.contains(.rising) { reasons.append(.rising) }
            if let median = facts.difficulty?.medianRatings, let own = facts.ratingCount, median <= Double(own) {
                reasons.append(.fewRatings)
            }
            if let names = facts.difficulty?.withWords, names <= fewNames { reasons.append(.fewNames) }
        case .some: break
        case nil where !loss.reasons.isEmpty:
            kind = .recover
            reasons = loss.reasons
        case nil:
            kind = .drop
            // The last reading of a day is not all of it: what was ranked at noon was ranked.
            let isGone =
                facts.lastRanked.map { $0 <= day - dropDays } ?? true && readings.allSatisfy { $0.position == nil }
            guard isGone, readings.count >= enoughDays(cadence: pair.cadence) else { break }
            if let best = facts.best, let lastRanked = facts.lastRanked {
                reasons.append(.left)
                (had, leftOn) = (best, lastRanked + 1)
            } else {
                reasons.append(.neverRanked)
            }
        }
        guard !reasons.isEmpty else { return nil }
        return Row(
            kind: kind, query: pair.query, app: facts.app, tags: pair.tags, popularity: pair.popularity,
            reasons: reasons, reading: reading, recent: recent, earlier: earlier, goodDays: readings.count,
            difficulty: facts.difficulty, ratingCount: facts.ratingCount, had: had, leftOn: leftOn)
    }

    /// What is known of a pair beside its readings.
    package struct Facts {
        var app: ReportedApp
        var difficulty: QueryDifficulty?
        var ratingCount: Int64?
        /// The best place that it ever had.
        var best: Position?
        /// The last day on which any good check found the app; only asked of one that is absent now.
        var lastRanked: Int64?
        var slide: LastingMove?

        package init(
            app: ReportedApp, difficulty: QueryDifficulty? = nil, ratingCount: Int64? = nil, best: Position? = nil,
            lastRanked: Int64? = nil, slide: LastingMove? = nil
        ) {
            self.app = app
            self.difficulty = difficulty
            self.ratingCount = ratingCount
            self.best = best
            self.lastRanked = lastRanked
            self.slide = slide
        }
    }

    /// At the top every place counts, so that one is enough, where the week stands out from the two weeks that ended three
    /// and two weeks ago: beside one week alone twice as many pairs seem to slip that do not.
    private static func isSlipping(
        _ pair: PairDays, on day: Int64, to recent: Double?, _ judgement: MoveJudgement?
    ) -> Bool {
        if let recent, let earlier = usual(pair, weekUpTo: day - 21), recent >= earlier + 1,
            usual(pair, weekUpTo: day - 14).map({ recent >= $0 + 1 }) ?? true
        {
            return true
        }
        // What may turn out to be a spike is no attack yet.
        guard case .real(let move)? = judgement else { return false }
        return move.direction == .down
    }

    /// A competitor that climbs: where it stands, and where it stood.
    static func rival(
        _ pair: PairDays, _ app: ReportedApp, judgement: MoveJudgement?, until: Timestamp
    ) -> Rival? {
        let day = until.day
        guard let position = pair.reading(asOf: day)?.position, let earlier = usual(pair, weekUpTo: day - 21)
        else { return nil }
        var climbs = rise(from: earlier, to: usual(pair, weekUpTo: day)).map { $0 >= leastRise } ?? false
        if case .real(let move)? = judgement, move.direction == .up { climbs = true }
        return climbs ? Rival(app: app, position: position, usual: earlier) : nil
    }
}
