import RankKit

/// Days (UTC) as they stand in a sentence.
package enum DayNames {
    /// `14 Nov`, or `14 Nov 2025` where `today` is in another year.
    package static func short(_ day: Int64, today: Int64) -> String {
        let parts = CivilTime.date(.startOfDay(day)).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let number = Int(parts[2]), (1...12).contains(month) else {
            return CivilTime.date(.startOfDay(day))
        }
        let year = CivilTime.date(.startOfDay(today)).split(separator: "-").first == parts[0] ? "" : " \(parts[0])"
        return "\(number) \(months[month - 1])\(year)"
    }

    /// `on 14 Nov`, `on 14 and 16 Nov`; of more than three `on 5 days, last on 16 Nov`.
    static func on(_ days: [Int64], today: Int64) -> String {
        guard let last = days.last else { return "" }
        let name = short(last, today: today)
        guard days.count <= 3 else { return "on \(days.count) days, last on \(name)" }
        let month = name.drop { $0 != " " }
        let names = days.map { day in
            let name = short(day, today: today)
            return day != last && name.hasSuffix(month) ? String(name.dropLast(month.count)) : name
        }
        return "on " + list(names)
    }

    /// `US, GB and DE`.
    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
