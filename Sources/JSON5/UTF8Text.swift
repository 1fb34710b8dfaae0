import Algorithms

/// What reading UTF-8 byte by byte needs.
enum UTF8Text {
    /// The offset of the first byte that does not belong to a well-formed sequence (Unicode 15, table 3-7);
    /// `nil` if all do.
    static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        var offset = 0
        while offset < bytes.count {
            let lead = bytes[offset]
            if lead < 0x80 {
                offset += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: length = 4
            default: return offset
            }
            guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return offset }
            for index in offset + 2..<max(offset + length, offset + 2) where bytes[index] & 0xC0 != 0x80 {
                return offset
            }
            offset += length
        }
        return nil
    }

    /// The character at `offset` and its length in bytes. `bytes` are well-formed and `offset` begins a character.
    static func scalar(in bytes: [UInt8], at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let lead = bytes[offset]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var number = UInt32(lead & (0xFF >> UInt8(length + 1)))
        for index in offset + 1..<min(offset + length, bytes.count) {
            number = number << 6 | UInt32(bytes[index] & 0x3F)
        }
        return (Unicode.Scalar(number) ?? "\u{FFFD}", length)
    }

    /// A character for people: in quotes, or by its number where it would not be seen.
    static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "the character U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
        default: return "“\(scalar)”"
        }
    }
}

/// Turns byte offsets into lines and columns.
package struct LineIndex: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() {
            let endsLine = byte == 0x0A || (byte == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A))
            if endsLine { starts.append(offset + 1) }
        }
        self.starts = starts
    }

    /// The line and, in characters, the column of a byte; both begin at 1. A byte-order mark is not counted.
    package func place(of offset: Int) -> (line: Int, column: Int) {
        let index = starts.partitioningIndex { $0 > offset } - 1
        var characters = 0
        for byte in bytes[starts[index]..<min(offset, bytes.count)] where byte & 0xC0 != 0x80 { characters += 1 }
        if index == 0, offset >= 3, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { characters -= 1 }
        return (index + 1, characters + 1)
    }
}
