import Algorithms

/// Some days of a zone in a row, for counting many moments by them: the zone's clocks are asked once a day, not once a
/// moment.
package struct DayStretches: Sendable {
    /// Days in a row that each begin at the same second of a day of UTC's. The last one may be longer or shorter than the
    /// others: clocks change in it.
    package struct Stretch: Sendable, Hashable {
        package fileprivate(set) var days: ClosedRange<Int64>
        /// All seconds of these days.
        package fileprivate(set) var span: ClosedRange<Timestamp>
        /// In seconds, what a moment is to be put forward by so that its day in UTC is the zone's: but for the end of a last
        /// day that is longer.
        package let shift: Int64

        fileprivate func day(of moment: Timestamp) -> Int64 {
            min(max((moment + shift).day, days.lowerBound), days.upperBound)
        }
    }

    private let zone: ZoneDays
    /// In order; dates that never were are in none.
    package private(set) var stretches: [Stretch] = []

    /// - Parameter days: counted from 1970-01-01.
    package init(_ days: ClosedRange<Int64>, in zone: ZoneDays) {
        self.zone = zone
        guard !zone.isUTC else {
            let span = Timestamp.startOfDay(days.lowerBound)...Timestamp.startOfDay(days.upperBound + 1) - 1
            stretches = [Stretch(days: days, span: span, shift: 0)]
            return
        }
        // More days than any history has are those of a damaged one.
        guard days.count < Self.most else { return }
        var start = zone.start(of: days.lowerBound)
        for day in days {
            let next = zone.start(of: day + 1)
            defer { start = next }
            guard start < next else { continue }
            let shift = Timestamp.startOfDay(day) - start
            if let last = stretches.last, last.shift == shift, last.span.upperBound + 1 == start {
                stretches[stretches.count - 1].days = last.days.lowerBound...day
                stretches[stretches.count - 1].span = last.span.lowerBound...next - 1
            } else {
                stretches.append(Stretch(days: day...day, span: start...next - 1, shift: shift))
            }
        }
    }

    private static let most = 1 << 17

    /// The day that `moment` lies in, also of those that are not among these.
    package func day(of moment: Timestamp) -> Int64 {
        if zone.isUTC { return moment.day }
        let after = stretches.partitioningIndex { moment < $0.span.lowerBound }
        guard after > 0, stretches[after - 1].span.contains(moment) else { return zone.day(of: moment) }
        return stretches[after - 1].day(of: moment)
    }

    /// All seconds of these days; of dates that never were the moment after them.
    package var span: ClosedRange<Timestamp>? {
        guard let first = stretches.first, let last = stretches.last else { return nil }
        return first.span.lowerBound...last.span.upperBound
    }
}
