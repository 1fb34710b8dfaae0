extension JSONScanner {
    /// Passes over a string, which starts at its quote, checking escapes, control characters and UTF-8.
    mutating func string() throws(Malformed) -> RawString {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            index = plainRun(from: index)
            guard index < bytes.count else { throw malformed("a string does not end") }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { break }
            if byte >= 0x80 {
                try nonASCIIRun()
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try escape()
            } else {
                throw malformed("a control character in a string")
            }
        }
        let raw = RawString(start: start, end: index, hasEscapes: hasEscapes)
        index += 1
        return raw
    }

    /// The first index from `start` that holds a quote, a backslash, a control character or a byte above ASCII.
    ///
    /// Eight bytes at a time: `word - n × 0x01…01` sets the high bit of a byte that is below n (Anderson, "Bit
    /// Twiddling Hacks"). Other bytes whose high bit it sets are above ASCII, which ends the run as well, or lie above
    /// a true hit, so the lowest one is exact. Byte by byte a whole answer takes half as long again.
    private func plainRun(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let span = bytes.span.bytes
        var index = start
        while index <= span.byteCount &- 8 {
            // Checks its bounds; what makes it "unsafe" is a type that not all bytes are a value of, which integers are
            // not.
            let word = UInt64(littleEndian: span.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let hits = ((word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | word) & highs
            if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return index }
            index += 1
        }
        return index
    }

    private mutating func escape() throws(Malformed) {
        guard index + 1 < bytes.count else { throw malformed("a string does not end") }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            guard hexadecimal(at: index + 2) != nil else { throw malformed("a malformed \\u escape") }
            index += 6
        default: throw malformed("an unknown escape")
        }
    }

    /// The four hexadecimal digits at `start`; `nil` if they are not four such digits.
    private func hexadecimal(at start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var value: UInt16 = 0
        for byte in bytes[start..<start + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// Passes over characters above ASCII, up to the next byte of ASCII or the end. They must be well-formed UTF-8:
    /// shortest forms only, no surrogates, nothing above U+10FFFF (The Unicode Standard, table 3-7).
    private mutating func nonASCIIRun() throws(Malformed) {
        let bytes = bytes
        var index = index
        while index < bytes.count, bytes[index] >= 0x80 {
            let lead = bytes[index]
            let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard lead >= 0xC2, lead <= 0xF4, index <= bytes.count &- length,
                Self.secondBytes(after: lead).contains(bytes[index &+ 1]),
                length < 3 || bytes[index &+ 2] & 0xC0 == 0x80,
                length < 4 || bytes[index &+ 3] & 0xC0 == 0x80
            else {
                self.index = index
                throw malformed("a string is not UTF-8")
            }
            index &+= length
        }
        self.index = index
    }

    @inline(__always)
    private static func secondBytes(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    /// The decoded text of a string that `string()` has passed over. A lone surrogate becomes U+FFFD.
    func text(_ raw: RawString) -> String {
        let slice = bytes[raw.start..<raw.end]
        guard raw.hasEscapes else { return String(decoding: slice, as: UTF8.self) }
        var units: [UInt8] = []
        units.reserveCapacity(slice.count)
        var index = raw.start
        while index < raw.end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                units.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "u"): index += appendUnicodeEscape(at: index, to: &units)
            case let byte:
                units.append(Self.unescaped(byte))
                index += 2
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Appends what the `\u` escape at `index` (with the low surrogate's, where it is a pair) stands for.
    /// Returns how many bytes of the text that was.
    private func appendUnicodeEscape(at index: Int, to units: inout [UInt8]) -> Int {
        let first = hexadecimal(at: index + 2) ?? 0xFFFD
        if UTF16.isLeadSurrogate(first), bytes[index + 6] == UInt8(ascii: "\\"), bytes[index + 7] == UInt8(ascii: "u"),
            let second = hexadecimal(at: index + 8), UTF16.isTrailSurrogate(second)
        {
            let scalar = UTF16.decode(UTF16.EncodedScalar([first, second]))
            units.append(contentsOf: String(Character(scalar)).utf8)
            return 12
        }
        let scalar = Unicode.Scalar(UInt32(first)) ?? "\u{FFFD}"
        units.append(contentsOf: String(Character(scalar)).utf8)
        return 6
    }

    /// Whether a key is exactly `name`, however it is spelt: JSON may write any character as an escape.
    @inline(__always)
    func isKey(_ raw: RawString, _ name: StaticString) -> Bool {
        if raw.hasEscapes { return text(raw) == "\(name)" }
        let length = name.utf8CodeUnitCount
        guard raw.end - raw.start == length else { return false }
        for offset in 0..<length where bytes[raw.start + offset] != name.utf8Start[offset] { return false }
        return true
    }

    /// The text of the next value where it is a string; passes over any other value and returns `nil`.
    mutating func optionalText() throws(Malformed) -> String? {
        guard peek() == UInt8(ascii: "\"") else {
            try skipValue()
            return nil
        }
        return text(try string())
    }

    /// The next value where it is a whole number of 64 bits, or a string holding one; `nil` for any other value.
    mutating func optionalInteger() throws(Malformed) -> Int64? {
        try optionalNumeral().flatMap { Int64($0) }
    }

    /// The next value where it is a finite number, or a string holding one; `nil` for any other value.
    mutating func optionalDouble() throws(Malformed) -> Double? {
        try optionalNumeral().flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func optionalNumeral() throws(Malformed) -> String? {
        switch peek() {
        case UInt8(ascii: "\""): return text(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let range = try number()
            return String(decoding: bytes[range], as: UTF8.self)
        default:
            try skipValue()
            return nil
        }
    }
}
