import RankKit

/// A pair's readings, looked at for whether they could be a move at all.
///
/// Most pairs only wobble on most days. What is asked here is what `MoveDetection` cannot do without, so a day that it
/// rules out needs no judgement.
struct StillReadings {
    private let places: [Int?]
    private let values: [Double]
    private let days: [Int64]
    /// How many of the readings before each were absences.
    private let absences: [Int]

    /// Readings back to which an absence may matter to moves.
    private static let reach = 60
    /// Readings before a move that say where it started.
    private static let before = 14
    private static let lengths = [3, 4, 5, 7]
    private static let longest = 7
    /// Half of what a move is worth at least, and half of a longer time's, on `PositionScale`: nearer to the new place
    /// than to the old is what lies beyond it.
    private static let halfway = 0.05
    private static let halfwayFar = 0.075

    init(_ readings: DailyReadings) {
        places = readings.elements.map { $0.reading.position?.number }
        values = places.map { PositionScale.table($0 ?? 0) }
        days = readings.elements.map(\.day)
        var absences = [0]
        absences.reserveCapacity(places.count + 1)
        for place in places { absences.append(absences[absences.count - 1] + (place == nil ? 1 : 0)) }
        self.absences = absences
    }

    /// Whether nothing that began after `since` can be called at the reading `index`.
    ///
    /// - Parameters:
    ///   - oldest: the first day that the judgement looks at.
    ///   - agreeing: readings at the new place without which no move is believed.
    func areStill(at index: Int, since: Int64, oldest: Int64, agreeing: Int) -> Bool {
        let end = index + 1
        var first = end - 1
        while first > 0, days[first - 1] > oldest, end - first < Self.reach { first -= 1 }
        let missing = absences[end] - absences[first]
        // Out of the list throughout: nothing but an entry could be told, and that needs a place.
        if missing == end - first, absences[end] == end { return true }
        guard missing == 0, end - first >= Self.reach, let newest = places[index] else { return false }
        var settled = end
        while settled > first, days[settled - 1] > since { settled -= 1 }
        guard settled - Self.before >= first else { return false }
        for length in Self.lengths where end - length >= settled {
            let from = usual(end - length - Self.before..<end - length)
            if isPossible(from: from, newest, end - length..<end, beyond: Self.halfway, min(length, agreeing)) {
                return false
            }
        }
        let usualBefore = usual(settled - Self.before..<settled)
        if end - settled > Self.longest,
            isPossible(from: usualBefore, newest, end - Self.longest..<end, beyond: Self.halfwayFar, agreeing)
        {
            return false
        }
        guard end - settled > NoiseModel.confirmingReadings else { return true }
        let place = usual(end - NoiseModel.confirmingReadings..<end)
        return !MoveDetection.isWorthAWord(from: usualBefore, to: place, tolerance: 0.5)
    }

    /// Whether enough of the readings in `range` lie on the newest one's side of `from`.
    private func isPossible(from: Int, _ newest: Int, _ range: Range<Int>, beyond: Double, _ agreeing: Int) -> Bool {
        guard MoveDetection.isWorthAWord(from: from, to: newest, tolerance: 0.5) else { return false }
        let home = PositionScale.table(from)
        let isBelow = newest > from
        var count = 0
        for value in values[range] where (isBelow ? value - home : home - value) > beyond - 1e-9 { count += 1 }
        return count >= agreeing
    }

    /// The usual place of the last `NoiseModel.confirmingReadings` up to `index`, an absence below all places.
    func newest(at index: Int, _ count: Int = NoiseModel.confirmingReadings) -> Int? {
        let range = max(0, index + 1 - count)...index
        let place = usual(range.lowerBound..<range.upperBound + 1)
        return place == Int.max ? nil : place
    }

    /// The lower median.
    func usual(_ range: Range<Int>) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: max(range.count, 1)) { sorted in
            for (count, index) in range.enumerated() {
                let value = places[index] ?? Int.max
                var place = count
                while place > 0, sorted[place - 1] > value {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = value
            }
            return range.isEmpty ? Int.max : sorted[(range.count - 1) / 2]
        }
    }
}
