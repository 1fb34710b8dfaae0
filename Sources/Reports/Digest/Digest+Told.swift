import History
import Judging
import RankKit

/// A move that a digest tells of: which way a pair went.
struct ToldMove: Sendable, Hashable {
    enum Way: Sendable, Hashable { case up, down, entered, left }

    let query: Query
    let bundleID: BundleID
    let way: Way

    /// - Returns: `nil` for a pair that stands still, or within its noise.
    init?(_ row: Movers.Row) {
        guard let way = row.way else { return nil }
        (query, bundleID, self.way) = (row.query, row.app.bundleID, way)
    }
}

extension Movers.Row {
    /// Beyond noise, or slowly within it.
    var isTold: Bool { way != nil }

    fileprivate var way: ToldMove.Way? {
        if let slide, !judgement.isBeyondNoise { return slide.direction == .up ? .up : .down }
        return switch usualChange {
        case .places(let places)?: places > 0 ? .up : .down
        case .entered?: .entered
        case .left?: .left
        case nil: nil
        }
    }
}

extension Digest {
    /// Whether the digest as of `since` did not tell of it: nobody has read of it yet.
    func isNew(_ row: Movers.Row) -> Bool {
        guard let move = ToldMove(row) else { return false }
        // What has begun since is another move, though it goes the same way.
        return !told.contains(move) || row.judgement.since.map { $0 > since.day } ?? false
    }

    /// What is told for the first time: the movers without all else.
    var fresh: Movers {
        var fresh = movers
        fresh.rows.removeAll { !isNew($0) }
        return fresh
    }

    /// What was told before and is still so, of mine.
    var still: Movers {
        var still = movers
        still.rows.removeAll { !$0.mine || !$0.isTold || isNew($0) }
        return still
    }

    /// What the digest as of `since` told of the pairs that are to be told of now.
    static func told(
        _ movers: Movers, before since: Timestamp, filter: PairFilter, now: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) -> Set<ToldMove> {
        let rows = movers.rows.filter(\.isTold)
        guard !rows.isEmpty, since < movers.until else { return [] }
        var filter = filter
        filter.queries = Set(rows.map(\.query.folded)).sorted()
        let before = try Movers(
            from: reader, filter: filter, since: since - Movers.defaultDays * Timestamp.secondsPerDay, widens: true,
            until: since, now: now)
        return Set(before.rows.compactMap { ToldMove($0) })
    }
}
