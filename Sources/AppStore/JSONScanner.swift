/// Walks over one JSON text (RFC 8259) in memory without building values, checking all of it: a body that is not
/// whole and well-formed, down to the UTF-8 of its strings, throws.
///
/// Kept by hand: of an answer of 2 MB a tracker needs a few kilobytes, and Foundation's decoder would build all of it.
/// Strings are passed over eight bytes at a time, and only what is asked for is decoded. Every access is checked.
struct JSONScanner {
    let bytes: [UInt8]
    var index: Int

    /// Deeper nesting than any real answer has, and shallow enough for any thread's stack.
    static let deepestNesting = 128

    init(_ bytes: [UInt8], from index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    /// Where and why the text is not JSON.
    struct Malformed: Error {
        let offset: Int
        let problem: StaticString
    }

    /// A string as it stands in the text, without its quotes.
    struct RawString {
        let start: Int
        let end: Int
        let hasEscapes: Bool
    }

    func malformed(_ problem: StaticString) -> Malformed { Malformed(offset: index, problem: problem) }

    var isAtEnd: Bool { index >= bytes.count }

    /// The next byte that is not white space; 0 at the end of the text.
    mutating func peek() -> UInt8 {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return byte
            }
        }
        return 0
    }

    mutating func take(_ byte: UInt8, or problem: StaticString) throws(Malformed) {
        guard peek() == byte else { throw malformed(problem) }
        index += 1
    }

    mutating func takeIf(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    /// Passes over an object, handing each key to `member`, which must consume exactly the value.
    mutating func object(
        _ member: (inout JSONScanner, RawString) throws(Malformed) -> Void
    ) throws(Malformed) {
        try take(UInt8(ascii: "{"), or: "expected an object")
        if takeIf(UInt8(ascii: "}")) { return }
        repeat {
            guard peek() == UInt8(ascii: "\"") else { throw malformed("expected a key") }
            let key = try string()
            try take(UInt8(ascii: ":"), or: "expected a colon")
            try member(&self, key)
        } while takeIf(UInt8(ascii: ","))
        try take(UInt8(ascii: "}"), or: "expected a comma or the end of the object")
    }

    /// Passes over an array, calling `element`, which must consume exactly one value, for each.
    mutating func array(_ element: (inout JSONScanner) throws(Malformed) -> Void) throws(Malformed) {
        try take(UInt8(ascii: "["), or: "expected a list")
        if takeIf(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while takeIf(UInt8(ascii: ","))
        try take(UInt8(ascii: "]"), or: "expected a comma or the end of the list")
    }

    /// Passes over any value.
    mutating func skipValue(depth: Int = 0) throws(Malformed) {
        guard depth < Self.deepestNesting else { throw malformed("nested too deeply") }
        switch peek() {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            try object { (scanner: inout JSONScanner, _: RawString) throws(Malformed) in
                try scanner.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try array { (scanner: inout JSONScanner) throws(Malformed) in try scanner.skipValue(depth: depth + 1) }
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
    }

    private mutating func literal(_ word: StaticString) throws(Malformed) {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count else { throw malformed("the text ends too early") }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] {
            throw malformed("expected a value")
        }
        index += length
    }

    /// Passes over a number and returns where it stands.
    mutating func number() throws(Malformed) -> Range<Int> {
        _ = peek()
        let start = index
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        let firstDigit = index
        try digits()
        if bytes[firstDigit] == UInt8(ascii: "0"), index > firstDigit + 1 { throw malformed("a number starts with 0") }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            try digits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            try digits()
        }
        return start..<index
    }

    private mutating func digits() throws(Malformed) {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        guard index > start else { throw malformed("expected a value") }
    }
}
