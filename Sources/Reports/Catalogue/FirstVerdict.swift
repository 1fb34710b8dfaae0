package import History
import Judging
import RankKit

/// When moves can be told from wobble for the first time, while no pair has the history that it takes, or some queries
/// are too new.
package struct FirstVerdict: Sendable, Hashable {
    /// Days since 1970-01-01, of the report's zone.
    let day: Int64
    private let today: Int64
    /// The day of each query that cannot be judged yet.
    let days: [Query: Int64]
    /// Whether other queries can be judged already.
    let isOfNewQueries: Bool

    /// Days with a good check before a pair can be judged, and that of the verdict itself.
    private static let days = NoiseModel.minimumReadings + 1

    /// - Parameter filter: which pairs are asked about.
    /// - Returns: `nil` where all of the pairs have the history, or have no check at all.
    package init?(_ filter: PairFilter = PairFilter(), in context: ReportContext) throws(HistoryError) {
        try self.init(of: Set(try context.reader.trackedPairs(filter).map(\.query)), in: context)
    }

    /// - Parameter queries: those that are asked about.
    init?(of queries: Set<Query>, in context: ReportContext) throws(HistoryError) {
        let reader = context.reader
        today = context.now.reportDay
        guard let oldest = try reader.oldestCheck() else { return nil }
        let longest = try reader.longestCadence() ?? Timestamp.secondsPerDay
        let isYoung = today - oldest.reportDay < Self.least(longest)
        // For programs only whether anything can be judged at all is told, and an old history need not be looked at.
        guard isYoung || context.isForPeople else { return nil }
        var days: [Query: Int64] = [:]
        var judged = 0
        for query in queries {
            guard let first = try reader.firstCheck(of: query) else { continue }
            let day = first.reportDay + Self.least(try reader.cadence(of: query) ?? Timestamp.secondsPerDay)
            if day > today { days[query] = day } else { judged += 1 }
        }
        guard let soonest = days.values.min() else { return nil }
        (day, self.days, isOfNewQueries) = (soonest, days, judged > 0)
    }

    private static func least(_ cadence: Int64) -> Int64 {
        Int64(NoiseModel.minimumReadings) * JudgedSpan(cadence: cadence).interval
    }

    /// For people, without a full stop.
    package var words: String {
        let queries =
            isOfNewQueries ? " for \(Figures.counted(days.count, "query that is", "queries that are")) new" : ""
        return
            "first verdicts about \(DayNames.short(day, today: today))\(queries): it takes \(Self.days) days with a good "
            + "check to tell a move from wobble"
    }

    /// The same, with where to look until then.
    var wordsAndPlaces: String {
        words + "; where mine stand today: " + ReportAudience.report("standings", command: "rankctl report")
    }

    /// Of one of the queries; `nil` if it can be judged.
    func words(of query: Query) -> String? {
        days[query].map { "first verdict about \(DayNames.short($0, today: today))" }
    }

    /// The field of a report that has one.
    static func field<Value>(_ get: @escaping @Sendable (Value) -> FirstVerdict?) -> Field<Value> {
        .value(
            "firstVerdicts",
            "The day on which moves can be told from wobble for the first time; null once some pair can be judged."
        ) { report in get(report).flatMap { $0.isOfNewQueries ? nil : DateValue($0.day) } }
    }
}
