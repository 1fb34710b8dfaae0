internal import Foundation

/// Student's t distribution.
enum StudentT {
    /// The value below which `share` of the distribution lies.
    ///
    /// - Parameters:
    ///   - share: above 0.5, below 1.
    ///   - freedom: degrees of freedom, at least 1; need not be whole.
    static func quantile(_ share: Double, freedom: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while below(high, freedom: freedom) < share, high < 1e9 { high *= 2 }
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if below(middle, freedom: freedom) < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The share that lies below `value`, which is at least 0: 1 − I(ν / (ν + t²); ν/2, 1/2) / 2 (Abramowitz and Stegun,
    /// “Handbook of Mathematical Functions”, 26.7.1).
    static func below(_ value: Double, freedom: Double) -> Double {
        1 - incompleteBeta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2
    }

    /// The regularised incomplete beta function, by the continued fraction of Abramowitz and Stegun, 26.5.8, evaluated
    /// as Lentz did (“Generating Bessel functions in Mie scattering calculations using continued fractions”, 1976).
    static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        // The fraction converges quickly only below the mean.
        guard x < (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(1 - x, b, a) }
        let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
        let tiny = 1e-300
        func kept(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / kept(1 - (a + b) * x / (a + 1))
        var fraction = d
        for step in 1...300 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / kept(1 + even * d)
            c = kept(1 + even / c)
            fraction *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / kept(1 + odd * d)
            c = kept(1 + odd / c)
            fraction *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return front * fraction
    }
}
