/// A 64-bit hash of an entry's bytes, stable across runs and machines because it is stored.
///
/// Eight bytes at a time are mixed in by a 64 × 64 → 128-bit multiplication whose halves are folded together, the
/// construction of Wang Yi's wyhash. It tells one version of an entry from the next; it guards against nothing.
enum Fingerprint {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = fold(UInt64(truncatingIfNeeded: bytes.count) ^ 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)
        var index = 0
        while index + 16 <= bytes.count {
            let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let second = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
            state = fold(first ^ 0x8EBC_6AF0_9C88_C6E3, second ^ state)
            index += 16
        }
        var rest: (UInt64, UInt64) = (0, 0)
        for offset in 0..<(bytes.count - index) {
            let byte = UInt64(bytes[index + offset])
            if offset < 8 { rest.0 |= byte << UInt64(offset * 8) } else { rest.1 |= byte << UInt64((offset - 8) * 8) }
        }
        return fold(rest.0 ^ 0x5899_65CC_7537_4CC3, rest.1 ^ state)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
