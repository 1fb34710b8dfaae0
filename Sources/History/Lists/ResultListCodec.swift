/// The stored form of a result list: which app, by its dense number, held which place.
///
/// A version byte (1), then one LEB128 number a place, best first: the app's dense number, or 0 for a place whose
/// entry could not be read. The number of places is the number of numbers. Decodable for ever: a new form gets a new
/// version byte.
package enum ResultListCodec {
    private static let version: UInt8 = 1

    /// - Parameter places: dense numbers from 1, `nil` for an unreadable place.
    package static func encode(_ places: [Int64?]) -> [UInt8] {
        var bytes: [UInt8] = [version]
        bytes.reserveCapacity(1 + places.count * 3)
        for place in places {
            var number = UInt64(place ?? 0)
            while number >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
                number >>= 7
            }
            bytes.append(UInt8(number))
        }
        return bytes
    }

    /// Exactly what `encode` was given.
    ///
    /// - Throws: `Damaged` where the bytes are not what `encode` writes.
    package static func decode(_ bytes: [UInt8]) throws(Damaged) -> [Int64?] {
        guard bytes.first == version else { throw .unknownVersion }
        var places: [Int64?] = []
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes.dropFirst() {
            guard shift < 63 else { throw .malformed }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            places.append(number == 0 ? nil : Int64(number))
            (number, shift) = (0, 0)
        }
        guard shift == 0 else { throw .malformed }
        return places
    }

    package enum Damaged: Error, Sendable {
        /// Written by a later rankd, or not a list at all.
        case unknownVersion
        case malformed
    }
}
