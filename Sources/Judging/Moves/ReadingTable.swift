import RankKit

/// A pair's readings in the form that the arithmetic wants: laid out once, whichever days are then judged.
final class ReadingTable: Sendable {
    /// Since 1970-01-01, ascending.
    let days: [Int64]
    /// `absent` where the app was not in the list.
    let places: [Int]
    /// How many places each list had.
    let withins: [Int]
    /// How many of the readings before each, and before the end, are absences.
    private let absences: [Int]
    /// By the index of a reading, and for the end: the usual place of the `usualReadings` before it, `absent` too where
    /// there are fewer.
    private let usual: [Int]

    /// Below all places.
    static let absent = Int.max
    /// Readings that say where a pair usually is.
    static let usualReadings = 14

    init(_ readings: ArraySlice<DailyReadings.Element>) {
        days = readings.map(\.day)
        places = readings.map { $0.reading.position?.number ?? Self.absent }
        withins = readings.map(\.reading.within)
        var absences = [0]
        absences.reserveCapacity(places.count + 1)
        for place in places { absences.append(absences[absences.count - 1] + (place == Self.absent ? 1 : 0)) }
        self.absences = absences
        usual = places.slidingLowerMedians(of: Self.usualReadings, orElse: Self.absent)
    }

    convenience init(_ readings: DailyReadings) { self.init(readings.elements[...]) }

    /// Whether the app was in all of these lists.
    func hasNoAbsence(in range: Range<Int>) -> Bool { absences[range.lowerBound] == absences[range.upperBound] }

    /// The first reading after `day`, or the number of readings.
    func index(after day: Int64) -> Int {
        var (first, end) = (0, days.count)
        while first < end {
            let middle = (first + end) / 2
            if days[middle] > day { end = middle } else { first = middle + 1 }
        }
        return first
    }

    /// The lower median of the places of the readings in `range`: a place where the app really stood.
    ///
    /// - Returns: `nil` if there are none, or the median is an absence.
    func usualPlace(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        let place =
            range.count == Self.usualReadings
            ? usual[range.upperBound]
            : withUnsafeTemporaryAllocation(of: Int.self, capacity: range.count) { copy in
                for (index, place) in zip(0..., places[range]) { copy[index] = place }
                return copy.select((range.count - 1) / 2)
            }
        return place == Self.absent ? nil : place
    }
}

extension ReadingTable {
    /// Of the readings after `first`, or as far back as the series' span reaches where that is farther, up to `day`.
    convenience init(_ series: NoiseModel.Series, since first: Int64 = .max, upTo day: Int64) {
        let all = series.days.elements
        let oldest = min(first, day - series.span.memory)
        var (start, end) = (all.startIndex, all.endIndex)
        while end > start, all[end - 1].day > day { end -= 1 }
        while start < end, all[start].day <= oldest { start += 1 }
        self.init(all[start..<end])
    }
}

extension ReadingTable {
    /// The usual place of the last `count` readings up to `index`; `nil` for out of the list.
    func newest(at index: Int, _ count: Int = NoiseModel.confirmingReadings) -> Int? {
        usualPlace(max(0, index + 1 - count)..<index + 1)
    }
}

extension [Int] {
    /// By index, and for the end: the lower median of the `count` values before it; `other` where there are fewer.
    fileprivate func slidingLowerMedians(of count: Int, orElse other: Int) -> [Int] {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { sorted in
            var medians: [Int] = []
            medians.reserveCapacity(self.count + 1)
            var held = 0
            for index in indices {
                medians.append(held == count ? sorted[(count - 1) / 2] : other)
                var slot = held
                if held == count {
                    slot = 0
                    while sorted[slot] != self[index - count] { slot += 1 }
                    while slot + 1 < count {
                        sorted[slot] = sorted[slot + 1]
                        slot += 1
                    }
                } else {
                    held += 1
                }
                while slot > 0, sorted[slot - 1] > self[index] {
                    sorted[slot] = sorted[slot - 1]
                    slot -= 1
                }
                sorted[slot] = self[index]
            }
            medians.append(held == count ? sorted[(count - 1) / 2] : other)
            return medians
        }
    }
}
