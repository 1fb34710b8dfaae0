package import Foundation

/// A time as a person names it: `2026-11-01`, `2026-11-01 08:30`, `2026-11-01T08:30:00Z`, `7d`, `12h`, `yesterday`.
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
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        switch text {
        case "now": self.init(moment: now)
        case "today": self.init(dayOf: now.date, calendar)
        case "yesterday":
            guard let day = calendar.date(byAdding: .day, value: -1, to: now.date) else { return nil }
            self.init(dayOf: day, calendar)
        default:
            if let ago = Self.seconds(ago: text) {
                self.init(moment: (agoFrom ?? now) - ago)
            } else if let moment = Timestamp(iso8601: text.uppercased()) {
                self.init(moment: moment)
            } else {
                self.init(civil: text, calendar)
            }
        }
    }

    package init(moment: Timestamp) {
        first = moment
        last = moment
    }

    private init?(dayOf date: Date, _ calendar: Calendar) {
        guard let day = calendar.dateInterval(of: .day, for: date) else { return nil }
        first = Timestamp(day.start)
        last = Timestamp(day.end) - 1
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

    /// `2026-11-01`, `2026-11-01 08:30` or `2026-11-01T08:30:15`.
    private init?(civil text: String, _ calendar: Calendar) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "t" }
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, date.count == 3, date.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let time = parts.count == 2 ? parts[1].split(separator: ":", omittingEmptySubsequences: false) : []
        guard parts.count == 1 || (2...3).contains(time.count), time.allSatisfy({ $0.utf8.count == 2 }) else {
            return nil
        }
        let numbers = (date + time).compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == date.count + time.count else { return nil }
        let wanted = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: time.isEmpty ? 12 : numbers[3],
            minute: time.isEmpty ? 0 : numbers[4], second: time.count == 3 ? numbers[5] : 0)
        // A calendar takes the 30th of February for the 2nd of March.
        guard let moment = calendar.date(from: wanted),
            calendar.dateComponents([.year, .month, .day], from: moment)
                == DateComponents(year: numbers[0], month: numbers[1], day: numbers[2]),
            time.isEmpty || (numbers[3] < 24 && numbers[4] < 60 && (time.count == 2 || numbers[5] < 60))
        else { return nil }
        if time.isEmpty { self.init(dayOf: moment, calendar) } else { self.init(moment: Timestamp(moment)) }
    }
}
