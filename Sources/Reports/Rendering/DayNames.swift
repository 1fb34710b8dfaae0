package import RankKit

/// Days as they stand in a sentence.
package enum DayNames {
    /// `14 Nov`, or `14 Nov 2025` where `today` is in another year.
    static func short(_ day: Int64, today: Int64) -> String {
        let parts = civil(day).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let number = Int(parts[2]), (1...12).contains(month) else {
            return civil(day)
        }
        let year = civil(today).split(separator: "-").first == parts[0] ? "" : " \(parts[0])"
        return "\(number) \(months[month - 1])\(year)"
    }

    /// `14 Nov 2026`
    static func whole(_ day: Int64) -> String {
        // A day of another year, whatever year it is.
        short(day, today: day > 0 ? day - 400 : day + 400)
    }

    /// `2026-11-14`. The first second that can be counted lies in a day whose beginning cannot.
    private static func civil(_ day: Int64) -> String {
        let (seconds, isBeyond) = day.multipliedReportingOverflow(by: Timestamp.secondsPerDay)
        return CivilTime.date(Timestamp(secondsSinceEpoch: isBeyond ? (day < 0 ? .min : .max) : seconds))
    }

    /// `18:01`, or `14 Nov, 18:01` of another day, in the report's zone.
    static func time(_ moment: Timestamp, today: Int64) -> String {
        let clock = String(CivilTime.minute(moment).suffix(5))
        return moment.reportDay == today ? clock : "\(short(moment.reportDay, today: today)), \(clock)"
    }

    /// `1 Dec 2026, 04:19 UTC`: a moment that stands for itself.
    package static func moment(_ moment: Timestamp, in days: ZoneDays) -> String {
        let local = days.local(moment)
        let clock = CivilTime.iso8601(local).prefix(16).suffix(5)
        return "\(whole(local.day)), \(clock) \(days.name)"
    }

    /// `on 14 Nov`, `on 14 and 16 Nov`; of more than three `on 5 days, last on 16 Nov`.
    static func on(_ days: [Int64], today: Int64) -> String {
        guard let last = days.last else { return "" }
        guard days.count <= 3 else { return "on \(days.count) days, last on \(short(last, today: today))" }
        return "on " + names(days, today: today)
    }

    /// `between 14 and 16 Nov`.
    static func between(_ first: Int64, _ last: Int64, today: Int64) -> String {
        "between " + names([first, last], today: today)
    }

    /// `14 and 16 Nov`: the month once where it is the same.
    private static func names(_ days: [Int64], today: Int64) -> String {
        let month = days.last.map { short($0, today: today) }?.drop { $0 != " " } ?? ""
        return days.enumerated().map { index, day in
            let name = short(day, today: today)
            return index < days.count - 1 && name.hasSuffix(month) ? String(name.dropLast(month.count)) : name
        }.inWords
    }

    /// In English, from January on.
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// How long ago something was, or how far ahead it is, in one unit, rounded down.
struct RelativeAge: Sendable, Hashable {
    /// Negative for what lies ahead.
    let seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    init(of moment: Timestamp, at now: Timestamp) { seconds = now - moment }

    /// `5m`, `2h`, `3d`, `5w` (from two weeks), `2y`; `nil` under a minute. The same for past and future.
    var amount: String? {
        let minutes = seconds.magnitude / 60
        let hours = minutes / 60
        let days = hours / 24
        if minutes < 1 { return nil }
        if hours < 1 { return "\(minutes)m" }
        if days < 1 { return "\(hours)h" }
        if days < 14 { return "\(days)d" }
        return days < 365 ? "\(days / 7)w" : "\(days / 365)y"
    }

    /// For a column: `now`, `5m`. A moment ahead, which only a clock set back brings about, is `now` too.
    var short: String { seconds < 0 ? "now" : amount ?? "now" }

    /// For a sentence: `just now`, `5m ago`, `in 5m`.
    var phrase: String {
        guard let amount else { return "just now" }
        return seconds < 0 ? "in \(amount)" : "\(amount) ago"
    }
}
