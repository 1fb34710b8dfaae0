/// Some consecutive values in ascending order.
struct SortedSlice {
    private var range = 0..<0
    private var sorted: [Double] = []

    /// More than so many steps away it is sorted anew.
    private static let mostSteps = 60

    /// - Parameter all: always the same.
    mutating func move(to new: Range<Int>, of all: [Double]) {
        let steps = abs(new.lowerBound - range.lowerBound) + abs(new.upperBound - range.upperBound)
        guard steps <= Self.mostSteps, new.overlaps(range) else {
            sorted = all[new].sorted()
            range = new
            return
        }
        for index in range.lowerBound..<max(new.lowerBound, range.lowerBound) { remove(all[index]) }
        for index in min(new.upperBound, range.upperBound)..<range.upperBound { remove(all[index]) }
        for index in new.lowerBound..<max(new.lowerBound, range.lowerBound) { insert(all[index]) }
        for index in min(new.upperBound, range.upperBound)..<new.upperBound { insert(all[index]) }
        range = new
    }

    private mutating func insert(_ value: Double) { sorted.insert(value, at: place(of: value)) }
    private mutating func remove(_ value: Double) { sorted.remove(at: place(of: value)) }

    /// The first that is not less.
    private func place(of value: Double) -> Int {
        var (first, count) = (0, sorted.count)
        while count > 0 {
            let half = count / 2
            let isLess = sorted[first + half] < value
            first = isLess ? first + half + 1 : first
            count = isLess ? count - half - 1 : half
        }
        return first
    }

    /// Of these and `others` together the one of that rank, and the next greater one; it is below their number.
    ///
    /// - Parameter others: in ascending order; a few.
    func neighbours(_ rank: Int, with others: UnsafeMutableBufferPointer<Double>) -> (Double, Double?) {
        var (mine, other) = (sorted.count, others.count)
        func takeGreatest() -> Double {
            if other > 0, mine == 0 || others[other - 1] > sorted[mine - 1] {
                other -= 1
                return others[other]
            }
            mine -= 1
            return sorted[mine]
        }
        var next: Double?
        while mine + other > rank + 1 { next = takeGreatest() }
        return (takeGreatest(), next)
    }

    /// As `Robust.median`, of these and `others` together.
    func median(with others: UnsafeMutableBufferPointer<Double>) -> Double? {
        let count = sorted.count + others.count
        guard count > 0 else { return nil }
        let (lower, next) = neighbours((count - 1) / 2, with: others)
        return (lower + (count.isMultiple(of: 2) ? next ?? lower : lower)) / 2
    }
}
