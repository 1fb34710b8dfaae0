import RankKit

/// How far a pair's newest readings stand from those before them, beside how far they did in the pair's own past.
///
/// A ratio of medians: what the pair does every week is measured with the same yardstick as what it does now, so no
/// distribution has to be supposed for it.
struct ShiftRatio {
    private let table: ShiftTable
    /// Of the table's readings, those that are looked at; whoever asks counts from the first of them.
    private let range: Range<Int>

    /// The share of its past in which the pair moved less far than its own step. A fifth may have been moves.
    private static let ownShare = 0.8
    /// The own step of a pair of which nothing is known, on `PositionScale`, and how many moments that counts as.
    private static let usualStep = 0.25
    private static let usualWeight = 20.0
    /// Moments of its past that are looked at, at most.
    private static let remembered = 90
    /// Added to a pair's own step: about a place at 10. One that never moved is not infinitely surprising.
    private static let floor = 0.05

    init(_ table: ShiftTable, in range: Range<Int>) {
        self.table = table
        self.range = range
    }

    /// The newest readings of a moment, and how many lie between them and those that they are compared with.
    struct Window {
        /// The reading before which they are.
        var end: Int
        var length: Int
        var gap: Int
    }

    /// What limits how far a move counts.
    struct Limits {
        /// On `PositionScale`: as far as the places that are told.
        var most = Double.infinity
        /// How many times as far as usual everything moved on most of the newest days.
        var storm = 1.0

        func counted(_ shift: Double) -> Double { min(abs(shift), most) / storm }
    }

    /// How many times its own step the pair moved.
    ///
    /// - Returns: `nil` if there are too few readings before.
    func steps(_ window: Window, _ limits: Limits = Limits()) -> Double? {
        shift(window).map { limits.counted($0) / (ownStep(window) + Self.floor) }
    }

    /// Whether `steps` may surpass `bar`: what costs little to tell. A pair that wobbles is asked thousands of
    /// times.
    func maySurpass(_ bar: Double, _ window: Window, _ limits: Limits = Limits()) -> Bool {
        guard let shift = shift(window) else { return false }
        guard bar > 0 else { return true }
        // The own step that it would have to be below; a hair more, as this is reckoned in another order.
        let own = (limits.counted(shift) / bar - Self.floor) * (1 + 1e-9) + 1e-12
        guard window.gap > 0 else { return isBelow(own, usual: Self.usualStep, window) }
        // Of a long time's own step the other one is a part, which takes longer to tell.
        return isBelow(own, usual: 0, window) && isBelow(own, usual: usualStep(window), window)
    }

    /// Whether the own step is below `limit`.
    private func isBelow(_ limit: Double, usual: Double, _ window: Window) -> Bool {
        let past = past(window)
        guard !past.isEmpty else { return usual < limit }
        let count = Double(past.count)
        let most = (limit * (count + Self.usualWeight) - Self.usualWeight * usual) / count
        guard most > 0 else { return false }
        let least = Int(Double(past.count - 1) * Self.ownShare) + 1
        return table.count(below: most, past.map(from: range.lowerBound), window, since: range.lowerBound) >= least
    }

    private func shift(_ window: Window) -> Double? {
        guard window.end - window.length - window.gap >= ShiftTable.baselines.near else { return nil }
        return table.shift(range.lowerBound + window.end, window, since: range.lowerBound)
    }

    /// The moments whose shifts are the pair's past.
    private func past(_ window: Window) -> Range<Int> {
        let first = ShiftTable.baselines.near + window.gap + window.length
        let end = max(first, window.end - window.length - window.gap + 1)
        return max(first, end - Self.remembered)..<end
    }

    /// How far such readings stood from such before them at the moments before, on `PositionScale`: the fourth quintile,
    /// shrunk towards that of a pair of which nothing is known.
    private func ownStep(_ window: Window) -> Double {
        let past = past(window)
        let own = table.quantile(
            Self.ownShare, past.map(from: range.lowerBound), window, since: range.lowerBound)
        let usual = usualStep(window)
        let count = Double(past.count)
        return (count * (own ?? 0) + Self.usualWeight * usual) / (count + Self.usualWeight)
    }

    /// What the own step is shrunk towards. Of long times there are few in a pair's past: theirs is that of short ones.
    private func usualStep(_ window: Window) -> Double {
        window.gap > 0 ? ownStep(Window(end: window.end, length: window.length, gap: 0)) : Self.usualStep
    }
}

extension Range<Int> {
    fileprivate func map(from first: Int) -> Range<Int> { lowerBound + first..<upperBound + first }
}

/// The medians of a pair's readings that every judgement of it asks for again: worked out once, whichever days are then
/// judged, and quickest if each is near to the one before.
final class ShiftTable {
    /// By a number of readings: for the index of each reading, and for the end, the median of so many before it. Empty for
    /// numbers that nobody asks for.
    private let medians: [[Double]]
    /// The same of how far so many newest readings stand from those just before them, either way.
    private let shifts: [[Double]]
    /// By a number of readings: of the `shifts` that were asked about last.
    private var known: [SortedSlice]
    /// The same as `shifts` of the windows with a gap that were asked about, by length and gap.
    private var gapped: [[[Double]]]

    /// Readings before a move that are compared with: both must show it, so that neither a spike at their edge nor an
    /// older place makes one.
    static let baselines = (near: 5, far: 9)

    /// - Parameter lengths: how many of the newest readings will be tried.
    init(_ readings: ReadingTable, lengths: [Int]) {
        // On `PositionScale`. An absence stands just below its list.
        let values = readings.places.indices.map { index in
            let place = readings.places[index]
            return PositionScale.table(place == ReadingTable.absent ? min(readings.withins[index], 200) + 1 : place)
        }
        let longest = max(lengths.max() ?? 0, Self.baselines.far)
        var medians = [[Double]](repeating: [], count: longest + 1)
        // The older baseline is shorter where there are fewer readings.
        for length in Set(lengths).union(Self.baselines.near...Self.baselines.far) {
            medians[length] = length == 1 ? [0] + values : values.slidingMedians(of: length)
        }
        self.medians = medians
        var shifts = [[Double]](repeating: [], count: longest + 1)
        let (near, far) = (medians[Self.baselines.near], medians[Self.baselines.far])
        for length in lengths {
            shifts[length] = Self.shifts(of: medians[length], near, far, reach: length)
        }
        self.shifts = shifts
        known = Array(repeating: SortedSlice(), count: shifts.count)
        gapped = Array(repeating: [], count: shifts.count)
    }

    /// - Parameter reach: how many readings lie between the end of the newest and that of those they are compared with.
    private static func shifts(
        of newest: [Double], _ near: [Double], _ far: [Double], reach: Int
    ) -> [Double] {
        newest.indices.map { end in
            end < reach ? 0 : abs(lesser(newest[end], near[end - reach], far[end - reach]))
        }
    }

    /// For the index of each reading, and for the end, the shift of such a window before it, either way.
    private func row(_ window: ShiftRatio.Window) -> [Double] {
        guard window.gap > 0 else { return shifts[window.length] }
        while gapped[window.length].count <= window.gap { gapped[window.length].append([]) }
        if gapped[window.length][window.gap].isEmpty {
            gapped[window.length][window.gap] = Self.shifts(
                of: medians[window.length], medians[Self.baselines.near], medians[Self.baselines.far],
                reach: window.length + window.gap)
        }
        return gapped[window.length][window.gap]
    }

    /// How far the newest readings before `end` stand from those before them, in medians, on `PositionScale`; below 0 is
    /// up. The lesser of two comparisons, 0 where they contradict each other.
    ///
    /// - Parameter first: readings before it are not looked at. There are enough since.
    func shift(_ end: Int, _ window: ShiftRatio.Window, since first: Int) -> Double {
        let old = end - window.length - window.gap
        return Self.lesser(
            medians[window.length][end], medians[Self.baselines.near][old],
            medians[min(old - first, Self.baselines.far)][old])
    }

    @inline(__always)
    private static func lesser(_ newest: Double, _ near: Double, _ far: Double) -> Double {
        let (near, far) = (newest - near, newest - far)
        guard near * far > 0 else { return 0 }
        return abs(near) < abs(far) ? near : far
    }

    /// Of the moments before it the older baseline would begin before `first`.
    private func whole(_ moments: Range<Int>, _ window: ShiftRatio.Window, since first: Int) -> Int {
        let reach = window.length + window.gap
        return min(max(first + reach + Self.baselines.far, moments.lowerBound), moments.upperBound)
    }

    /// At how many of `moments` the shift was below `limit`.
    func count(below limit: Double, _ moments: Range<Int>, _ window: ShiftRatio.Window, since first: Int) -> Int {
        // Most of them stand in a row already.
        let whole = whole(moments, window, since: first)
        var below = 0
        for end in moments.lowerBound..<whole { below += abs(shift(end, window, since: first)) < limit ? 1 : 0 }
        row(window).withUnsafeBufferPointer { shifts in
            for end in whole..<moments.upperBound { below += shifts[end] < limit ? 1 : 0 }
        }
        return below
    }

    /// As `Robust.quantile`, without sorting all of them.
    ///
    /// - Returns: `nil` if there are no moments.
    func quantile(_ share: Double, _ moments: Range<Int>, _ window: ShiftRatio.Window, since first: Int) -> Double? {
        guard !moments.isEmpty else { return nil }
        let rank = Double(moments.count - 1) * share
        let below = Int(rank)
        let (value, next) =
            window.gap == 0
            ? neighbours(below, of: moments, window, since: first)
            : withUnsafeTemporaryAllocation(of: Double.self, capacity: moments.count) { all in
                let whole = whole(moments, window, since: first) - moments.lowerBound
                for index in 0..<whole {
                    all[index] = abs(shift(moments.lowerBound + index, window, since: first))
                }
                _ = UnsafeMutableBufferPointer(rebasing: all[whole...])
                    .update(fromContentsOf: row(window)[(moments.lowerBound + whole)..<moments.upperBound])
                return (all.select(below), all[(below + 1)...].min())
            }
        return next.map { value + ($0 - value) * (rank - Double(below)) } ?? value
    }

    /// Of the shifts of `moments` the one of that rank, and the next greater one.
    private func neighbours(
        _ rank: Int, of moments: Range<Int>, _ window: ShiftRatio.Window, since first: Int
    ) -> (Double, Double?) {
        let whole = whole(moments, window, since: first)
        known[window.length].move(to: whole..<moments.upperBound, of: shifts[window.length])
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: whole - moments.lowerBound) { early in
            for (index, end) in zip(0..., moments.lowerBound..<whole) {
                early[index] = abs(shift(end, window, since: first))
            }
            var early = early
            early.sort()
            return known[window.length].neighbours(rank, with: early)
        }
    }
}
