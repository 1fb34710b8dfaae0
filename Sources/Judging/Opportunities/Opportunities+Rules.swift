package import History
package import RankKit

/// What makes an opportunity. The limits are choices, not estimates; each report states its figures beside them.
extension Opportunities {
    /// Places from which the top ten is within reach.
    static let pushed = 11...30
    static let defended = 1...3
    /// Days on which a usual place rests at least.
    package static let leastReadings = 4
    /// The way on `PositionScale` that is in reach of what can be pushed: from 28 to 18, from 15 to 9.
    static let halfStep = 0.5
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

    /// Where a pair of mine is an opportunity.
    ///
    /// - Parameters:
    ///   - rivals: the competitors tracked on the same query.
    ///   - judgement: of its month.
    ///   - until: the moment that the report is about.
    package static func row(
        of pair: PairDays, _ facts: Facts, rivals: [Rival], judgement: MoveJudgement?, on day: Int64
    ) -> Row? {
        guard let reading = pair.reading(asOf: day) else { return nil }
        let readings = (day - dropDays + 1...day).compactMap { pair.days[$0] }
        let (recent, earlier) = (usual(pair, weekUpTo: day), usual(pair, weekUpTo: day - 21))
        var kind = Kind.push
        var reasons: [Reason] = []
        let move: LastingMove? = if case .real(let move)? = judgement { move } else { nil }
        // What is back where it was has lost nothing.
        let fall = move.flatMap { move in
            move.direction == .down && reading.position.map { move.from < $0 } ?? false ? move : nil
        }
        let isSlidingAway = fall.map { $0.isSlow && defended.contains($0.from.number) } ?? false
        let loss = Loss(of: reading, fall: fall, judgement: judgement, departure: Departure(of: pair, on: day))
        var (had, leftOn) = (loss.had, loss.leftOn)
        switch reading.position?.number {
        case .some(let place) where isSlidingAway || defended.contains(place):
            kind = .defend
            if let fall {
                reasons.append(fall.isSlow ? .sliding(fall) : .slipping)
                had = fall.from
            }
            reasons += rivals.filter { (place + 1...place + closeBelow).contains($0.position.number) }
                .sorted { $0.position < $1.position }.map(Reason.rival)
        case .some where !loss.reasons.isEmpty:
            kind = .recover
            reasons = loss.reasons
        case .some(let place) where pushed.contains(place):
            if move?.direction == .up { reasons.append(.rising) }
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
            difficulty: facts.difficulty, ratingCount: facts.ratingCount, move: move, had: had, leftOn: leftOn)
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

        package init(
            app: ReportedApp, difficulty: QueryDifficulty? = nil, ratingCount: Int64? = nil, best: Position? = nil,
            lastRanked: Int64? = nil
        ) {
            self.app = app
            self.difficulty = difficulty
            self.ratingCount = ratingCount
            self.best = best
            self.lastRanked = lastRanked
        }
    }

    /// A competitor that climbed within the month: where it stands, and where it usually stood before.
    static func rival(
        _ pair: PairDays, _ app: ReportedApp, judgement: MoveJudgement?, on day: Int64
    ) -> Rival? {
        guard let position = pair.reading(asOf: day)?.position, case .real(let move)? = judgement,
            move.direction == .up
        else { return nil }
        return Rival(app: app, position: position, usual: move.from)
    }
}
