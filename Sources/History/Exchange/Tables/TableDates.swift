import Foundation
import RankKit

/// Reads the dates of a column. Whether `1/2/2026` has the day first is decided by all of the column or, if that does not
/// say, not at all.
struct TableDates {
    enum Problem: Error {
        /// No date.
        case unreadable
        /// One whose day and month could be exchanged.
        case unclear
        /// One that has its day and its month the other way around than the date in a line before.
        case contradicting(line: Int)
    }

    fileprivate enum Day: Hashable {
        case plain(year: Int, month: Int, day: Int)
        /// Two numbers that are the day and the month, or the month and the day.
        case pair(Int, Int, year: Int)
    }

    fileprivate struct Parts {
        var day: Day?
        var time: (hour: Int, minute: Int, second: Int)?
        /// Seconds east of UTC.
        var zone: Int?
        var month: Int?
        var numbers: [Int] = []
        var isAfternoon: Bool?
    }

    /// A time of a table.
    struct Moment: Hashable {
        let at: Timestamp
        /// The day that it stands for, if the table says no time.
        var day: TableDay?
    }

    /// Whose clocks times without a zone are of.
    private let clock: ZoneDays
    /// Whose days dates without a time are.
    private let days: ZoneDays
    /// Whether there is a date without a time.
    private(set) var hasDays = false
    /// Whether there is a time without a zone.
    private(set) var hasTimes = false
    /// The first lines that show the day first, and the month first.
    private(set) var dayFirst: Int?
    private(set) var monthFirst: Int?

    init(zone: TimeZone, days: ZoneDays? = nil) {
        clock = ZoneDays(zone)
        self.days = days ?? clock
    }

    /// Takes up what `text` says about the order of day and month.
    mutating func note(_ text: String, line: Int) {
        guard let parts = Self.parts(text) else { return }
        hasDays = hasDays || parts.time == nil
        hasTimes = hasTimes || (parts.time != nil && parts.zone == nil)
        guard case .pair(let first, let second, _) = parts.day, first != second else { return }
        if first > 12, second <= 12 { dayFirst = dayFirst ?? line }
        if second > 12, first <= 12 { monthFirst = monthFirst ?? line }
    }

    /// What was decided, for people; `nil` if nothing had to be.
    var decision: String? {
        switch (dayFirst, monthFirst) {
        case (.some, nil): "dates are read with the day first"
        case (nil, .some): "dates are read with the month first"
        default: nil
        }
    }

    /// Whose days and times are read, for people; `nil` if all say it themselves or are UTC's.
    var zones: String? {
        let times = hasTimes ? "times without a zone are \(clock.name)'s" : nil
        guard hasDays, !days.isUTC else { return clock.isUTC ? nil : times }
        let own = "dates without a time are days of \(days.name)"
        return times.map { "\(own), \($0)" } ?? own
    }

    /// The moment that a day gets: its first, which lies in it also where clocks go forward at midnight.
    static func moment(of day: Int64, _ days: ZoneDays) -> Moment {
        Moment(at: days.start(of: day), day: TableDay(date: day, zone: days))
    }

    /// Whether `text` begins with a date that a zone, or something else in parentheses, follows.
    static func beginsWithDate(_ text: String) -> Bool {
        guard text.hasSuffix(")"), let start = text.lastIndex(of: "(") else { return false }
        return isDate(String(text[..<start]))
    }

    /// Whether `text` is a date, be it one that is unclear.
    static func isDate(_ text: String) -> Bool { Int(text) == nil && parts(text)?.day != nil }

    /// What a header says of the zone of its dates in parentheses: `Date (UTC+1)`.
    static func zone(_ text: String) -> TimeZone? {
        if text.contains("/") { return TimeZone(identifier: text) }
        return Parts.zone(text.trimmingCharacters(in: .whitespaces).lowercased()).flatMap {
            TimeZone(secondsFromGMT: $0)
        }
    }

    func moment(_ text: String, line: Int) throws(Problem) -> Moment {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) {
            if text.utf8.count == 10 { return Moment(at: Timestamp(secondsSinceEpoch: number)) }
            if text.utf8.count == 13 { return Moment(at: Timestamp(secondsSinceEpoch: number / 1_000)) }
        }
        guard let parts = Self.parts(text), let day = parts.day else { throw .unreadable }
        let (year, month, number) = try ordered(day, line)
        guard let time = parts.time else {
            guard let day = CivilTime.day((year, month, number)), days.seconds(of: day) != nil else {
                throw .unreadable
            }
            return Self.moment(of: day, days)
        }
        let clock = parts.zone == nil ? clock : .utc
        let shown = clock.moment((year, month, number), hour: time.hour, minute: time.minute, second: time.second)
        guard let shown else { throw .unreadable }
        return Moment(at: shown - Int64(parts.zone ?? 0))
    }

    private func ordered(_ day: Day, _ line: Int) throws(Problem) -> (year: Int, month: Int, day: Int) {
        switch day {
        case .plain(let year, let month, let day): return (year, month, day)
        case .pair(let first, let second, let year) where first == second: return (year, first, second)
        case .pair(let first, let second, let year):
            switch (dayFirst, monthFirst) {
            case (.some, nil): return (year, second, first)
            case (nil, .some): return (year, first, second)
            case (nil, nil): throw .unclear
            case (.some(let one), .some(let other)): throw .contradicting(line: line == one ? other : one)
            }
        }
    }

    // MARK: The parts of a text

    private static func parts(_ text: String) -> Parts? {
        var text = text.trimmingCharacters(in: .whitespaces)
        // The name of a zone, as JavaScript adds it behind an offset; else it is the only word about the zone.
        var remark: String?
        if text.hasSuffix(")"), let start = text.lastIndex(of: "(") {
            remark = text[text.index(after: start)...].dropLast().trimmingCharacters(in: .whitespaces)
            text = text[..<start].trimmingCharacters(in: .whitespaces)
        }
        guard (6...64).contains(text.utf8.count) else { return nil }
        var parts = Parts()
        for word in separatingTime(text).split(whereSeparator: { $0 == " " || $0 == "\u{202F}" || $0 == "\u{A0}" }) {
            guard parts.take(String(word)) else { return nil }
        }
        if let remark, parts.zone == nil, !parts.take(remark: remark) { return nil }
        return parts.finish() ? parts : nil
    }

    /// `2026-11-20T10:00` with a blank for the T.
    private static func separatingTime(_ text: String) -> String {
        guard let place = text.firstIndex(where: { $0 == "T" || $0 == "t" }), place > text.startIndex else {
            return text
        }
        let next = text.index(after: place)
        guard next < text.endIndex, text[next].isNumber, text[text.index(before: place)].isNumber else { return text }
        return text[..<place] + " " + text[next...]
    }
}

extension TableDates.Parts {
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Takes up one word; `false` if it can be no part of a date.
    fileprivate mutating func take(_ word: String) -> Bool {
        let word = word.trimmingCharacters(in: [","]).lowercased()
        if word.isEmpty { return true }
        if let zone = Self.zone(word) { return Self.set(&self.zone, zone) }
        if word == "am" || word == "pm" { return Self.set(&isAfternoon, word == "pm") }
        if word.contains(":") { return takeTime(word) }
        if let number = Int(word), number > 0, word.utf8.count <= 4 {
            numbers.append(number)
            return true
        }
        if word.first?.isNumber == true { return takeDay(word) }
        return takeName(word)
    }

    /// Takes up what stands in parentheses behind a date: a weekday, or a zone.
    fileprivate mutating func take(remark: String) -> Bool {
        let word = remark.lowercased()
        if let zone = Self.zone(word) { return Self.set(&self.zone, zone) }
        return word.utf8.count >= 3 && Self.weekdays.contains { $0.hasPrefix(word) }
    }

    private mutating func takeName(_ word: String) -> Bool {
        let name = word.trimmingCharacters(in: ["."])
        guard name.utf8.count >= 3 else { return false }
        if let month = Self.months.firstIndex(where: { $0.hasPrefix(name) || name == "sept" && $0 == "september" }) {
            return Self.set(&self.month, month + 1)
        }
        return Self.weekdays.contains { $0.hasPrefix(name) }
    }

    /// `2026-11-25`, `25.11.2026`, `20-Nov-2026`.
    private mutating func takeDay(_ word: String) -> Bool {
        guard day == nil, let mark = word.first(where: { "-/.".contains($0) }) else { return false }
        let pieces = word.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 3 else { return false }
        if Int(pieces[1]) == nil { return pieces.allSatisfy { take($0) } }
        guard pieces.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return false }
        let counts = pieces.map(\.utf8.count)
        guard let first = Int(pieces[0]), let second = Int(pieces[1]), let third = Int(pieces[2]) else { return false }
        if counts[0] == 4, counts[1] <= 2, counts[2] <= 2 {
            day = .plain(year: first, month: second, day: third)
        } else if counts[2] == 4, counts[0] <= 2, counts[1] <= 2 {
            day = .pair(first, second, year: third)
        } else {
            return false
        }
        return true
    }

    /// `08:30`, `08:30:00.123`, `3:04pm`, with a zone behind it.
    private mutating func takeTime(_ word: String) -> Bool {
        var word = word
        for (suffix, value) in [("am", false), ("pm", true)] where word.hasSuffix(suffix) {
            word.removeLast(2)
            guard Self.set(&isAfternoon, value) else { return false }
        }
        if let start = word.firstIndex(where: { "+-z".contains($0) }) {
            guard let zone = Self.zone(String(word[start...])), Self.set(&self.zone, zone) else { return false }
            word = String(word[..<start])
        }
        let pieces = word.split(separator: ":", omittingEmptySubsequences: false)
        guard time == nil, (2...3).contains(pieces.count) else { return false }
        let seconds = pieces.count == 3 ? pieces[2] : "0"
        let whole = seconds.prefix { $0 != "." && $0 != "," }
        let fraction = seconds[whole.endIndex...]
        guard fraction.isEmpty || (fraction.count > 1 && fraction.dropFirst().allSatisfy(\.isNumber)),
            let hour = Self.number(pieces[0], in: 0...23), let minute = Self.number(pieces[1], in: 0...59),
            let second = Self.number(whole, in: 0...59)
        else { return false }
        time = (hour, minute, second)
        return true
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Seconds east of UTC. Hours have two digits: `+2` and `+200` could mean two things, `UTC+2` does not.
    fileprivate static func zone(_ word: String) -> Int? {
        if ["z", "utc", "gmt"].contains(word) { return 0 }
        let isNamed = word.hasPrefix("gmt") || word.hasPrefix("utc")
        let rest = isNamed ? word.dropFirst(3) : word[...]
        guard let sign = rest.first, "+-".contains(sign) else { return nil }
        var digits = rest.dropFirst().filter { $0 != ":" }
        if isNamed, digits.utf8.count == 1 { digits = "0" + digits }
        guard digits.utf8.count == 2 || digits.utf8.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let hours = Int(digits.prefix(2)), hours <= 14, let minutes = Int("0" + digits.dropFirst(2)), minutes <= 59
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    /// Puts names and single numbers together; `false` if something is there twice or missing.
    fileprivate mutating func finish() -> Bool {
        if let month {
            guard day == nil, numbers.count == 2, let year = numbers.first(where: { $0 >= 1_000 }),
                let number = numbers.first(where: { $0 <= 31 })
            else { return false }
            day = .plain(year: year, month: month, day: number)
        } else if !numbers.isEmpty {
            return false
        }
        if let isAfternoon {
            guard let (hour, minute, second) = time, (1...12).contains(hour) else { return false }
            time = (hour % 12 + (isAfternoon ? 12 : 0), minute, second)
        }
        return day != nil && (zone == nil || time != nil)
    }

    private static func set<Value>(_ place: inout Value?, _ value: Value) -> Bool {
        guard place == nil else { return false }
        place = value
        return true
    }
}
