package import Foundation
package import History
package import RankKit

/// What a report is made in: one snapshot of the history, the time, and whose days it counts in.
package struct ReportContext: Sendable {
    /// All of its answers are of one moment.
    let reader: HistoryReader
    /// The wall clock's time.
    package let now: Timestamp
    package let zone: TimeZone
    /// Whether people look at it: what only they are shown need not be made for programs.
    let isForPeople: Bool
    /// What the history's file is called to whoever asks.
    let database: String
    /// Told what is worth a word beside the report.
    let remark: @Sendable (String) -> Void

    /// - Parameters:
    ///   - reader: the history; a snapshot of it is taken.
    ///   - zone: the machine's, for a watchlist that names none.
    ///   - database: what the history's file is called to whoever asks; its path unless given. Where it lies is nobody's
    ///     business who is not on this machine.
    package init(
        _ reader: HistoryReader, now: Timestamp, zone: TimeZone, isForPeople: Bool = true, database: String? = nil,
        remark: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(HistoryError) {
        let reader = try reader.snapshot()
        self.reader = reader
        self.now = now
        self.zone = try reader.timeZone().flatMap { TimeZone(identifier: $0) } ?? zone
        self.isForPeople = isForPeople
        self.database = database ?? reader.path
        self.remark = remark
    }
}
