extension Array where Element: Comparable {
    /// For each index, and for the end, what `figure` makes of the `count` values before it, or of as many as there are:
    /// they are handed over in ascending order.
    @inline(__always)
    func slidingWindows<Figure>(
        of count: Int, _ figure: (_ sorted: Slice<UnsafeMutableBufferPointer<Element>>) -> Figure
    ) -> [Figure] {
        withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { sorted in
            var figures: [Figure] = []
            figures.reserveCapacity(self.count + 1)
            var held = 0
            for index in indices {
                figures.append(figure(sorted[..<held]))
                let coming = self[index]
                var slot = held
                if held == count {
                    let leaving = self[index - count]
                    slot = 0
                    while sorted[slot] != leaving { slot += 1 }
                    while slot + 1 < held, sorted[slot + 1] < coming {
                        sorted[slot] = sorted[slot + 1]
                        slot += 1
                    }
                } else {
                    held += 1
                }
                while slot > 0, sorted[slot - 1] > coming {
                    sorted[slot] = sorted[slot - 1]
                    slot -= 1
                }
                sorted[slot] = coming
            }
            figures.append(figure(sorted[..<held]))
            return figures
        }
    }
}

extension [Double] {
    /// For each index, and for the end: the median of the `count` values before it, or of as many as there are; 0 before
    /// the first.
    func slidingMedians(of count: Int) -> [Double] {
        slidingWindows(of: count) { sorted in
            sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
    }
}

extension [Int] {
    /// For each index, and for the end: the lower median of the `count` values before it; `other` where there are fewer.
    func slidingLowerMedians(of count: Int, orElse other: Int) -> [Int] {
        slidingWindows(of: count) { sorted in sorted.count == count ? sorted[(count - 1) / 2] : other }
    }
}
