package import History
package import RankKit

/// A move, an entry or an exit of a pair that was more than wobble.
package struct PastMove: Sendable, Hashable {
    package let query: Query
    package let bundleID: BundleID
    /// `real`, `entered` or `left`.
    package let judgement: MoveJudgement
    /// Days since 1970-01-01: the first of the new place.
    package let since: Int64
}

extension PastMove {
    /// Days that are judged by the same noise: a multiple of them, so that a report tells tomorrow what it tells today.
    private static let stretch: Int64 = 45
    /// Days from one that is judged to the next, with a reading a day: a move stays news for longer than it takes to be
    /// believed and these.
    private static let step: Int64 = 3

    /// What a report on moves would have called real, day by day, of moves that began on `days` and readings up to
    /// `until`: of the active pairs that `filter` admits, and that `isWanted`, in the watchlist's order and that of time.
    ///
    /// - Parameters:
    ///   - days: counted from 1970-01-01.
    ///   - sensitivity: `nil` for the watchlist's.
    package static func all(
        _ filter: PairFilter, on days: ClosedRange<Int64>, until: Timestamp, now: Timestamp,
        sensitivity: Sensitivity? = nil, from reader: HistoryReader,
        where isWanted: (PairDays) -> Bool = { _ in true }
    ) throws(HistoryError) -> [PastMove] {
        var moves: [JudgedPairs.Pair: [Told]] = [:]
        var order: [JudgedPairs.Pair] = []
        let newest = reader.days.day(of: until)
        // Nothing is judged of the time before the first check.
        var first = max(days.lowerBound, try reader.firstOwnDay() ?? .max)
        while first <= newest {
            let last = min((first / stretch + 1) * stretch - 1, newest)
            let end = last == newest ? until : reader.days.end(of: last)
            let judge = try PairJudge(from: reader, until: end, now: now, sensitivity: sensitivity)
            let pairs = try reader.pairDays(
                filter, days: first - NoiseModel.memory...last, until: end,
                cadences: JudgedSpan.rememberedCadences + stretch)
            for pair in pairs where isWanted(pair) {
                try reader.requireWanted()
                let key = JudgedPairs.Pair(pair.query, pair.bundleID)
                if moves[key] == nil { order.append(key) }
                let series = NoiseModel.Series(pair)
                for day in judgedDays(first...last, series.span, newest: newest) {
                    let judgement = judge.judgement(of: series, since: day - series.span.news, at: day)
                    moves[key, default: []].take(judgement, within: series.span.news)
                }
            }
            first = last + 1
        }
        return order.flatMap { key in
            (moves[key] ?? []).filter { days.contains($0.since) }.map {
                PastMove(query: key.query, bundleID: key.bundleID, judgement: $0.judgement, since: $0.since)
            }
        }
    }

    private static func judgedDays(_ days: ClosedRange<Int64>, _ span: JudgedSpan, newest: Int64) -> [Int64] {
        let step = span.interval == 1 ? Self.step : 2 * span.interval
        return days.filter { $0 % step == 0 || $0 == newest }
    }
}

/// A move as the newest day that told of it did.
private struct Told {
    /// The first day of the new place, as it was told first.
    let began: Int64
    var judgement: MoveJudgement
    var since: Int64
}

extension [Told] {
    /// Takes up what a day tells: more about the newest move, or another one.
    ///
    /// - Parameter news: days after its first in which a move is the same; where the new place begins is told by the
    ///   readings around it, so it can shift by some days as more of them come.
    fileprivate mutating func take(_ judgement: MoveJudgement, within news: Int64) {
        guard judgement.isBeyondNoise, let since = judgement.since else { return }
        if let last, last.judgement.way == judgement.way, abs(since - last.began) <= news {
            self[count - 1].judgement = judgement
            self[count - 1].since = since
        } else if !contains(where: { $0.judgement.way == judgement.way && $0.since == since }) {
            append(Told(began: since, judgement: judgement, since: since))
        }
    }
}

extension MoveJudgement {
    fileprivate enum Direction { case up, down, entered, left, none }

    fileprivate var way: Direction {
        switch self {
        case .real(let move): move.direction == .up ? .up : .down
        case .entered: .entered
        case .left: .left
        case .unconfirmed, .withinNoise, .notJudged: .none
        }
    }
}
