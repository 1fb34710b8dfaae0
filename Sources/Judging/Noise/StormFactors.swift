/// How many times as far as usual the lists of a country moved, on the days on which they moved farther.
///
/// A judgement asks for thousands of days, nearly always one after the other.
struct StormFactors: Sendable {
    private let first: Int64
    /// From the first day on.
    private let factors: [Double]
    /// Days from this one on are not known.
    private var end = Int64.max

    /// - Parameter factors: by day (UTC, since 1970-01-01), above 1.
    init(_ factors: [Int64: Double] = [:]) {
        guard let first = factors.keys.min(), let last = factors.keys.max() else {
            self.first = 0
            self.factors = []
            return
        }
        self.first = first
        self.factors = (first...last).map { factors[$0] ?? 1 }
    }

    var isEmpty: Bool { factors.isEmpty || end <= first }

    /// 1 on a calm day.
    subscript(day: Int64) -> Double {
        let index = Int(day - first)
        return factors.indices.contains(index) && day < end ? factors[index] : 1
    }

    /// Those of the days before `day`.
    func before(_ day: Int64) -> StormFactors {
        var known = self
        known.end = day
        return known
    }
}
