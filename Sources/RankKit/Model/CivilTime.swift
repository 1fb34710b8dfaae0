import Foundation

/// The calendar of UTC by plain arithmetic: a report writes tens of thousands of times, and a formatter costs more than
/// everything else in it. One that a daemon uses only once also keeps megabytes of calendars and time zones in memory.
package enum CivilTime {
    /// `2026-11-20T10:00:00Z`.
    package static func iso8601(_ moment: Timestamp) -> String {
        guard let (year, month, day) = calendarDay(moment) else { return moment.date.formatted(.iso8601) }
        return String(unsafeUninitializedCapacity: 20) { bytes in
            write(moment, on: (year, month, day), into: bytes)
            return 20
        }
    }

    /// The same, in ASCII, without a string for each.
    package static func appendISO8601(_ moment: Timestamp, to bytes: inout [UInt8]) {
        guard let (year, month, day) = calendarDay(moment) else {
            bytes.append(contentsOf: iso8601(moment).utf8)
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            write(moment, on: (year, month, day), into: text)
            bytes.append(contentsOf: text)
        }
    }

    private static func write(
        _ moment: Timestamp, on date: (year: Int, month: Int, day: Int), into bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        let second = Int(moment.secondsSinceEpoch - moment.day * Timestamp.secondsPerDay)
        writeDate(date.year, date.month, date.day, into: bytes)
        bytes[10] = UInt8(ascii: "T")
        write(second / 3600, digits: 2, at: 11, into: bytes)
        bytes[13] = UInt8(ascii: ":")
        write(second / 60 % 60, digits: 2, at: 14, into: bytes)
        bytes[16] = UInt8(ascii: ":")
        write(second % 60, digits: 2, at: 17, into: bytes)
        bytes[19] = UInt8(ascii: "Z")
    }

    /// `2026-11-20`.
    package static func date(_ moment: Timestamp) -> String {
        guard let (year, month, day) = calendarDay(moment) else {
            return String(iso8601(moment).prefix { $0 != "T" })
        }
        return String(unsafeUninitializedCapacity: 10) { bytes in
            writeDate(year, month, day, into: bytes)
            return 10
        }
    }

    package typealias Date = (year: Int, month: Int, day: Int)

    /// The days from 1970-01-01 to `date`; `nil` if the calendar has no such date, or it is outside the years 1 to 9999.
    package static func day(_ date: Date) -> Int64? {
        guard (1...9999).contains(date.year), (1...12).contains(date.month),
            date.day >= 1, date.day <= length(of: date.month, in: date.year)
        else { return nil }
        return firstDay(of: date.month, in: date.year) + Int64(date.day - 1)
    }

    /// The moment that `iso8601` writes as `text`; `nil` if it would not write that.
    package static func moment(iso8601 text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        func number(_ digits: Range<Int>) -> Int {
            bytes[digits].reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
        }
        guard bytes.count == 20 else { return nil }
        let (year, month, second) = (number(0..<4), number(5..<7), number(17..<19))
        guard (1600...9999).contains(year), (1...12).contains(month) else { return nil }
        let day = firstDay(of: month, in: year) + Int64(number(8..<10) - 1)
        let time = Int64((number(11..<13) * 60 + number(14..<16)) * 60 + second)
        let moment = Timestamp.startOfDay(day) + time
        // Whatever is out of range, or no digit, comes out as another text.
        return iso8601(moment) == text ? moment : nil
    }

    /// `nil` outside `representable`.
    private static func calendarDay(_ moment: Timestamp) -> (year: Int, month: Int, day: Int)? {
        guard representable.contains(moment.day) else { return nil }
        let dayOfEra = Int(moment.day - dayOfYearOne)
        // The average year is 365.2425 days, so the estimate is the right year or, near New Year, a neighbour.
        var year = dayOfEra * 10_000 / 3_652_425 + 1
        if daysBefore(year) > dayOfEra { year -= 1 } else if daysBefore(year + 1) <= dayOfEra { year += 1 }
        var rest = dayOfEra - daysBefore(year)
        var month = 1
        while month < 12, rest >= length(of: month, in: year) {
            rest -= length(of: month, in: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    /// 0001-01-01, counted from 1970-01-01.
    private static let dayOfYearOne: Int64 = -719_162
    /// 1600-01-01 to 9999-12-31: after the Gregorian reform, and what fits into four digits.
    private static let representable: ClosedRange<Int64> = -135_140...2_932_896

    private static func firstDay(of month: Int, in year: Int) -> Int64 {
        dayOfYearOne + Int64((1..<month).reduce(daysBefore(year)) { $0 + length(of: $1, in: year) })
    }

    /// The days from 0001-01-01 to the first of January of `year`.
    private static func daysBefore(_ year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func writeDate(_ year: Int, _ month: Int, _ day: Int, into bytes: UnsafeMutableBufferPointer<UInt8>)
    {
        write(year, digits: 4, at: 0, into: bytes)
        bytes[4] = UInt8(ascii: "-")
        write(month, digits: 2, at: 5, into: bytes)
        bytes[7] = UInt8(ascii: "-")
        write(day, digits: 2, at: 8, into: bytes)
    }

    private static func write(
        _ number: Int, digits: Int, at start: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        var rest = number
        for index in (start..<start + digits).reversed() {
            bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
