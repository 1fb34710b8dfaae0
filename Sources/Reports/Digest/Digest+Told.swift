import History
import Judging
import RankKit

/// A move that a digest tells of, or that the next checks will tell about.
struct ToldMove: Sendable, Hashable {
    let way: MoveDirection
    /// The usual place since; `nil` for an absence.
    let to: Position?
    /// Its first day; `nil` for a move of a month, which was told of as one of a week or began at no one day.
    let began: Int64?
    /// Whether it is told of, and not only counted as one that may turn out to be real.
    let isConfirmed: Bool

    /// - Returns: `nil` for a pair that stands still, or only wobbles.
    init?(_ row: Movers.Row) {
        let judgement = row.told
        switch judgement {
        case .real(let move), .unconfirmed(let move): way = MoveDirection(move.direction)
        case .entered: way = .entered
        case .left: way = .left
        case .withinNoise, .notJudged: return nil
        }
        to = judgement.to
        began = row.monthMove == nil ? judgement.since : nil
        isConfirmed = row.isTold
    }

    /// Whether it is more than what was told before: it goes another way, it has gone on for at least half a step of
    /// `PositionScale`, or it began so much later that the day cannot merely be told better now.
    ///
    /// - Parameter news: for how many days a move of the pair is news.
    func goesBeyond(_ told: ToldMove, news: Int64) -> Bool {
        if way != told.way || isConfirmed && !told.isConfirmed { return true }
        if let to, let toldPlace = told.to {
            let step = PositionScale.value(to) - PositionScale.value(toldPlace)
            if (way == .down ? step : -step) >= Self.farther { return true }
        }
        guard let began, let toldDay = told.began else { return false }
        return began > toldDay + news
    }

    /// On `PositionScale`: from 10 to 17, from 30 to 45.
    private static let farther = 0.5
}

extension Movers.Row {
    /// A move of the week, or of mine one of the month.
    var isTold: Bool { judgement.isBeyondNoise || mine && monthMove != nil }

    /// One of mine that may turn out to be real.
    var isOpen: Bool {
        if case .unconfirmed = judgement { mine && monthMove == nil } else { false }
    }
}

/// What an earlier digest told of, one move a pair.
struct ToldMoves: Sendable {
    private struct Pair: Hashable {
        let query: Query
        let bundleID: BundleID

        init(_ row: Movers.Row) { (query, bundleID) = (row.query, row.app.bundleID) }
    }

    private var moves: [Pair: ToldMove] = [:]

    init(_ rows: some Sequence<Movers.Row> = []) {
        for row in rows { moves[Pair(row)] = ToldMove(row) }
    }

    /// Of the pair in `row`.
    subscript(row: Movers.Row) -> ToldMove? { moves[Pair(row)] }

    /// What the digest as of `since` told of the pairs that are to be told of now.
    init(
        _ movers: Movers, before since: Timestamp, filter: PairFilter, now: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) {
        let rows = movers.rows.filter { $0.isTold || $0.isOpen }
        guard !rows.isEmpty, since < movers.until else {
            self.init()
            return
        }
        var filter = filter
        filter.queries = Set(rows.map(\.query.folded)).sorted()
        let before = try Movers(
            from: reader, filter: filter, since: since - Movers.defaultDays * Timestamp.secondsPerDay, widens: true,
            until: since, now: now, sensitivity: movers.sensitivity)
        self.init(before.rows)
    }
}

extension Digest {
    /// Whether the digest as of `since` did not tell of it: nobody has read of it yet.
    func isNew(_ row: Movers.Row) -> Bool {
        guard let move = ToldMove(row) else { return false }
        // Who came or went longer ago was told of while that was news, even if it has moved, or flickered, since.
        if let month = row.monthMove, !month.isReal, let since = month.since,
            since <= self.since.reportDay - row.span.news
        {
            return false
        }
        guard let before = told[row] else { return true }
        // What has begun since is another move, though it goes the same way.
        return move.goesBeyond(before, news: row.span.news) || move.began.map { $0 > since.reportDay } ?? false
    }

    /// Whether a move that is told of for the first time began on a day that the digest before was about.
    func isConfirmedLate(_ row: Movers.Row) -> Bool {
        row.monthMove == nil && row.judgement.isBeyondNoise && isNew(row)
            && row.judgement.since.map { $0 < since.reportDay } ?? false
    }

    /// What is told for the first time: the movers without all else.
    var fresh: Movers { movers.only { $0.isTold && isNew($0) } }

    /// What was told before and is still so, of mine.
    var still: Movers { movers.only { $0.mine && $0.isTold && !isNew($0) } }

    /// Moves of mine that may turn out to be real, and did not look so at `since`.
    var open: [Movers.Row] { movers.rows.filter { $0.isOpen && isNew($0) } }

    /// How many these are.
    var opened: Int { open.count }
}
