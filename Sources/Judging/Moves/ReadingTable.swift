import RankKit

/// A pair's readings in the form that the arithmetic wants: laid out once, whichever days are then judged.
final class ReadingTable: Sendable {
    /// Since 1970-01-01, ascending.
    let days: [Int64]
    /// `absent` where the app was not in the list.
    let places: [Int]
    /// How many places each list had.
    let withins: [Int]
    /// The places on `PositionScale`, and half a place above and below; not a number where the app was not in the list.
    let values: [Double]
    let edges: [(above: Double, below: Double)]
    /// The days of the store that each was taken on; `nil` where these are its own day.
    let storeDays: [ClosedRange<Int64>]?
    /// By the bands: how many of the readings before each, and before the end, are at a place of the band or above it.
    private let upToBand: [[Int]]
    /// By how many readings: for the index of each reading, and for the end, the usual place of so many before it,
    /// `absent` too where there are fewer. Empty for numbers that are seldom asked for.
    private let usual: [[Int]]
    /// `nil` where the usual place is not known of so many.
    let excursions: Excursions?

    /// Below all places.
    static let absent = Int.max
    /// Readings that say where a pair usually is.
    static let usualReadings = 14
    /// The numbers of readings whose usual place is asked for again and again.
    static let usualCounts = [NoiseModel.confirmingReadings, 5, 7, usualReadings, NoiseCounts.window]
    private static let mostUsual = max(usualReadings, NoiseCounts.window)

    /// - Parameters:
    ///   - counts: of how many readings the usual place will be asked for often.
    ///   - stores: how these find the days of stores; `nil` where they have the same days.
    ///   - cadence: of the pair, in seconds.
    init(
        _ readings: ArraySlice<DailyReadings.Element>, usualOf counts: [Int] = usualCounts, stores: StoreDays? = nil,
        cadence: Int64 = Timestamp.secondsPerDay
    ) {
        days = readings.map(\.day)
        storeDays = stores.map { stores in
            readings.map { stores.days(of: $0.reading, on: $0.day, cadence: cadence) }
        }
        places = readings.map { $0.reading.position?.number ?? Self.absent }
        withins = readings.map(\.reading.within)
        values = places.map { $0 == Self.absent ? .nan : PositionScale.table($0) }
        edges = places.map { place in
            place == Self.absent
                ? (.nan, .nan) : (PositionScale.table(halfBelow: place), PositionScale.table(halfBelow: place + 1))
        }
        upToBand = PositionBand.allCases.map { [places] band in
            let last = band.last
            var before = [0]
            before.reserveCapacity(places.count + 1)
            var count = 0
            for place in places {
                count += place <= last ? 1 : 0
                before.append(count)
            }
            return before
        }
        var usual = [[Int]](repeating: [], count: Self.mostUsual + 1)
        for count in counts { usual[count] = places.slidingLowerMedians(of: count, orElse: Self.absent) }
        self.usual = usual
        excursions =
            usual[NoiseCounts.window].isEmpty ? nil : Excursions(places, usual: usual[NoiseCounts.window])
    }

    convenience init(
        _ readings: DailyReadings, usualOf counts: [Int] = usualCounts, stores: StoreDays? = nil,
        cadence: Int64 = Timestamp.secondsPerDay
    ) {
        self.init(readings.elements[...], usualOf: counts, stores: stores, cadence: cadence)
    }

    /// Whether the app was in all of these lists.
    func hasNoAbsence(in range: Range<Int>) -> Bool { count(upTo: .beyond, in: range) == range.count }

    /// How many of the readings in `range` are at a place of the band or above it.
    func count(upTo band: PositionBand, in range: Range<Int>) -> Int {
        upToBand[band.rawValue][range.upperBound] - upToBand[band.rawValue][range.lowerBound]
    }

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
        let count = range.count
        let place =
            count < usual.count && !usual[count].isEmpty
            ? usual[count][range.upperBound]
            : withUnsafeTemporaryAllocation(of: Int.self, capacity: range.count) { copy in
                for (index, place) in zip(0..., places[range]) { copy[index] = place }
                return copy.select((range.count - 1) / 2)
            }
        return place == Self.absent ? nil : place
    }
}

extension ReadingTable {
    /// Of the readings after `first`, or as far back as the series' span reaches where that is farther, up to `day`.
    convenience init(
        _ series: NoiseModel.Series, since first: Int64 = .max, upTo day: Int64, usualOf counts: [Int] = usualCounts,
        stores: StoreDays? = nil
    ) {
        let all = series.days.elements
        let oldest = min(first, day - series.span.memory)
        var (start, end) = (all.startIndex, all.endIndex)
        while end > start, all[end - 1].day > day { end -= 1 }
        while start < end, all[start].day <= oldest { start += 1 }
        self.init(all[start..<end], usualOf: counts, stores: stores, cadence: series.cadence)
    }
}

extension ReadingTable {
    /// The usual place of the last `count` readings up to `index`; `nil` for out of the list.
    func newest(at index: Int, _ count: Int = NoiseModel.confirmingReadings) -> Int? {
        usualPlace(max(0, index + 1 - count)..<index + 1)
    }
}
