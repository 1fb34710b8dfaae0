extension UnsafeMutableBufferPointer where Element: Comparable {
    /// Puts the element of that rank in its place, the lesser ones before it and the greater ones behind: what a quantile
    /// needs, without sorting all of them (Hoare, “Algorithm 65: Find”, 1961).
    ///
    /// - Parameter rank: counted from 0, below `count`.
    @inlinable
    package func select(_ rank: Int) -> Element {
        var (first, last) = (0, count - 1)
        while first < last {
            let pivot = self[(first + last) / 2]
            var (low, high) = (first, last)
            while low <= high {
                while self[low] < pivot { low += 1 }
                while self[high] > pivot { high -= 1 }
                guard low <= high else { break }
                swapAt(low, high)
                low += 1
                high -= 1
            }
            if rank <= high {
                last = high
            } else if rank >= low {
                first = low
            } else {
                break
            }
        }
        return self[rank]
    }
}
