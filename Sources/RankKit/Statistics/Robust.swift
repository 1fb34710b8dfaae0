/// Medians and quantiles, which a few wild values cannot pull away.
package enum Robust {
    /// By which the median absolute deviation of normal values estimates their standard deviation: 1 / 0.67449
    /// (Hampel, “The influence curve and its role in robust estimation”, 1974).
    package static let consistency = 1.482_602_218_505_602

    /// The middle value, or the mean of the two in the middle.
    ///
    /// - Returns: `nil` of no values.
    package static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: values.count) { copy in
            _ = copy.initialize(fromContentsOf: values)
            let upper = copy.select(values.count / 2)
            // What has a lower rank stands before it.
            let lower = values.count.isMultiple(of: 2) ? copy[..<(values.count / 2)].max() : nil
            return ((lower ?? upper) + upper) / 2
        }
    }

    /// As `median(_:)`, of values in ascending order.
    package static func median(sorted values: some RandomAccessCollection<Double>) -> Double? {
        guard !values.isEmpty else { return nil }
        func value(_ offset: Int) -> Double { values[values.index(values.startIndex, offsetBy: offset)] }
        return (value((values.count - 1) / 2) + value(values.count / 2)) / 2
    }

    /// The quantile of type 7 of Hyndman and Fan (“Sample quantiles in statistical packages”, 1996): linear between the
    /// neighbours of rank 1 + (n − 1) × `share`, as numpy and R do by default.
    ///
    /// - Parameter share: 0–1; what lies outside is taken as the nearer end.
    /// - Returns: `nil` of no values.
    package static func quantile(_ values: [Double], _ share: Double) -> Double? {
        quantile(sorted: values.sorted(), share)
    }

    /// As `quantile(_:_:)`, of values in ascending order.
    package static func quantile(sorted values: [Double], _ share: Double) -> Double? {
        guard let last = values.last else { return nil }
        let rank = Double(values.count - 1) * min(max(share, 0), 1)
        let below = Int(rank)
        guard below + 1 < values.count else { return last }
        return values[below] + (values[below + 1] - values[below]) * (rank - Double(below))
    }

    /// The median absolute deviation from the median, times `consistency`: a standard deviation where values are normal.
    ///
    /// - Returns: `nil` of fewer than two values. 0 where more than half of them are equal.
    package static func deviation(_ values: [Double]) -> Double? {
        guard values.count >= 2, let middle = median(values) else { return nil }
        return median(values.map { abs($0 - middle) }).map { $0 * consistency }
    }

    /// The lower weighted median: the least value up to which at least half of the weight lies; the mean of it and the
    /// next where exactly half does (Edgeworth, “On a new method of reducing observations”, 1888). With equal weights
    /// it is `median(_:)`.
    ///
    /// - Parameter values: those whose weight is not above 0 count for nothing.
    /// - Returns: `nil` if no weight is left.
    package static func weightedMedian(_ values: [(value: Double, weight: Double)]) -> Double? {
        let sorted = values.filter { $0.weight > 0 }.sorted { $0.value < $1.value }
        let half = sorted.reduce(0) { $0 + $1.weight } / 2
        var seen = 0.0
        for (index, element) in sorted.enumerated() {
            seen += element.weight
            if seen > half { return element.value }
            if seen == half { return (element.value + sorted[min(index + 1, sorted.count - 1)].value) / 2 }
        }
        return sorted.last?.value
    }
}
