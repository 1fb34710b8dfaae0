import History
import RankKit

extension ReleaseEffect.Pair {
    /// Steps on `PositionScale` that a pair must stand elsewhere to be told of: from 10 to 13, from 14 to 18.
    private static let leastChange = 0.25
    /// How many of all comparisons of a day after with a day before must go the same way.
    private static let leastShare = 0.85

    /// Which way the app went: it stands elsewhere on most days, and reports on moves call that a move; `nil` if it has
    /// not moved. That is what was seen, and no verdict on its cause.
    package var direction: LastingMove.Direction? {
        standing == called ? standing : nil
    }

    /// Which way the app stands from where it stood before the release, on most days. One pair in five that only wobbles
    /// does.
    var standing: LastingMove.Direction? {
        guard counts, let old = before.middle, let new = after.middle else { return nil }
        let change = PositionScale.value(new.placeOrFloor) - PositionScale.value(old.placeOrFloor)
        guard abs(change) >= Self.leastChange else { return nil }
        // The share of Mann and Whitney (“On a test of whether one of two random variables is stochastically larger than
        // the other”, 1947): how often a day after is farther that way than a day before; of equals, half.
        var agreeing = 0.0
        for earlier in before {
            for later in after {
                let step = (later.placeOrFloor - earlier.placeOrFloor) * (change > 0 ? 1 : -1)
                agreeing += step > 0 ? 1 : step == 0 ? 0.5 : 0
            }
        }
        guard agreeing >= Self.leastShare * Double(before.count * after.count) else { return nil }
        return change > 0 ? .down : .up
    }
}

extension [ReleaseEffect.Pair] {
    /// Looks up what reports on moves would have said of the untouched pairs that stand elsewhere, had they been asked at
    /// the end of the window after the release about the time since it.
    ///
    /// - Parameters:
    ///   - filter: what the pairs were read by.
    ///   - days: that of the release and those of the window after it, in which a move has to begin.
    mutating func judge(
        _ filter: PairFilter, of app: BundleID, on days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        from reader: HistoryReader
    ) throws(HistoryError) {
        let standing = Set(self.filter { $0.role == .untouched && $0.standing != nil }.map(\.query))
        guard !standing.isEmpty else { return }
        var filter = filter
        filter.apps = [app.text]
        let judge = try PairJudge(
            from: reader, since: days.lowerBound - 1, until: Swift.min(until, reader.days.end(of: days.upperBound)),
            now: now)
        var called: [Query: LastingMove.Direction] = [:]
        for pair in try judge.pairs(filter, from: reader) where standing.contains(pair.query) {
            let series = NoiseModel.Series(pair)
            let move = judge.judgement(of: series, since: days.lowerBound - 1)
            if let way = LastingMove.Direction(move) {
                called[pair.query] = way
            } else if let month = judge.monthMove(of: series), month.since.map(days.contains) ?? false {
                called[pair.query] = LastingMove.Direction(month)
            }
        }
        for index in indices where self[index].role == .untouched { self[index].called = called[self[index].query] }
    }
}

extension LastingMove.Direction {
    /// - Returns: `nil` for what is no move.
    fileprivate init?(_ judgement: MoveJudgement) {
        switch judgement {
        case .real(let move): self = move.direction
        case .entered: self = .up
        case .left: self = .down
        case .unconfirmed, .withinNoise, .notJudged: return nil
        }
    }
}

extension ReleaseEffect {
    /// A query that the release did not touch and on which the app moved all the same, in one direction.
    package struct Aside: Sendable, Hashable {
        package var text: String
        package var direction: LastingMove.Direction
        /// In the order of the watchlist.
        package var pairs: [Pair]
    }

    /// What moved among the app's other queries: falls first, then by how many countries share them.
    package var asides: [Aside] {
        var asides: [Aside] = []
        for pair in pairs where pair.role == .untouched {
            guard let direction = pair.direction else { continue }
            if let known = asides.firstIndex(where: {
                $0.direction == direction && $0.pairs[0].query.folded == pair.query.folded
            }) {
                asides[known].pairs.append(pair)
            } else {
                asides.append(Aside(text: pair.query.text, direction: direction, pairs: [pair]))
            }
        }
        return asides.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.direction != b.direction { return a.direction == .down }
            return a.pairs.count == b.pairs.count ? left.offset < right.offset : a.pairs.count > b.pairs.count
        }.map(\.element)
    }
}
