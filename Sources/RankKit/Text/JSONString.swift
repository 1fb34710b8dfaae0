/// Text as JSON has it: in double quotes, with an escape for every character that may not stand there as it is (RFC 8259,
/// section 7).
package enum JSONString {
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An array of texts, on one line.
    package static func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }

    /// - Parameter keepsUnsafe: whether characters that would act on a terminal, and that JSON permits, are left as they
    ///   are; otherwise they are escaped too, so that the text is safe to look at and still exact.
    package static func append(_ text: String, to bytes: inout [UInt8], keepsUnsafe: Bool = false) {
        bytes.append(quote)
        let isWritten = text.utf8.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy({ isPlain($0) || (keepsUnsafe && $0 >= 0x7F) }) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if isWritten != true {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": bytes += "\\\"".utf8
                case "\\": bytes += "\\\\".utf8
                case "\n": bytes += "\\n".utf8
                case "\r": bytes += "\\r".utf8
                case "\t": bytes += "\\t".utf8
                case "\0"..."\u{1F}": appendEscape(of: scalar, to: &bytes)
                case _ where !keepsUnsafe && SafeText.isUnsafe(scalar): appendEscape(of: scalar, to: &bytes)
                default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                }
            }
        }
        bytes.append(quote)
    }

    /// The escape by number, as a pair of surrogates beyond U+FFFF.
    package static func appendEscape(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            bytes += "\\u".utf8
            for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(hexDigits[Int(unit >> shift & 0xF)]) }
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != quote && byte != UInt8(ascii: "\\")
    }
}
