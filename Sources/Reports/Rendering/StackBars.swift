import RankKit

/// Where the bars of a stack stand: evenly, one for each step of time or, where there are more of them than columns, one
/// for as many steps as it takes.
struct StackBars {
    /// For each bar the newest moment that falls into it, by its index; `nil` where there is none.
    let newest: [Int?]
    /// Where the first begins and the last ends.
    let span: ClosedRange<Timestamp>
    /// Of the whole, spaces between the bars included.
    let columns: Int
    /// From the beginning of a bar to that of the next.
    private let pitch: Int
    private let width: Int
    private let length: Int64

    /// Few bars are not made wider, in columns.
    private static let widest = 12
    /// From so many columns on, one of them is a space.
    private static let spaced = 4

    /// - Parameters:
    ///   - moments: oldest first.
    ///   - columns: that may be used.
    init?(of moments: [Timestamp], columns: Int) {
        guard let first = moments.first, let last = moments.last else { return nil }
        let step = Self.step(of: moments)
        let (seconds, overflows) = last.secondsSinceEpoch.subtractingReportingOverflow(first.secondsSinceEpoch)
        guard !overflows, columns > 0 else { return nil }
        let steps = seconds / step + 1
        let folded = (steps + Int64(columns) - 1) / Int64(columns)
        length = step * folded
        let count = (steps + folded - 1) / folded
        // The last bar is a whole one: the newest count.
        let start = Timestamp(secondsSinceEpoch: first.secondsSinceEpoch - (count * folded - steps) * step)
        span = start...Timestamp(secondsSinceEpoch: start.secondsSinceEpoch + count * length)
        pitch = max(1, min(Self.widest, columns / Int(count)))
        width = pitch < Self.spaced ? pitch : pitch - 1
        self.columns = pitch * Int(count) - (pitch - width)
        var newest: [Int?] = Array(repeating: nil, count: Int(count))
        for (index, moment) in moments.enumerated() {
            newest[min(Int(count) - 1, Int((moment - start + step / 2) / length))] = index
        }
        self.newest = newest
    }

    /// The columns of a bar, without the space behind it.
    func columns(of bar: Int) -> Range<Int> { bar * pitch..<bar * pitch + width }

    /// The middle of the bar into which `moment` falls; `nil` outside.
    func column(_ moment: Timestamp) -> Int? {
        guard span.contains(moment) else { return nil }
        return min(newest.count - 1, Int((moment - span.lowerBound) / length)) * pitch + (width - 1) / 2
    }

    /// Where a bar begins and ends, as shares of the whole, without the space between bars.
    func shares(of bar: Int) -> (from: Double, through: Double) {
        (Double(bar) / Double(newest.count), Double(bar + 1) / Double(newest.count))
    }

    /// The usual distance of two moments, in seconds.
    private static func step(of moments: [Timestamp]) -> Int64 {
        let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }.filter { $0 > 0 }.sorted()
        return steps.isEmpty ? Timestamp.secondsPerDay : steps[steps.count / 2]
    }
}
