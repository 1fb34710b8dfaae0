/// Whole numbers as bytes: LEB128, seven bits a byte, the lowest first.
enum LEB128 {
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    static func append(_ number: Int, to bytes: inout [UInt8]) { append(UInt64(number), to: &bytes) }

    /// LEB128 near 0, of either sign, become small ones.
    static func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: (number << 1) ^ (number >> 63)) }

    static func unfolded(_ number: UInt64) -> Int64 { Int64(number >> 1) ^ -Int64(number & 1) }
}

/// A part of some bytes that numbers are read from, one after the other.
struct NumberStream {
    private(set) var next: Int
    let end: Int

    init(_ range: Range<Int>) {
        next = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { next == end }

    /// - Throws: `DamagedBytes` at the end.
    @inline(__always)
    mutating func byte(in bytes: [UInt8]) throws(DamagedBytes) -> UInt8 {
        guard next < end else { throw .malformed }
        next += 1
        return bytes[next - 1]
    }

    /// - Throws: `DamagedBytes` at the end, and where a number has more than 64 bits.
    @inline(__always)
    mutating func number(in bytes: [UInt8]) throws(DamagedBytes) -> UInt64 {
        guard next < end else { throw .malformed }
        let first = bytes[next]
        next += 1
        guard first >= 0x80 else { return UInt64(first) }
        var number = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while next < end {
            let byte = bytes[next]
            next += 1
            guard shift < 63 || byte <= 1 else { throw .malformed }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw .malformed
    }

    /// A number that counts or indexes things of which there are at most `limit`.
    @inline(__always)
    mutating func count(upTo limit: Int, in bytes: [UInt8]) throws(DamagedBytes) -> Int {
        let number = try number(in: bytes)
        guard number <= UInt64(limit) else { throw .malformed }
        return Int(number)
    }
}

/// Why stored bytes cannot be read.
package enum DamagedBytes: Error, Sendable {
    /// Written by a later rankd, or something else altogether.
    case unknownVersion
    /// Not as they were written.
    case malformed
}
