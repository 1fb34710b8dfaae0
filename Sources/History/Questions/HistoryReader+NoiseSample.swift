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
    static func rank(_ pair: Int64) -> Int64 { pair &* 2_654_435_761 & 0xFFFF_FFFF }

    /// - Parameter pairs: all active ones, by their numbers in the file.
    /// - Returns: those that represent them; `nil` where there are no more than that.
    fileprivate static func chosen(_ most: Int, of pairs: [Int64]) -> [Int64]? {
        guard pairs.count > most else { return nil }
        // The first rank that is too many.
        let limit = pairs.map(rank).sorted()[most]
        return pairs.filter { rank($0) < limit }
    }

    /// Of all active pairs, which were read already, those that represent them.
    package init(of pairs: [PairDays], most: Int) {
        let chosen = Self.chosen(most, of: pairs.map(\.id)).map(Set.init)
        self.init(chosen.map { chosen in pairs.filter { chosen.contains($0.id) } } ?? pairs, isWhole: chosen == nil)
    }
}

extension HistoryReader {
    /// Reads all active pairs, or those that represent them; the parameters are those of `pairDays`.
    package func noiseSample(
        days: ClosedRange<Int64>, until: Timestamp?, cadences: Int64, most: Int = NoiseSample.most
    ) throws(HistoryError) -> NoiseSample {
        try read { database in
            var condition: SQL = "pair.retired_at IS NULL"
            let chosen = try Self.chosen(most, in: database)
            if let chosen {
                let list = "[" + chosen.map(String.init).joined(separator: ",") + "]"
                condition += " AND pair.id IN (SELECT value FROM json_each(\(list)))"
            }
            let wanted = WantedDays(days, until: until, cadences: cadences)
            return NoiseSample(
                try pairDays(where: condition, wanted, in: database), isWhole: chosen == nil)
        }
    }

    /// The pairs that represent all, by their numbers; `nil` where there are no more than that.
    private static func chosen(_ most: Int, in database: Database) throws -> [Int64]? {
        let pairs = try Int64.fetchAll(database, sql: "SELECT id FROM pair WHERE retired_at IS NULL")
        return NoiseSample.chosen(most, of: pairs)
    }
}
