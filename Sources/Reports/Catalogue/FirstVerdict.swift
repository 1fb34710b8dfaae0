import History
import Judging
import RankKit

/// When moves can be told from wobble for the first time, while no pair has the history that it takes.
struct FirstVerdict: Sendable, Hashable {
    /// Days since 1970-01-01, of the report's zone.
    let day: Int64
    private let today: Int64

    /// Days with a good check before a pair can be judged, and that of the verdict itself.
    private static let days = NoiseModel.minimumReadings + 1

    /// - Parameter filter: which pairs are asked about.
    /// - Returns: `nil` where some of the pairs have the history, or have no check at all.
    init?(_ filter: PairFilter = PairFilter(), in context: ReportContext) throws(HistoryError) {
        let reader = context.reader
        today = context.now.reportDay
        guard let oldest = try reader.oldestCheck() else { return nil }
        func least(_ cadence: Int64) -> Int64 {
            Int64(NoiseModel.minimumReadings) * JudgedSpan(cadence: cadence).interval
        }
        // An older history need not be looked at.
        let longest = try reader.longestCadence() ?? Timestamp.secondsPerDay
        guard today - oldest.reportDay < least(longest) else { return nil }
        var soonest: Int64?
        for query in Set(try reader.trackedPairs(filter).map(\.query)) {
            guard let first = try reader.firstCheck(of: query) else { continue }
            let day = first.reportDay + least(try reader.cadence(of: query) ?? Timestamp.secondsPerDay)
            soonest = min(soonest ?? day, day)
        }
        guard let soonest, soonest > today else { return nil }
        day = soonest
    }

    /// For people, without a full stop.
    var words: String {
        "first verdicts about \(DayNames.short(day, today: today)): it takes \(Self.days) days with a good check to tell a "
            + "move from wobble"
    }

    /// The field of a report that has one.
    static func field<Value>(_ get: @escaping @Sendable (Value) -> FirstVerdict?) -> Field<Value> {
        .value(
            "firstVerdicts",
            "The day on which moves can be told from wobble for the first time; null once some pair can be judged."
        ) { get($0).map { DateValue($0.day) } }
    }
}
