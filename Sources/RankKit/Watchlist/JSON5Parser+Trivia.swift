extension JSON5Parser {
    /// Moves past white space and comments.
    mutating func skipTrivia() throws(JSON5Error) {
        while let byte = current {
            switch byte {
            case 0x20, 0x09...0x0D: offset += 1
            case UInt8(ascii: "/"):
                switch offset + 1 < bytes.count ? bytes[offset + 1] : 0 {
                case UInt8(ascii: "/"): skipLineComment()
                case UInt8(ascii: "*"): try skipBlockComment()
                default: return
                }
            case 0x80...:
                let (scalar, length) = UTF8Text.scalar(in: bytes, at: offset)
                guard Self.isSpace(scalar) else { return }
                offset += length
            default: return
            }
        }
    }

    private mutating func skipLineComment() {
        while let byte = current, byte != 0x0A, byte != 0x0D {
            if byte == 0xE2, Self.isLineSeparator(UTF8Text.scalar(in: bytes, at: offset).scalar) { return }
            offset += 1
        }
    }

    private mutating func skipBlockComment() throws(JSON5Error) {
        let start = offset
        offset += 2
        while offset + 1 < bytes.count {
            if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
                offset += 2
                return
            }
            offset += 1
        }
        throw JSON5Error(
            offset: bytes.count, problem: "expected “*/” but the file ends", remedy: "close the comment",
            openedAt: start)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FEFF}" || isLineSeparator(scalar) || scalar.properties.generalCategory == .spaceSeparator
    }

    static func isLineSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
