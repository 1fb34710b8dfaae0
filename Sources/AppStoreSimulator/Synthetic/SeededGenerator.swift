/// SplitMix64: small, quick, and the same on every machine (Steele, Lea and Flood, “Fast splittable pseudorandom
/// number generators”, 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return SeededHash.finish(state)
    }

    /// Uniform in [0, 1).
    mutating func unit() -> Double { next().unit }

    /// An element drawn uniformly.
    ///
    /// - Precondition: `elements` is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }
}

/// Hashes that are the same in every process, unlike `Hasher`.
enum SeededHash {
    static func finish(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        finish(first ^ (second &* 0x9E37_79B9_7F4A_7C15 &+ 0x7F4A_7C15_9E37_79B9))
    }

    static func mix(_ first: UInt64, _ second: Int64) -> UInt64 { mix(first, UInt64(bitPattern: second)) }

    /// FNV-1a over the UTF-8 of `text`, finished.
    static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return finish(hash)
    }
}

extension UInt64 {
    /// The value spread over [0, 1).
    var unit: Double { Double(self >> 11) * 0x1p-53 }
}

extension Int64 {
    /// Division that rounds down, also below zero.
    func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
