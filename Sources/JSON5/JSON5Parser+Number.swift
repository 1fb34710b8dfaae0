extension JSON5Parser {
    /// A number, whose first byte is the current one: a sign, a digit or a point.
    mutating func number() throws(JSON5Error) -> Double {
        let start = offset
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { offset += 1 }
        let magnitude = try unsignedNumber(from: start)
        if offset < bytes.count {
            let next = UTF8Text.scalar(in: bytes, at: offset).scalar
            if Self.startsIdentifier(next) || Self.isDigit(bytes[offset]) { throw Self.badNumber(at: start) }
        }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func unsignedNumber(from start: Int) throws(JSON5Error) -> Double {
        guard let byte = current else { throw Self.badNumber(at: start) }
        if Self.startsIdentifier(Unicode.Scalar(byte)) {
            switch try identifier() {
            case "Infinity": return .infinity
            case "NaN": return .nan
            default: throw Self.badNumber(at: start)
            }
        }
        if byte == UInt8(ascii: "0"), offset + 1 < bytes.count, bytes[offset + 1] | 0x20 == UInt8(ascii: "x") {
            offset += 2
            return try hexadecimal(from: start)
        }
        return try decimal(from: start)
    }

    private mutating func hexadecimal(from start: Int) throws(JSON5Error) -> Double {
        let digits = offset
        var number = 0.0
        while let byte = current, let digit = Self.hexValue(byte) {
            number = number * 16 + Double(digit)
            offset += 1
        }
        guard offset > digits else { throw Self.badNumber(at: start) }
        return number
    }

    /// `1`, `1.`, `1.5`, `.5`, each with an exponent or none; no leading zeros.
    private mutating func decimal(from start: Int) throws(JSON5Error) -> Double {
        let begin = offset
        let startsWithZero = current == UInt8(ascii: "0")
        let whole = skipDigits()
        guard !startsWithZero || whole == 1 else {
            throw JSON5Error(
                offset: start, problem: "a number with a leading zero", remedy: "write it without the zero")
        }
        var fraction = 0
        if take(UInt8(ascii: ".")) { fraction = skipDigits() }
        guard whole + fraction > 0 else { throw Self.badNumber(at: start) }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() > 0 else { throw Self.badNumber(at: start) }
        }
        // `Double` wants a digit on both sides of the point, which a zero in front of the text and one after a
        // closing point provide.
        var text = "0" + String(decoding: bytes[begin..<offset], as: UTF8.self)
        if fraction == 0, let point = text.firstIndex(of: ".") { text.insert("0", at: text.index(after: point)) }
        guard let number = Double(text) else { throw Self.badNumber(at: start) }
        return number
    }

    /// How many digits were passed.
    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = current, Self.isDigit(byte) { offset += 1 }
        return offset - start
    }

    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func badNumber(at offset: Int) -> JSON5Error {
        JSON5Error(
            offset: offset, problem: "this is not a number", remedy: "write digits such as 15 or 0.5, or text in quotes"
        )
    }
}
