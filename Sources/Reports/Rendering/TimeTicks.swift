import RankKit

/// The moments that a drawing's time axis names, in the report's zone.
struct TimeTicks {
    struct Tick {
        let at: Timestamp
        let label: String
    }

    private enum Unit {
        case hours(Int64)
        case days(Int64)
        case months(Int)
        case years(Int)

        /// In seconds, about.
        var length: Double {
            let day = Double(Timestamp.secondsPerDay)
            return switch self {
            case .hours(let count): Double(count) * 3600
            case .days(let count): Double(count) * day
            case .months(let count): Double(count) * 30.4 * day
            case .years(let count): Double(count) * 365.2 * day
            }
        }
    }

    private static let units: [Unit] = [
        .hours(1), .hours(3), .hours(6), .hours(12), .days(1), .days(2), .days(7), .days(14), .months(1), .months(2),
        .months(3), .months(6), .years(1), .years(2), .years(5), .years(10), .years(50),
    ]

    /// The finest regular ticks whose labels, each centred below its moment, do not touch within `columns` columns;
    /// the two ends where there are none.
    ///
    /// - Parameter place: the column of a moment; where it lies on the scale without it.
    static func ticks(
        _ scale: TimeScale, columns: Int, place: ((Timestamp) -> Int?)? = nil
    ) -> [(tick: Tick, start: Int)] {
        let place = place ?? { scale.column($0, of: columns) }
        for unit in units {
            let count = scale.length / unit.length
            guard count >= 1.5, count <= Double(columns) / 7 else { continue }
            if let placed = placed(ticks(unit, scale.span), place, columns), placed.count > 1 { return placed }
        }
        let (first, last) = (scale.span.lowerBound, scale.span.upperBound)
        let ends = [
            Tick(at: first, label: DayNames.whole(first.reportDay)),
            Tick(at: last, label: DayNames.short(last.reportDay, today: first.reportDay)),
        ]
        if first.reportDay != last.reportDay, let both = placed(ends, place, columns) { return both }
        return placed([ends[0]], place, columns) ?? []
    }

    /// Where each label begins; `nil` if two would touch.
    private static func placed(
        _ ticks: [Tick], _ place: (Timestamp) -> Int?, _ columns: Int
    ) -> [(tick: Tick, start: Int)]? {
        var placed: [(tick: Tick, start: Int)] = []
        var end = -2
        for tick in ticks {
            guard let column = place(tick.at) else { continue }
            let width = tick.label.utf8.count
            let start = min(max(0, column - width / 2), columns - width)
            guard start >= end + 2 else { return nil }
            placed.append((tick, start))
            end = start + width
        }
        return placed
    }

    private static func ticks(_ unit: Unit, _ span: ClosedRange<Timestamp>) -> [Tick] {
        let (first, last) = (span.lowerBound, span.upperBound)
        var ticks: [Tick] = []
        switch unit {
        case .hours(let count):
            for day in first.reportDay...last.reportDay {
                for hour in stride(from: Int64(0), to: 24, by: Int(count)) {
                    let at = ReportZone.days.moment(on: day, second: hour * 3600)
                    // Where clocks go forward, two hours may begin at once.
                    guard span.contains(at), at > ticks.last?.at ?? first - 1 else { continue }
                    ticks.append(Tick(at: at, label: hourLabel(at, after: ticks.last)))
                }
            }
        case .days(let count):
            for day in first.reportDay...last.reportDay where (day + mondayOffset) % count == 0 {
                let at = Timestamp.startOfReportDay(day)
                guard at >= first else { continue }
                ticks.append(Tick(at: at, label: dayLabel(day, after: ticks.last)))
            }
        case .months(let count):
            for (at, year, month) in months(span) where (month - 1) % count == 0 {
                let name = DayNames.months[month - 1]
                ticks.append(Tick(at: at, label: ticks.isEmpty || month == 1 ? "\(name) \(year)" : name))
            }
        case .years(let count):
            for (at, year, month) in months(span) where month == 1 && year % count == 0 {
                ticks.append(Tick(at: at, label: "\(year)"))
            }
        }
        return ticks
    }

    /// 1970-01-01 was a Thursday; weeks begin on Mondays.
    private static let mondayOffset: Int64 = 3

    /// The year is said once, and where another begins.
    private static func dayLabel(_ day: Int64, after last: Tick?) -> String {
        last.map { DayNames.short(day, today: $0.at.reportDay) } ?? DayNames.whole(day)
    }

    private static func hourLabel(_ at: Timestamp, after last: Tick?) -> String {
        let isMidnight = at == .startOfReportDay(at.reportDay)
        if isMidnight { return dayLabel(at.reportDay, after: last) }
        let clock = DayNames.time(at, today: at.reportDay)
        return last == nil ? "\(dayLabel(at.reportDay, after: nil)), \(clock)" : clock
    }

    /// The first days of the months in `span`.
    private static func months(_ span: ClosedRange<Timestamp>) -> [(at: Timestamp, year: Int, month: Int)] {
        var months: [(Timestamp, Int, Int)] = []
        var day = span.lowerBound.reportDay
        while day <= span.upperBound.reportDay {
            let at = Timestamp.startOfReportDay(day)
            let parts = CivilTime.date(.startOfDay(day)).split(separator: "-").compactMap { Int($0) }
            guard parts.count == 3 else { return months }
            if parts[2] == 1 {
                if at >= span.lowerBound { months.append((at, parts[0], parts[1])) }
                day += 28
            } else {
                day += parts[2] < 27 ? Int64(27 - parts[2]) : 1
            }
        }
        return months
    }
}
