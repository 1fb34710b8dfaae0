import Foundation
import RankKit

/// Pairs that only jitter, as real ones do, and that can be made to move for good.
///
/// A pair stands at its usual place and is now and then away from it. What is known of keyword ranks is kept to: 45 in
/// 100 readings differ from the day before, by 4 places in the median and by some three dozen at most. How often and how
/// far a pair is away grows with depth in the proportions of charts. Most pairs come back at once; some stay where they
/// were thrown until the next throw; some wander. Each country has storms that throw nearly everybody farther, days
/// without any answer, and pairs have days of their own without one, and absences that mean nothing.
struct JitteringPairs {
    /// What a pair does when it has left its usual place.
    enum Manner: String, CaseIterable {
        /// Is back the next day, nine times in ten.
        case returning
        /// Stays until it is thrown anew, around the usual place.
        case held
        /// Drifts off and is pulled back, a tenth of the way each day.
        case wandering
    }

    struct Pair {
        var country: Country
        var usual: Double
        var manner: Manner
        /// The true position by day, or 0 where absent; `nil` without a good check.
        var days: [Int64: Reading]
    }

    static let countries = ["us", "gb", "de", "jp", "br"].compactMap { Country(code: $0) }
    static let firstDay: Int64 = 20_000

    private var random: Seeded
    /// In the order of `Manner.allCases`; they add up to 1.
    var shares: [Double] = [0.94, 0.04, 0.02]
    /// The share of days on which a storm begins; every second one lasts two days.
    var stormRate = 0.012
    var slope = 0.036
    var cap = 7.0
    /// How much farther than otherwise pairs are away.
    var width = 1.0

    init(seed: UInt64) { random = Seeded(seed: seed) }

    /// A country's days, the same for all of its pairs.
    struct Sky {
        /// 1 on a calm day.
        var storms: [Double]
        var failed: [Bool]
    }

    mutating func sky(days: Int) -> Sky {
        var storms: [Double] = []
        while storms.count < days {
            let isStorm = random.unit() < stormRate
            let factor = isStorm ? 2.5 + 1.5 * random.unit() : 1
            storms += Array(repeating: factor, count: isStorm && random.unit() < 0.5 ? 2 : 1)
        }
        return Sky(storms: Array(storms.prefix(days)), failed: (0..<days).map { _ in random.unit() < 0.01 })
    }

    /// - Parameters:
    ///   - shift: places by which the usual place changes for good on that day, counted from 0.
    ///   - slide: places by which it changes on that day and on every one after it.
    mutating func pair(
        _ country: Country, usual: Double, under sky: Sky, shift: (places: Double, day: Int)? = nil,
        slide: (places: Double, day: Int)? = nil
    ) -> Pair {
        let draw = random.unit()
        let manner: Manner =
            draw < shares[0] ? .returning : draw < shares[0] + shares[1] ? .held : .wandering
        let spread = width * 1.25 * min(0.25 + slope * usual, cap) * exp(0.35 * random.normal())
        let rate = min(0.9, max(0.02, Self.rate(usual) * exp(0.5 * random.normal())))
        let within = random.unit() < 0.5 ? 200 : max(Int(usual) + 10, 40 + Int(random.unit() * 155))
        var off = 0.0
        var days: [Int64: Reading] = [:]
        for (index, storm) in sky.storms.enumerated() {
            off = step(from: off, manner: manner, rate: rate, spread: spread, storm: storm)
            let level =
                usual + (shift.map { index >= $0.day ? $0.places : 0 } ?? 0)
                + (slide.map { Double(max(0, index - $0.day + 1)) * $0.places } ?? 0)
            guard !sky.failed[index], random.unit() >= 0.02 else { continue }
            let place = max(1, Int((level + off).rounded()))
            let isAbsent = place > within || random.unit() < 0.003
            let day = Self.firstDay + Int64(index)
            days[day] = Reading(
                position: isAbsent ? nil : Position(place), within: within, checkedAt: .startOfDay(day) + 7_200)
        }
        return Pair(country: country, usual: usual, manner: manner, days: days)
    }

    private mutating func step(
        from off: Double, manner: Manner, rate: Double, spread: Double, storm: Double
    ) -> Double {
        if storm > 1 { return random.unit() < 0.85 ? random.heavy() * spread * storm : 0 }
        switch manner {
        case .returning:
            if off != 0, random.unit() < 0.1 { return off }
            return random.unit() < rate ? random.heavy() * spread : 0
        case .held: return random.unit() < 1.6 * rate ? random.heavy() * spread : off
        case .wandering: return random.unit() < 1.6 * rate ? off * 0.9 + random.heavy() * spread * 0.5 : off
        }
    }

    /// The share of days on which a pair is away; the two that differ around one such day make it about 1.7 as many
    /// changes.
    private static func rate(_ usual: Double) -> Double {
        usual <= 10 ? 0.1 + 0.012 * usual : usual <= 40 ? 0.22 + 0.0033 * (usual - 10) : 0.32
    }

    mutating func unit() -> Double { random.unit() }

    mutating func normal() -> Double { random.normal() }
}

/// SplitMix64 (Steele, Lea and Flood 2014), and the distributions drawn from it.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Uniform in [0, 1).
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Standard normal (Box and Muller 1958).
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }

    /// Student's t with four degrees of freedom: a normal one over the root of a mean of four squares.
    mutating func heavy() -> Double {
        let squares = -2 * log((1 - unit()) * (1 - unit()))
        return normal() / (squares / 4).squareRoot()
    }
}
