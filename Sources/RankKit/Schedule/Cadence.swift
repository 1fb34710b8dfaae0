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

    /// A length of time as the watchlist writes it, in the largest unit that divides it: `2w`, `90s`.
    ///
    /// - Parameter seconds: 1 or more.
    package static func written(seconds: Int64) -> String {
        let units: [(Int64, String)] = [(604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "m")]
        let unit = units.first { seconds.isMultiple(of: $0.0) } ?? (1, "s")
        return "\(seconds / unit.0)\(unit.1)"
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

/// UTC has many names, and is one zone.
extension Cadence {
    package static func == (left: Cadence, right: Cadence) -> Bool {
        switch (left, right) {
        case (.every(let left), .every(let right)): left == right
        case (.at(let left, let here), .at(let right, let there)):
            left == right && (here == there || ZoneDays(here) == ZoneDays(there))
        case (.every, .at), (.at, .every): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .every(let seconds): hasher.combine(seconds)
        case .at(let times, let zone):
            hasher.combine(times)
            hasher.combine(ZoneDays(zone).zone)
        }
    }
}

extension Cadence {
    /// The slot of this cadence alone that `moment` lies in.
    package func slot(containing moment: Timestamp) -> Slot {
        switch self {
        case .every(let seconds):
            let (quotient, rest) = moment.secondsSinceEpoch.quotientAndRemainder(dividingBy: seconds)
            let start = (rest < 0 ? quotient - 1 : quotient) * seconds
            return Slot(start: Timestamp(secondsSinceEpoch: start), end: Timestamp(secondsSinceEpoch: start + seconds))
        case .at(let times, let zone):
            return Self.slot(containing: moment, times: times, ZoneDays(zone))
        }
    }

    /// A time of day that a change to summer time leaves out starts its slot an hour later by the clock (where another
    /// time of the list may start one as well); one that a change back repeats starts it the first time only. So no
    /// time of the list is skipped and none comes twice.
    private static func slot(containing moment: Timestamp, times: [TimeOfDay], _ days: ZoneDays) -> Slot {
        let today = days.day(of: moment)
        let starts = (today - 2...today + 2).filter { days.seconds(of: $0) != nil }.flatMap { day in
            times.map { days.moment(on: day, second: Int64(($0.hour * 60 + $0.minute) * 60)) }
        }.sorted()
        let next = starts.firstIndex { moment < $0 } ?? starts.endIndex
        return Slot(
            start: next > starts.startIndex ? starts[next - 1] : moment,
            end: next < starts.endIndex ? starts[next] : moment + Timestamp.secondsPerDay)
    }
}
