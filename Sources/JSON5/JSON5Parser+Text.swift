extension JSON5Parser {
    /// The quotes that word processors and chats put in the place of `"` and `'`. JSON5 has no other use for them outside
    /// of a text, so a text may stand in them.
    private static let curlyQuotes: [(opening: Set<Unicode.Scalar>, closing: Set<Unicode.Scalar>)] = [
        (["\u{201C}", "\u{201D}", "\u{201E}"], ["\u{201C}", "\u{201D}"]),
        (["\u{2018}", "\u{2019}", "\u{201A}"], ["\u{2018}", "\u{2019}"]),
    ]

    /// A text in curly quotes; `nil` if none begins here.
    mutating func curlyString() throws(JSON5Error) -> String? {
        guard current == 0xE2 else { return nil }
        let start = offset
        let (opening, length) = UTF8Text.scalar(in: bytes, at: offset)
        guard let closing = Self.curlyQuotes.first(where: { $0.opening.contains(opening) })?.closing else { return nil }
        offset += length
        var text = ""
        while let byte = current {
            let (scalar, length) = UTF8Text.scalar(in: bytes, at: offset)
            if byte == UInt8(ascii: "\\") {
                if let scalar = try escape() { text.unicodeScalars.append(scalar) }
                continue
            }
            if byte == 0x0A || byte == 0x0D { break }
            offset += length
            if closing.contains(scalar) { return text }
            text.unicodeScalars.append(scalar)
        }
        throw JSON5Error(
            offset: offset, problem: "\(current == nil ? "the file" : "the line") ends inside a text",
            remedy: "close the text with the same kind of quote, best of all \"", openedAt: start)
    }

    /// A text in single or double quotes, whose opening quote is the current byte.
    mutating func string() throws(JSON5Error) -> String {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var chunkStart = offset
        var text = ""
        while let byte = current {
            switch byte {
            case quote:
                text += chunk(from: chunkStart)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                text += chunk(from: chunkStart)
                if let scalar = try escape() { text.unicodeScalars.append(scalar) }
                chunkStart = offset
            case 0x0A, 0x0D:
                throw JSON5Error(
                    offset: offset, problem: "the line ends inside a text",
                    remedy: "close the text with \(Character(Unicode.Scalar(quote)))", openedAt: start)
            default: offset += 1
            }
        }
        throw JSON5Error(
            offset: offset, problem: "the file ends inside a text",
            remedy: "close the text with \(Character(Unicode.Scalar(quote)))", openedAt: start)
    }

    private func chunk(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

    /// The character that an escape stands for; `nil` for a line continuation.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = offset
        offset += 1
        guard offset < bytes.count else { return nil }
        let (scalar, length) = UTF8Text.scalar(in: bytes, at: offset)
        offset += length
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "x": return Unicode.Scalar(UInt8(try hexDigits(2, escapeAt: start)))
        case "u": return try unicodeEscape(at: start)
        case "0":
            guard let next = current, Self.isDigit(next) else { return "\0" }
            throw Self.badEscape(at: start)
        case "1"..."9": throw Self.badEscape(at: start)
        case "\r":
            _ = take(0x0A)
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        default: return scalar
        }
    }

    /// The four digits after `\u`, and a second escape where they are the first half of a pair.
    private mutating func unicodeEscape(at start: Int) throws(JSON5Error) -> Unicode.Scalar {
        let first = try hexDigits(4, escapeAt: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw Self.halfPair(at: start)
        }
        let second = try hexDigits(4, escapeAt: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw Self.halfPair(at: start) }
        return scalar
    }

    private mutating func hexDigits(_ count: Int, escapeAt start: Int) throws(JSON5Error) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let byte = current, let digit = Self.hexValue(byte) else { throw Self.badEscape(at: start) }
            number = number << 4 | UInt32(digit)
            offset += 1
        }
        return number
    }

    private static func badEscape(at offset: Int) -> JSON5Error {
        JSON5Error(
            offset: offset, problem: "this escape is not complete",
            remedy: "write \\xHH or \\uHHHH with hexadecimal digits, or \\\\ for a backslash")
    }

    private static func halfPair(at offset: Int) -> JSON5Error {
        JSON5Error(
            offset: offset, problem: "this escape is half of a surrogate pair",
            remedy: "write both halves, or the character itself")
    }

    /// A key without quotes, or a word such as `true`: an ECMAScript 5.1 IdentifierName. `nil` if none begins here.
    mutating func identifier() throws(JSON5Error) -> String? {
        var name = ""
        while offset < bytes.count {
            let start = offset
            var (scalar, length) = UTF8Text.scalar(in: bytes, at: offset)
            if scalar == "\\" {
                offset += 1
                guard take(UInt8(ascii: "u")) else { throw Self.badEscape(at: start) }
                scalar = try unicodeEscape(at: start)
                length = 0
            }
            guard name.isEmpty ? Self.startsIdentifier(scalar) : Self.continuesIdentifier(scalar) else {
                offset = start
                break
            }
            name.unicodeScalars.append(scalar)
            offset += length
        }
        return name.isEmpty ? nil : name
    }

    static func startsIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "$", "_", "a"..."z", "A"..."Z": return true
        case "\0"..."\u{7F}": return false
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                return true
            default: return false
            }
        }
    }

    private static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        if startsIdentifier(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
        default: return false
        }
    }
}
