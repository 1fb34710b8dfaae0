package import Foundation

/// How often a query is asked.
package enum Cadence: Hashable, Sendable {
    /// Every so many seconds, in slots that count from the Unix epoch. 1 s to 4 weeks.
    case every(seconds: Int64)
    /// At these times of the day in this zone; the slots follow the zone's daylight-saving rules.
    /// Times are sorted, distinct and at least one.
    case at([TimeOfDay], TimeZone)

    package static let permittedSeconds: ClosedRange<Int64> = 1...(28 * Timestamp.secondsPerDay)

    /// Days from one reading to the next of a query that is asked every so many seconds, rounded up; 1 where there are
    /// several a day.
    package static func days(every seconds: Int64) -> Int64 {
        max(1, (seconds + Timestamp.secondsPerDay - 1) / Timestamp.secondsPerDay)
    }

    /// The longest time that usually lies between two slots, in seconds.
    package var seconds: Int64 {
        switch self {
        case .every(let seconds): return seconds
        case .at(let times, _):
            let minutes = times.map { Int64($0.minuteOfDay) }
            let gaps = zip(minutes, minutes.dropFirst()).map { $1 - $0 }
            let overnight = minutes[0] + 24 * 60 - minutes[minutes.count - 1]
            return (gaps + [overnight]).reduce(0, max) * 60
        }
    }
}
