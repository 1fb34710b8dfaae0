import GRDB
package import RankKit

/// The pairs that the noise of all is learnt from, with their daily readings.
package struct NoiseSample: Sendable {
    package var pairs: [PairDays]
    /// Whether these are all active pairs.
    package var isWhole: Bool

    package init(_ pairs: [PairDays], isWhole: Bool = true) {
        self.pairs = pairs
        self.isWhole = isWhole
    }

    /// A watchlist of more pairs than this is represented by so many: a hundred and fifty thousand readings say what is
    /// usual in every band of positions as well as ten million, and a report on one app need not read them.
    package static let most = 2_000

    /// By what the pairs of a long watchlist are chosen: those with the least. Neighbours in the watchlist lie far apart
    /// (Knuth, “The Art of Computer Programming”, volume 3, on multiplicative hashing), a pair keeps its rank for ever,
    /// and pairs that come or go change the choice by as small a share. So every report on the same watchlist, however
    /// it is filtered, learns from the same pairs.
    static let rank: SQL = "(pair.id * 2654435761 & 4294967295)"
}

extension HistoryReader {
    /// Reads all active pairs, or those that represent them; the parameters are those of `pairDays`.
    package func noiseSample(
        days: ClosedRange<Int64>, until: Timestamp?, cadences: Int64, most: Int = NoiseSample.most
    ) throws(HistoryError) -> NoiseSample {
        try read { database in
            var condition: SQL = "pair.retired_at IS NULL"
            // The first rank that is too many.
            let limit = try Int64.fetchOne(
                database,
                SQLRequest(
                    literal: """
                        SELECT \(NoiseSample.rank) AS rank FROM pair WHERE \(condition)
                        ORDER BY rank LIMIT 1 OFFSET \(most)
                        """))
            if let limit { condition += " AND \(NoiseSample.rank) < \(limit)" }
            var pairs: [PairDays] = []
            try Self.pairDays(
                where: condition, days: days, until: until, reachingBack: false, cadences: cadences, in: database
            ) { pairs.append($0) }
            return NoiseSample(pairs, isWhole: limit == nil)
        }
    }
}
