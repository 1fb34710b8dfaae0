import RankKit

/// How far back a judgement of a pair looks, in days. All of it is counted in readings where these are rare: a query that
/// is asked once a week has one or two in any seven days, and no move of it could ever be told from a spike.
package struct JudgedSpan: Sendable, Hashable {
    /// Days from one reading to the next at the query's cadence, rounded up; 1 if there are several a day.
    package let interval: Int64

    /// - Parameter cadence: the shortest of the query's, in seconds.
    package init(cadence: Int64) {
        interval = Cadence.days(every: cadence)
    }

    /// So many cadences are looked at where they are more than `NoiseModel.memory`: enough for 14 readings before a move
    /// and 7 since.
    static let rememberedCadences: Int64 = 24

    /// In which a move is news: a week or, of a query that is asked less often than every other day, four cadences. A move
    /// takes three readings, and one of four may fail.
    package var news: Int64 { interval > 2 ? 4 * interval : 7 }
    /// How many days back a move may have begun where nothing is said of it.
    var recent: Int64 { max(NoiseModel.recent, 4 * interval) }
    /// Days before the one asked about that are looked at.
    package var memory: Int64 { max(NoiseModel.memory, Self.rememberedCadences * interval) }
    /// How many days old the newest reading may be.
    package var staleness: Int64 { max(NoiseModel.staleness, 2 * interval) }
}
