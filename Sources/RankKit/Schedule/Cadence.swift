package import Foundation

/// How often a query is asked.
package enum Cadence: Hashable, Sendable {
    /// Every so many seconds, in slots that count from the Unix epoch. 1 s to 4 weeks.
    case every(seconds: Int64)
    /// At these times of the day in this zone; the slots follow the zone's daylight-saving rules.
    /// Times are sorted, distinct and at least one.
    case at([TimeOfDay], TimeZone)

    package static let permittedSeconds: ClosedRange<Int64> = 1...(28 * Timestamp.secondsPerDay)

    /// Days from one reading to the next of a query that is asked every so many seconds, rounded up; 1 if there are
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

/// A wall-clock time of the day, 00:00–23:59.
package struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0–1439.
    package let minuteOfDay: Int

    package var hour: Int { minuteOfDay / 60 }
    package var minute: Int { minuteOfDay % 60 }

    package init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        minuteOfDay = hour * 60 + minute
    }

    /// Reads `HH:MM`; `nil` if `text` is anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = [0, 1, 3, 4].compactMap { bytes.indices.contains($0) ? Self.digit(bytes[$0]) : nil }
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), digits.count == 4 else { return nil }
        self.init(hour: digits[0] * 10 + digits[1], minute: digits[2] * 10 + digits[3])
    }

    package var description: String {
        let digits = [hour / 10, hour % 10, minute / 10, minute % 10].map(String.init)
        return "\(digits[0])\(digits[1]):\(digits[2])\(digits[3])"
    }

    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minuteOfDay < right.minuteOfDay }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
