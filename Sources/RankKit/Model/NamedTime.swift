package import Foundation

/// A time as a person names it: `2026-11-01`, `2026-11-01 08:30`, `2026-11-01T08:30Z`, `7d`, `12h`, `yesterday`.
///
/// A day stands for all of its seconds: what is wanted *since* it begins with its first, what is wanted *until* it or
/// *at* it goes to its last.
package struct NamedTime: Sendable, Hashable {
    package let first: Timestamp
    /// Not before `first`.
    package let last: Timestamp

    /// `nil` if `text` names no time.
    ///
    /// - Parameters:
    ///   - agoFrom: what `7d` is counted back from; `now` if it is `nil`.
    ///   - zone: whose days are meant, and whose clock where `text` says nothing of a zone.
    package init?(_ text: String, now: Timestamp, agoFrom: Timestamp? = nil, zone: TimeZone) {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        let days = ZoneDays(zone)
        switch text {
        case "now": self.init(moment: now)
        case "today": self.init(day: days.day(of: now), days)
        case "yesterday": self.init(day: days.day(of: days.start(of: days.day(of: now)) - 1), days)
        default:
            if let ago = Self.seconds(ago: text) {
                self.init(moment: (agoFrom ?? now) - ago)
            } else if let moment = Timestamp(iso8601: text.uppercased()) {
                self.init(moment: moment)
            } else {
                self.init(civil: text, days)
            }
        }
    }

    package init(moment: Timestamp) {
        first = moment
        last = moment
    }

    /// `nil` for a date that the zone left out.
    private init?(day: Int64, _ days: ZoneDays) {
        guard let seconds = days.seconds(of: day) else { return nil }
        (first, last) = (seconds.lowerBound, seconds.upperBound)
    }

    /// `7d`: so many seconds; not more than ten thousand years of them.
    private static func seconds(ago text: String) -> Int64? {
        let units: [Character: Int64] = [
            "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 365 * 86_400,
        ]
        guard let unit = text.last.flatMap({ units[$0] }),
            text.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(text.dropLast())
        else { return nil }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        return overflows || seconds > 10_000 * 365 * 86_400 ? nil : seconds
    }

    /// `2026-11-01`, `2026-11-01 08:30`, `2026-11-01T08:30:15`, and a time with its own zone: `2026-11-01T08:30+01:00`.
    private init?(civil text: String, _ days: ZoneDays) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "t" }
        guard let date = Self.numbers(parts[0], separator: "-", widths: [4, 2, 2]) else { return nil }
        let civil = (year: date[0], month: date[1], day: date[2])
        guard parts.count == 2 else {
            guard let day = CivilTime.day(civil) else { return nil }
            self.init(day: day, days)
            return
        }
        let zone = parts[1].firstIndex { "z+-".contains($0) } ?? parts[1].endIndex
        var own = days
        if zone < parts[1].endIndex {
            guard let offset = Self.offset(parts[1][zone...]), let fixed = TimeZone(secondsFromGMT: offset) else {
                return nil
            }
            own = ZoneDays(fixed)
        }
        let clock = parts[1][..<zone].trimmingCharacters(in: .whitespaces)
        guard
            let time = Self.numbers(clock, separator: ":", widths: [2, 2])
                ?? Self.numbers(clock, separator: ":", widths: [2, 2, 2]),
            let moment = own.moment(civil, hour: time[0], minute: time[1], second: time.count == 3 ? time[2] : 0)
        else { return nil }
        self.init(moment: moment)
    }

    /// In seconds east of UTC: `z`, `+01`, `+01:00`, `-0330`. Nowhere are clocks more than 14 hours from UTC's.
    private static func offset(_ text: Substring) -> Int? {
        if text == "z" { return 0 }
        let digits = text.dropFirst()
        guard
            let numbers = numbers(digits, separator: ":", widths: [2, 2]) ?? numbers(
                digits, separator: ":", widths: [2])
                ?? numbers(digits.prefix(2) + ":" + digits.dropFirst(2), separator: ":", widths: [2, 2])
        else { return nil }
        let seconds = (numbers[0] * 60 + (numbers.count == 2 ? numbers[1] : 0)) * 60
        guard seconds <= 14 * 3_600, numbers.count == 1 || numbers[1] < 60 else { return nil }
        return text.first == "-" ? -seconds : seconds
    }

    /// Whole numbers of exactly so many digits.
    private static func numbers(_ text: some StringProtocol, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths,
            parts.allSatisfy({ part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return parts.compactMap { Int($0) }
    }
}
