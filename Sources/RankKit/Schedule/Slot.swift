import Foundation

/// The stretch of time in which one good check is wanted.
package struct Slot: Hashable, Sendable {
    package let start: Timestamp
    /// The start of the next slot: not part of this one.
    package let end: Timestamp

    package init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }

    package func contains(_ moment: Timestamp) -> Bool { start <= moment && moment < end }

    /// The slot that `moment` lies in when a query is wanted at all of `cadences`: from the latest start of any
    /// of them to the earliest next one (the union of their slots).
    ///
    /// - Precondition: `cadences` is not empty.
    package static func containing(_ moment: Timestamp, cadences: [Cadence]) -> Slot {
        let slots = cadences.map { $0.slot(containing: moment) }
        return Slot(
            start: slots.map(\.start).max() ?? moment,
            end: slots.map(\.end).min() ?? moment)
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
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            return Self.slot(containing: moment, times: times, calendar: calendar)
        }
    }

    /// A time of day that a change to summer time leaves out starts its slot an hour later by the clock (where another
    /// time of the list may start one as well); one that a change back repeats starts it the first time only. So no
    /// time of the list is skipped and none comes twice.
    private static func slot(containing moment: Timestamp, times: [TimeOfDay], calendar: Calendar) -> Slot {
        let midnight = calendar.startOfDay(for: moment.date)
        var starts: [Timestamp] = []
        for offset in -2...2 {
            guard let day = calendar.date(byAdding: .day, value: offset, to: midnight) else { continue }
            let fields = calendar.dateComponents([.year, .month, .day], from: day)
            for time in times {
                if let start = Self.start(of: time, on: fields, calendar: calendar) { starts.append(start) }
            }
        }
        starts.sort()
        let next = starts.firstIndex { moment < $0 } ?? starts.endIndex
        return Slot(
            start: next > starts.startIndex ? starts[next - 1] : moment,
            end: next < starts.endIndex ? starts[next] : moment + Timestamp.secondsPerDay)
    }

    private static func start(of time: TimeOfDay, on day: DateComponents, calendar: Calendar) -> Timestamp? {
        var fields = day
        fields.hour = time.hour
        fields.minute = time.minute
        fields.second = 0
        guard let date = calendar.date(from: fields) else { return nil }
        return Timestamp(date)
    }
}
