/// Reads JSON5 (https://spec.json5.org) whole: bytes to a tree of nodes that know their places.
///
/// Kept by hand: Foundation reads JSON5 as well, but tells neither where a value stands nor that a key is given twice,
/// and a mistake that is told with its place, or an edit that keeps comments and layout, needs both.
package struct JSON5Parser {
    let bytes: [UInt8]
    var offset = 0
    private var depth = 0
    private var valueCount = 0

    /// Lists and objects inside each other: far beyond any real file, far below what a thread's stack holds.
    package static let deepestNesting = 64
    /// Values in one document: what bounds the memory that a hostile file can cost.
    package static let mostValues = 2_000_000

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The root of the document in `bytes`.
    ///
    /// - Throws: the first place that is not JSON5.
    package static func parse(_ bytes: [UInt8]) throws(JSON5Error) -> JSON5Node {
        if let bad = UTF8Text.firstInvalidByte(in: bytes) {
            throw JSON5Error(
                offset: bad, problem: "the bytes from here are not UTF-8", remedy: "save the file as UTF-8 text")
        }
        var parser = JSON5Parser(bytes)
        try parser.skipTrivia()
        let root = try parser.value()
        try parser.skipTrivia()
        guard parser.offset == bytes.count else {
            throw parser.unexpected("the end of the file", remedy: "remove what follows the closing bracket")
        }
        return root
    }

    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func value() throws(JSON5Error) -> JSON5Node {
        valueCount += 1
        guard valueCount <= Self.mostValues else {
            throw JSON5Error(
                offset: offset, problem: "more than \(Self.mostValues) values", remedy: "split the file")
        }
        let start = offset
        let value = try nextValue()
        return JSON5Node(range: start..<offset, value: value)
    }

    private mutating func nextValue() throws(JSON5Error) -> JSON5Node.Value {
        switch current ?? 0 {
        case UInt8(ascii: "{"): return .object(try nested(Self.members))
        case UInt8(ascii: "["): return .array(try nested(Self.elements))
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        default:
            if let text = try curlyString() { return .string(text) }
            return try literal()
        }
    }

    private mutating func literal() throws(JSON5Error) -> JSON5Node.Value {
        let start = offset
        let word = try identifier()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case nil: throw unexpected("a value", remedy: "write text in quotes, a number, a list or an object")
        case let word?:
            throw JSON5Error(
                offset: start, problem: "expected a value but found the bare word “\(word)”",
                remedy: "put text in quotes: \"\(word)\"")
        }
    }

    private mutating func nested<Content>(
        _ content: (inout JSON5Parser, Int) throws(JSON5Error) -> Content
    ) throws(JSON5Error) -> Content {
        guard depth < Self.deepestNesting else {
            throw JSON5Error(
                offset: offset, problem: "lists and objects nested more than \(Self.deepestNesting) deep",
                remedy: "look for brackets that are not closed")
        }
        let opening = offset
        depth += 1
        offset += 1
        let result = try content(&self, opening)
        depth -= 1
        return result
    }

    private static func elements(_ parser: inout JSON5Parser, opening: Int) throws(JSON5Error) -> [JSON5Node] {
        var elements: [JSON5Node] = []
        while true {
            try parser.skipTrivia()
            if parser.take(UInt8(ascii: "]")) { return elements }
            guard parser.current != nil else { throw parser.unclosed("a value or “]”", "list", opening) }
            elements.append(try parser.value())
            try parser.skipTrivia()
            if parser.take(UInt8(ascii: "]")) { return elements }
            guard parser.take(UInt8(ascii: ",")) else {
                if parser.current == nil { throw parser.unclosed("“,” or “]”", "list", opening) }
                throw parser.unexpected("“,” or “]”", remedy: "separate the elements of a list with commas")
            }
        }
    }

    private static func members(_ parser: inout JSON5Parser, opening: Int) throws(JSON5Error) -> [JSON5Member] {
        var members: [JSON5Member] = []
        while true {
            try parser.skipTrivia()
            if parser.take(UInt8(ascii: "}")) { return members }
            guard parser.current != nil else { throw parser.unclosed("a key or “}”", "object", opening) }
            let start = parser.offset
            guard let key = try parser.key() else {
                throw parser.unexpected("a key or “}”", remedy: "write \"key\": value, separated by commas")
            }
            let keyRange = start..<parser.offset
            try parser.skipTrivia()
            guard parser.take(UInt8(ascii: ":")) else {
                throw parser.unexpected("“:” after the key “\(key)”", remedy: "write \"\(key)\": and its value")
            }
            try parser.skipTrivia()
            members.append(JSON5Member(key: key, keyRange: keyRange, value: try parser.value()))
            try parser.skipTrivia()
            if parser.take(UInt8(ascii: "}")) { return members }
            guard parser.take(UInt8(ascii: ",")) else {
                if parser.current == nil { throw parser.unclosed("“,” or “}”", "object", opening) }
                throw parser.unexpected("“,” or “}”", remedy: "separate the keys of an object with commas")
            }
        }
    }

    private mutating func key() throws(JSON5Error) -> String? {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string()
        default:
            if let text = try curlyString() { return text }
            return try identifier()
        }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    func unexpected(_ expected: String, remedy: String) -> JSON5Error {
        JSON5Error(offset: offset, problem: "expected \(expected) but \(found)", remedy: remedy)
    }

    private func unclosed(_ expected: String, _ what: String, _ opening: Int) -> JSON5Error {
        JSON5Error(
            offset: offset, problem: "expected \(expected) but the file ends", remedy: "close the \(what)",
            openedAt: opening)
    }

    private var found: String {
        guard offset < bytes.count else { return "the file ends" }
        return "found \(UTF8Text.name(of: UTF8Text.scalar(in: bytes, at: offset).scalar))"
    }
}

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
