/// Pictures of four colours, as PNG (RFC 2083), two bits a point.
///
/// The points are stored, not compressed: at two bits each they are few enough, and no library is needed.
struct PNGWriter {
    let width: Int
    let height: Int
    /// Red, green and blue, each 0–255.
    let palette: [[UInt8]]

    /// - Parameter colour: the number in the palette, 0–3, of the point at (x, y), counted from the top left.
    func picture(_ colour: (_ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
        var lines: [UInt8] = []
        let lineBytes = (width + 3) / 4
        lines.reserveCapacity(height * (lineBytes + 1))
        for y in 0..<height {
            // The line is sent as it is, without a filter.
            lines.append(0)
            for start in stride(from: 0, to: width, by: 4) {
                var byte: UInt8 = 0
                for x in start..<start + 4 { byte = byte << 2 | (x < width ? colour(x, y) & 3 : 0) }
                lines.append(byte)
            }
        }
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        png += Self.chunk("IHDR", Self.number(UInt32(width)) + Self.number(UInt32(height)) + [2, 3, 0, 0, 0])
        png += Self.chunk("PLTE", palette.flatMap { $0 })
        png += Self.chunk("IDAT", Self.stored(lines))
        png += Self.chunk("IEND", [])
        return png
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return number(UInt32(content.count)) + checked + number(checksum(checked))
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let largest = 65_535
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: largest) {
            let block = bytes[start..<min(start + largest, bytes.count)]
            let (low, high) = (UInt8(truncatingIfNeeded: block.count), UInt8(truncatingIfNeeded: block.count >> 8))
            stream += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high]
            stream += block
        }
        return stream + number(adler(bytes))
    }

    /// Adler-32 (RFC 1950, 8.2).
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// CRC-32 as PNG has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { rest, byte in
            table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8
        }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(number) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
    }
}
