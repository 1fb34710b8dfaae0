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
        for place in places { LEB128.append(UInt64(place ?? 0), to: &bytes) }
        return bytes
    }

    /// Exactly what `encode` was given.
    ///
    /// - Throws: `DamagedBytes` where the bytes are not what `encode` writes.
    package static func decode(_ bytes: [UInt8]) throws(DamagedBytes) -> [Int64?] {
        guard bytes.first == version else { throw .unknownVersion }
        var places: [Int64?] = []
        var numbers = NumberStream(1..<bytes.count)
        do {
            while !numbers.isAtEnd {
                guard let number = Int64(exactly: try numbers.number(in: bytes)) else {
                    throw DamagedBytes.malformed
                }
                places.append(number == 0 ? nil : number)
            }
        } catch {
            throw .malformed
        }
        return places
    }
}
