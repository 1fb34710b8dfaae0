import RankKit

/// How far a pair's newest readings stand from those before them, beside how far they did in the pair's own past.
///
/// A ratio of medians: what the pair does every week is measured with the same yardstick as what it does now, so no
/// distribution has to be supposed for it.
struct ShiftRatio {
    /// The readings on `PositionScale`. An absence stands just below its list.
    private let values: [Double]
    /// How many times as far as usual the country's lists moved on the day of each.
    private let storms: [Double]
    /// The medians of the readings before each, as many as the two baselines have. Every length and gap asks for them
    /// again.
    private let near: [Double]
    private let far: [Double]
    /// By length and gap: how far the newest readings of each moment stood from those before, however many precede it.
    private var past: [Window: [Double]] = [:]

    private struct Window: Hashable {
        var length: Int
        var gap: Int
    }

    /// Readings before a move that are compared with: both must show it, so that neither a spike at their edge nor an
    /// older place makes one.
    private static let baselines = (near: 5, far: 9)
    /// The share of its past in which the pair moved less far than its own step. A fifth may have been moves.
    private static let ownShare = 0.8
    /// The own step of a pair of which nothing is known, on `PositionScale`, and how many moments that counts as.
    private static let usualStep = 0.25
    private static let usualWeight = 20.0
    /// Moments of its past that are looked at, at most.
    private static let remembered = 90
    /// Added to a pair's own step: about a place at 10. One that never moved is not infinitely surprising.
    private static let floor = 0.05

    init(_ track: ReadingTrack) {
        values = track.readings.map { PositionScale.table($0.place ?? min($0.within, 200) + 1) }
        storms = track.readings.map(\.storm)
        near = Self.mediansBefore(values, Self.baselines.near)
        far = Self.mediansBefore(values, Self.baselines.far)
    }

    /// By the index of a reading: the median of the `count` before it, or of as many as there are; 0 before the first.
    private static func mediansBefore(_ values: [Double], _ count: Int) -> [Double] {
        (0...values.count).map { $0 == 0 ? 0 : median(values, max(0, $0 - count)..<$0) }
    }

    /// How far the `length` readings before `end` stand from the readings up to `gap` before them, in medians, on
    /// `PositionScale`; below 0 is up. The lesser of two comparisons, 0 where they contradict each other.
    ///
    /// - Returns: `nil` if there are too few readings before.
    func shift(end: Int, length: Int, gap: Int) -> Double? {
        let start = end - length
        let old = start - gap
        guard old >= Self.baselines.near else { return nil }
        let newest = Self.median(values, start..<end)
        let near = newest - self.near[old]
        let far = newest - self.far[old]
        guard near * far > 0 else { return 0 }
        return abs(near) < abs(far) ? near : far
    }

    /// How many times its own step the pair moved; where most of the newest readings are of stormy days, by as much less
    /// as everything moved farther on them.
    ///
    /// - Parameter most: how far it is at most, on `PositionScale`: as far as the places that are told.
    mutating func steps(end: Int, length: Int, gap: Int, most: Double) -> Double? {
        guard let shift = shift(end: end, length: length, gap: gap) else { return nil }
        let storm = Self.median(storms, end - length..<end)
        return min(abs(shift), most) / storm
            / (ownStep(before: end - length - gap, length: length, gap: gap) + Self.floor)
    }

    /// How far such readings stood from such before them at the moments up to `end`, on `PositionScale`: the fourth
    /// quintile, shrunk towards that of a pair of which nothing is known.
    private mutating func ownStep(before end: Int, length: Int, gap: Int) -> Double {
        let first = Self.baselines.near + gap + length
        let window = Window(length: length, gap: gap)
        let steps: [Double]
        if let known = past[window] {
            steps = known
        } else {
            steps =
                first > values.count
                ? [] : (first...values.count).map { abs(shift(end: $0, length: length, gap: gap) ?? 0) }
            past[window] = steps
        }
        let seen = steps.prefix(max(0, end - first + 1)).suffix(Self.remembered).sorted()
        let own = Robust.quantile(sorted: seen, Self.ownShare) ?? 0
        // Of long times there are few in a pair's past.
        let usual = gap > 0 ? ownStep(before: end + gap, length: length, gap: 0) : Self.usualStep
        return (Double(seen.count) * own + Self.usualWeight * usual) / (Double(seen.count) + Self.usualWeight)
    }

    /// Of at most nine readings: sorted by hand, since a report asks thousands of times.
    private static func median(_ values: [Double], _ range: Range<Int>) -> Double {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: range.count) { sorted in
            for (count, index) in range.enumerated() {
                var place = count
                while place > 0, sorted[place - 1] > values[index] {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = values[index]
            }
            return (sorted[(range.count - 1) / 2] + sorted[range.count / 2]) / 2
        }
    }
}
