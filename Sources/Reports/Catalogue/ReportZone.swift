import History
package import RankKit

/// Whose days a report counts and whose clock its times are told by: the watchlist's zone, while the report is made and
/// written (`ReportContext.zoned`).
///
/// It is bound to the task and not handed on, because every sentence, table and axis of every report needs it.
package enum ReportZone {
    @TaskLocal package static var days = ZoneDays.utc
}

extension Timestamp {
    /// The day that it lies in, of the report's zone.
    var reportDay: Int64 { ReportZone.days.day(of: self) }

    /// The first moment of a day of the report's zone.
    static func startOfReportDay(_ day: Int64) -> Timestamp { ReportZone.days.start(of: day) }
}

extension ReportContext {
    /// Makes or writes reports of this context: within, days and times are those of its zone.
    package func zoned<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        let result: Result<Value, Failure> = ReportZone.$days.withValue(reader.days) {
            do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
